; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_declaration) @scope
[
  (compound_statement)
  (for_statement)
  (loop_statement)
  (case_compound_statement)
] @scope.block

(parameter (variable_identifier_declaration name: (identifier) @local type: (_) @type))
(variable_statement . (identifier) @local)
(variable_statement (variable_declaration (variable_identifier_declaration name: (identifier) @local)))
(variable_statement (variable_declaration (identifier) @local))

(composite_value_decomposition_expression accessor: (identifier) @label)
(postfix_expression (identifier) @label)
