; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_definition)
  (constructor_definition)
  (lambda)
] @scope

[
  (body)
  (for_statement)
  (pattern_section)
] @scope.block

(class_body) @scope.type

(parameters (identifier) @local)
(typed_parameter . (identifier) @local type: (_) @type)
(default_parameter . (identifier) @local)
(typed_default_parameter . (identifier) @local type: (type) @type)
(typed_default_parameter . (identifier) @local type: (inferred_type) value: (_) @value)
(variable_statement name: (name) @local type: (type) @type)
(variable_statement name: (name) @local !type value: (_) @value)
(variable_statement name: (name) @local)
(const_statement name: (name) @local)
(for_statement left: (identifier) @local type: (_) @type)
(for_statement left: (identifier) @local right: (_) @iterated)
(pattern_binding (identifier) @local)

(pair left: (identifier) @label "=")
