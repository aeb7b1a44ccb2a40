; Titles nest by how they are adorned, in the order in which adornments occur. The paragraph below documents them.

((section (title) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 1))

(target (name) @name) @definition.key

(substitution_definition (substitution) @name) @definition.constant

; ---- imports ----

((directive
  (type) @_directive
  (body (arguments) @import.module)) @import
  (#any-of? @_directive "include" "literalinclude" "csv-table"))

((directive
  (type) @_directive
  (body (content) @import.module)) @import
  (#eq? @_directive "toctree"))
