; inherits: markup.injections

((interpolation (raw_text) @injection.content)
  (#set! injection.language "typescript")
  (#set! injection.local))

((directive_attribute
  (quoted_attribute_value (attribute_value) @injection.content))
  (#set! injection.language "typescript")
  (#set! injection.local))
