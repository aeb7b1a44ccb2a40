; inherits: c.locals

(lambda_expression) @scope
(for_range_loop) @scope.block
(class_specifier) @scope.type
(struct_specifier) @scope.type

(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration type: (_) @type declarator: (identifier) @local)
(for_range_loop type: (_) @type declarator: (identifier) @local)
(for_range_loop type: (_) @type declarator: (reference_declarator (identifier) @local))
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (reference_declarator (identifier) @local)))
(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (field_identifier) @function))
