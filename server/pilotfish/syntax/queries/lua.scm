; ---- definitions ----

; Of the file itself; what functions bind are locals.
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list name: (identifier) @name))) @definition.variable)

(chunk
  (variable_declaration
    (variable_list name: (identifier) @name)) @definition.variable)

(chunk
  (assignment_statement
    (variable_list name: [
      (identifier) @name
      (dot_index_expression table: (_) @container field: (identifier) @name)
    ])) @definition.variable)

(function_declaration
  name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
  ]
  body: (_)? @body) @definition.function

(function_declaration
  name: (method_index_expression table: (_) @container method: (identifier) @name)
  body: (_)? @body) @definition.method

(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
    (bracket_index_expression table: (_) @container field: (string content: (_) @name))
  ])
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function

(field
  name: [
    (identifier) @name
    (string content: (_) @name)
  ]
  value: (function_definition body: (_)? @body)) @definition.function

; `Account = class("Account", Base)`, `Account = Base:extend()`
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression table: (_) @container field: (identifier) @name)
  ])
  (expression_list . value: (function_call
    name: [
      (identifier) @_class
      (method_index_expression method: (identifier) @_class)
    ]))
  (#any-of? @_class "class" "extend" "subclass")) @definition.class

; What a module is called here is no definition.
(assignment_statement
  (variable_list name: (identifier) @discard)
  (expression_list value: [
    (function_call name: (identifier) @_require)
    (dot_index_expression table: (function_call name: (identifier) @_require))
  ])
  (#eq? @_require "require"))

; ---- imports ----

(function_call
  name: (identifier) @_require
  arguments: (arguments . (string) @import.module)
  (#eq? @_require "require")) @import

(assignment_statement
  (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (function_call
    name: (identifier) @_require
    arguments: (arguments . (string) @import.module)))
  (#eq? @_require "require")) @import

; `local format = require("text").format`
(assignment_statement
  (variable_list . name: (identifier) @import.alias .)
  (expression_list . value: (dot_index_expression
    table: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string) @import.module))
    field: (identifier) @import.name))
  (#eq? @_require "require")) @import

; `local ok, json = pcall(require, "json")`
(assignment_statement
  (variable_list . (_) . name: (identifier) @import.alias .)
  (expression_list . value: (function_call
    name: (identifier) @_pcall
    arguments: (arguments . (identifier) @_require . (string) @import.module)))
  (#eq? @_pcall "pcall")
  (#eq? @_require "require")) @import

(function_call
  name: (identifier) @_load
  arguments: (arguments . (string) @import.module)
  (#set! prefix "./")
  (#any-of? @_load "dofile" "loadfile")) @import

; ---- references ----

(function_call
  name: [
    (identifier) @reference.call
    (dot_index_expression
      table: [(dot_index_expression) (method_index_expression) (bracket_index_expression) (function_call)
        (parenthesized_expression)]
      field: (identifier) @reference.call)
    (method_index_expression method: (identifier) @reference.call)
  ])

; What the language's own tables have is defined nowhere: `table.insert`.
(function_call
  name: (dot_index_expression
    table: (identifier) @_table
    field: (identifier) @reference.call)
  (#not-match? @_table "^(table|string|math|os|io|coroutine|debug|package|utf8|bit|bit32|jit)$"))

; `setmetatable({}, { __index = Base })`
(field
  name: (identifier) @_index
  value: (identifier) @reference.inherit
  (#eq? @_index "__index"))

(function_call
  name: (identifier) @_class
  arguments: (arguments . (string) . (identifier) @reference.inherit)
  (#eq? @_class "class"))

(function_call
  name: (method_index_expression
    table: [
      (identifier) @reference.inherit
      (dot_index_expression field: (identifier) @reference.inherit)
    ]
    method: (identifier) @_extend)
  (#any-of? @_extend "extend" "subclass"))

(function_call
  name: (identifier) @_set
  arguments: (arguments . (_) . [
    (identifier) @reference.type
    (dot_index_expression field: (identifier) @reference.type)
  ])
  (#eq? @_set "setmetatable"))
