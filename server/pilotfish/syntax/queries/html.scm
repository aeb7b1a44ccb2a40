; What an address can point to: headings, ids, named anchors. Scripts and styles are injected. A heading's level is the
; digit in its tag. The grammar is so fast that a look at all nodes would cost more than the parse: each pattern says near
; what it is to be found.

((element
  .
  (start_tag . (tag_name) @_tag)
  .
  [(text) @name (element . (start_tag) . (text) @name)]) @definition.string
  (#set! level 1)
  (#set! near "<h|<H")
  (#any-of? @_tag "h1" "h2" "h3" "h4" "h5" "h6" "H1" "H2" "H3" "H4" "H5" "H6"))

((start_tag
  (attribute
    . (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#set! near "id=|id =")
  (#eq? @_attribute "id"))

((self_closing_tag
  (attribute
    . (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#set! near "id=|id =")
  (#eq? @_attribute "id"))

((start_tag
  . (tag_name) @_tag
  (attribute
    . (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @name))) @definition.key
  (#set! near "name=|name =")
  (#eq? @_tag "a")
  (#eq? @_attribute "name"))

; ---- imports ----

((script_element
  (start_tag
    (attribute
      . (attribute_name) @_attribute
      (quoted_attribute_value (attribute_value) @import.module))) @import)
  (#set! near "<script|<SCRIPT")
  (#eq? @_attribute "src"))

((start_tag
  . (tag_name) @_tag
  (attribute
    . (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @import.module))) @import
  (#set! near "<link|<LINK")
  (#any-of? @_tag "link" "LINK")
  (#eq? @_attribute "href"))

((self_closing_tag
  . (tag_name) @_tag
  (attribute
    . (attribute_name) @_attribute
    (quoted_attribute_value (attribute_value) @import.module))) @import
  (#set! near "<link")
  (#eq? @_tag "link")
  (#eq? @_attribute "href"))
