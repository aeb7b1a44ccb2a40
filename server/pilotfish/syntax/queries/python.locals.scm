; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (lambda)
  (list_comprehension)
  (set_comprehension)
  (dictionary_comprehension)
  (generator_expression)
] @scope

(class_definition) @scope.type

(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter . (identifier) @local type: (type) @type)
(default_parameter name: (identifier) @local value: (_) @value)
(typed_default_parameter name: (identifier) @local type: (type) @type)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)

(assignment left: (identifier) @local !type right: (_) @value)
(assignment left: (identifier) @local type: (type) @type)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(named_expression name: (identifier) @local value: (_) @value)

(for_statement left: (identifier) @local right: (_) @iterated)
(for_in_clause left: (identifier) @local right: (_) @iterated)
(as_pattern (_) @entered alias: (as_pattern_target (identifier) @local))

(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @attribute)
  !type
  right: (_) @value
  (#any-of? @_self "self" "cls"))
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @attribute)
  type: (type) @type
  (#any-of? @_self "self" "cls"))

(function_definition name: (identifier) @function return_type: (type) @type)
(return_statement (_) @returned)

(global_statement (identifier) @outer)
(nonlocal_statement (identifier) @outer)
