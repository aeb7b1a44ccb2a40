; ---- program units ----

(module
  (module_statement (name) @name)
  .
  (_)? @body) @definition.module

(submodule
  (submodule_statement (name) @name .)
  .
  (_)? @body) @definition.module

(program
  (program_statement (name) @name)
  .
  (_)? @body) @definition.module

(function
  (function_statement name: (name) @name)
  .
  (_) @body) @definition.function

(subroutine
  (subroutine_statement name: (name) @name)
  .
  (_) @body) @definition.function

(module_procedure
  (module_procedure_statement name: (name) @name)
  .
  (_) @body) @definition.function

; ---- interfaces: what they declare is defined elsewhere, but for abstract ones ----

(interface
  (interface_statement (name) @name)
  .
  (_) @body) @definition.interface

(interface
  (interface_statement (operator (operator_name) @name))
  .
  (_) @body) @definition.operator

(interface
  (interface_statement) @_statement
  [
    (function
      [
        (function_statement name: (name) @discard)
        (variable_declaration declarator: (identifier) @discard)
        (variable_declaration declarator: (sized_declarator (identifier) @discard))
      ])
    (subroutine
      [
        (subroutine_statement name: (name) @discard)
        (variable_declaration declarator: (identifier) @discard)
        (variable_declaration declarator: (sized_declarator (identifier) @discard))
      ])
  ]
  (#not-match? @_statement "^[aA]"))

; ---- types ----

(derived_type_definition
  (derived_type_statement (type_name) @name)
  .
  (_)? @body) @definition.struct

(derived_type_procedures
  (procedure_statement
    (procedure_kind) @_kind
    declarator: [
      (binding (binding_name [(identifier) @name (operator (operator_name) @name)]))
      (method_name) @name
    ]) @definition.method
  (#not-match? @_kind "^[fF]"))

(enumerator_statement
  declarator: [(identifier) @name (init_declarator left: (identifier) @name)]) @definition.enum_member

; ---- variables: those of procedures are local ----

(variable_declaration
  declarator: [
    (identifier) @name
    (init_declarator left: (identifier) @name)
    (sized_declarator (identifier) @name)
    (init_declarator left: (sized_declarator (identifier) @name))
  ]) @definition.variable

; ---- the preprocessor ----

(preproc_def
  name: (identifier) @name) @definition.constant

(preproc_function_def
  name: (identifier) @name
  value: (_)? @body) @definition.function

; ---- imports ----

(use_statement
  (module_name) @import.module @reference.import) @import

(use_statement
  (module_name) @import.module
  (included_items (identifier) @import.name)) @import

(use_statement
  (module_name) @import.module
  [
    (included_items (use_alias (local_name) @import.alias (identifier) @import.name))
    (use_alias (local_name) @import.alias (identifier) @import.name)
  ]) @import

(include_statement
  path: (filename) @import.module) @import

(preproc_include
  path: (_) @import.module) @import

; ---- references ----

(call_expression
  .
  [
    (identifier) @reference.call
    (derived_type_member_expression (type_member) @reference.call .)
  ])

(subroutine_call
  subroutine: [
    (identifier) @reference.call
    (derived_type_member_expression (type_member) @reference.call .)
  ])

; => of a type-bound procedure, and what a generic stands for
(binding
  (method_name) @reference.call)

(interface
  (procedure_statement declarator: (method_name) @reference.call))

(derived_type
  name: (type_name) @reference.type)

(base_type_specifier
  (identifier) @reference.inherit)

(submodule_statement
  ancestor: (module_name (name) @reference.inherit))
