; Definitions

((list . (symbol) @_define . (list . (symbol) @name)) @definition.function
  (#any-of? @_define "define" "define*" "define-public" "define-inline" "define-integrable"))

((list . (symbol) @_define . (symbol) @name) @definition.variable
  (#any-of? @_define "define" "define-public" "define-values" "define-parameter"))

((list . (symbol) @_define . (symbol) @name . (list . (symbol) @_lambda)) @definition.function
  (#any-of? @_define "define" "define-public")
  (#any-of? @_lambda "lambda" "case-lambda" "λ"))

((list . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]) @definition.function
  (#any-of? @_define "define-syntax" "define-syntax-rule" "define-macro" "defmacro"))

((list . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]) @definition.struct
  (#any-of? @_define "define-record-type" "define-structure" "define-class" "define-record"))

((list . (symbol) @_define . (list) @name) @definition.module
  (#any-of? @_define "define-library" "library" "define-module"))

; References

((list . (symbol) @reference.call)
  (#not-match? @reference.call "^(define.*|let.*|lambda|if|cond|case|set!|begin|quote|import|export|and|or|do|when|unless)$"))
