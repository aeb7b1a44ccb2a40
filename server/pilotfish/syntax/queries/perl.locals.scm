; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (subroutine_declaration_statement)
  (method_declaration_statement)
  (anonymous_subroutine_expression)
] @scope

[
  (block)
  (for_statement)
  (cstyle_for_statement)
  (loop_statement)
  (conditional_statement)
  (try_statement)
] @scope.block

(variable_declaration [(scalar (varname) @local) (array (varname) @local) (hash (varname) @local)])
(assignment_expression
  left: (variable_declaration [(scalar (varname) @local) (array (varname) @local) (hash (varname) @local)])
  right: (_) @value)
(for_statement variable: (_ (varname) @local))
(mandatory_parameter (_ (varname) @local))
(optional_parameter (_ (varname) @local))
(slurpy_parameter (_ (varname) @local))
(try_statement catch_expr: (_ (varname) @local))
