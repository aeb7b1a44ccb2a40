; Definitions

(fn
  name: (_) @name) @definition.function

(lambda
  name: (_) @name) @definition.function

((list . (symbol) @_macro . (symbol) @name) @definition.function
  (#eq? @_macro "macro"))

(local
  (binding (symbol) @name)) @definition.constant

(var
  (binding (symbol) @name)) @definition.variable

; References

(list . (symbol) @reference.call)
