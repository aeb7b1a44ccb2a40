; ---- definitions ----

(module_definition
  name: (identifier) @name
  (block)? @body) @definition.module

(function_definition
  (signature [
    (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])
    (typed_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ]))
    (where_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ]))
    (where_expression . (typed_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])))
    (where_expression . (where_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])))
  ])
  (block)? @body) @definition.function

; `area(shape::Circle) = …`
(assignment
  .
  [
    (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])
    (typed_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ]))
    (where_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ]))
    (where_expression . (typed_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])))
    (where_expression . (where_expression . (call_expression
      .
      [
        (identifier) @name
        (operator) @name
        (parametrized_type_expression . (identifier) @name)
        (field_expression value: (_) @container (identifier) @name .)
        (field_expression value: (_) @container (quote_expression (parenthesized_expression (operator) @name)))
      ])))
  ]
  .
  (operator)
  .
  (_) @body) @definition.function

; `function area end` declares it for others to add methods.
(function_definition
  (signature (identifier) @name)) @definition.function

(macro_definition
  (signature (call_expression . [(identifier) (operator)] @name))
  (block)? @body) @definition.function

(struct_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])
  (block)? @body) @definition.struct

(struct_definition
  (block
    [
      (identifier) @name
      (typed_expression . (identifier) @name)
      (assignment . [(identifier) @name (typed_expression . (identifier) @name)])
      (const_statement [
        (typed_expression . (identifier) @name)
        (assignment . (typed_expression . (identifier) @name))
      ])
    ] @definition.field))

(abstract_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (identifier) @name)])
  ])) @definition.interface

(primitive_definition
  (type_head [
    (identifier) @name
    (binary_expression . (identifier) @name)
  ])) @definition.class

(const_statement
  (assignment . [
    (identifier) @name
    (typed_expression . (identifier) @name)
    (open_tuple (identifier) @name)
  ])) @definition.constant

(global_statement
  (assignment . (identifier) @name)) @definition.variable

; Of a module; those of a script are its locals.
(module_definition
  (block
    (assignment . [
      (identifier) @name
      (typed_expression . (identifier) @name)
      (open_tuple (identifier) @name)
    ]) @definition.variable))

; `@enum Color red green = 2`
(macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list . [
    (identifier) @name
    (typed_expression . (identifier) @name)
  ])
  (#eq? @_enum "enum")) @definition.enum

(macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list
    (_)
    [
      (identifier) @name
      (assignment . (identifier) @name)
    ] @definition.enum_member)
  (#eq? @_enum "enum"))

(macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list
    (compound_statement
      (block [
        (identifier) @name
        (assignment . (identifier) @name)
      ] @definition.enum_member)))
  (#eq? @_enum "enum"))

; ---- imports and exports ----

(using_statement
  [(identifier) (import_path)] @import.module) @import

(import_statement
  [(identifier) (import_path)] @import.module) @import

(import_statement
  (import_alias . [(identifier) (import_path)] @import.module (identifier) @import.alias .)) @import

(using_statement
  (selected_import
    .
    [(identifier) (import_path)] @import.module
    [
      (identifier) @import.name
      (operator) @import.name
      (macro_identifier (identifier) @import.name)
      (import_alias . (identifier) @import.name (identifier) @import.alias .)
    ])) @import

(import_statement
  (selected_import
    .
    [(identifier) (import_path)] @import.module
    [
      (identifier) @import.name
      (operator) @import.name
      (macro_identifier (identifier) @import.name)
      (import_alias . (identifier) @import.name (identifier) @import.alias .)
    ])) @import

(call_expression
  .
  (identifier) @_include
  (argument_list . (string_literal (content) @import.module))
  (#set! prefix "./")
  (#eq? @_include "include")) @import

(export_statement [
  (identifier) @export
  (macro_identifier (identifier) @export)
])

(public_statement (identifier) @export)

; ---- references ----

(call_expression
  .
  [
    (identifier) @reference.call
    (field_expression (identifier) @reference.call .)
    (parametrized_type_expression . (identifier) @reference.call)
  ])

(broadcast_call_expression
  .
  [
    (identifier) @reference.call
    (field_expression (identifier) @reference.call .)
  ])

(macro_identifier
  (identifier) @reference.call)

(type_head
  (binary_expression
    (operator)
    .
    [
      (identifier) @reference.inherit
      (parametrized_type_expression . (identifier) @reference.inherit)
      (field_expression (identifier) @reference.inherit .)
    ]))

(typed_expression
  (_)
  .
  [
    (identifier) @reference.type
    (field_expression (identifier) @reference.type .)
    (parametrized_type_expression . (identifier) @reference.type)
  ]
  .)

(curly_expression
  (identifier) @reference.type)
