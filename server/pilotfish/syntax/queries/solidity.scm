; ---- definitions ----

(contract_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

(interface_declaration
  name: (identifier) @name
  body: (_) @body) @definition.interface

(library_declaration
  name: (identifier) @name
  body: (_) @body) @definition.class

(struct_declaration
  name: (identifier) @name
  body: (_) @body) @definition.struct

(struct_member
  name: (identifier) @name) @definition.field

(enum_declaration
  name: (identifier) @name
  body: (_) @body) @definition.enum

(enum_value) @name @definition.enum_member

(user_defined_type_definition
  name: (identifier) @name) @definition.class

(event_definition
  name: (identifier) @name) @definition.event

(error_declaration
  name: (identifier) @name) @definition.struct

(function_definition
  name: (identifier) @name
  body: (_)? @body) @definition.function

(modifier_definition
  name: (identifier) @name
  body: (_)? @body) @definition.method

(constructor_definition
  "constructor" @name
  body: (_) @body) @definition.constructor

(fallback_receive_definition
  ["fallback" "receive"] @name
  body: (_)? @body) @definition.method

(state_variable_declaration
  name: (identifier) @name) @definition.field

(constant_variable_declaration
  name: (identifier) @name) @definition.constant

; ---- imports ----

(import_directive
  !import_name
  !alias
  source: (string) @import.module) @import

(import_directive
  !import_name
  alias: (identifier) @import.alias
  source: (string) @import.module) @import

(import_directive
  !import_name
  source: (string) @import.module
  alias: (identifier) @import.alias) @import

(import_directive
  import_name: (identifier) @import.name
  source: (string) @import.module) @import

(import_directive
  import_name: (identifier) @import.name
  .
  alias: (identifier) @import.alias
  source: (string) @import.module) @import

; ---- references ----

(call_expression
  function: (expression [
    (identifier) @reference.call
    (member_expression property: (identifier) @reference.call)
    (struct_expression type: (expression [
      (identifier) @reference.call
      (member_expression property: (identifier) @reference.call)
    ]))
  ]))

(new_expression
  name: (type_name (user_defined_type (identifier) @reference.call .)))

(emit_statement
  name: (expression [
    (identifier) @reference.call
    (member_expression property: (identifier) @reference.call)
  ]))

(revert_statement
  error: (expression [
    (identifier) @reference.call
    (member_expression property: (identifier) @reference.call)
  ]))

(modifier_invocation
  (identifier) @reference.call)

(inheritance_specifier
  ancestor: (user_defined_type (identifier) @reference.inherit .))

(user_defined_type
  (identifier) @reference.type
  .)

(using_directive
  (type_alias (identifier) @reference.type))
