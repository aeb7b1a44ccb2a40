; A resource is called by its last label and belongs to its type, as in `aws_vpc.main`.

((block
  (identifier) @_block
  (string_lit (template_literal) @container)
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.class
  (#any-of? @_block "resource" "data" "ephemeral"))

((block
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.variable
  (#eq? @_block "variable"))

((block
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.property
  (#eq? @_block "output"))

((block
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.module
  (#eq? @_block "module"))

((block
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  .
  (block_start)
  (body)? @body) @definition.object
  (#any-of? @_block "provider" "check" "backend" "run" "mock_provider"))

((block
  (identifier) @_block
  (body
    (attribute (identifier) @name) @definition.constant))
  (#eq? @_block "locals"))

; The values of a file of variables.
(config_file
  (body
    (attribute (identifier) @name) @definition.key))

; ---- imports ----

((block
  (identifier) @_block
  (body
    (attribute
      (identifier) @_source
      (expression (literal_value (string_lit (template_literal) @import.module)))) @import))
  (#eq? @_block "module")
  (#eq? @_source "source"))

; ---- references ----

(function_call (identifier) @reference.call)

; `var.name`, `local.name`, `module.name`, `aws_vpc.main`, `data.aws_ami.name`
((expression
  (variable_expr (identifier) @_root)
  .
  (get_attr (identifier) @reference.type))
  (#not-match? @_root "^(count|data|each|path|self|terraform)$"))

((expression
  (variable_expr (identifier) @_root)
  .
  (get_attr)
  .
  (get_attr (identifier) @reference.type))
  (#eq? @_root "data"))
