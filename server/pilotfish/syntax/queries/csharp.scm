; Definitions

(namespace_declaration
  name: (_) @name
  body: (_) @body) @definition.namespace

; It holds the rest of its file.
(file_scoped_namespace_declaration
  name: (_) @name
  (#set! level 1)) @definition.namespace

(class_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.class

(struct_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.struct

(record_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.class

(record_declaration
  "struct"
  name: (identifier) @name) @definition.struct

; A property, and open to all.
(record_declaration
  (parameter_list
    (parameter name: (identifier) @name) @definition.key))

(interface_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.interface

(enum_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.enum

(enum_member_declaration
  name: (identifier) @name) @definition.enum_member

(delegate_declaration
  name: (identifier) @name) @definition.class

(method_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.method

(local_function_statement
  name: (identifier) @name
  body: (_)? @body
  ; what the grammar makes of `else` behind a directive
  (#not-match? @name "^(if|for|foreach|while|switch|using|lock|catch)$")) @definition.function

(constructor_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.constructor

(destructor_declaration
  "~" @name.start
  name: (identifier) @name
  body: (_)? @body) @definition.method

(operator_declaration
  "operator" @name.start
  operator: _ @name
  body: (_)? @body) @definition.operator

(conversion_operator_declaration
  "operator" @name.start
  type: (_) @name
  body: (_)? @body) @definition.operator

(property_declaration
  name: (identifier) @name
  accessors: (_)? @body) @definition.property

(property_declaration
  name: (identifier) @name
  value: (arrow_expression_clause) @body) @definition.property

(indexer_declaration
  "this" @name
  [(accessor_list) (arrow_expression_clause)] @body) @definition.property

(event_declaration
  name: (identifier) @name
  accessors: (_)? @body) @definition.event

(event_field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.event

(field_declaration
  (variable_declaration
    (variable_declarator name: (identifier) @name))) @definition.field

; References

(_
  type: [
    (identifier) @reference.type
    (qualified_name name: (identifier) @reference.type)
  ])

(method_declaration
  returns: [
    (identifier) @reference.type
    (qualified_name name: (identifier) @reference.type)
  ])

(generic_name
  (identifier) @reference.type)

(type_argument_list
  [
    (identifier) @reference.type
    (qualified_name name: (identifier) @reference.type)
  ])

(as_expression
  right: (identifier) @reference.type)

(is_expression
  right: (identifier) @reference.type)

(explicit_interface_specifier
  (identifier) @reference.type)

(attribute
  name: [
    (identifier) @reference.type
    (qualified_name name: (identifier) @reference.type)
  ])

; Type.Method(), Type.Value
(member_access_expression
  expression: (identifier) @reference.type.capital)

(constant_pattern
  (identifier) @reference.type.capital)

(invocation_expression
  function: [
    (identifier) @reference.call
    (generic_name (identifier) @reference.call)
    (member_access_expression
      name: [
        (identifier) @reference.call
        (generic_name (identifier) @reference.call)
      ])
    (conditional_access_expression
      [
        (member_binding_expression
          name: [
            (identifier) @reference.call
            (generic_name (identifier) @reference.call)
          ])
        (member_access_expression name: (identifier) @reference.call)
      ])
  ])

(object_creation_expression
  type: [
    (identifier) @reference.call
    (generic_name (identifier) @reference.call)
    (qualified_name
      name: [
        (identifier) @reference.call
        (generic_name (identifier) @reference.call)
      ])
  ])

(base_list
  [
    (identifier) @reference.inherit
    (generic_name (identifier) @reference.inherit)
    (qualified_name
      name: [
        (identifier) @reference.inherit
        (generic_name (identifier) @reference.inherit)
      ])
    (primary_constructor_base_type
      type: [
        (identifier) @reference.inherit
        (generic_name (identifier) @reference.inherit)
      ])
  ])

; Imports

(using_directive
  !name
  [
    (identifier)
    (qualified_name)
    (alias_qualified_name)
  ] @import.module) @import

(using_directive
  name: (identifier) @import.alias
  .
  [
    (identifier)
    (qualified_name)
    (generic_name)
  ] @import.module) @import
