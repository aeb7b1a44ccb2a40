; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (proc_declaration)
  (func_declaration)
  (method_declaration)
  (iterator_declaration)
  (converter_declaration)
  (template_declaration)
  (macro_declaration)
  (proc_expression)
  (func_expression)
] @scope

[
  (statement_list)
  (for)
  (except_branch)
  (block)
] @scope.block

(type_declaration) @scope.type

(parameter_declaration_list
  (parameter_declaration
    (symbol_declaration_list (symbol_declaration name: (identifier) @local))
    type: (type_expression (_) @type)))
(parameter_declaration_list
  (parameter_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @local))))
(generic_parameter_list
  (parameter_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @generic))))
(variable_declaration
  (symbol_declaration_list (symbol_declaration name: (identifier) @local))
  type: (type_expression (_) @type))
(variable_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @local)) value: (_) @value)
(variable_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @local)))
(tuple_deconstruct_declaration (symbol_declaration name: (identifier) @local))
(for left: (symbol_declaration_list (symbol_declaration name: (identifier) @local)) right: (_) @iterated)
(except_branch values: (expression_list (infix_expression right: (identifier) @local)))
(block label: (identifier) @local)

(argument_list (equal_expression left: (identifier) @label))
(argument_list (colon_expression left: (identifier) @label))
