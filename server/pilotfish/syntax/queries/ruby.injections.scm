; A here document whose name is that of a language.

((heredoc_body
  (heredoc_end) @injection.language) @injection.content
  (#set! injection.pieces "heredoc_content")
  (#any-of? @injection.language "SQL" "GRAPHQL" "HTML" "CSS" "JS"))
