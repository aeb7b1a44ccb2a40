; ---- attributes, and the values and functions of `let` ----

(binding
  attrpath: (attrpath) @name) @definition.property

(let_expression
  (binding_set
    (binding
      attrpath: (attrpath) @name) @definition.variable))

(binding
  attrpath: (attrpath) @name
  expression: (function_expression body: (_) @body)) @definition.function

; ---- imports: any path may be one ----

(path_expression) @import @import.module

(inherit_from
  attrs: (inherited_attrs (identifier) @reference.import))

; ---- references ----

(apply_expression
  function: [
    (variable_expression name: (identifier) @reference.call)
    (select_expression attrpath: (attrpath attr: (identifier) @reference.call .))
  ])
