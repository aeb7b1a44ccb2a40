; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (constructor_definition)
  (modifier_definition)
  (fallback_receive_definition)
  (yul_function_definition)
] @scope

[
  (block_statement)
  (for_statement)
  (try_statement)
  (catch_clause)
  (yul_block)
  (yul_for_statement)
] @scope.block

(contract_body) @scope.type
(struct_declaration) @scope.type

(parameter type: (_) @type name: (identifier) @local)
(variable_declaration type: (_) @type name: (identifier) @local)
(variable_declaration_tuple (identifier) @local)
(yul_variable_declaration left: (yul_identifier (identifier) @local))
(yul_function_definition (yul_identifier (identifier) @local))

(state_variable_declaration type: (_) @type name: (identifier) @member)
(struct_member type: (_) @type name: (identifier) @member)

(call_struct_argument name: (identifier) @label)
(struct_field_assignment name: (identifier) @label)
