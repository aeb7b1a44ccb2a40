; ---- namespaces and modules ----

(namespace
  name: (long_identifier) @name
  .
  (_)? @body) @definition.namespace

(named_module
  name: (long_identifier) @name
  .
  (_)? @body) @definition.module

(module_defn
  (identifier) @name
  "=" @body) @definition.module

; ---- types ----

(record_type_defn
  (type_name type_name: (_) @name)
  "=" @body
  (#set! lead "type ")) @definition.struct

(union_type_defn
  (type_name type_name: (_) @name)
  "=" @body
  (#set! lead "type ")) @definition.enum

(enum_type_defn
  (type_name type_name: (_) @name)
  "=" @body
  (#set! lead "type ")) @definition.enum

(type_abbrev_defn
  (type_name type_name: (_) @name)
  (#set! lead "type ")) @definition.class

(delegate_type_defn
  (type_name type_name: (_) @name)
  (#set! lead "type ")) @definition.class

(anon_type_defn
  (type_name type_name: (_) @name)
  "=" @body
  (#set! lead "type ")) @definition.class

; All that it says first is abstract.
(anon_type_defn
  (type_name type_name: (_) @name)
  .
  block: (type_extension_elements (member_defn (member_signature)))
  (#set! lead "type ")) @definition.interface

(type_extension
  (type_name type_name: (_) @name)) @scope

(exception_definition
  exception_name: (long_identifier (identifier) @name)) @definition.class

(record_field
  .
  (identifier) @name) @definition.field

(union_type_case
  .
  (identifier) @name) @definition.enum_member

(enum_type_case
  .
  (identifier) @name) @definition.enum_member

; ---- members ----

(member_defn
  (member_signature
    .
    (identifier) @name)) @definition.method

(member_defn
  (method_or_prop_defn
    name: (property_or_ident (identifier) @name .))) @definition.property

(member_defn
  (method_or_prop_defn
    name: (property_or_ident (identifier) @name .)
    args: (_)
    .
    (_) @body)) @definition.method

(member_defn
  (property_or_ident (identifier) @name)) @definition.property

(member_defn
  (additional_constr_defn . "new" @name)) @definition.constructor

; ---- functions and values: those of an expression are local ----

(function_or_value_defn
  (function_declaration_left
    [
      (identifier) @name
      (op_identifier) @name
      (active_pattern) @name
    ]
    (argument_patterns))
  body: (_) @body) @definition.function

(function_or_value_defn
  (value_declaration_left
    [
      (identifier_pattern . (long_identifier_or_op . (identifier) @name))
      (repeat_pattern (identifier_pattern . (long_identifier_or_op . (identifier) @name)))
      (paren_pattern (repeat_pattern (identifier_pattern . (long_identifier_or_op . (identifier) @name))))
    ])) @definition.variable

(declaration_expression
  (attributes (attribute (simple_type (long_identifier (identifier) @_attribute))))
  (function_or_value_defn
    (value_declaration_left
      (identifier_pattern . (long_identifier_or_op . (identifier) @name))))
  (#eq? @_attribute "Literal")) @definition.constant

(declaration_expression
  (function_or_value_defn
    [
      (function_declaration_left (identifier) @discard)
      (value_declaration_left (identifier_pattern . (long_identifier_or_op . (identifier) @discard)))
    ])
  in: (_))

; ---- imports ----

(import_decl
  (long_identifier) @import.module) @import

(import_decl
  (long_identifier (identifier) @reference.import .))

((fsi_directive_decl
  (string) @import.module) @import
  (#set! prefix "./")
  (#match? @import "^#load"))

; ---- references ----

(application_expression
  .
  [
    (long_identifier_or_op (identifier) @reference.call)
    (long_identifier_or_op (long_identifier (identifier) @reference.call .))
    (dot_expression field: (long_identifier_or_op [
      (identifier) @reference.call
      (long_identifier (identifier) @reference.call .)
    ]))
  ])

(infix_expression
  (infix_op) @_operator
  .
  [
    (long_identifier_or_op (identifier) @reference.call)
    (long_identifier_or_op (long_identifier (identifier) @reference.call .))
  ]
  (#any-of? @_operator "|>" ">>" "<|" "<<" "||>" "|||>"))

(class_inherits_decl
  (simple_type (long_identifier (identifier) @reference.inherit .)))

(interface_implementation
  (simple_type (long_identifier (identifier) @reference.inherit .)))

(attribute
  (simple_type (long_identifier (identifier) @reference.type .)))

(simple_type
  (long_identifier (identifier) @reference.type .))
