; Scopes, and what gives names in them a value; see syntax/scopes.py.

((call target: (identifier) @_definition) @scope.closed
  (#any-of? @_definition "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "test" "setup" "setup_all"))
((call target: (identifier) @_block) @scope.block
  (#any-of? @_block "for" "with" "if" "unless" "case" "cond" "try" "receive"))
(anonymous_function) @scope
(stab_clause) @scope.block

(arguments (identifier) @variable)
(arguments (binary_operator operator: "=" right: (identifier) @variable))
(binary_operator left: (identifier) @variable)
(binary_operator operator: "|" right: (identifier) @variable)
(binary_operator operator: "<>" right: (identifier) @variable)
(tuple (identifier) @variable)
(list (identifier) @variable)
(pair value: (identifier) @variable)
(bitstring (identifier) @variable)
(map (map_content (identifier) @variable))

(keyword) @label
