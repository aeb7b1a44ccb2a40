; ---- modules, protocols and what implements them ----

(call
  target: (identifier) @_word
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block) @body
  (#eq? @_word "defmodule")) @definition.module

(call
  target: (identifier) @_word
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_word "defprotocol")) @definition.interface

; Its functions are those of the type that it is for, else of the module that it lies in, else of the protocol.
(call
  target: (identifier) @_word
  (arguments . (alias) @name @reference.inherit)
  (#eq? @_word "defimpl")) @scope

(call
  target: (identifier) @_word
  (arguments (keywords (pair key: (keyword) @_key value: (alias) @name)))
  (#eq? @_word "defimpl")
  (#match? @_key "^for:")) @scope

; ---- functions, macros, guards ----

(call
  target: (identifier) @_word
  (arguments
    .
    [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ]
    .
    ","? @body)
  (do_block)? @body
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate")
  (#not-eq? @name "unquote")) @definition.function

(call
  target: (identifier) @_word
  (arguments
    .
    [
      (binary_operator operator: _ @name)
      (binary_operator left: (binary_operator operator: _ @name) operator: "when")
      (unary_operator operator: _ @name)
    ]
    .
    ","? @body)
  (do_block)? @body
  (#any-of? @_word "def" "defp" "defmacro" "defmacrop")
  (#not-match? @name "^(when|=)$")) @definition.operator

(call
  target: [(identifier) @_word (dot right: (identifier) @_word)]
  (arguments . (atom) @name)
  (#any-of? @_word "defrecord" "defrecordp")) @definition.struct

; ---- fields ----

(call
  target: (identifier) @_word
  (arguments
    [
      (list (atom) @name)
      (list (keywords (pair key: (keyword) @name)))
      (keywords (pair key: (keyword) @name))
    ])
  (#any-of? @_word "defstruct" "defexception")) @definition.field

; Ecto's schemas
(call
  target: (identifier) @_word
  (arguments . (atom) @name . (_))
  (#any-of? @_word
    "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many")) @definition.field

; ---- types, callbacks, constants ----

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments
      .
      [
        (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
        (binary_operator
          left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
          operator: "when")
      ]))
  (#any-of? @_word "type" "typep" "opaque")) @definition.class

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments
      .
      [
        (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
        (binary_operator
          left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
          operator: "when")
      ]))
  (#any-of? @_word "callback" "macrocallback")) @definition.method

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @name
    (arguments))
  (#not-match? @name
    "^(after_compile|after_verify|before_compile|behaviour|callback|compile|deprecated|derive|describetag|dialyzer|doc|enforce_keys|external_resource|impl|macrocallback|moduledoc|moduletag|nifs|on_definition|on_load|opaque|optional_callbacks|since|spec|tag|type|typedoc|typep|vsn)$")) @definition.constant

; ---- tests ----

(call
  target: (identifier) @_word
  (arguments . (string . (quoted_content) @name .) . ","? @body)
  (do_block) @body
  (#eq? @_word "test")) @definition.function

(call
  target: (identifier) @_word
  (arguments . (string . (quoted_content) @name .))
  (do_block) @body
  (#eq? @_word "describe")) @definition.namespace

; ---- imports: the statement is read from its text ----

(call
  target: (identifier) @_word
  (arguments . [(alias) (dot)])
  (#any-of? @_word "alias" "import" "require" "use")) @import @import.module

(call
  target: (identifier) @_word
  (arguments
    .
    [
      (alias) @reference.import
      (dot left: (alias) @reference.import right: (tuple (alias) @reference.import))
    ])
  (#any-of? @_word "alias" "import" "require" "use"))

; ---- references ----

(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . (alias) @reference.inherit))
  (#eq? @_word "behaviour"))

(call
  target: (identifier) @reference.call
  .
  (arguments "("))

; Without parentheses, and not an attribute's.
(call
  target: (identifier) @reference.call
  .
  (arguments)
  (#not-match? @reference.call
    "^(behaviour|callback|deprecated|doc|enforce_keys|impl|moduledoc|opaque|since|spec|tag|type|typedoc|typep)$"))

(call
  target: (dot right: (identifier) @reference.call))

(binary_operator
  operator: "|>"
  right: (identifier) @reference.call)

; &name/1
(unary_operator
  operator: "&"
  operand: (binary_operator left: (identifier) @reference.call operator: "/"))

(alias) @reference.type
