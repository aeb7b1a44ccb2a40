; ---- modules ----

(module_definition
  (module_binding
    (module_name) @name
    body: (structure)? @body)) @definition.module

(module_type_definition
  (module_type_name) @name
  body: (_)? @body) @definition.interface

; ---- types ----

(type_binding
  name: (type_constructor) @name
  (#set! lead "type ")) @definition.class

(type_binding
  name: (type_constructor) @name
  body: (record_declaration)
  (#set! lead "type ")) @definition.struct

(type_binding
  name: (type_constructor) @name
  body: (variant_declaration)
  (#set! lead "type ")) @definition.enum

(constructor_declaration
  (constructor_name) @name) @definition.enum_member

(exception_definition
  (constructor_declaration
    (constructor_name) @name)
  (#set! lead "exception ")) @definition.class

(field_declaration
  (field_name) @name) @definition.field

; ---- values: those of `let … in` are local ----

(let_binding
  pattern: [
    (value_name) @name
    (typed_pattern pattern: (value_name) @name)
    (tuple_pattern (value_name) @name)
    (parenthesized_pattern (tuple_pattern (value_name) @name))
  ]
  (#set! lead "let ")
  (#not-match? @name "^_$")) @definition.variable

(let_binding
  pattern: (value_name) @name
  (parameter)
  body: (_) @body
  (#set! lead "let ")) @definition.function

(let_binding
  pattern: (value_name) @name
  body: [(fun_expression) (function_expression)] @body
  (#set! lead "let ")) @definition.function

(let_binding
  pattern: (parenthesized_operator (_) @name)
  body: (_) @body
  (#set! lead "let ")) @definition.operator

(let_expression
  (value_definition
    (let_binding
      pattern: [
        (value_name) @discard
        (parenthesized_operator (_) @discard)
        (typed_pattern pattern: (value_name) @discard)
        (tuple_pattern (value_name) @discard)
        (parenthesized_pattern (tuple_pattern (value_name) @discard))
      ])))

; let%test "title" = …
(value_definition
  (attribute_id)
  (let_binding
    pattern: (string (string_content) @name)
    body: (_) @body)) @definition.function

(external
  [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function

(value_specification
  [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function

; ---- classes ----

(class_binding
  (class_name) @name
  body: (_)? @body
  (#set! lead "class ")) @definition.class

(class_type_binding
  (class_type_name) @name
  body: (_)? @body
  (#set! lead "class type ")) @definition.interface

(method_definition
  (method_name) @name
  body: (_)? @body) @definition.method

(method_specification
  (method_name) @name) @definition.method

(instance_variable_definition
  (instance_variable_name) @name) @definition.field

; ---- imports ----

(open_module
  module: (module_path) @import.module) @import

(include_module
  module: (module_path) @import.module) @import

(include_module
  module: (module_path (module_name) @reference.inherit .))

(module_definition
  (module_binding
    (module_name) @import.alias
    body: (module_path) @import.module)) @import

(open_module
  module: (module_path (module_name) @reference.import .))

; ---- references ----

(application_expression
  function: (value_path (value_name) @reference.call))

; Beginning at the operator: in a chain of thousands each pattern of the expression would wait for its end.
(([(rel_operator) (concat_operator)] @_operator
  .
  (value_path (value_name) @reference.call))
  (#any-of? @_operator "|>" ">>=" ">>|" "@@"))

(((value_path (value_name) @reference.call)
  .
  (concat_operator) @_operator)
  (#eq? @_operator "@@"))

[(add_operator) (mult_operator) (rel_operator) (concat_operator) (pow_operator)] @reference.call

(method_invocation
  method: (method_name) @reference.call)

(constructor_path
  (constructor_name) @reference.call)

(new_expression
  (class_path (class_name) @reference.call))

(inheritance_definition
  [
    (class_path (class_name) @reference.inherit)
    (class_application class: (class_path (class_name) @reference.inherit))
  ])

(module_application
  functor: (module_path (module_name) @reference.call .))

(type_constructor) @reference.type

(module_type_name) @reference.type

(module_name) @reference.type
