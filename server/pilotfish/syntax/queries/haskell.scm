; ---- the module ----

(header
  module: (module) @name
  exports: (_)? @body) @definition.module

; ---- types ----

(data_type
  name: (_) @name
  constructors: (_)? @body) @definition.struct

(newtype
  name: (_) @name
  constructor: (_)? @body) @definition.struct

(type_synomym
  name: (_) @name) @definition.class

(type_family
  name: (_) @name) @definition.class

(data_family
  name: (_) @name) @definition.class

(class
  name: (_) @name
  declarations: (_)? @body) @definition.interface

(data_constructor
  constructor: [
    (prefix name: [(constructor) @name (prefix_id (constructor_operator) @name)])
    (record name: [(constructor) @name (prefix_id (constructor_operator) @name)])
    (infix operator: (constructor_operator) @name)
  ]) @definition.constructor

(newtype_constructor
  name: (_) @name) @definition.constructor

(gadt_constructor
  name: (constructor) @name) @definition.constructor

(gadt_constructor
  names: (binding_list name: (constructor) @name)) @definition.constructor

(pattern_synonym
  (equation synonym: [
    (constructor) @name
    (apply function: (constructor) @name)
    (apply function: (apply function: (constructor) @name))
  ])) @definition.constructor

(field
  name: (field_name (variable) @name)) @definition.field

; ---- functions: a signature and the equations are one; what lies in a function is its own ----

(signature
  name: [(variable) @name (prefix_id (operator) @name)]) @definition.function

(signature
  names: (binding_list name: [(variable) @name (prefix_id (operator) @name)])) @definition.function

(function
  name: [(variable) @name (prefix_id (operator) @name)]
  match: (_) @body) @definition.function

(function
  (infix operator: [(operator) @name (infix_id (variable) @name)])
  match: (_) @body) @definition.function

(bind
  name: [(variable) @name (prefix_id (operator) @name)]
  match: (_) @body) @definition.function

(bind
  pattern: [(tuple element: (variable) @name) (parens (tuple element: (variable) @name))]) @definition.variable

; What an instance holds belongs to the type, else to the class.
(instance
  name: [(name) @name (qualified id: (name) @name)]) @scope

(instance
  patterns: (type_patterns . [
    (name) @name
    (qualified id: (name) @name)
    (parens type: (apply constructor: (name) @name))
  ])) @scope

; ---- imports: the statement is read from its text ----

(import) @import @import.module

(import_name
  [(variable) @reference.import (name) @reference.import (prefix_id (operator) @reference.import)])

(import
  module: (module (module_id) @reference.import .))

; ---- exports ----

(export
  [
    (variable) @export
    (name) @export
    (prefix_id (operator) @export)
    (qualified id: (_) @export)
  ])

(header
  module: (module (module_id) @export .))

; ---- references ----

(deriving
  classes: [
    (name) @reference.inherit
    (qualified id: (name) @reference.inherit)
    (tuple [(name) @reference.inherit (qualified id: (name) @reference.inherit)])
    (parens (name) @reference.inherit)
  ])

(instance
  name: [(name) @reference.inherit (qualified id: (name) @reference.inherit)])

(deriving_instance
  name: [(name) @reference.inherit (qualified id: (name) @reference.inherit)])

(class
  context: (context
    context: [
      (apply constructor: (name) @reference.inherit)
      (parens (apply constructor: (name) @reference.inherit))
      (tuple (apply constructor: (name) @reference.inherit))
    ]))

(apply
  function: [(variable) @reference.call (qualified id: (variable) @reference.call)])

(infix
  operator: [
    (operator) @reference.call
    (constructor_operator) @reference.call
    (qualified id: (operator) @reference.call)
    (infix_id (variable) @reference.call)
  ])

; f $ x, f . g, f <$> x
(infix
  left_operand: [(variable) @reference.call (qualified id: (variable) @reference.call)]
  operator: (operator) @_operator
  (#any-of? @_operator "$" "$!" "." "<$>" "<*>" "=<<" "<&>"))

(constructor) @reference.call

(name) @reference.type
