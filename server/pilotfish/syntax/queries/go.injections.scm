; SQL in strings that say so: by a comment before them, or by their first words.

((comment) @_comment
  .
  (expression_list
    [
      (raw_string_literal (raw_string_literal_content) @injection.content)
      (interpreted_string_literal (interpreted_string_literal_content) @injection.content)
    ])
  (#set! injection.language "sql")
  (#match? @_comment "^/\\*\\s*(language=)?[sS][qQ][lL]\\s*\\*/$"))

((raw_string_literal (raw_string_literal_content) @injection.content)
  (#set! injection.language "sql")
  (#match? @injection.content "^\\s*--\\s*[sS][qQ][lL]\\b"))
