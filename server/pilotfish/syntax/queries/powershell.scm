; ---- definitions ----

(function_statement
  (function_name) @name
  "{" @body) @definition.function

; What the grammar cannot read around a function leaves its head.
(ERROR
  "function"
  .
  (function_name) @name) @definition.function

(class_statement
  .
  (simple_name) @name
  "{" @body) @definition.class

(class_property_definition
  (variable) @name) @definition.field

(class_method_definition
  (simple_name) @name
  "{" @body) @definition.method

(enum_statement
  .
  (simple_name) @name
  "{" @body) @definition.enum

(enum_member
  .
  (simple_name) @name) @definition.enum_member

; Of the script itself; an operand lies below all operators that might be there.
(program
  (statement_list
    (pipeline
      (assignment_expression
        (left_assignment_expression
          (logical_expression
            (bitwise_expression
              (comparison_expression
                (additive_expression
                  (multiplicative_expression
                    (format_expression
                      (range_expression
                        (array_literal_expression
                          (unary_expression [
                            (variable) @name
                            (expression_with_unary_operator
                              (cast_expression
                                (unary_expression (variable) @name)))
                          ]))))))))))) @definition.variable)))

; `Set-Alias gt Get-Thing`, `configuration Web { … }`
(command
  command_name: (command_name) @_command
  command_elements: (command_elements
    .
    (command_argument_sep)
    .
    (generic_token) @name)
  (#match? @_command "^(?i:set-alias|new-alias|configuration)$")) @definition.function

; ---- imports ----

; `using module ./Shop.psm1`
(command
  command_name: (command_name) @_command
  command_elements: (command_elements
    (generic_token) @_kind
    (command_argument_sep)
    .
    [(generic_token) (array_literal_expression)] @import.module)
  (#match? @_command "^(?i:using)$")
  (#match? @_kind "^(?i:module)$")) @import

(command
  command_name: (command_name) @_command
  command_elements: (command_elements
    .
    (command_argument_sep)
    .
    [(generic_token) (array_literal_expression)] @import.module)
  (#match? @_command "^(?i:import-module|ipmo)$")) @import

(command
  command_name: (command_name) @_command
  command_elements: (command_elements
    (command_parameter) @_name
    .
    (command_argument_sep)
    .
    [(generic_token) (array_literal_expression)] @import.module)
  (#match? @_command "^(?i:import-module|ipmo)$")
  (#match? @_name "^-(?i:name)$")) @import

; `. ./helpers.ps1`
(command
  (command_invokation_operator) @_source
  command_name: (command_name_expr) @import.module
  (#eq? @_source ".")) @import

; ---- references ----

(command
  command_name: (command_name) @reference.call)

(invokation_expression
  (member_name (simple_name) @reference.call))

(class_statement
  (simple_name)
  (simple_name) @reference.inherit)

(type_literal
  (type_spec
    (type_name (type_identifier) @reference.type .)))

(command
  command_name: (command_name) @_new
  command_elements: (command_elements
    .
    (command_argument_sep)
    .
    (generic_token) @reference.type)
  (#match? @_new "^(?i:new-object)$")
  (#match? @reference.type "^\\w+$"))
