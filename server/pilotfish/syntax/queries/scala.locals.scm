; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (function_declaration)
  (lambda_expression)
] @scope

[
  (block)
  (indented_block)
  (case_clause)
  (for_expression)
  (class_definition)
  (trait_definition)
  (enum_definition)
  (given_definition)
  (extension_definition)
] @scope.block

(template_body) @scope.type
(enum_body) @scope.type

(class_parameter name: (identifier) @local type: (_) @type)
(parameter name: (identifier) @local type: (_) @type)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local type: (_) @type)
(binding name: (identifier) @local !type)
(val_definition pattern: (identifier) @local type: (_) @type)
(val_definition pattern: (identifier) @local !type value: (_) @value)
(var_definition pattern: (identifier) @local type: (_) @type)
(var_definition pattern: (identifier) @local !type value: (_) @value)
(val_declaration name: (identifier) @local type: (_) @type)

(enumerator . (identifier) @local . (_) @iterated)
(case_clause pattern: (identifier) @local (#match? @local "^[a-z_]"))
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(case_class_pattern (identifier) @local (#match? @local "^[a-z_]"))
(infix_pattern (identifier) @local (#match? @local "^[a-z_]"))
(typed_pattern pattern: (identifier) @local type: (_) @type)
(capture_pattern name: (identifier) @local)

(type_parameters name: (identifier) @generic)
(function_definition name: (identifier) @function return_type: (_) @type)

(arguments (assignment_expression left: (identifier) @label))
