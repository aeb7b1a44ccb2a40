; Tagged templates, and templates after a comment that names their language.

((call_expression
  function: [(identifier) @injection.language (member_expression property: (property_identifier) @injection.language)]
  arguments: (template_string) @injection.content)
  (#set! injection.pieces "string_fragment")
  (#any-of? @injection.language "sql" "css" "html" "graphql"))

((call_expression
  function: (identifier) @_tag
  arguments: (template_string) @injection.content)
  (#set! injection.language "graphql")
  (#set! injection.pieces "string_fragment")
  (#eq? @_tag "gql"))

((comment) @injection.language
  .
  (template_string) @injection.content
  (#set! injection.pieces "string_fragment")
  (#match? @injection.language "^/\\*\\s*(sql|css|html|graphql|GraphQL|SQL)\\s*\\*/$"))
