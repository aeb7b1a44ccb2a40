; A block with labels is called by the last of them; keys at the top stand for values.

(block
  (identifier)
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.object

(block
  (identifier)
  (string_lit (template_literal) @container)
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.object

(config_file
  (body
    (attribute (identifier) @name) @definition.variable))

; ---- references ----

(function_call (identifier) @reference.call)
