; Definitions

(class_declaration
  declaration_kind: ["class" "actor"]
  name: (type_identifier) @name
  body: (_) @body) @definition.class

(class_declaration
  declaration_kind: "struct"
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(class_declaration
  declaration_kind: "enum"
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

(protocol_declaration
  name: (type_identifier) @name
  body: (_) @body) @definition.interface

; What it declares belongs to the type that it extends.
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @name) @scope

(enum_entry
  name: (simple_identifier) @name) @definition.enum_member

(typealias_declaration
  name: (type_identifier) @name) @definition.class

(associatedtype_declaration
  name: (type_identifier) @name) @definition.type_parameter

; An operator's name may be a token of its own.
(function_declaration
  name: [
    (simple_identifier)
    (custom_operator)
    (bang)
    "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "++" "--" "~" "&" "|" "^" "<<" ">>" "..." "..<"
    "+=" "-=" "*=" "/=" "%="
  ] @name
  body: (_) @body) @definition.function

(protocol_function_declaration
  name: [
    (simple_identifier)
    (custom_operator)
    (bang)
    "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "++" "--" "~" "&" "|" "^" "<<" ">>" "..." "..<"
    "+=" "-=" "*=" "/=" "%="
  ] @name
  body: (_)? @body) @definition.function

(macro_declaration
  (simple_identifier) @name) @definition.function

(init_declaration
  name: "init" @name
  body: (_)? @body) @definition.constructor

(deinit_declaration
  "deinit" @name
  body: (_) @body) @definition.function

(subscript_declaration
  "subscript" @name
  (computed_property) @body) @definition.property

(property_declaration
  name: (pattern
    [
      bound_identifier: (simple_identifier) @name
      (pattern (simple_identifier) @name)
    ])
  computed_value: (_)? @body) @definition.variable

; Locals of closures that no symbol encloses.
(statements
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @discard)))

(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (protocol_property_requirements) @body) @definition.property

(operator_declaration
  (custom_operator) @name) @definition.operator

(precedence_group_declaration
  (simple_identifier) @name) @definition.constant

; References

(user_type
  (type_identifier) @reference.type)

(call_expression
  .
  [
    (simple_identifier) @reference.call
    (navigation_expression
      suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  ])

(constructor_expression
  constructed_type: (user_type (type_identifier) @reference.call))

(navigation_expression
  target: (simple_identifier) @reference.type.capital)

(inheritance_specifier
  inherits_from: [
    (user_type (type_identifier) @reference.inherit .)
    (user_type (type_identifier) @reference.inherit . (type_arguments) .)
  ])

; Imports

(import_declaration
  (identifier) @import.module) @import
