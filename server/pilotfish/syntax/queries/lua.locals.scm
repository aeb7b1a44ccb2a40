; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (function_definition)
] @scope

[
  (block)
  (for_statement)
] @scope.block

(parameters name: (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local) (expression_list) @value))
(variable_declaration (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(label_statement (identifier) @local)

((field name: (identifier) @label) @_field (#not-match? @_field "^\\["))
