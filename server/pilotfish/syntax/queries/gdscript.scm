; ---- definitions ----

; A script is a class: its name stands at its head, and what follows is in it.
(class_name_statement
  name: (name) @name
  (#set! level 1)) @definition.class

(class_definition
  name: (name) @name
  body: (_) @body) @definition.class

(function_definition
  name: (name) @name
  body: (_) @body) @definition.function

(constructor_definition
  "_init" @name
  body: (_) @body) @definition.constructor

(variable_statement
  name: (name) @name) @definition.variable

; With `set` and `get` its reads and writes are code.
(variable_statement
  name: (name) @name
  setget: (setget) @body) @definition.property

(const_statement
  name: (name) @name) @definition.constant

(signal_statement
  name: (name) @name) @definition.event

(enum_definition
  name: (name) @name
  body: (_) @body) @definition.enum

(enumerator
  left: (identifier) @name) @definition.enum_member

; ---- imports ----

(extends_statement
  (string) @import.module) @import

(call
  (identifier) @_load
  arguments: (arguments . (string) @import.module)
  (#any-of? @_load "preload" "load")) @import

(const_statement
  name: (name) @import.alias
  value: (call
    (identifier) @_load
    arguments: (arguments . (string) @import.module))
  (#any-of? @_load "preload" "load")) @import

(variable_statement
  name: (name) @import.alias
  value: (call
    (identifier) @_load
    arguments: (arguments . (string) @import.module))
  (#any-of? @_load "preload" "load")) @import

; ---- references ----

(call
  .
  (identifier) @reference.call)

(attribute_call
  .
  (identifier) @reference.call)

; `Bullet.new()`
(attribute
  .
  (identifier) @reference.type
  .
  (attribute_call . (identifier) @_new)
  (#eq? @_new "new"))

(type
  [
    (identifier) @reference.type
    (attribute (identifier) @reference.type .)
    (subscript . (identifier) @reference.type)
  ])

(subscript_arguments
  (identifier) @reference.type)

(extends_statement
  (type [
    (identifier) @reference.inherit
    (attribute (identifier) @reference.inherit .)
  ]))
