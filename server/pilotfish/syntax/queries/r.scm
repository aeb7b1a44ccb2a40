; ---- definitions ----

; Of the file itself; what functions bind are locals.
(program
  (binary_operator
    lhs: [(identifier) (string)] @name
    operator: ["<-" "=" "<<-" ":="]) @definition.variable)

(binary_operator
  lhs: [
    (identifier) @name
    (string) @name
    (extract_operator lhs: (identifier) @container rhs: (_) @name)
  ]
  operator: ["<-" "=" "<<-" ":="]
  rhs: (function_definition body: (_) @body)) @definition.function

; `assign("name", function(x) …)`, `setGeneric("area", function(shape) …)`
(call
  function: (identifier) @_call
  arguments: (arguments
    .
    (argument value: (string) @name)
    (argument value: (function_definition body: (_) @body)))
  (#any-of? @_call "assign" "setGeneric")) @definition.function

(call
  function: (identifier) @_set
  arguments: (arguments
    .
    (argument value: (string) @name)
    .
    (comma)
    .
    (argument value: [
      (string content: (_) @container)
      (call arguments: (arguments . (argument value: (string content: (_) @container))))
    ])
    .
    (comma)
    .
    (argument value: (function_definition body: (_) @body)))
  (#any-of? @_set "setMethod" "setReplaceMethod")) @definition.method

; `Account <- R6Class("Account", …)`
(binary_operator
  lhs: (identifier) @name
  rhs: (call
    function: [
      (identifier) @_class
      (namespace_operator rhs: (identifier) @_class)
    ]
    arguments: (arguments "(" @body))
  (#any-of? @_class "R6Class" "setClass" "setRefClass" "ggproto" "new_class")) @definition.class

(program
  (call
    function: (identifier) @_class
    arguments: (arguments
      .
      (argument value: (string) @name))
    (#any-of? @_class "setClass" "setRefClass" "setClassUnion" "setOldClass")) @definition.class)

; Members stand in lists: `public = list(balance = 0, deposit = function(amount) …)`.
(argument
  name: (identifier) @_part
  value: (call
    arguments: (arguments (argument name: (identifier) @name) @definition.field))
  (#any-of? @_part "public" "private" "fields" "slots" "representation"))

(argument
  value: (call
    function: (identifier) @_part
    arguments: (arguments (argument name: (identifier) @name) @definition.field))
  (#eq? @_part "representation"))

(argument
  name: (identifier) @_part
  value: (call
    arguments: (arguments (argument name: (identifier) @name) @definition.property))
  (#eq? @_part "active"))

(argument
  name: (identifier) @_part
  value: (call
    arguments: (arguments
      (argument
        name: (identifier) @name
        value: (function_definition body: (_) @body)) @definition.method))
  (#any-of? @_part "public" "private" "methods"))

(call
  function: (identifier) @_class
  arguments: (arguments
    (argument
      name: (identifier) @name
      value: (function_definition body: (_) @body)) @definition.method)
  (#eq? @_class "ggproto"))

; ---- visibility ----

(call
  function: [
    (identifier) @_class
    (namespace_operator rhs: (identifier) @_class)
  ]
  arguments: (arguments (argument name: (identifier) @visibility.private))
  (#eq? @_class "R6Class")
  (#eq? @visibility.private "private"))

(call
  function: [
    (identifier) @_class
    (namespace_operator rhs: (identifier) @_class)
  ]
  arguments: (arguments (argument name: (identifier) @visibility.public))
  (#eq? @_class "R6Class")
  (#any-of? @visibility.public "public" "active"))

; ---- imports ----

(call
  function: (identifier) @_library
  arguments: (arguments
    .
    (argument value: [(identifier) (string)] @import.module))
  (#any-of? @_library "library" "require" "requireNamespace" "loadNamespace")) @import

(call
  function: (identifier) @_source
  arguments: (arguments
    .
    (argument value: (string) @import.module))
  (#set! prefix "./")
  (#any-of? @_source "source" "sys.source")) @import

; ---- references ----

(call
  function: [
    (identifier) @reference.call
    (namespace_operator rhs: (identifier) @reference.call)
    (extract_operator rhs: (identifier) @reference.call)
  ])

; `Account$new(1)`, `new("Person")`
(call
  function: (extract_operator
    lhs: (identifier) @reference.type
    rhs: (identifier) @_new)
  (#eq? @_new "new"))

(call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string content: (_) @reference.type)))
  (#eq? @_new "new"))

; `contains = c("A", "B")`, `inherit = Base`
(argument
  name: (identifier) @_contains
  value: [
    (string content: (_) @reference.inherit)
    (call arguments: (arguments (argument value: (string content: (_) @reference.inherit))))
  ]
  (#eq? @_contains "contains"))

(argument
  name: (identifier) @_inherit
  value: [
    (identifier) @reference.inherit
    (namespace_operator rhs: (identifier) @reference.inherit)
  ]
  (#eq? @_inherit "inherit"))

(call
  function: (identifier) @_class
  arguments: (arguments . (argument) . (comma) . (argument value: (identifier) @reference.inherit))
  (#eq? @_class "ggproto"))
