; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (method_declaration)
] @scope.closed

[
  (anonymous_function)
  (arrow_function)
] @scope

(class_declaration) @scope.type
(trait_declaration) @scope.type
(interface_declaration) @scope.type
(enum_declaration) @scope.type

(simple_parameter type: (_) @type name: (variable_name (name) @local))
(simple_parameter !type name: (variable_name (name) @local))
(variadic_parameter name: (variable_name (name) @local))
(property_promotion_parameter type: (_) @type name: (variable_name (name) @local))
(property_promotion_parameter !type name: (variable_name (name) @local))
(global_declaration (variable_name (name) @local))
(static_variable_declaration name: (variable_name (name) @local))
(anonymous_function_use_clause (variable_name (name) @outer))
(anonymous_function_use_clause (by_ref (variable_name (name) @outer)))

(assignment_expression left: (variable_name (name) @local) right: (_) @value)
(assignment_expression left: (subscript_expression . (variable_name (name) @local)))
(reference_assignment_expression left: (variable_name (name) @local) right: (_) @value)
(augmented_assignment_expression left: (variable_name (name) @local))
(list_literal (variable_name (name) @local))
(list_literal (by_ref (variable_name (name) @local)))
(foreach_statement . (_) @iterated . (variable_name (name) @local))
(foreach_statement (pair (variable_name (name) @local)))
(foreach_statement (pair (by_ref (variable_name (name) @local))))
(foreach_statement (by_ref (variable_name (name) @local)))
(catch_clause type: (_) @type name: (variable_name (name) @local))

(property_declaration type: (_) @type (property_element name: (variable_name (name) @member)))
(method_declaration name: (name) @function return_type: (_) @type)
(function_definition name: (name) @function return_type: (_) @type)

(argument (variable_name (name) @variable) (#not-eq? @variable "this"))

(scoped_property_access_expression name: (variable_name (name) @label))
