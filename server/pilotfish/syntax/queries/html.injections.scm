; inherits: markup.injections

((attribute
  (attribute_name) @_attribute
  (quoted_attribute_value (attribute_value) @injection.content))
  (#set! injection.language "javascript")
  (#set! injection.local)
  (#match? @_attribute "^on[a-z]+$"))
