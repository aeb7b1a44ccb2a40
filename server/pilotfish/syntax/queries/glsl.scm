; inherits: c

; A block of an interface, perhaps with the name of its instance.
(declaration
  (layout_specification)?
  (identifier) @name
  .
  (field_declaration_list) @body) @definition.struct

(declaration
  (field_declaration_list)
  .
  (identifier) @name @definition.variable)
