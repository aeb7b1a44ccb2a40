; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (secondary_constructor)
  (anonymous_function)
  (lambda_literal)
  (getter)
  (setter)
] @scope

[
  (anonymous_initializer)
  (control_structure_body)
  (for_statement)
  (try_expression)
  (catch_block)
  (finally_block)
  (when_expression)
  (class_declaration)
  (enum_entry)
] @scope.block

(class_body) @scope.type
(enum_class_body) @scope.type
(function_type) @scope

(class_parameter (simple_identifier) @local . (_) @type)
(parameter (simple_identifier) @local . (_) @type)
(setter (parameter_with_optional_type (simple_identifier) @local))
(parameter_with_optional_type (simple_identifier) @local)
(variable_declaration (simple_identifier) @local (_) @type)
(variable_declaration (simple_identifier) @local .)
(property_declaration (variable_declaration (simple_identifier) @local .) "=" . (_) @value)
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @local .)) "=" . (_) @value)
(for_statement (variable_declaration (simple_identifier) @local .) . (_) @iterated)
(when_subject (variable_declaration (simple_identifier) @local .) . (_) @value)
(catch_block . (simple_identifier) @local . (_) @type)
(type_parameter (type_identifier) @generic)

(function_declaration
  (simple_identifier) @function
  (function_value_parameters)
  [(user_type) (nullable_type)] @type)

(value_argument (simple_identifier) @label . "=")
