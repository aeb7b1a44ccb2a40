; ---- definitions ----

(namespace_definition
  name: (namespace_name) @name
  body: (_) @body) @definition.namespace

; It reaches to the next one.
(namespace_definition
  name: (namespace_name) @name
  !body
  (#set! level 1)) @definition.namespace

(class_declaration
  name: (name) @name
  body: (_) @body) @definition.class

(interface_declaration
  name: (name) @name
  body: (_) @body) @definition.interface

(trait_declaration
  name: (name) @name
  body: (_) @body) @definition.interface

(enum_declaration
  name: (name) @name
  body: (_) @body) @definition.enum

(enum_case
  name: (name) @name) @definition.enum_member

(function_definition
  name: (name) @name
  body: (_) @body) @definition.function

(method_declaration
  name: (name) @name
  body: (_)? @body) @definition.method

(property_declaration
  (property_element name: (variable_name (name) @name))) @definition.field

; With hooks its reads and writes are code.
(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list) @body) @definition.property

(property_promotion_parameter
  name: (variable_name (name) @name)) @definition.field

(const_declaration
  (const_element . (name) @name)) @definition.constant

(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define")) @definition.constant

; Of the file itself; those of functions are locals.
(program
  (expression_statement
    (assignment_expression
      left: (variable_name (name) @name)) @definition.variable))

(program
  (expression_statement
    (assignment_expression
      left: (variable_name (name) @name)
      right: [(anonymous_function body: (_) @body) (arrow_function)]) @definition.function))

; What a nameless class holds is its own.
(anonymous_class) @scope

; `use Greeting { hello as protected greet; }`
(use_as_clause
  [(name) (class_constant_access_expression)]
  (name) @name .) @definition.method

; ---- imports ----

; `use App\Models\User as Account`
(namespace_use_declaration
  (namespace_use_clause
    (qualified_name
      prefix: (namespace_name) @import.module
      (name) @import.name)
    alias: (name)? @import.alias)) @import

; `use App\{Models\User, Order}`
(namespace_use_declaration
  (namespace_name) @import.module
  body: (namespace_use_group
    (namespace_use_clause
      .
      (name) @import.name
      alias: (name)? @import.alias))) @import

(namespace_use_declaration
  (namespace_name) @import.module
  "\\" @import.module
  body: (namespace_use_group
    (namespace_use_clause
      (qualified_name
        prefix: (namespace_name) @import.module
        (name) @import.name)
      alias: (name)? @import.alias))) @import

; `use Countable`: of no namespace.
(namespace_use_declaration
  (namespace_use_clause
    .
    [
      (name) @import.module @import.name
      (qualified_name . "\\" . (name) @import.module @import.name)
    ]
    alias: (name)? @import.alias)
  (#set! prefix "\\")) @import

(require_expression (_) @import.module) @import
(require_once_expression (_) @import.module) @import
(include_expression (_) @import.module) @import
(include_once_expression (_) @import.module) @import

; ---- references ----

(function_call_expression
  function: [
    (name) @reference.call
    (qualified_name (name) @reference.call)
    (relative_name (name) @reference.call)
  ])

(member_call_expression
  name: (name) @reference.call)

(nullsafe_member_call_expression
  name: (name) @reference.call)

(scoped_call_expression
  name: (name) @reference.call)

(object_creation_expression [
  (name) @reference.call
  (qualified_name (name) @reference.call)
  (relative_name (name) @reference.call)
])

(base_clause [
  (name) @reference.inherit
  (qualified_name (name) @reference.inherit)
])

(class_interface_clause [
  (name) @reference.inherit
  (qualified_name (name) @reference.inherit)
])

(use_declaration [
  (name) @reference.inherit
  (qualified_name (name) @reference.inherit)
])

(named_type [
  (name) @reference.type
  (qualified_name (name) @reference.type)
  (relative_name (name) @reference.type)
])

(scoped_call_expression
  scope: [
    (name) @reference.type
    (qualified_name (name) @reference.type)
  ])

(scoped_property_access_expression
  scope: [
    (name) @reference.type
    (qualified_name (name) @reference.type)
  ])

(class_constant_access_expression
  .
  [
    (name) @reference.type
    (qualified_name (name) @reference.type)
  ])

(binary_expression
  operator: "instanceof"
  right: [
    (name) @reference.type
    (qualified_name (name) @reference.type)
  ])

(attribute [
  (name) @reference.type
  (qualified_name (name) @reference.type)
])
