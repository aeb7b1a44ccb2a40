((directive
  (type) @_directive
  (body
    (arguments) @injection.language
    (content) @injection.content))
  (#set! injection.indented)
  (#any-of? @_directive "code-block" "code" "sourcecode" "highlight"))
