; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (method_definition)
  (block_literal)
] @scope

[
  (compound_statement)
  (for_statement)
  (catch_clause)
] @scope.block

(class_interface) @scope.type
(class_implementation) @scope.type
(protocol_declaration) @scope.type

(method_parameter (method_type (type_name) @type) (identifier) @local)
(parameter_declaration type: (_) @type declarator: (identifier) @local)
(declaration type: (_) @type declarator: (identifier) @local)
(init_declarator declarator: (identifier) @local value: (_) @value)
(pointer_declarator declarator: (identifier) @local)
(array_declarator declarator: (identifier) @local)
(block_pointer_declarator declarator: (identifier) @local)
(for_statement type: (_) @type . (identifier) @local)
(labeled_statement label: (statement_identifier) @local)

(message_expression method: (identifier) @label)
