; Definitions

(class_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

(record_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

(record_declaration
  parameters: (formal_parameters
    (formal_parameter name: (identifier) @name) @definition.field))

(interface_declaration
  name: (identifier) @name
  body: (_) @body) @definition.interface

(annotation_type_declaration
  name: (identifier) @name
  body: (_) @body) @definition.interface

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @definition.enum

(enum_constant
  name: (identifier) @name
  body: (_)? @body) @definition.enum_member

(method_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.method

(annotation_type_element_declaration
  name: (identifier) @name) @definition.method

(constructor_declaration
  name: (identifier) @name
  body: (_) @body) @definition.constructor

(compact_constructor_declaration
  name: (identifier) @name
  body: (_) @body) @definition.constructor

(field_declaration
  declarator: (variable_declarator
    name: (identifier) @name)) @definition.field

(constant_declaration
  declarator: (variable_declarator
    name: (identifier) @name)) @definition.field

(module_declaration
  name: (_) @name
  body: (_) @body) @definition.module

; References

(type_identifier) @reference.type

(object_creation_expression
  type: [
    (type_identifier) @reference.call
    (generic_type . (type_identifier) @reference.call)
    (scoped_type_identifier (type_identifier) @reference.call .)
    (generic_type . (scoped_type_identifier (type_identifier) @reference.call .))
  ])

(method_invocation
  name: (identifier) @reference.call)

(method_reference
  (identifier) @reference.call .)

; Type.method()
(method_invocation
  object: (identifier) @reference.type.capital)

(field_access
  object: (identifier) @reference.type.capital)

(annotation
  name: (identifier) @reference.type)

(marker_annotation
  name: (identifier) @reference.type)

(superclass
  [
    (type_identifier) @reference.inherit
    (generic_type . (type_identifier) @reference.inherit)
    (scoped_type_identifier (type_identifier) @reference.inherit .)
    (generic_type . (scoped_type_identifier (type_identifier) @reference.inherit .))
  ])

(super_interfaces
  (type_list
    [
      (type_identifier) @reference.inherit
      (generic_type . (type_identifier) @reference.inherit)
      (scoped_type_identifier (type_identifier) @reference.inherit .)
      (generic_type . (scoped_type_identifier (type_identifier) @reference.inherit .))
    ]))

(extends_interfaces
  (type_list
    [
      (type_identifier) @reference.inherit
      (generic_type . (type_identifier) @reference.inherit)
      (scoped_type_identifier (type_identifier) @reference.inherit .)
    ]))

; Imports

(import_declaration
  (scoped_identifier
    scope: (_) @import.module
    name: (identifier) @import.name)
  .
  ";") @import

(import_declaration
  (_) @import.module
  .
  "."
  (asterisk) @import.name) @import
