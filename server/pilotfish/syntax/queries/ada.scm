; ---- packages ----

(package_declaration
  name: [(identifier) @name (selected_component) @name]
  "is" @body) @definition.module

(package_body
  name: [(identifier) @name (selected_component) @name]
  "is" @body) @definition.module

(package_renaming_declaration
  name: [(identifier) @name (selected_component) @name]) @definition.module

(generic_instantiation
  "package"
  name: [(identifier) @name (selected_component) @name]) @definition.module

(package_declaration
  "private" @visibility.private)

; ---- subprograms ----

(procedure_specification
  name: (_) @name) @definition.function

(function_specification
  name: (_) @name) @definition.function

(subprogram_body
  [
    (procedure_specification name: (_) @name)
    (function_specification name: (_) @name)
  ]
  "is" @body) @definition.function

(generic_instantiation
  ["procedure" "function"]
  name: (_) @name) @definition.function

; What a generic takes is its own.
(formal_subprogram_declaration
  [
    (formal_concrete_subprogram_declaration [
      (procedure_specification name: (_) @discard)
      (function_specification name: (_) @discard)
    ])
    (formal_abstract_subprogram_declaration [
      (procedure_specification name: (_) @discard)
      (function_specification name: (_) @discard)
    ])
  ])

; ---- types ----

(full_type_declaration
  (identifier) @name) @definition.class

(full_type_declaration
  (identifier) @name
  "is" @body
  [(record_type_definition) (derived_type_definition (record_extension_part))]) @definition.struct

(full_type_declaration
  (identifier) @name
  (enumeration_type_definition)) @definition.enum

(enumeration_type_definition
  [(identifier) (character_literal)] @name @definition.enum_member)

(full_type_declaration
  (identifier) @name
  (interface_type_definition)) @definition.interface

(private_type_declaration
  (identifier) @name) @definition.class

(private_extension_declaration
  .
  (identifier) @name) @definition.class

(subtype_declaration
  .
  (identifier) @name) @definition.class

(component_declaration
  .
  (identifier) @name) @definition.field

; ---- tasks and what is protected ----

(task_type_declaration
  .
  (identifier) @name) @definition.class

(protected_type_declaration
  .
  (identifier) @name) @definition.class

(single_task_declaration
  .
  (identifier) @name) @definition.class

(single_protected_declaration
  .
  (identifier) @name) @definition.class

(task_body
  .
  (identifier) @name
  "is" @body) @definition.class

(protected_body
  .
  (identifier) @name
  "is" @body) @definition.class

(entry_declaration
  entry_name: (identifier) @name) @definition.method

(entry_body
  .
  (identifier) @name
  "is" @body) @definition.method

; ---- objects: those of subprograms are local ----

(object_declaration
  name: (identifier) @name) @definition.variable

(object_declaration
  name: (identifier) @name
  "constant") @definition.constant

(number_declaration
  (identifier) @name) @definition.constant

(exception_declaration
  .
  (identifier) @name) @definition.constant

; ---- imports ----

(with_clause
  [(identifier) (selected_component)] @import.module) @import

(with_clause
  [(identifier) @reference.import (selected_component selector_name: (_) @reference.import)])

(use_clause
  [(identifier) @reference.import (selected_component selector_name: (_) @reference.import)])

; ---- references ----

(procedure_call_statement
  name: [(identifier) @reference.call (selected_component selector_name: (_) @reference.call)])

(function_call
  name: [(identifier) @reference.call (selected_component selector_name: (_) @reference.call)])

(generic_instantiation
  generic_name: [
    (identifier) @reference.call
    (selected_component selector_name: (_) @reference.call)
  ])

(derived_type_definition
  [(identifier) @reference.inherit (selected_component selector_name: (_) @reference.inherit)])

(private_extension_declaration
  subtype_mark: [(identifier) @reference.inherit (selected_component selector_name: (_) @reference.inherit)])

(object_declaration
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])

(parameter_specification
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])

(result_profile
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])

(component_definition
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])

(access_to_object_definition
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])

(subtype_declaration
  subtype_mark: [(identifier) @reference.type (selected_component selector_name: (_) @reference.type)])
