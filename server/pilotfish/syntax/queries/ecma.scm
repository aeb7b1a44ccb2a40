; What JavaScript and TypeScript share.

; Definitions. Variables of a module only: those of functions and callbacks are locals.

(program
  (lexical_declaration
    kind: "const"
    (variable_declarator name: (identifier) @name) @definition.constant)
  (#set! lead "const "))

(program
  (lexical_declaration
    kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable)
  (#set! lead "let "))

(program
  (variable_declaration
    (variable_declarator name: (identifier) @name) @definition.variable)
  (#set! lead "var "))

(export_statement
  declaration: (lexical_declaration
    kind: "const"
    (variable_declarator
      name: [
        (identifier) @name
        (object_pattern (shorthand_property_identifier_pattern) @name)
        (object_pattern (pair_pattern value: (identifier) @name))
        (array_pattern (identifier) @name)
      ]) @definition.constant)
  (#set! lead "const "))

(export_statement
  declaration: (lexical_declaration
    kind: "let"
    (variable_declarator name: (identifier) @name) @definition.variable)
  (#set! lead "let "))

(export_statement
  declaration: (variable_declaration
    (variable_declarator name: (identifier) @name) @definition.variable)
  (#set! lead "var "))

(function_declaration
  name: (identifier) @name
  body: (_) @body) @definition.function

(generator_function_declaration
  name: (identifier) @name
  body: (_) @body) @definition.function

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body)) @definition.class

(class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

(export_statement
  decorator: (decorator)
  declaration: (class_declaration
    name: (_) @name)) @definition.class

(method_definition
  name: [
    (property_identifier) @name
    (private_property_identifier) @name
    (computed_property_name) @name
    (string (string_fragment) @name)
  ]
  body: (_) @body
  ; what broken code looks like
  (#not-match? @name "^(if|while|switch)$")) @definition.method

; { key: () => … }; in a function it is an argument or a local and dropped.
(pair
  key: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.key

; server.register(function routes (…) {…}), return function check () {…}: a callback that has a name is worth finding
(arguments
  [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ] @definition.function)

(return_statement
  (function_expression name: (identifier) @name body: (_) @body) @definition.function)

; Thing.prototype.act = function () {…}, exports.act = () => …
(assignment_expression
  left: (member_expression
    object: (_) @container
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(assignment_expression
  left: (member_expression
    object: (_) @container
    property: (property_identifier) @name)
  right: (class body: (_) @body)) @definition.class

; module.exports = function name() {…}: what it is called inside, if it is called anything
(assignment_expression
  left: (member_expression
    object: (identifier) @_module
    property: (property_identifier) @_exports)
  right: [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function

(assignment_expression
  left: (member_expression
    object: (identifier) @_module
    property: (property_identifier) @_exports)
  right: (class name: (_) @name body: (_) @body)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class

(assignment_expression
  left: (member_expression
    object: (identifier) @_module
    property: (property_identifier) @discard)
  right: [
    (function_expression name: (_))
    (generator_function name: (_))
    (class name: (_))
  ]
  (#eq? @_module "module")
  (#eq? @discard "exports"))

; const name = module.exports = () => …
(variable_declarator
  name: (identifier) @name
  value: (assignment_expression
    left: (member_expression
      object: (identifier) @_module
      property: (property_identifier) @_exports)
    right: [
      (arrow_function body: (_) @body)
      (function_expression !name body: (_) @body)
      (generator_function !name body: (_) @body)
    ])
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function

(variable_declarator
  value: (assignment_expression
    left: (member_expression
      object: (identifier) @_module
      property: (property_identifier) @discard)
    right: [
      (arrow_function)
      (function_expression !name)
      (generator_function !name)
    ])
  (#eq? @_module "module")
  (#eq? @discard "exports"))

; References

(call_expression
  function: [
    (identifier) @reference.call
    (member_expression property: (property_identifier) @reference.call)
    (member_expression property: (private_property_identifier) @reference.call)
  ])

(new_expression
  constructor: [
    (identifier) @reference.call
    (member_expression property: (property_identifier) @reference.call)
  ])

(decorator
  [
    (identifier) @reference.call
    (member_expression property: (property_identifier) @reference.call)
  ])

; Imports

(import_statement
  source: (string (string_fragment) @import.module)) @import

(import_statement
  (import_clause
    [
      (identifier) @import.default
      (namespace_import (identifier) @import.alias)
    ])
  source: (string (string_fragment) @import.module)) @import

(import_statement
  (import_clause
    (named_imports
      [
        (import_specifier name: _ @import.name !alias)
        (import_specifier name: _ @import.name alias: (_) @import.alias)
      ]))
  source: (string (string_fragment) @import.module)) @import

(export_statement
  source: (string (string_fragment) @import.module)) @import

(export_statement
  (export_clause
    [
      (export_specifier name: _ @import.name !alias)
      (export_specifier name: _ @import.name alias: _ @import.alias)
    ])
  source: (string (string_fragment) @import.module)) @import

(export_statement
  "*" @import.name
  source: (string (string_fragment) @import.module)) @import

(export_statement
  (namespace_export (_) @import.alias)
  source: (string (string_fragment) @import.module)) @import

(call_expression
  function: (import)
  arguments: (arguments . (string (string_fragment) @import.module))) @import

(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @import.module) .)
  (#eq? @_require "require")) @import

(variable_declarator
  name: [
    (identifier) @import.alias
    (object_pattern (shorthand_property_identifier_pattern) @import.name)
    (object_pattern
      (pair_pattern
        key: (property_identifier) @import.name
        value: (identifier) @import.alias))
  ]
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @import.module) .))
  (#eq? @_require "require")) @import

; Exports

(export_statement
  declaration: (_ name: (_) @export))

(export_statement
  declaration: (_ (variable_declarator name: (identifier) @export)))

(export_statement
  declaration: (_
    (variable_declarator
      name: (object_pattern
        [
          (shorthand_property_identifier_pattern) @export
          (pair_pattern value: (identifier) @export)
        ]))))

(export_statement "default" @export)

(export_specifier name: (_) @export !alias)

(export_specifier alias: (_) @export)

(export_statement (namespace_export (identifier) @export))

(assignment_expression
  left: (member_expression
    object: (_) @_exports
    property: (property_identifier) @export)
  (#any-of? @_exports "exports" "module.exports"))

(assignment_expression
  left: (member_expression
    object: (identifier) @_module
    property: (property_identifier) @_exports)
  right: [
    (identifier) @export
    (function_expression name: (_) @export)
    (generator_function name: (_) @export)
    (class name: (_) @export)
    (object (shorthand_property_identifier) @export)
    (object (pair key: (property_identifier) @export))
    (object (method_definition name: (property_identifier) @export))
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports"))
