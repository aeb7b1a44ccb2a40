; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (method)
  (singleton_method)
] @scope

[
  (block)
  (do_block)
  (lambda)
] @scope.block

(class) @scope.type
(module) @scope.type

(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(optional_parameter name: (identifier) @local value: (_) @value)
(keyword_parameter name: (identifier) @local)
(splat_parameter (identifier) @local)
(hash_splat_parameter (identifier) @local)
(block_parameter (identifier) @local)
(assignment left: (identifier) @local right: (_) @value)
(left_assignment_list (identifier) @local)
(assignment left: (instance_variable) @attribute right: (_) @value)
