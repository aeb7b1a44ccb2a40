; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (method_declaration)
  (constructor_declaration)
  (destructor_declaration)
  (operator_declaration)
  (conversion_operator_declaration)
  (local_function_statement)
  (lambda_expression)
  (anonymous_method_expression)
  (indexer_declaration)
  (delegate_declaration)
] @scope

[
  (block)
  (for_statement)
  (foreach_statement)
  (using_statement)
  (fixed_statement)
  (catch_clause)
  (switch_section)
  (switch_expression_arm)
  (query_expression)
  (class_declaration)
  (struct_declaration)
  (record_declaration)
] @scope.block

(interface_declaration) @scope.type
(declaration_list) @scope.type

(parameter type: (_) @type name: (identifier) @local)
(parameter !type name: (identifier) @local)
(parameter_list type: (array_type) name: (identifier) @local)
(implicit_parameter) @local
(type_parameter name: (identifier) @generic)

(variable_declaration
  type: [
    (identifier)
    (generic_name)
    (qualified_name)
    (alias_qualified_name)
    (nullable_type)
    (array_type)
    (predefined_type)
    (pointer_type)
    (function_pointer_type)
    (tuple_type)
    (ref_type)
    (scoped_type)
  ] @type
  (variable_declarator name: (identifier) @local))
(variable_declaration
  type: (implicit_type)
  (variable_declarator name: (identifier) @local (_) @value))
(tuple_pattern name: (identifier) @local)

(foreach_statement type: (_) @type left: (identifier) @local (#not-eq? @type "var"))
(foreach_statement type: (implicit_type) left: (identifier) @local right: (_) @iterated)
(catch_declaration type: (_) @type name: (identifier) @local)
(declaration_pattern type: (_) @type name: (identifier) @local)
(recursive_pattern type: (_) @type name: (identifier) @local)
(recursive_pattern !type name: (identifier) @local)
(declaration_expression type: (_) @type name: (identifier) @local)

(from_clause name: (identifier) @local . (_) @iterated)
(let_clause . (identifier) @local . (_) @value)
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
(query_expression (identifier) @local)
(labeled_statement . (identifier) @local)

(property_declaration type: (_) @type name: (identifier) @member)
(method_declaration returns: (_) @type name: (identifier) @function)
(local_function_statement type: (_) @type name: (identifier) @function)

(argument name: (identifier) @label)
(initializer_expression (assignment_expression left: (identifier) @label))
(with_initializer . (identifier) @label)
(anonymous_object_creation_expression (identifier) @label . "=")
(attribute_argument name: (identifier) @label)
(property_pattern_clause (subpattern . (identifier) @label))
