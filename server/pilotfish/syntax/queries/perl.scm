; ---- definitions ----

; A package reaches to the next one.
(package_statement
  name: (package) @name
  ";"
  (#set! level 1)) @definition.module

(package_statement
  name: (package) @name
  (block) @body) @definition.module

(class_statement
  name: (package) @name
  ";"
  (#set! level 1)) @definition.class

(class_statement
  name: (package) @name
  (block) @body) @definition.class

(subroutine_declaration_statement
  name: (bareword) @name
  body: (block) @body) @definition.function

; What takes its object first is a method.
(subroutine_declaration_statement
  name: (bareword) @name
  body: (block
    .
    (expression_statement
      (assignment_expression
        left: (variable_declaration . (scalar (varname) @_self)))))
  (#any-of? @_self "self" "class" "this" "proto")) @definition.method

(subroutine_declaration_statement
  name: (bareword) @name
  (signature . (mandatory_parameter (scalar (varname) @_self)))
  (#any-of? @_self "self" "class" "this")) @definition.method

(method_declaration_statement
  name: (bareword) @name
  body: (block) @body) @definition.method

; `*alias = \&name;`
(assignment_expression
  left: (glob (varname) @name)
  right: [
    (refgen_expression (function))
    (anonymous_subroutine_expression body: (block) @body)
  ]
  (#match? @name "^\\w")) @definition.function

; Of the file or the package; those of subroutines are locals.
(variable_declaration
  "our"
  [
    (scalar (varname) @name)
    (array (varname) @name)
    (hash (varname) @name)
  ]) @definition.variable

(class_statement
  (block
    (expression_statement [
      (variable_declaration [(scalar (varname) @name) (array (varname) @name) (hash (varname) @name)])
      (assignment_expression
        left: (variable_declaration [(scalar (varname) @name) (array (varname) @name) (hash (varname) @name)]))
    ] @definition.field)))

(source_file
  (expression_statement
    (assignment_expression
      left: (variable_declaration
        "my"
        [
          (scalar (varname) @name)
          (array (varname) @name)
          (hash (varname) @name)
        ])) @definition.variable))

(use_statement
  module: (package) @_constant
  [
    (list_expression . (autoquoted_bareword) @name)
    (anonymous_hash_expression (list_expression (autoquoted_bareword) @name))
    (list_expression . (string_literal content: (_) @name))
  ]
  (#eq? @_constant "constant")) @definition.constant

; `has name => (is => 'ro');`
(ambiguous_function_call_expression
  function: (function) @_has
  .
  [
    (autoquoted_bareword) @name
    (string_literal content: (string_content) @name)
    (anonymous_array_expression (quoted_word_list content: (string_content) @name))
  ]
  (#set! names "words")
  (#any-of? @_has "has" "has_field" "option")) @definition.property

(function_call_expression
  function: (function) @_has
  arguments: (list_expression
    .
    [
      (autoquoted_bareword) @name
      (string_literal content: (string_content) @name)
    ])
  (#any-of? @_has "has" "has_field" "option")) @definition.property

; ---- imports ----

(use_statement
  "use"
  module: (package) @import.module) @import

; Those in lower case are no modules but say how the file is read.
(use_statement
  "use"
  module: (package) @import.module
  [
    (quoted_word_list content: (_) @import.name)
    (string_literal content: (_) @import.name)
    (list_expression [
      (string_literal content: (_) @import.name)
      (interpolated_string_literal content: (_) @import.name)
    ])
  ]
  (#set! names "words")
  (#not-match? @import.module "^[a-z]+$")
  (#match? @import.name "^[\\s\\w]+$")) @import

(require_expression [
  (bareword) @import.module
  (string_literal content: (_) @import.module)
  (interpolated_string_literal content: (_) @import.module)
]) @import

(eval_expression
  (filename [
    (string_literal content: (_) @import.module)
    (interpolated_string_literal content: (_) @import.module)
  ])) @import

; `use parent -norequire, 'A', 'B';`
(use_statement
  module: (package) @_parent
  [
    (quoted_word_list content: (_) @import.module @reference.inherit)
    (string_literal content: (_) @import.module @reference.inherit)
    (interpolated_string_literal content: (_) @import.module @reference.inherit)
    (list_expression [
      (quoted_word_list content: (_) @import.module @reference.inherit)
      (string_literal content: (_) @import.module @reference.inherit)
      (interpolated_string_literal content: (_) @import.module @reference.inherit)
    ])
  ]
  (#set! names "words")
  (#any-of? @_parent "parent" "base")) @import

; `extends 'A'; with qw(B C);`
(ambiguous_function_call_expression
  function: (function) @_extends
  [
    (quoted_word_list content: (_) @import.module @reference.inherit)
    (string_literal content: (_) @import.module @reference.inherit)
    (interpolated_string_literal content: (_) @import.module @reference.inherit)
  ]
  (#set! names "words")
  (#any-of? @_extends "extends" "with")) @import

(function_call_expression
  function: (function) @_extends
  arguments: [
    (quoted_word_list content: (_) @import.module @reference.inherit)
    (string_literal content: (_) @import.module @reference.inherit)
    (list_expression [
      (quoted_word_list content: (_) @import.module @reference.inherit)
      (string_literal content: (_) @import.module @reference.inherit)
      (interpolated_string_literal content: (_) @import.module @reference.inherit)
    ])
  ]
  (#set! names "words")
  (#any-of? @_extends "extends" "with")) @import

; ---- exports ----

(assignment_expression
  left: (variable_declaration variable: (array (varname) @_export))
  [
    (quoted_word_list content: (_) @export)
    (string_literal content: (_) @export)
    (interpolated_string_literal content: (_) @export)
    (list_expression [
      (string_literal content: (_) @export)
      (interpolated_string_literal content: (_) @export)
    ])
  ]
  (#set! names "words")
  (#any-of? @_export "EXPORT" "EXPORT_OK"))

; ---- references ----

(assignment_expression
  left: [
    (variable_declaration variable: (array (varname) @_isa))
    (array (varname) @_isa)
  ]
  [
    (quoted_word_list content: (_) @reference.inherit)
    (string_literal content: (_) @reference.inherit)
    (interpolated_string_literal content: (_) @reference.inherit)
    (list_expression (string_literal content: (_) @reference.inherit))
  ]
  (#set! names "words")
  (#eq? @_isa "ISA"))

(ambiguous_function_call_expression
  function: (function) @_push
  .
  (array (varname) @_isa)
  (string_literal content: (_) @reference.inherit)
  (#eq? @_push "push")
  (#eq? @_isa "ISA"))

(attribute
  name: (attribute_name) @_isa
  value: (attribute_value) @reference.inherit
  (#eq? @_isa "isa"))

((function_call_expression
  function: (function) @reference.call)
  (#match? @reference.call "^\\w"))

(ambiguous_function_call_expression
  function: (function) @reference.call)

; `&name(1)`, `\&name`
((function
  "&"
  (varname) @reference.call)
  (#match? @reference.call "^\\w"))

(method_call_expression
  method: (method) @reference.call)

(expression_statement
  (bareword) @reference.call)

(sort_expression
  callback: (function) @reference.call)

(method_call_expression
  invocant: (bareword) @reference.type)
