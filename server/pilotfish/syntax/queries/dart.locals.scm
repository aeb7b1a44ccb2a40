; Scopes, and what gives names in them a value; see syntax/scopes.py.

((method_signature) @scope . (function_body) @scope)
((function_signature) @scope . (function_body) @scope)
(declaration (constructor_signature)) @scope
(declaration (constant_constructor_signature)) @scope
[
  (function_expression)
  (local_function_declaration)
] @scope

[
  (block)
  (for_statement)
  (switch_statement_case)
  (switch_expression_case)
  (if_statement)
] @scope.block
(try_statement (catch_clause) @scope.block . (block) @scope.block)

(class_definition) @scope.type
(extension_declaration) @scope.type
(mixin_declaration) @scope.type
(enum_declaration) @scope.type

(formal_parameter (type_identifier) @type name: (identifier) @local)
(formal_parameter (identifier) @local)
(initialized_variable_definition (type_identifier) @type name: (identifier) @local)
(initialized_variable_definition name: (identifier) @local value: (_) @value)
(initialized_variable_definition name: (identifier) @local)
(initialized_variable_definition (initialized_identifier . (identifier) @local))
(for_loop_parts name: (identifier) @local)
(catch_parameters (identifier) @local)
(variable_pattern (identifier) @local)
(pattern_variable_declaration (_ (constant_pattern (identifier) @local)))
(type_parameter (type_identifier) @generic)

(declaration
  (type_identifier) @type
  (initialized_identifier_list (initialized_identifier . (identifier) @member)))
(function_signature . (type_identifier) @type name: (identifier) @function)
(getter_signature . (type_identifier) @type name: (identifier) @function)

(label (identifier) @label)
(object_pattern (identifier) @label)
(record_pattern (identifier) @label)
(cascade_selector (identifier) @label)
