; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_item)
  (function_signature_item)
  (closure_expression)
] @scope

[
  (block)
  (match_arm)
  (for_expression)
  (if_expression)
] @scope.block

(impl_item) @scope.type
(trait_item) @scope.type
(struct_item) @scope.type

(parameter pattern: (identifier) @local type: (_) @type)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local !type value: (_) @value)
(let_declaration pattern: (identifier) @local !type !value)
(for_expression pattern: (identifier) @local value: (_) @iterated)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern (_) (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(type_parameter name: (type_identifier) @generic)

(field_declaration name: (field_identifier) @member type: (_) @type)
(function_item name: (identifier) @function return_type: (_) @type)
(function_signature_item name: (identifier) @function return_type: (_) @type)
