; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (generator_function)
  (arrow_function)
  (method_definition)
] @scope

[
  (statement_block)
  (for_statement)
  (for_in_statement)
  (catch_clause)
  (switch_body)
] @scope.block

(class_declaration) @scope.type
(class) @scope.type

(arrow_function parameter: (identifier) @local)
(rest_pattern (identifier) @local)

(object_pattern (shorthand_property_identifier_pattern) @local)
(object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local))
(pair_pattern value: (identifier) @local)
(pair_pattern value: (assignment_pattern left: (identifier) @local))
(array_pattern (identifier) @local)

(variable_declarator name: (object_pattern) @taken value: (_) @value)

(for_in_statement left: (identifier) @local right: (_) @iterated)
(catch_clause parameter: (identifier) @local)

(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @attribute)
  right: (_) @value)

(return_statement (_) @returned)
(arrow_function body: (_) @returned)
