; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (let_binding)
  (fun_expression)
  (method_definition)
] @scope

[
  (let_expression)
  (function_expression)
  (match_case)
  (for_expression)
  (class_binding)
  (object_expression)
] @scope.block

(value_pattern) @local
(let_binding pattern: (value_name) @local.around)
((value_definition (let_binding pattern: (value_name) @local.around body: (_) @value)) @_definition
  (#not-match? @_definition "^let\\s+rec\\b"))
(let_binding pattern: (_ (value_name) @local.around))
(let_binding pattern: (_ (_ (value_name) @local.around)))
(let_binding pattern: (_ (value_pattern) @local.around))
(let_binding pattern: (record_pattern (field_pattern (field_path (field_name) @local.around) !pattern)))
(field_pattern (field_path (field_name) @local) !pattern)

(field_pattern (field_path (field_name) @label) pattern: (_))
(field_expression (field_path (field_name) @label) body: (_))
(field_get_expression field: (field_path (field_name) @label))
(labeled_argument (label_name) @label expression: (_))
(method_invocation method: (method_name) @label)
