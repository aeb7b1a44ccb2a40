; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_clause)
  (pp_define)
  (spec)
  (type_alias)
  (opaque)
  (callback)
] @scope.closed

[
  (fun_clause)
  (list_comprehension)
  (binary_comprehension)
] @scope

[
  (cr_clause)
  (catch_clause)
  (if_clause)
] @scope.block

(fun_clause args: (expr_args (var) @local))
(fun_clause args: (expr_args (tuple (var) @local)))
(fun_clause name: (var) @local)
(generator lhs: (var) @local)
(generator lhs: (tuple (var) @local))
(var) @variable

(macro_call_expr name: (var) @label)
