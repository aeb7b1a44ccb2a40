; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (method_declaration)
  (func_literal)
] @scope

[
  (block)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (type_switch_statement)
  (expression_case)
  (communication_case)
] @scope.block

(parameter_declaration name: (identifier) @local type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local type: (_) @type)
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (_) @value))
(short_var_declaration left: (expression_list (_) (identifier) @local))
(range_clause left: (expression_list . (identifier) @local))
(range_clause left: (expression_list (_) (identifier) @local) right: (_) @iterated)
(var_spec name: (identifier) @local type: (_) @type)
(var_spec name: (identifier) @local !type value: (expression_list . (_) @value))
(const_spec name: (identifier) @local)
(type_parameter_declaration name: (identifier) @generic)

(field_declaration name: (field_identifier) @member type: (_) @type)
(function_declaration name: (identifier) @function result: (_) @type)
(method_declaration name: (field_identifier) @function result: (_) @type)
