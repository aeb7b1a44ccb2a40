; ---- modules ----

(module_definition
  (module_binding
    (module_name) @name
    module_type: (signature)? @body)) @definition.module

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

; ---- values ----

(value_specification
  (value_name) @name) @definition.variable

(value_specification
  (value_name) @name
  type: (function_type)) @definition.function

(value_specification
  (parenthesized_operator (_) @name)) @definition.operator

(external
  [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function

; ---- classes ----

(class_binding
  (class_name) @name
  (#set! lead "class ")) @definition.class

(class_type_binding
  (class_type_name) @name
  (#set! lead "class type ")) @definition.interface

(method_specification
  (method_name) @name) @definition.method

; ---- imports ----

(open_module
  module: (module_path) @import.module) @import

(include_module_type
  module_type: (module_type_of module: (module_path) @import.module)) @import

(include_module_type
  module_type: [
    (module_type_path (module_type_name) @reference.inherit)
    (module_type_constraint module_type: (module_type_path (module_type_name) @reference.inherit))
  ])

; ---- references ----

(type_constructor) @reference.type

(module_type_name) @reference.type

(module_name) @reference.type
