; inherits: cpp

; A buffer of constants holds what follows it in braces.
((declaration
  type: (type_identifier) @_type
  declarator: (identifier) @name) @definition.struct
  .
  (compound_statement) @body
  (#any-of? @_type "cbuffer" "tbuffer"))
