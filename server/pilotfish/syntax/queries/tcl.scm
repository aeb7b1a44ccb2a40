; Definitions

(procedure
  name: (_) @name
  body: (_) @body) @definition.function

((namespace
  (word_list
    .
    (simple_word) @_eval
    .
    (simple_word) @name
    .
    (braced_word) @body)) @definition.namespace
  (#eq? @_eval "eval"))

((command
  name: (simple_word) @_variable
  arguments: (word_list . (simple_word) @name)) @definition.variable
  (#eq? @_variable "variable"))

; References

(command
  name: (simple_word) @reference.call)

; Imports

((command
  name: (simple_word) @_source
  arguments: (word_list (simple_word) @import.module .)) @import
  (#eq? @_source "source"))
