; A stage holds what follows it; it is called by its alias, or by its image.

((from_instruction
  as: (image_alias) @name) @definition.module
  (#set! level 1))

((from_instruction
  (image_spec name: (image_name) @name) !as) @definition.module
  (#set! level 1))

(arg_instruction name: (unquoted_string) @name) @definition.variable

(env_instruction
  (env_pair name: (unquoted_string) @name) @definition.variable)

; ---- imports ----

; Everything but the last path of a copy is a source.
(copy_instruction
  (path) @import.module
  .
  (path)) @import

(add_instruction
  (path) @import.module
  .
  (path)) @import

; ---- references ----

(from_instruction
  (image_spec name: (image_name) @reference.inherit))
