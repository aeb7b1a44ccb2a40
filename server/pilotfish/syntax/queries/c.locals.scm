; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_definition) @scope

[
  (compound_statement)
  (for_statement)
] @scope.block

(parameter_declaration type: (_) @type declarator: (identifier) @local)
(parameter_declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @local))
(parameter_declaration type: (_) @type declarator: (array_declarator declarator: (identifier) @local))
(declaration type: (_) @type declarator: (identifier) @local)
(declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @local))
(declaration type: (_) @type declarator: (array_declarator declarator: (identifier) @local))
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @local))
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @local)))

(field_declaration type: (_) @type declarator: (field_identifier) @member)
(field_declaration type: (_) @type declarator: (pointer_declarator declarator: (field_identifier) @member))
(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (identifier) @function))
(parameter_declaration
  type: (_) @type
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local))))
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))))
(declaration type: (_) @type declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @local)))
(declaration
  declarator: (init_declarator
    declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))))
(declaration type: (_) @type declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
(labeled_statement label: (statement_identifier) @local)
