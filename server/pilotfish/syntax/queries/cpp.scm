; A free prototype declares what is defined elsewhere, so it is no definition. A member is listed where its class declares
; it, because the class is what its users read.

; ---- functions ----

; `draw`, `Shape *Shape::clone`, `ns::Shape<T>::~Shape`: the name may be qualified.
(function_definition
  declarator: [
    (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (operator_name) @name
      (destructor_name) @name
      (template_function name: (_) @name)
      (qualified_identifier) @name
      (parenthesized_declarator (identifier) @name)
    ])
    (_ (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (operator_name) @name
      (qualified_identifier) @name
    ]))
    (pointer_declarator (pointer_declarator (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (qualified_identifier) @name
    ])))
    (operator_cast) @name
    (qualified_identifier name: (operator_cast)) @name
  ]
  body: (_)? @body) @definition.function

; `Index rows() const MACRO {…}`: the grammar takes the macro for the declared name.
(function_definition
  (ERROR (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
  declarator: [(field_identifier) (identifier)]
  body: (_) @body) @definition.function

; `template <> MACRO Packet load<Packet>(…) {…}`
(function_definition
  declarator: (function_declarator
    declarator: (template_function
      name: (identifier) @discard
      (ERROR (identifier) @name)))
  body: (_) @body) @definition.function

; Declared in its class.
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (pointer_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (field_identifier) @name)))
  ]) @definition.method

(field_declaration_list
  [
    (declaration declarator: [
      (function_declarator declarator: [(identifier) (destructor_name)] @name)
      (operator_cast) @name
    ])
    (template_declaration (declaration declarator: [
      (function_declarator declarator: [(identifier) (destructor_name)] @name)
      (operator_cast) @name
    ]))
  ] @definition.method)

; `TEST(Suite, Name) {…}` of GoogleTest and its kin: the macro makes a function in the suite.
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @discard @_macro
    parameters: (parameter_list
      .
      (parameter_declaration type: (type_identifier) @container !declarator)
      .
      (parameter_declaration type: (type_identifier) @name !declarator)
      .))
  body: (_) @body
  (#match? @_macro "^[A-Z][A-Z0-9_]*(TEST|BENCHMARK)|^(TYPED_)?TEST")) @definition.function

; `TEST_CASE("counts", "[tag]") {…}` of Catch2 and doctest
((expression_statement
  (call_expression
    function: (identifier) @_macro
    arguments: (argument_list . (string_literal) @name))) @definition.function
  .
  (compound_statement) @body
  (#any-of? @_macro "TEST_CASE" "SCENARIO" "SECTION" "SUBCASE"))

; ---- variables: those in functions are dropped as locals ----

(declaration
  declarator: [
    (identifier) @name
    (init_declarator declarator: (identifier) @name)
    (pointer_declarator (identifier) @name)
    (init_declarator (pointer_declarator (identifier) @name))
    (init_declarator (reference_declarator (identifier) @name))
    (array_declarator (identifier) @name)
    (init_declarator (array_declarator (identifier) @name))
    (init_declarator declarator: (qualified_identifier) @name)
  ]) @definition.variable

(declaration
  (storage_class_specifier "extern")
  declarator: [
    (identifier) @discard
    (pointer_declarator (identifier) @discard)
    (array_declarator (identifier) @discard)
  ])

; `BEGIN_NAMESPACE class Shape;`
(declaration
  (ERROR . (identifier) @_keyword .)
  declarator: (identifier) @discard
  (#any-of? @_keyword "class" "struct"))

; ---- types, namespaces and their members ----

(class_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier) @name
  ]
  body: (_) @body) @definition.class

(struct_specifier
  name: [
    (type_identifier) @name
    (template_type name: (type_identifier) @name)
    (qualified_identifier) @name
  ]
  body: (_) @body) @definition.struct

(union_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(enum_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

; `class EXPORT Shape {…};`: the grammar takes the macro for the class, and the class for a function.
(function_definition
  type: [(class_specifier !body) (struct_specifier !body)]
  declarator: (identifier) @name
  body: (_) @body) @definition.class

; What such a class declares looks like the statements of a function.
(function_definition
  type: [(class_specifier !body) (struct_specifier !body)]
  declarator: (identifier)
  body: (compound_statement [
    (declaration declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator (function_declarator declarator: (identifier) @name))
      (reference_declarator (function_declarator declarator: (identifier) @name))
    ])
    (labeled_statement (declaration declarator: (function_declarator declarator: (identifier) @name)))
  ] @definition.method))

; `BEGIN_NAMESPACE class Shape {…};` likewise, in either way that the grammar recovers.
(function_definition
  type: (type_identifier)
  .
  [
    ((identifier) @_keyword . (ERROR . (identifier) @name))
    (ERROR . (identifier) @_keyword . (identifier) @name)
    ((ERROR . (identifier) @_keyword .) . (identifier) @name)
  ]
  body: (_) @body
  (#any-of? @_keyword "class" "struct")) @definition.class

(namespace_definition
  name: [
    (namespace_identifier) @name
    (nested_namespace_specifier) @name
  ]
  body: (_) @body) @definition.namespace

(namespace_alias_definition
  name: (namespace_identifier) @name) @definition.namespace

(alias_declaration
  name: (type_identifier) @name) @definition.class

; A local
(compound_statement
  (alias_declaration name: (type_identifier) @discard))

(type_definition
  declarator: [
    (type_identifier) @name
    (pointer_declarator (type_identifier) @name)
    (array_declarator (type_identifier) @name)
    (function_declarator (parenthesized_declarator (pointer_declarator (type_identifier) @name)))
  ]) @definition.class

(type_definition
  type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)]
  declarator: (type_identifier) @name) @definition.struct

(concept_definition
  name: (identifier) @name) @definition.interface

(enumerator
  name: (identifier) @name) @definition.enum_member

(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
    (array_declarator (field_identifier) @name)
    (array_declarator (array_declarator (field_identifier) @name))
    (function_declarator (parenthesized_declarator (pointer_declarator (field_identifier) @name)))
  ]) @definition.field

; ---- visibility: a section ends with its class, named or not ----

(field_declaration_list) @scope
(class_specifier body: (field_declaration_list "{" @visibility.private))
(access_specifier "public") @visibility.public
(access_specifier "protected") @visibility.restricted
(access_specifier "private") @visibility.private

; ---- macros ----

(preproc_def
  name: (identifier) @name) @definition.constant

(preproc_function_def
  name: (identifier) @name
  parameters: (_)
  value: (_)? @body) @definition.function

; ---- imports and references ----

(preproc_include
  path: [(system_lib_string) (string_literal)] @import.module) @import

(call_expression
  function: [
    (identifier) @reference.call
    (field_expression field: (field_identifier) @reference.call)
    (template_function name: (identifier) @reference.call)
    (qualified_identifier name: [
      (identifier) @reference.call
      (template_function name: (identifier) @reference.call)
      (qualified_identifier name: [
        (identifier) @reference.call
        (template_function name: (identifier) @reference.call)])])
    (field_expression field: (template_method name: (field_identifier) @reference.call))
    (field_expression field: (dependent_name (template_method name: (field_identifier) @reference.call)))
  ])

(base_class_clause [
  (type_identifier) @reference.inherit
  (template_type name: (type_identifier) @reference.inherit)
  (qualified_identifier name: [
    (type_identifier) @reference.inherit
    (template_type name: (type_identifier) @reference.inherit)])
])

(type_identifier) @reference.type
