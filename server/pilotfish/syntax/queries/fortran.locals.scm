; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function)
  (subroutine)
] @scope
[
  (block_construct)
  (associate_statement)
] @scope.block
(derived_type_definition) @scope.type

(parameters (identifier) @local)
(function_result (identifier) @local)
(variable_declaration declarator: (identifier) @local)
(variable_declaration declarator: (sized_declarator . (identifier) @local))
(variable_declaration declarator: (init_declarator left: (identifier) @local))
(variable_declaration declarator: (init_declarator left: (sized_declarator . (identifier) @local)))
(variable_declaration declarator: (pointer_init_declarator left: (identifier) @local))
(association name: (identifier) @local)

(keyword_argument name: (identifier) @label)
