; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (protocol_function_declaration)
  (init_declaration)
  (subscript_declaration)
  (lambda_literal)
] @scope

[
  (statements)
  (if_statement)
  (for_statement)
  (while_statement)
  (repeat_while_statement)
  (do_statement)
  (catch_block)
  (switch_entry)
  (computed_setter)
  (willset_clause)
  (didset_clause)
] @scope.block

(class_declaration) @scope.type
(protocol_declaration) @scope.type

(parameter name: (simple_identifier) @local name: (_) @type)
(lambda_parameter name: (simple_identifier) @local)
(capture_list_item name: (simple_identifier) @local value: (_) @value)
(computed_setter (simple_identifier) @local)
(willset_clause (simple_identifier) @local)
(didset_clause (simple_identifier) @local)

(pattern (value_binding_pattern) (pattern . (simple_identifier) @local .))
(pattern (value_binding_pattern) (pattern (pattern . (simple_identifier) @local .)))
(property_declaration name: (pattern (pattern . (simple_identifier) @local .)) value: (_) @value)
(for_statement item: (pattern (pattern . (simple_identifier) @local .)))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @local) . (type_annotation (_) @type))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @local) . value: (_) @value)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local) collection: (_) @iterated)
(_ bound_identifier: (simple_identifier) @local . "=" . (_) @value)
(_ bound_identifier: (simple_identifier) @local)
(_ bound_identifier: (simple_identifier) @local . (type_annotation (_) @type))

(type_parameter (type_identifier) @generic)

(value_argument_label (simple_identifier) @label)
(parameter external_name: (simple_identifier) @label)
(prefix_expression operation: "." target: (simple_identifier) @label)
