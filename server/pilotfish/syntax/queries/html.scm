; What an address can point to: headings, ids, named anchors. Scripts and styles are injected.

((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 1)
  (#any-of? @_tag "h1" "H1"))
((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 2)
  (#any-of? @_tag "h2" "H2"))
((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 3)
  (#any-of? @_tag "h3" "H3"))
((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 4)
  (#any-of? @_tag "h4" "H4"))
((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 5)
  (#any-of? @_tag "h5" "H5"))
((element
  (start_tag (tag_name) @_tag)
  .
  [(text) @name (element (start_tag) . (text) @name)]) @definition.string
  (#set! level 6)
  (#any-of? @_tag "h6" "H6"))

((start_tag
  (attribute
    (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#eq? @_attribute "id"))

((self_closing_tag
  (attribute
    (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#eq? @_attribute "id"))

((start_tag
  (tag_name) @_tag
  (attribute
    (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#eq? @_tag "a")
  (#eq? @_attribute "name"))

; ---- imports ----

((script_element
  (start_tag
    (attribute
      (attribute_name) @_attribute
      (quoted_attribute_value (attribute_value) @import.module))) @import)
  (#eq? @_attribute "src"))

((start_tag
  (tag_name) @_tag
  (attribute
    (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @import.module))) @import
  (#any-of? @_tag "link" "LINK")
  (#eq? @_attribute "href"))

((self_closing_tag
  (tag_name) @_tag
  (attribute
    (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @import.module))) @import
  (#eq? @_tag "link")
  (#eq? @_attribute "href"))

; ---- references ----

; Custom elements are called by names with a hyphen.
((tag_name) @reference.type
  (#match? @reference.type "-"))
