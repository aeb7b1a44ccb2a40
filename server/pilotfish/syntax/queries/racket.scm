; Definitions

((list . (symbol) @_define . (list . (symbol) @name)) @definition.function
  (#any-of? @_define "define" "define/contract" "define/public" "define/private" "define/override" "define/match"))

((list . (symbol) @_define . (symbol) @name) @definition.variable
  (#any-of? @_define "define" "define/contract" "define-values" "define-runtime-path"))

((list . (symbol) @_define . (symbol) @name . (list . (symbol) @_lambda)) @definition.function
  (#any-of? @_define "define" "define/contract")
  (#any-of? @_lambda "lambda" "case-lambda" "λ"))

((list . (symbol) @_define . (symbol) @name . (list . (symbol) @_class)) @definition.class
  (#eq? @_define "define")
  (#any-of? @_class "class" "class*" "mixin"))

((list . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]) @definition.function
  (#any-of? @_define "define-syntax" "define-syntax-rule" "define-simple-macro" "define-syntax-parser"))

((list . (symbol) @_define . (symbol) @name) @definition.struct
  (#any-of? @_define "struct" "define-struct" "serializable-struct"))

((list . (symbol) @_define . (symbol) @name) @definition.module
  (#any-of? @_define "module" "module*" "module+"))

; References

((list . (symbol) @reference.call)
  (#not-match? @reference.call "^(define.*|let.*|lambda|struct|module.*|if|cond|case|match|set!|begin.*|quote|require|provide|and|or|for.*|when|unless|class)$"))
