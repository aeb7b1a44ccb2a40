; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
] @scope

[
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)
  (try_with_resources_statement)
  (switch_block)
] @scope.block

(class_declaration) @scope.type
(interface_declaration) @scope.type
(enum_declaration) @scope.type
(record_declaration) @scope.type

(formal_parameter type: (_) @type name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(catch_formal_parameter (catch_type (_) @type) name: (identifier) @local)
(enhanced_for_statement type: (_) @type name: (identifier) @local)
(resource type: (_) @type name: (identifier) @local)
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @local))
(field_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @member))
(type_parameter (type_identifier) @generic)

(method_declaration type: (_) @type name: (identifier) @function)
