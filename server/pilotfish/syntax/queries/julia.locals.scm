; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (macro_definition)
  (arrow_function_expression)
  (do_clause)
  (comprehension_expression)
  (generator)
] @scope
(assignment . (call_expression)) @scope
(assignment . (where_expression)) @scope
(assignment . (typed_expression . (call_expression))) @scope

[
  (for_statement)
  (let_statement)
] @scope.block

(struct_definition) @scope.type

(signature (call_expression (argument_list (identifier) @local)))
(signature (where_expression (call_expression (argument_list (identifier) @local))))
(signature (typed_expression (call_expression (argument_list (identifier) @local))))
(signature (where_expression (typed_expression (call_expression (argument_list (identifier) @local)))))
(signature (argument_list (identifier) @local))
(assignment . (call_expression (argument_list (identifier) @local)))
(assignment . (where_expression (call_expression (argument_list (identifier) @local))))
(assignment . (typed_expression . (call_expression (argument_list (identifier) @local))))
(argument_list (typed_expression . (identifier) @local . (_) @type))
(argument_list (assignment . (typed_expression . (identifier) @local . (_) @type)))
(argument_list (splat_expression (typed_expression . (identifier) @local)))
(signature (call_expression (argument_list (assignment . (identifier) @local))))
(signature (where_expression (call_expression (argument_list (assignment . (identifier) @local)))))
(signature (typed_expression (call_expression (argument_list (assignment . (identifier) @local)))))
(assignment . (call_expression (argument_list (assignment . (identifier) @local))))
(signature (call_expression (argument_list (splat_expression (identifier) @local))))
(signature (where_expression (call_expression (argument_list (splat_expression (identifier) @local)))))
(assignment . (call_expression (argument_list (splat_expression (identifier) @local))))
(arrow_function_expression . (identifier) @local)
(arrow_function_expression . (argument_list (identifier) @local))
(do_clause (identifier) @local)
(do_clause (tuple_expression (identifier) @local))
(do_clause (typed_expression . (identifier) @local))

(block (assignment . (identifier) @assigned . (operator) . (_) @value))
(block (assignment . (typed_expression . (identifier) @assigned . (_) @type)))
(block (assignment . (open_tuple (identifier) @assigned)))
(block (assignment . (tuple_expression (identifier) @assigned)))
(parenthesized_expression (assignment . (identifier) @assigned . (operator) . (_) @value))
(assignment (assignment . (identifier) @assigned))
(local_statement (assignment . (identifier) @local))
(local_statement (identifier) @local)
(let_statement (assignment . (identifier) @local))
(for_binding . (identifier) @local)
(for_binding . (tuple_expression (identifier) @local))
(catch_clause . (identifier) @assigned)

(where_expression . (_) (identifier) @generic)
(where_expression (curly_expression (identifier) @generic))
(where_expression (curly_expression (binary_expression . (identifier) @generic)))
(where_expression . (_) (binary_expression . (identifier) @generic))
(parametrized_type_expression (curly_expression (identifier) @generic))
(parametrized_type_expression (curly_expression (binary_expression . (identifier) @generic)))

(global_statement (assignment . (identifier) @outer))
(global_statement (identifier) @outer)

(call_expression (argument_list (assignment . (identifier) @label)))
(tuple_expression (assignment . (identifier) @label))
