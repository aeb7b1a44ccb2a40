; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (subprogram_body)
  (subprogram_declaration)
  (expression_function_declaration)
  (entry_body)
  (entry_declaration)
  (generic_subprogram_declaration)
] @scope
[
  (block_statement)
  (loop_statement)
  (exception_handler)
  (extended_return_statement)
  (quantified_expression)
] @scope.block

(parameter_specification (identifier) @local subtype_mark: (_) @type)
(parameter_specification (identifier) @local ":")
(subprogram_body (non_empty_declarative_part (object_declaration (identifier) @local subtype_mark: (_) @type)))
(subprogram_body (non_empty_declarative_part (number_declaration (identifier) @local ":")))
(block_statement (non_empty_declarative_part (object_declaration (identifier) @local subtype_mark: (_) @type)))
(loop_parameter_specification . (identifier) @local)
(iterator_specification . (identifier) @local)
(choice_parameter_specification (identifier) @local)
(extended_return_object_declaration . (identifier) @local)

(component_choice_list (identifier) @label)
