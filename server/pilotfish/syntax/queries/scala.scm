; Definitions

(package_clause
  name: (package_identifier) @name
  body: (_) @body) @definition.namespace

(package_object
  name: (identifier) @name
  body: (_)? @body) @definition.namespace

(class_definition
  name: (identifier) @name
  body: (_)? @body) @definition.class

(object_definition
  name: (identifier) @name
  body: (_)? @body) @definition.class

(trait_definition
  name: (identifier) @name
  body: (_)? @body) @definition.interface

(enum_definition
  name: (identifier) @name
  body: (_) @body) @definition.enum

(simple_enum_case
  name: (identifier) @name) @definition.enum_member

(full_enum_case
  name: (identifier) @name) @definition.enum_member

(type_definition
  name: (type_identifier) @name) @definition.class

(function_definition
  name: [(identifier) (operator_identifier)] @name
  body: (_)? @body) @definition.function

(function_declaration
  name: [(identifier) (operator_identifier)] @name) @definition.function

(given_definition
  name: (identifier) @name
  body: (_)? @body) @definition.variable

(val_definition
  pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
  ]) @definition.variable

(var_definition
  pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
  ]) @definition.variable

(val_declaration
  name: (identifier) @name) @definition.variable

(var_declaration
  name: (identifier) @name) @definition.variable

; Locals of blocks that no symbol encloses.
(block
  [
    (val_definition pattern: (identifier) @discard)
    (var_definition pattern: (identifier) @discard)
  ])

(case_clause
  [
    (val_definition pattern: (identifier) @discard)
    (var_definition pattern: (identifier) @discard)
  ])

; Parameters that are members
(class_parameter
  ["val" "var"]
  name: (identifier) @name) @definition.variable

(class_definition
  "case"
  class_parameters: (class_parameters
    (class_parameter name: (identifier) @name) @definition.variable))

; What is added to a type
(extension_definition
  parameters: (parameters
    .
    (parameter
      type: [
        (type_identifier) @name
        (generic_type type: (type_identifier) @name)
      ]))) @scope

; References

(type_identifier) @reference.type

(call_expression
  function: [
    (identifier) @reference.call
    (field_expression field: (identifier) @reference.call)
    (generic_function
      function: [
        (identifier) @reference.call
        (field_expression field: (identifier) @reference.call)
      ])
  ])

(infix_expression
  operator: (identifier) @reference.call)

(instance_expression
  [
    (type_identifier) @reference.call
    (generic_type type: (type_identifier) @reference.call)
    (stable_type_identifier (type_identifier) @reference.call .)
  ])

; Companion.member
(field_expression
  value: (identifier) @reference.type.capital)

(extends_clause
  [
    (type_identifier) @reference.inherit
    (generic_type
      type: [
        (type_identifier) @reference.inherit
        (stable_type_identifier (type_identifier) @reference.inherit .)
      ])
    (stable_type_identifier (type_identifier) @reference.inherit .)
  ])

; Imports

(import_declaration) @import @import.module

(import_declaration
  (identifier) @reference.import
  .)

(namespace_selectors
  [
    (identifier) @reference.import
    (arrow_renamed_identifier name: (identifier) @reference.import)
    (as_renamed_identifier name: (identifier) @reference.import)
  ])
