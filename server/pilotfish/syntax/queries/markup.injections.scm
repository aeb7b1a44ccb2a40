((script_element (raw_text) @injection.content)
  (#set! injection.language "javascript"))

; A type that is none of JavaScript's says what else is in it; of `text/template` nothing is known.
((script_element
  (start_tag
    (attribute
      (attribute_name) @_attribute
      (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content)
  (#eq? @_attribute "type")
  (#not-match? @injection.language "(^|/)(module|(x-)?javascript|ecmascript|jsx|babel)$"))

((script_element
  (start_tag
    (attribute
      (attribute_name) @_attribute
      (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content)
  (#eq? @_attribute "lang"))

((style_element (raw_text) @injection.content)
  (#set! injection.language "css"))

((style_element
  (start_tag
    (attribute
      (attribute_name) @_attribute
      (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content)
  (#eq? @_attribute "lang"))

