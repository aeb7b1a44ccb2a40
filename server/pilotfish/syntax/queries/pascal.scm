; ---- units ----

(unit
  (moduleName) @name
  .
  (_)? @body) @definition.module

(program
  (moduleName) @name
  .
  (_)? @body) @definition.module

(library
  (moduleName) @name
  .
  (_)? @body) @definition.module

; ---- types ----

(declType
  name: [(identifier) @name (genericTpl entity: (identifier) @name)]
  (#set! lead "type ")) @definition.class

(declType
  name: [(identifier) @name (genericTpl entity: (identifier) @name)]
  type: (declClass) @body
  (#set! lead "type ")) @definition.class

(declType
  name: [(identifier) @name (genericTpl entity: (identifier) @name)]
  type: (declClass (kRecord)) @body
  (#set! lead "type ")) @definition.struct

(declType
  name: [(identifier) @name (genericTpl entity: (identifier) @name)]
  type: (declIntf) @body
  (#set! lead "type ")) @definition.interface

(declType
  name: (identifier) @name
  type: (type (declEnum))
  (#set! lead "type ")) @definition.enum

(declEnumValue
  name: (identifier) @name) @definition.enum_member

(declField
  name: (identifier) @name) @definition.field

(declProp
  name: (identifier) @name) @definition.property

(declSection (kPrivate) @visibility.private)
(declSection (kProtected) @visibility.restricted)
(declSection [(kPublic) (kPublished)] @visibility.public)

; ---- procedures and functions, where they are declared and where they are ----

(declProc
  name: (_) @name) @definition.function

(defProc
  header: (declProc name: (_) @name)
  .
  (_) @body) @definition.function

; ---- values: those of procedures are local ----

(declVar
  name: (identifier) @name) @definition.variable

(declConst
  name: (identifier) @name) @definition.constant

; ---- imports ----

(declUses
  (moduleName) @import.module @reference.import) @import

; ---- references ----

(exprCall
  entity: [
    (identifier) @reference.call
    (exprDot rhs: (identifier) @reference.call)
    (exprTpl entity: (identifier) @reference.call)
    (exprDot rhs: (exprTpl entity: (identifier) @reference.call))
  ])

(statement
  .
  [
    (identifier) @reference.call
    (exprDot rhs: (identifier) @reference.call)
  ])

(inherited
  (identifier) @reference.call)

(declClass
  parent: (typeref [(identifier) @reference.inherit (typerefTpl entity: (identifier) @reference.inherit)]))

(declIntf
  parent: (typeref (identifier) @reference.inherit))

(typeref
  [
    (identifier) @reference.type
    (typerefDot rhs: (identifier) @reference.type)
    (typerefPtr operand: (identifier) @reference.type)
    (typerefTpl entity: (identifier) @reference.type)
  ])
