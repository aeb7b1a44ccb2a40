; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_body)
  (procedure_body)
  (process_statement)
] @scope
[
  (loop_statement)
  (for_generate_statement)
] @scope.block

(function_body (function_parameter_clause (_ (identifier_list (identifier) @local))))
(procedure_body (procedure_parameter_clause (_ (identifier_list (identifier) @local))))
(function_body (declarative_part (_ (identifier_list (identifier) @local))))
(procedure_body (declarative_part (_ (identifier_list (identifier) @local))))
(process_statement (declarative_part (_ (identifier_list (identifier) @local))))
(parameter_specification name: (identifier) @local)

(named_association_element formal_part: (simple_name) @label)
