; Definitions: the grammar reads everything as commands, so that words tell what is defined

((command
  (unit . (identifier) @_class)
  .
  (unit . (identifier) @name .)) @definition.class
  (#any-of? @_class "class" "trait"))

((command
  (unit . (identifier) @_class)
  .
  (block . (unit . (identifier) @name .)) @body) @definition.class
  (#any-of? @_class "class" "trait"))

((command
  (unit . (identifier) @_interface)
  .
  [(unit . (identifier) @name .) (block . (unit . (identifier) @name .))]) @definition.interface
  (#eq? @_interface "interface"))

((command
  (unit . (identifier) @_enum)
  .
  [(unit . (identifier) @name .) (block . (unit . (identifier) @name .))]) @definition.enum
  (#eq? @_enum "enum"))

((command
  .
  (unit . (identifier) @_type)
  (block . (unit (func . (identifier) @name)))) @definition.function
  (#not-match? @_type "^(class|interface|enum|trait|return|new|if|for|while|else|throw)$"))

; References

((command
  (unit . (identifier) @_extends)
  .
  [(unit (identifier) @reference.inherit .) (block . (unit (identifier) @reference.inherit .))])
  (#any-of? @_extends "extends" "implements"))

(func
  .
  (identifier) @reference.call)

; Imports

((command
  .
  (unit . (identifier) @_import)
  (unit) @import.module .) @import
  (#eq? @_import "import"))
