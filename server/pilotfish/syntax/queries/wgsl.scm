(struct_declaration
  name: (identifier) @name
  "{" @body) @definition.struct

(struct_member
  (variable_identifier_declaration name: (identifier) @name)) @definition.field

(global_variable_declaration
  (variable_declaration
    (variable_identifier_declaration name: (identifier) @name))) @definition.variable

(global_constant_declaration
  (variable_identifier_declaration name: (identifier) @name)) @definition.constant

(global_constant_declaration "override" . (identifier) @name) @definition.constant

(function_declaration
  name: (identifier) @name
  body: (compound_statement) @body) @definition.function

; What the grammar does not know yet.
((ERROR
  . (identifier) @_keyword
  . (identifier) @name) @definition.constant
  (#eq? @_keyword "const"))

((ERROR
  . (identifier) @_keyword
  . (identifier) @name) @definition.class
  (#eq? @_keyword "alias"))

; ---- references ----

(type_declaration (identifier) @reference.type)
(type_constructor_or_function_call_expression
  (type_declaration (identifier) @reference.call))
