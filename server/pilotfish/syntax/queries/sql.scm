; What is created is found without the grammar (`languages.sql`), and so in all dialects; this is what lies in it.

(column_definition name: (identifier) @name) @definition.field

(enum_elements
  enum_element: (literal) @name @definition.enum_member)

(cte . (identifier) @name) @definition.variable

; ---- references ----

(object_reference name: (identifier) @reference.type)

(invocation (object_reference name: (identifier) @reference.call))
