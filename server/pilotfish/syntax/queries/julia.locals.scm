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

(signature (_ (argument_list [(identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)])))
(signature (_ (_ (argument_list [(identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)]))))
(signature (argument_list [(identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)]))
(assignment . (call_expression (argument_list [(identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)])))
(assignment . (_ . (call_expression (argument_list [(identifier) @local (splat_expression (identifier) @local) (assignment . (identifier) @local)]))))
(argument_list (typed_expression . (identifier) @local . (_) @type))
(argument_list (assignment . (typed_expression . (identifier) @local . (_) @type)))
(argument_list (splat_expression (typed_expression . (identifier) @local)))
(arrow_function_expression . (identifier) @local)
(arrow_function_expression . (argument_list (identifier) @local))
(do_clause (identifier) @local)
(do_clause (tuple_expression (identifier) @local))
(do_clause (typed_expression . (identifier) @local))

(block (assignment . (identifier) @assigned . (operator) . (_) @value))
(block (assignment . (typed_expression . (identifier) @assigned . (_) @type)))
(block (assignment . [(open_tuple (identifier) @assigned) (tuple_expression (identifier) @assigned)]))
(parenthesized_expression (assignment . (identifier) @assigned . (operator) . (_) @value))
(assignment (assignment . (identifier) @assigned))
(local_statement (assignment . (identifier) @local))
(local_statement (identifier) @local)
(let_statement (assignment . (identifier) @local))
(for_binding . (identifier) @local)
(for_binding . (tuple_expression (identifier) @local))
(catch_clause . (identifier) @assigned)

(where_expression . (_) [(identifier) @generic (binary_expression . (identifier) @generic)])
(curly_expression [(identifier) @generic (binary_expression . (identifier) @generic)])

(global_statement (assignment . (identifier) @outer))
(global_statement (identifier) @outer)

(call_expression (argument_list (assignment . (identifier) @label)))
(tuple_expression (assignment . (identifier) @label))
