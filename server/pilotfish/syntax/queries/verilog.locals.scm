; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_declaration)
  (task_declaration)
  (class_constructor_declaration)
] @scope
[
  (seq_block)
  (loop_statement)
  (loop_generate_construct)
] @scope.block

(tf_port_item1 (port_identifier (simple_identifier) @local))
(block_item_declaration
  (data_declaration
    (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @local))))
(for_variable_declaration (simple_identifier) @local)
(loop_variables1 (index_variable_identifier (index_variable_identifier (simple_identifier) @local)))
(genvar_initialization (genvar_identifier (simple_identifier) @local))
