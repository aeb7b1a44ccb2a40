; A rule is called by each of its selectors; its block belongs to the last.

(selectors
  (_) @name @definition.class)

(rule_set
  . (selectors (_) @name @definition.class .)
  . (block) @body)

(mixin_statement
  name: (identifier) @name
  (block) @body) @definition.function

(function_statement
  name: (identifier) @name
  (block) @body) @definition.function

(declaration
  . (property_name) @name
  (#match? @name "^\\$")) @definition.variable

(declaration
  . (property_name) @name
  (#match? @name "^--")) @definition.property

(keyframes_statement
  (keyframes_name) @name
  (keyframe_block_list) @body) @definition.object

; ---- imports ----

(import_statement (string_value) @import.module) @import
(import_statement (ERROR (string_value) @import.module)) @import
(use_statement . (string_value) @import.module) @import
(forward_statement . (string_value) @import.module) @import

; ---- references ----

(include_statement . (identifier) @reference.call)
(call_expression (function_name) @reference.call)
(extend_statement (class_selector (class_name) @reference.inherit))
