((minted_environment
  (begin language: (curly_group_text) @injection.language)
  code: (source_code) @injection.content))
