; A description belongs to its definition and is no part of its signature, which begins at the name.

(object_type_definition (name) @name (fields_definition)? @body) @definition.class
((object_type_definition (name) @name @definition.class)
  (#set! lead "type "))

(interface_type_definition (name) @name (fields_definition)? @body) @definition.interface
((interface_type_definition (name) @name @definition.interface)
  (#set! lead "interface "))

(input_object_type_definition (name) @name (input_fields_definition)? @body) @definition.struct
((input_object_type_definition (name) @name @definition.struct)
  (#set! lead "input "))

(enum_type_definition (name) @name (enum_values_definition)? @body) @definition.enum
((enum_type_definition (name) @name @definition.enum)
  (#set! lead "enum "))

(union_type_definition (name) @name) @definition.class
((union_type_definition (name) @name @definition.class)
  (#set! lead "union "))

(scalar_type_definition (name) @name) @definition.class
((scalar_type_definition (name) @name @definition.class)
  (#set! lead "scalar "))

(directive_definition (name) @name) @definition.function
((directive_definition (name) @name @definition.function)
  (#set! lead "directive @"))

(field_definition (name) @name) @definition.field
(field_definition (name) @name @definition.field)

(input_fields_definition
  (input_value_definition (name) @name) @definition.field)
(input_fields_definition
  (input_value_definition (name) @name @definition.field))

(enum_value_definition (enum_value (name) @name)) @definition.enum_member
(enum_value_definition (enum_value (name) @name @definition.enum_member))

(operation_definition (name) @name (selection_set) @body) @definition.function

(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.class

; `extend type Query { … }` adds to what is defined elsewhere.
(type_extension (_ . (name) @name)) @scope

; ---- imports ----

((comment) @import.module @import
  (#match? @import.module "^#[ \t]*import[ \t]"))

; ---- references ----

(named_type (name) @reference.type)
(type_extension (_ . (name) @reference.type))
(implements_interfaces (named_type (name) @reference.inherit))
(fragment_spread (fragment_name (name) @reference.call))
(directive (name) @reference.call)
