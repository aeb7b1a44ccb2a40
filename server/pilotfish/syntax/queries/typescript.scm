; inherits: ecma

; Definitions

(abstract_class_declaration
  name: (type_identifier) @name
  body: (_) @body) @definition.class

(export_statement
  decorator: (decorator)
  declaration: (abstract_class_declaration
    name: (type_identifier) @name)) @definition.class

(interface_declaration
  name: (type_identifier) @name
  body: (_) @body) @definition.interface

(type_alias_declaration
  name: (type_identifier) @name) @definition.class

(type_alias_declaration
  name: (type_identifier) @name
  value: (object_type) @body) @definition.class

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @definition.enum

(enum_body
  name: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ] @definition.enum_member)

(enum_assignment
  name: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]) @definition.enum_member

(internal_module
  name: (_) @name
  body: (_) @body) @definition.namespace

(module
  name: [
    (identifier) @name
    (nested_identifier) @name
    (string (string_fragment) @name)
  ]
  body: (_) @body) @definition.namespace

(internal_module
  body: (statement_block
    (lexical_declaration
      (variable_declarator name: (identifier) @name) @definition.constant))
  (#set! lead "const "))

(ambient_declaration
  (_ (variable_declarator name: (identifier) @name) @definition.constant)
  (#set! lead "declare const "))

(function_signature
  name: (identifier) @name) @definition.function

(method_signature
  name: [
    (property_identifier) @name
    (computed_property_name) @name
  ]) @definition.method

(abstract_method_signature
  name: (property_identifier) @name) @definition.method

(property_signature
  name: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]) @definition.property

(public_field_definition
  name: [
    (property_identifier) @name
    (private_property_identifier) @name
  ]) @definition.field

(public_field_definition
  name: [
    (property_identifier) @name
    (private_property_identifier) @name
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.method

; constructor(private name: string)
(required_parameter
  (accessibility_modifier)
  pattern: (identifier) @name) @definition.field

; References

(type_identifier) @reference.type

(extends_clause
  value: [
    (identifier) @reference.inherit
    (member_expression property: (property_identifier) @reference.inherit)
  ])

(implements_clause
  [
    (type_identifier) @reference.inherit
    (generic_type name: (type_identifier) @reference.inherit)
    (nested_type_identifier name: (type_identifier) @reference.inherit)
    (generic_type name: (nested_type_identifier name: (type_identifier) @reference.inherit))
  ])

(extends_type_clause
  type: [
    (type_identifier) @reference.inherit
    (generic_type name: (type_identifier) @reference.inherit)
    (nested_type_identifier name: (type_identifier) @reference.inherit)
    (generic_type name: (nested_type_identifier name: (type_identifier) @reference.inherit))
  ])

; Imports

(import_require_clause
  (identifier) @import.alias
  source: (string (string_fragment) @import.module)) @import
