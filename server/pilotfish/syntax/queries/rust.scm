; Definitions

(function_item
  name: (identifier) @name
  body: (block) @body) @definition.function

(function_signature_item
  name: (identifier) @name) @definition.function

; What an implementation of a trait holds is as visible as the trait.
(impl_item
  trait: (_)
  body: (declaration_list
    (function_item name: (identifier) @name) @definition.method))

(struct_item
  name: (type_identifier) @name) @definition.struct

(struct_item
  name: (type_identifier) @name
  body: (field_declaration_list) @body) @definition.struct

(union_item
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(enum_item
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

(enum_variant
  name: (identifier) @name) @definition.enum_member

(field_declaration
  name: (field_identifier) @name) @definition.field

(trait_item
  name: (type_identifier) @name
  body: (_) @body) @definition.interface

(associated_type
  name: (type_identifier) @name) @definition.class

(type_item
  name: (type_identifier) @name) @definition.class

(mod_item
  name: (identifier) @name) @definition.module

(mod_item
  name: (identifier) @name
  body: (_) @body) @definition.module

(const_item
  name: (identifier) @name
  (#not-eq? @name "_")) @definition.constant

(static_item
  name: (identifier) @name) @definition.variable

(macro_definition
  name: (identifier) @name
  .
  (_) @body) @definition.function

(impl_item
  type: (_) @name) @scope

; References

(type_identifier) @reference.type

(call_expression
  function: [
    (identifier) @reference.call
    (field_expression field: (field_identifier) @reference.call)
    (scoped_identifier name: (identifier) @reference.call)
    (generic_function function: (identifier) @reference.call)
    (generic_function function: (field_expression field: (field_identifier) @reference.call))
    (generic_function function: (scoped_identifier name: (identifier) @reference.call))
  ])

(macro_invocation
  macro: [
    (identifier) @reference.call
    (scoped_identifier name: (identifier) @reference.call)
  ])

; Type::function()
(scoped_identifier
  path: (identifier) @reference.type.capital)

(impl_item
  trait: [
    (type_identifier) @reference.inherit
    (scoped_type_identifier name: (type_identifier) @reference.inherit)
    (generic_type type: (type_identifier) @reference.inherit)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @reference.inherit))
  ])

(trait_item
  bounds: (trait_bounds
    [
      (type_identifier) @reference.inherit
      (scoped_type_identifier name: (type_identifier) @reference.inherit)
      (generic_type type: (type_identifier) @reference.inherit)
    ]))

(attribute
  (identifier) @_derive
  arguments: (token_tree (identifier) @reference.inherit)
  (#eq? @_derive "derive"))

; Imports: the tree of a `use` is read from its text.

(use_declaration
  argument: (_) @import.module) @import

(use_declaration
  argument: [
    (identifier) @reference.import
    (scoped_identifier name: (identifier) @reference.import)
  ])

(use_as_clause
  path: [
    (identifier) @reference.import
    (scoped_identifier name: (identifier) @reference.import)
  ])

(use_list
  [
    (identifier) @reference.import
    (scoped_identifier name: (identifier) @reference.import)
  ])

(extern_crate_declaration
  name: (identifier) @import.module
  !alias) @import

(extern_crate_declaration
  name: (identifier) @import.module
  alias: (identifier) @import.alias
  (#set! prefix "::")) @import

; mod file;
(mod_item
  name: (identifier) @import.module
  !body
  (#set! prefix "self::")) @import

; Exports

(use_declaration
  (visibility_modifier)
  argument: [
    (identifier) @export
    (scoped_identifier name: (identifier) @export)
    (use_as_clause alias: (identifier) @export)
    (scoped_use_list list: (use_list (identifier) @export))
    (scoped_use_list list: (use_list (use_as_clause alias: (identifier) @export)))
  ])
