; Definitions

(function_definition
  name: (identifier) @name
  body: (block) @body) @definition.function

(decorated_definition
  definition: (function_definition
    name: (identifier) @name)) @definition.function

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(decorated_definition
  definition: (class_definition
    name: (identifier) @name)) @definition.class

; Anywhere: what lies in a function is dropped as a local, what lies in a class is a field.
(assignment
  left: [
    (identifier) @name
    (pattern_list (identifier) @name)
  ]) @definition.variable

; `a = b = c = 0` defines each as a whole: else the second would lie in the first.
(assignment
  right: (assignment
    left: [
      (identifier) @name
      (pattern_list (identifier) @name)
    ])) @definition.variable

(assignment
  right: (assignment
    right: (assignment
      left: [
        (identifier) @name
        (pattern_list (identifier) @name)
      ]))) @definition.variable

(type_alias_statement
  left: (type
    [(identifier) @name (generic_type . (identifier) @name)])) @definition.class

; References

(call
  function: [
    (identifier) @reference.call
    (attribute attribute: (identifier) @reference.call)
  ])

(decorator
  [
    (identifier) @reference.call
    (attribute attribute: (identifier) @reference.call)
  ])

(class_definition
  superclasses: (argument_list
    [
      (identifier) @reference.inherit
      (attribute attribute: (identifier) @reference.inherit)
      (subscript value: (identifier) @reference.inherit)
      (keyword_argument
        name: (identifier) @_keyword
        value: [(identifier) @reference.inherit (attribute attribute: (identifier) @reference.inherit)]
        (#eq? @_keyword "metaclass"))
    ]))

(type
  [
    (identifier) @reference.type
    (attribute attribute: (identifier) @reference.type)
    (generic_type . (identifier) @reference.type)
    (binary_operator (identifier) @reference.type)
    (binary_operator (subscript value: (identifier) @reference.type))
    (list (identifier) @reference.type)
  ])

; Imports and exports

(import_statement
  name: [
    (dotted_name) @import.module
    (aliased_import
      name: (dotted_name) @import.module
      alias: (identifier) @import.alias)
  ]) @import

(import_from_statement
  module_name: (_) @import.module
  name: [
    (dotted_name) @import.name
    (aliased_import
      name: (dotted_name) @import.name
      alias: (identifier) @import.alias)
  ]) @import

(import_from_statement
  module_name: (_) @import.module
  (wildcard_import) @import.name) @import

(assignment
  left: (identifier) @_all
  right: (_ (string (string_content) @export))
  (#eq? @_all "__all__"))

(augmented_assignment
  left: (identifier) @_all
  right: (_ (string (string_content) @export))
  (#eq? @_all "__all__"))
