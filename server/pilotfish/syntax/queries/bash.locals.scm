; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_definition) @scope

(declaration_command ["local" "declare" "typeset"] (variable_assignment name: (variable_name) @local value: (_) @value))
(declaration_command ["local" "declare" "typeset"] (variable_name) @local)
(for_statement variable: (variable_name) @local)
(c_style_for_statement initializer: (variable_assignment name: (variable_name) @local))

(command_name (word) @label)
((command name: (command_name (word) @_command) argument: (word) @label)
  (#not-match? @_command "^(read|unset|mapfile|readarray|printf|let)$"))
