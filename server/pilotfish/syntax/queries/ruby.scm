; ---- definitions ----

(module
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @container name: (constant) @name)
  ]
  body: (_)? @body) @definition.module

(class
  name: [
    (constant) @name
    (scope_resolution scope: (_)? @container name: (constant) @name)
  ]
  body: (_)? @body) @definition.class

; `class << self` names nothing, and a `private` in it ends with it.
(singleton_class) @scope

(method
  name: (_) @name
  body: (_)? @body) @definition.method

(singleton_method
  name: (_) @name
  body: (_)? @body) @definition.method

(alias
  name: (_) @name) @definition.method

(call
  method: (identifier) @_method
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  (#any-of? @_method "alias_method" "define_method" "define_singleton_method")) @definition.method

(call
  method: (identifier) @_method
  arguments: (argument_list [(simple_symbol) @name (string . (string_content) @name .)])
  (#any-of? @_method
    "attr" "attr_accessor" "attr_reader" "attr_writer" "class_attribute" "mattr_accessor" "mattr_reader"
    "mattr_writer" "cattr_accessor" "cattr_reader" "cattr_writer")) @definition.property

(assignment
  left: [
    (constant) @name
    (scope_resolution scope: (_)? @container name: (constant) @name)
    (left_assignment_list (constant) @name)
  ]) @definition.constant

(operator_assignment
  left: (constant) @name) @definition.constant

; `Point = Struct.new(:x)`, `Failure = Class.new(StandardError)`: a class by another spelling.
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_receiver
    method: (identifier) @_method)
  (#any-of? @_receiver "Class" "Struct" "Data")
  (#any-of? @_method "new" "define")) @definition.class

; ---- visibility ----

(call
  method: (identifier) @_method
  arguments: (argument_list [(method name: (_) @name) (singleton_method name: (_) @name)])
  (#any-of? @_method "private" "protected" "private_class_method")) @definition.method

(class body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))
(class body: (body_statement (identifier) @visibility.restricted (#eq? @visibility.restricted "protected")))
(class body: (body_statement (identifier) @visibility.public (#eq? @visibility.public "public")))
(module body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))
(singleton_class body: (body_statement (identifier) @visibility.private (#eq? @visibility.private "private")))

; ---- imports ----

(call
  method: (identifier) @_method
  arguments: (argument_list . (string) @import.module)
  (#any-of? @_method "require" "load" "require_dependency")) @import

(call
  method: (identifier) @_method
  arguments: (argument_list . (string) @import.module)
  (#set! prefix "./")
  (#eq? @_method "require_relative")) @import

(call
  method: (identifier) @_method
  arguments: (argument_list . (_) . (string) @import.module)
  (#eq? @_method "autoload")) @import

; ---- references ----

(call
  method: [(identifier) (constant)] @reference.call)

(superclass [
  (constant) @reference.inherit
  (scope_resolution name: (constant) @reference.inherit)
])

(call
  method: (identifier) @_method
  arguments: (argument_list [
    (constant) @reference.inherit
    (scope_resolution name: (constant) @reference.inherit)
  ])
  (#any-of? @_method "include" "extend" "prepend"))

(constant) @reference.type
