; inherits: ecma.locals

(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local right: (_) @value))
(variable_declarator name: (identifier) @local value: (_) @value)
(variable_declarator name: (identifier) @local !value)
(field_definition property: (property_identifier) @member value: (_) @value)
