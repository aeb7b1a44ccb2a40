; ---- definitions ----

(function_definition
  name: (word) @name
  body: (_) @body) @definition.function

; Variables in functions are dropped as locals, those in branches at the top of a script are not.
(variable_assignment
  name: (variable_name) @name) @definition.variable

(declaration_command
  ["declare" "typeset"]
  (variable_name) @name) @definition.variable

(declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name)) @definition.constant

(declaration_command
  "export"
  [
    (variable_assignment name: (variable_name) @export)
    (variable_name) @export
  ])

; `NAME=value command` sets a variable for one command.
(command
  (variable_assignment name: (variable_name) @discard))

(command
  name: (command_name (word) @_command)
  argument: (concatenation . (word) @name)
  (#eq? @_command "alias")) @definition.function

; ---- imports ----

(command
  name: (command_name (word) @_command)
  .
  argument: (_) @import.module
  (#any-of? @_command "." "source")) @import

; ---- references ----

(command
  name: (command_name (word) @reference.call))
