; SQL in strings that say so: by their first words, or by a comment before them.

((string (string_start) . (string_content) @_first) @injection.content
  (#set! injection.language "sql")
  (#set! injection.pieces "string_content")
  (#match? @_first "^\\s*--\\s*[sS][qQ][lL]\\b"))

((comment) @_comment
  .
  (assignment right: (string) @injection.content)
  (#set! injection.language "sql")
  (#set! injection.pieces "string_content")
  (#match? @_comment "language=[sS][qQ][lL]"))
