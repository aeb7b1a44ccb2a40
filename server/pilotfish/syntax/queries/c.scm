; C. A prototype or an `extern` variable declares what is defined elsewhere, so it is no definition.

; ---- functions ----

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
    (pointer_declarator (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name))))
    (function_declarator (parenthesized_declarator [
      (identifier) @name
      (pointer_declarator (function_declarator declarator: (identifier) @name))]))
  ]
  body: (_) @body) @definition.function

; `static char *MACRO name(int length) {`: the grammar takes the macro, which stands for an attribute, for the name.
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) . (ERROR . (identifier) @name .))
    (pointer_declarator (function_declarator declarator: (_) . (ERROR . (identifier) @name .)))
    (pointer_declarator
      (pointer_declarator (function_declarator declarator: (pointer_declarator) . (ERROR . (identifier) @name .))))
  ]
  body: (_) @body) @definition.function
(function_declarator
  declarator: [
    (identifier) @discard
    (pointer_declarator (identifier) @discard)
  ]
  .
  (ERROR . (identifier) .))

; what the grammar makes of `else if (…) {` behind a directive
(function_definition
  type: (type_identifier) @_else
  declarator: (function_declarator declarator: (identifier) @discard)
  (#eq? @_else "else"))

; `size_t MACRO count(void) {`: the grammar takes the macro for a variable, and the name for a type.
((declaration (MISSING ";"))
  .
  (function_definition
    type: (type_identifier) @name
    declarator: (parenthesized_declarator)
    body: (_) @body) @definition.function)
((declaration (MISSING ";"))
  .
  (function_definition
    type: (type_identifier)
    declarator: (parenthesized_declarator (identifier) @discard)))

; `char *MACRO name(int length, char fill) {`
((ERROR (binary_expression right: (call_expression function: (identifier) @name))) @definition.function
  .
  (compound_statement) @body)

; `SYSCALL_DEFINE3(open, …) {`: a macro that makes a function, named by its first argument.
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @reference.call
      arguments: (argument_list . (identifier) @name))
    (MISSING ";")) @definition.function
  .
  (compound_statement) @body)
(preproc_ifdef
  (expression_statement
    (call_expression
      function: (identifier) @reference.call
      arguments: (argument_list . (identifier) @name))
    (MISSING ";")) @definition.function
  .
  (compound_statement) @body)

; `libc_freeres_fn (free_mem) {`
(function_definition
  type: (type_identifier) @reference.call
  declarator: (parenthesized_declarator . (identifier) @name .)
  body: (_) @body) @definition.function

; ---- variables: those in functions are dropped as locals ----

(declaration
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator (identifier) @name)
    (pointer_declarator (pointer_declarator (identifier) @name))
    (init_declarator (pointer_declarator [(identifier) @name (pointer_declarator (identifier) @name)]))
    (array_declarator [(identifier) @name (array_declarator (identifier) @name)])
    (init_declarator (array_declarator [(identifier) @name (array_declarator (identifier) @name)]))
    (pointer_declarator (array_declarator (identifier) @name))
    (init_declarator (pointer_declarator (array_declarator (identifier) @name)))
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name)))
    (init_declarator (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @name))))
  ]) @definition.variable

(declaration
  (storage_class_specifier "extern")
  declarator: [
    (identifier) @discard
    (pointer_declarator (identifier) @discard)
    (pointer_declarator (pointer_declarator (identifier) @discard))
    (array_declarator (identifier) @discard)
    (pointer_declarator (array_declarator (identifier) @discard))
    (function_declarator (parenthesized_declarator (pointer_declarator (identifier) @discard)))
  ])

; `DEFINE_MUTEX(lock);`, `static DEFINE_MUTEX(lock);`
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @reference.call
      arguments: (argument_list . (identifier) @name))
    ";") @definition.variable
  (#match? @reference.call "^DEFINE_"))
(preproc_ifdef
  (expression_statement
    (call_expression
      function: (identifier) @reference.call
      arguments: (argument_list . (identifier) @name))
    ";") @definition.variable
  (#match? @reference.call "^DEFINE_"))
(declaration
  type: (type_identifier) @reference.call
  declarator: (parenthesized_declarator . (identifier) @name .)
  (#match? @reference.call "^DEFINE_")) @definition.variable

; What lacks its semicolon is no declaration, but the beginning of one that a macro broke.
(declaration
  declarator: (identifier) @discard
  (MISSING ";"))

; ---- types and their members ----

(struct_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(union_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(enum_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

; `static struct tag {…} name;`
(declaration
  type: [
    (struct_specifier name: (type_identifier) @name body: (_) @body)
    (union_specifier name: (type_identifier) @name body: (_) @body)
  ]) @definition.struct

; `typedef struct tag {…} Name;`: the tag spans as much as the name, so that neither lies in the other.
(type_definition
  type: [
    (struct_specifier name: (type_identifier) @name body: (_) @body)
    (union_specifier name: (type_identifier) @name body: (_) @body)
  ]) @definition.struct
(type_definition
  type: (enum_specifier name: (type_identifier) @name body: (_) @body)) @definition.enum

(type_definition
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator (type_identifier) @name)
    (array_declarator (type_identifier) @name)
    (function_declarator [
      (type_identifier) @name
      (parenthesized_declarator [(type_identifier) @name (pointer_declarator (type_identifier) @name)])])
    (pointer_declarator
      (function_declarator
        (parenthesized_declarator [(type_identifier) @name (pointer_declarator (type_identifier) @name)])))
  ]) @definition.class

(type_definition
  type: [
    (struct_specifier body: (_)? @body)
    (union_specifier body: (_)? @body)
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator (type_identifier) @name)
    (array_declarator (type_identifier) @name)
  ]) @definition.struct

(type_definition
  type: (enum_specifier body: (_)? @body)
  declarator: (type_identifier) @name) @definition.enum

(enumerator
  name: (identifier) @name) @definition.enum_member

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator (field_identifier) @name)
    (pointer_declarator (pointer_declarator (field_identifier) @name))
    (array_declarator (field_identifier) @name)
    (array_declarator (array_declarator (field_identifier) @name))
    (pointer_declarator (array_declarator (field_identifier) @name))
    (function_declarator (parenthesized_declarator (pointer_declarator [
      (field_identifier) @name
      (array_declarator (field_identifier) @name)])))
    (pointer_declarator (function_declarator (parenthesized_declarator (pointer_declarator (field_identifier) @name))))
  ]) @definition.field

; ---- macros ----

(preproc_def
  name: (identifier) @name) @definition.constant

(preproc_function_def
  name: (identifier) @name
  parameters: (_)
  value: (_)? @body) @definition.function

; ---- imports and references ----

(preproc_include
  path: [(system_lib_string) (string_literal)] @import.module) @import

(call_expression
  function: [
    (identifier) @reference.call
    (field_expression field: (field_identifier) @reference.call)
  ])

(type_identifier) @reference.type
