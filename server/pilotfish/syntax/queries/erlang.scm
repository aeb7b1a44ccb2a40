; ---- the module holds what follows ----

((module_attribute
  name: (atom) @name) @definition.module
  (#set! level 1))

; ---- functions: a clause each ----

(fun_decl
  clause: (function_clause
    name: (atom) @name
    body: (_)? @body)) @definition.function

; ---- records, types, callbacks ----

(record_decl
  name: (atom) @name) @definition.struct

(record_field
  name: (atom) @name
  [(field_expr) (field_type)]?) @definition.field

(type_alias
  name: (type_name name: (atom) @name)) @definition.class

(opaque
  name: (type_name name: (atom) @name)) @definition.class

(callback
  fun: (atom) @name) @definition.method

; ---- macros ----

(pp_define
  lhs: (macro_lhs name: [(var) (atom)] @name !args)) @definition.constant

(pp_define
  lhs: (macro_lhs name: [(var) (atom)] @name args: (_))
  "," @body) @definition.function

; ---- imports ----

(pp_include
  file: (string) @import.module) @import

(pp_include_lib
  file: (string) @import.module) @import

(import_attribute
  module: (atom) @import.module
  funs: (fa fun: (atom) @import.name)?) @import

; ---- exports ----

(export_attribute
  funs: (fa fun: (atom) @export))

(export_type_attribute
  types: (fa fun: (atom) @export))

; ---- references ----

(behaviour_attribute
  name: (atom) @reference.inherit)

(call
  expr: (atom) @reference.call)

(remote
  fun: (atom) @reference.call)

(internal_fun
  fun: (atom) @reference.call)

(external_fun
  fun: (atom) @reference.call)

(macro_call_expr
  name: [(var) (atom)] @reference.call)

(record_name
  name: (atom) @reference.type)

(remote_module
  module: (atom) @reference.type)

(module
  name: (atom) @reference.type)
