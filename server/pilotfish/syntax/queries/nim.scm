; ---- definitions ----

(proc_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(func_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(iterator_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(converter_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(template_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(macro_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.function

(method_declaration
  name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ]
  body: (_)? @body) @definition.method

(const_section
  (variable_declaration
    (symbol_declaration_list (symbol_declaration name: [
      (identifier) @name
      (accent_quoted (_) @name)
      (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
    ]))) @definition.constant)

(let_section
  (variable_declaration
    (symbol_declaration_list (symbol_declaration name: [
      (identifier) @name
      (accent_quoted (_) @name)
      (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
    ]))) @definition.variable)

(var_section
  (variable_declaration
    (symbol_declaration_list (symbol_declaration name: [
      (identifier) @name
      (accent_quoted (_) @name)
      (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
    ]))) @definition.variable)

(type_declaration
  (type_symbol_declaration name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ])) @definition.class

(type_declaration
  (type_symbol_declaration name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ])
  [
    (object_declaration (field_declaration_list)? @body)
    (ref_type (object_declaration (field_declaration_list)? @body))
    (pointer_type (object_declaration (field_declaration_list)? @body))
  ]) @definition.struct

(type_declaration
  (type_symbol_declaration name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ])
  (enum_declaration)) @definition.enum

(type_declaration
  (type_symbol_declaration name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ])
  (concept_declaration body: (_) @body)) @definition.interface

(field_declaration
  (symbol_declaration_list (symbol_declaration name: [
      (identifier) @name
      (accent_quoted (_) @name)
      (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
    ]))) @definition.field

(variant_discriminator_declaration
  (symbol_declaration_list (symbol_declaration name: [
      (identifier) @name
      (accent_quoted (_) @name)
      (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
    ]))) @definition.field

(enum_field_declaration
  (symbol_declaration name: [
    (identifier) @name
    (accent_quoted (_) @name)
    (exported_symbol [(identifier) @name (accent_quoted (_) @name)])
  ])) @definition.enum_member

; ---- exports ----

(exported_symbol [(identifier) @export (accent_quoted (_) @export)])

; ---- imports ----

(import_statement
  (expression_list (_) @import.module)) @import

(import_statement
  [(identifier) (infix_expression) (prefix_expression)] @import.module) @import

(import_from_statement) @import @import.module

(import_from_statement
  (expression_list [(identifier) @reference.import (accent_quoted (_) @reference.import)]))

(include_statement
  (expression_list (_) @import.module)
  (#set! prefix "./")) @import

; ---- references ----

(call
  function: [
    (identifier) @reference.call
    (dot_expression right: (identifier) @reference.call)
    (bracket_expression left: [(identifier) @reference.call (dot_expression right: (identifier) @reference.call)])
  ])

; `shape.draw`: a call without parentheses as much as a field.
(dot_expression
  right: (identifier) @reference.call)

(object_declaration
  inherits: (type_expression [
    (identifier) @reference.inherit
    (dot_expression right: (identifier) @reference.inherit)
  ]))

(type_expression
  [
    (identifier) @reference.type
    (dot_expression right: (identifier) @reference.type)
    (bracket_expression
      left: (identifier) @reference.type
      right: (argument_list (identifier) @reference.type))
  ])
