; Definitions

((list . (symbol) @_define . (symbol) @name) @definition.variable
  (#any-of? @_define "defvar" "defpoll" "deflisten"))

((list . (symbol) @_define . (symbol) @name) @definition.function
  (#eq? @_define "defwidget"))

((list . (symbol) @_define . (symbol) @name) @definition.object
  (#eq? @_define "defwindow"))

; References

((list . (symbol) @reference.call)
  (#not-match? @reference.call "^def"))
