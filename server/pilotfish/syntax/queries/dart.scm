; Definitions. A body is no part of the node that it belongs to, but stands behind it.

(class_definition
  name: (identifier) @name
  body: (_) @body) @definition.class

(class_definition
  (mixin_application_class (identifier) @name)) @definition.class

(mixin_declaration
  (identifier) @name
  (class_body) @body) @definition.class

(extension_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

; What a nameless extension declares belongs to the type that it extends.
(extension_declaration
  !name
  class: (type_identifier) @name) @scope

(extension_type_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @definition.enum

(enum_constant
  name: (identifier) @name) @definition.enum_member

(type_alias
  (type_identifier) @name
  .
  "=") @definition.class

(type_alias
  (type_identifier) @name
  .
  (type_parameters)
  .
  "=") @definition.class

(type_alias
  (type_identifier) @name
  .
  (formal_parameter_list)) @definition.class

((function_signature
  name: (identifier) @name) @definition.function
  .
  (function_body)? @body)

((method_signature
  (function_signature
    name: (identifier) @name)) @definition.function
  .
  (function_body)? @body)

(declaration
  (function_signature
    name: (identifier) @name)) @definition.function

(local_function_declaration
  (lambda_expression
    parameters: (function_signature name: (identifier) @name)
    body: (_) @body)) @definition.function

((getter_signature
  name: (identifier) @name) @definition.property
  .
  (function_body)? @body)

((setter_signature
  name: (identifier) @name) @definition.property
  .
  (function_body)? @body)

((method_signature
  [
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ]) @definition.property
  .
  (function_body)? @body)

(declaration
  [
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ]) @definition.property

((method_signature
  (operator_signature
    "operator" @name.start
    [(binary_operator) "[]" "[]=" "~"] @name)) @definition.operator
  .
  (function_body)? @body)

(declaration
  (operator_signature
    "operator" @name.start
    [(binary_operator) "[]" "[]=" "~"] @name)) @definition.operator

; `Account`, and `named` of `Account.named`
((method_signature
  [
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ]) @definition.constructor
  .
  (function_body)? @body)

(declaration
  [
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (constant_constructor_signature (identifier) @name . (formal_parameter_list))
    (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ]) @definition.constructor

(program
  [
    (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.variable)
    (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.variable)
  ])

(declaration
  (initialized_identifier_list
    (initialized_identifier . (identifier) @name))) @definition.variable

(declaration
  (static_final_declaration_list
    (static_final_declaration . (identifier) @name))) @definition.variable

; References

(type_identifier) @reference.type

((identifier) @reference.call
  .
  (selector (argument_part)))

((selector
  [
    (unconditional_assignable_selector (identifier) @reference.call)
    (conditional_assignable_selector (identifier) @reference.call)
  ])
  .
  (selector (argument_part)))

(cascade_section
  (cascade_selector (identifier) @reference.call)
  .
  (argument_part))

(new_expression
  (type_identifier) @reference.call)

(const_object_expression
  (type_identifier) @reference.call)

; Type.member
((identifier) @reference.type.capital
  .
  (selector (unconditional_assignable_selector)))

(annotation
  name: (identifier) @reference.type)

(superclass
  (type_identifier) @reference.inherit)

(mixins
  (type_identifier) @reference.inherit)

(interfaces
  (type_identifier) @reference.inherit)

(mixin_application
  (type_identifier) @reference.inherit)

(mixin_declaration
  (type_identifier) @reference.inherit)

; Imports

(library_import) @import @import.module

(library_export) @import @import.module

(part_directive) @import @import.module

(part_of_directive) @import @import.module

(library_import
  (import_specification
    (combinator "show" (identifier) @reference.import)))

(library_export
  (combinator "show" (identifier) @reference.import))
