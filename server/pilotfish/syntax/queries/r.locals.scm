; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_definition) @scope

(parameter name: (identifier) @local)
(binary_operator lhs: (identifier) @local operator: "<-" rhs: (_) @value)
(binary_operator lhs: (identifier) @local operator: "=" rhs: (_) @value)
(binary_operator lhs: (_) @value operator: "->" rhs: (identifier) @local)
(for_statement variable: (identifier) @local sequence: (_) @iterated)

(argument name: (identifier) @label)
