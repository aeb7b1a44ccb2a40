; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_or_value_defn (function_declaration_left)) @scope
[
  (fun_expression)
  (method_or_prop_defn)
] @scope

[
  (declaration_expression)
  (for_expression)
  (rule)
  (anon_type_defn)
] @scope.block

(function_declaration_left . (identifier) @local.around)
(identifier_pattern . (long_identifier_or_op (identifier) @local) . (#match? @local "^[a-z_]"))
(argument_patterns (long_identifier (identifier) @local))
(function_or_value_defn
  (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @local) .))
  body: (_) @value)
(for_expression . (identifier) @local)
(type_check_pattern (identifier) @local)
(declaration_expression . (identifier) @local)
(property_or_ident instance: (identifier) @local)
(type_argument (identifier) @generic)

(field_initializer field: (long_identifier (identifier) @label))
(field_pattern . (long_identifier (identifier) @label))
