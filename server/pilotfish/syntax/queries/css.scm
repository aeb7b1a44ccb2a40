; A rule is called by each of its selectors; its block belongs to the last, so that none of them lies in another, and a
; list of hundreds costs no more than it is long.

(selectors
  (_) @name @definition.class)

(rule_set
  . (selectors (_) @name @definition.class .)
  . (block) @body)

(declaration
  . (property_name) @name
  (#match? @name "^--")) @definition.property

(keyframes_statement
  (keyframes_name) @name
  (keyframe_block_list) @body) @definition.object

((at_rule
  . (at_keyword) @_keyword
  (keyword_query) @name
  (block)? @body) @definition.property
  (#eq? @_keyword "@property"))

((at_rule
  . (at_keyword) @_keyword
  (keyword_query) @name
  (block) @body) @definition.namespace
  (#eq? @_keyword "@layer"))

; ---- imports ----

(import_statement
  [
    (string_value (string_content) @import.module)
    (call_expression (arguments [(string_value (string_content) @import.module) (plain_value) @import.module]))
  ]) @import

((declaration
  . (property_name) @_property
  (plain_value) @reference.inherit
  (string_value (string_content) @import.module)) @import
  (#eq? @_property "composes"))
