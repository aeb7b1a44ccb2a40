; Definitions

(class_declaration
  (type_identifier) @name
  [(class_body) (enum_class_body)]? @body) @definition.class

; What the grammar makes of `class Name` behind two lines of annotations.
(infix_expression
  .
  (simple_identifier) @_keyword
  .
  (simple_identifier) @name @definition.class
  (#eq? @_keyword "class"))

(class_declaration
  "interface"
  (type_identifier) @name) @definition.interface

(class_declaration
  "enum"
  (type_identifier) @name) @definition.enum

(object_declaration
  (type_identifier) @name
  (class_body)? @body) @definition.class

; What a nameless companion holds belongs to its class.
(companion_object
  (type_identifier) @name
  (class_body)? @body) @definition.class

(type_alias
  (type_identifier) @name) @definition.class

(enum_entry
  (simple_identifier) @name
  (class_body)? @body) @definition.enum_member

(function_declaration
  (simple_identifier) @name
  (function_body)? @body) @definition.function

(secondary_constructor
  "constructor" @name
  "{"? @body) @definition.constructor

(property_declaration
  (variable_declaration
    .
    (simple_identifier) @name)
  [(getter) (setter)]? @body) @definition.variable

; Accessors on lines of their own.
((property_declaration
  (variable_declaration
    .
    (simple_identifier) @name)) @definition.variable
  .
  [(getter) (setter)] @body)

; Locals of initialisers and lambdas, which no symbol encloses.
(statements
  (property_declaration
    (variable_declaration
      .
      (simple_identifier) @discard)))

(class_parameter
  (binding_pattern_kind)
  (simple_identifier) @name) @definition.property

; What extends a type
(function_declaration
  receiver: (receiver_type
    [
      (user_type (type_identifier) @container)
      (nullable_type (user_type (type_identifier) @container))
    ])
  (simple_identifier) @name) @definition.function

(property_declaration
  receiver: (receiver_type
    [
      (user_type (type_identifier) @container)
      (nullable_type (user_type (type_identifier) @container))
    ])
  (variable_declaration
    .
    (simple_identifier) @name)) @definition.variable

; References

(user_type
  (type_identifier) @reference.type)

(callable_reference
  (type_identifier) @reference.type.capital)

(navigation_expression
  .
  (simple_identifier) @reference.type.capital)

(call_expression
  .
  [
    (simple_identifier) @reference.call
    (navigation_expression (navigation_suffix (simple_identifier) @reference.call) .)
  ])

(infix_expression
  .
  (_)
  .
  (simple_identifier) @reference.call)

(callable_reference
  (simple_identifier) @reference.call)

(delegation_specifier
  [
    (user_type (type_identifier) @reference.inherit .)
    (user_type (type_identifier) @reference.inherit . (type_arguments) .)
    (constructor_invocation
      [
        (user_type (type_identifier) @reference.inherit .)
        (user_type (type_identifier) @reference.inherit . (type_arguments) .)
      ])
    (explicit_delegation
      [
        (user_type (type_identifier) @reference.inherit .)
        (user_type (type_identifier) @reference.inherit . (type_arguments) .)
      ])
  ])

; Imports

(import_header) @import @import.module

(import_header
  (identifier (simple_identifier) @reference.import .))
