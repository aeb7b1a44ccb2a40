; A rule is called by each of its selectors; it belongs to the first, so that a list of hundreds costs no more than it
; is long.

(selectors
  (_) @name @definition.class)

(rule_set
  (selectors . (_) @name)
  (block) @body) @definition.class

(declaration
  (property_name) @name
  (#match? @name "^--")) @definition.property

(keyframes_statement
  (keyframes_name) @name
  (keyframe_block_list) @body) @definition.object

((at_rule
  (at_keyword) @_keyword
  (keyword_query) @name
  (block)? @body) @definition.property
  (#eq? @_keyword "@property"))

((at_rule
  (at_keyword) @_keyword
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
  (property_name) @_property
  (plain_value) @reference.inherit
  (string_value (string_content) @import.module)) @import
  (#eq? @_property "composes"))
