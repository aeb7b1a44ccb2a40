; Definitions. A variable in a function is dropped as a local.

(function_declaration
  name: (identifier) @name
  body: (block) @body) @definition.function

; written in assembly
(function_declaration
  name: (identifier) @name
  !body) @definition.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @container
        (pointer_type (type_identifier) @container)
        (generic_type type: (type_identifier) @container)
        (pointer_type (generic_type type: (type_identifier) @container))
        (parenthesized_type (_) @container)
      ]))
  name: (field_identifier) @name) @definition.method

(method_declaration
  name: (field_identifier) @name
  body: (block) @body) @definition.method

(type_spec
  name: (type_identifier) @name
  (#set! lead "type ")) @definition.class

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct

(type_spec
  name: (type_identifier) @name
  type: (interface_type "{" @body)) @definition.interface

(type_alias
  name: (type_identifier) @name
  (#set! lead "type ")) @definition.class

(field_declaration
  name: (field_identifier) @name) @definition.field

(method_elem
  name: (field_identifier) @name) @definition.method

(var_spec
  name: (identifier) @name
  (#set! lead "var ")
  (#not-eq? @name "_")) @definition.variable

(const_spec
  name: (identifier) @name
  (#set! lead "const ")
  (#not-eq? @name "_")) @definition.constant

; References

(type_identifier) @reference.type

(call_expression
  function: [
    (identifier) @reference.call
    (selector_expression field: (field_identifier) @reference.call)
    (parenthesized_expression (identifier) @reference.call)
  ])

; f[int](x), which reads like a conversion
(type_conversion_expression
  type: (generic_type
    type: [
      (type_identifier) @reference.call
      (qualified_type name: (type_identifier) @reference.call)
    ]))

(field_declaration
  !name
  type: [
    (type_identifier) @reference.inherit
    (qualified_type name: (type_identifier) @reference.inherit)
    (generic_type type: (type_identifier) @reference.inherit)
  ])

(interface_type
  (type_elem
    [
      (type_identifier) @reference.inherit
      (qualified_type name: (type_identifier) @reference.inherit)
    ]))

; Imports

(import_spec
  path: [
    (interpreted_string_literal (interpreted_string_literal_content) @import.module)
    (raw_string_literal (raw_string_literal_content) @import.module)
  ]) @import

(import_spec
  name: [(package_identifier) (dot) (blank_identifier)] @import.alias
  path: [
    (interpreted_string_literal (interpreted_string_literal_content) @import.module)
    (raw_string_literal (raw_string_literal_content) @import.module)
  ]) @import
