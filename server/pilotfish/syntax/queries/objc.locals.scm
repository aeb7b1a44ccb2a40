; inherits: c.locals

[
  (method_definition)
  (block_literal)
] @scope
(catch_clause) @scope.block
(class_interface) @scope.type
(class_implementation) @scope.type
(protocol_declaration) @scope.type

(method_parameter (method_type (type_name) @type) (identifier) @local)
(for_statement type: (_) @type (pointer_declarator declarator: (identifier) @local))
(for_statement type: (_) @type . (identifier) @local)
(catch_clause (type_name (pointer_declarator declarator: (identifier) @local)))
(declaration
  declarator: (init_declarator
    declarator: (function_declarator
      declarator: (parenthesized_declarator (block_pointer_declarator declarator: (identifier) @local)))))
(parameter_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (block_pointer_declarator declarator: (identifier) @local))))

(message_expression method: (identifier) @label)
