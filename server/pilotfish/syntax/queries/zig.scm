; ---- definitions ----

; `pub` stands before what it makes public, which is as wide as both.
(("pub" @definition.function
  .
  (Decl (FnProto function: (IDENTIFIER) @name)))
  (#set! lead "pub "))

(("pub" @definition.constant
  .
  (Decl (VarDecl variable_type_function: (IDENTIFIER) @name)))
  (#set! lead "pub "))

(Decl
  (VarDecl
    variable_type_function: (IDENTIFIER) @name)) @definition.constant

(Decl
  (VarDecl
    variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr
      (SuffixExpr
        (ContainerDecl
          (ContainerDeclType "enum")
          "{" @body))))) @definition.enum

(Decl
  (VarDecl
    variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr
      (SuffixExpr
        (ContainerDecl
          (ContainerDeclType ["struct" "union" "opaque"])
          "{" @body))))) @definition.struct

(Decl
  (VarDecl
    variable_type_function: (IDENTIFIER) @name
    (ErrorUnionExpr
      (SuffixExpr
        (ErrorSetDecl "{" @body))))) @definition.enum

; The node begins with the comment; the signature does not.
(ContainerField
  field_member: (IDENTIFIER) @name) @definition.field

(ContainerField
  (doc_comment)
  field_member: (IDENTIFIER) @name @definition.field)

(ContainerField
  .
  (ErrorUnionExpr
    (SuffixExpr
      .
      variable_type_function: (IDENTIFIER) @name
      .))) @definition.enum_member

(ErrorSetDecl
  field_constant: (IDENTIFIER) @name @definition.enum_member)

(Decl
  (FnProto
    function: (IDENTIFIER) @name)
  (Block)? @body) @definition.function

(TestDecl
  [(STRINGLITERALSINGLE) (IDENTIFIER)] @name
  (Block) @body) @definition.function

; What a module is called here is no definition.
(VarDecl
  variable_type_function: (IDENTIFIER) @discard
  (ErrorUnionExpr
    (SuffixExpr
      .
      (BUILTINIDENTIFIER) @_import))
  (#any-of? @_import "@import" "@cImport"))

; ---- imports ----

(SuffixExpr
  (BUILTINIDENTIFIER) @_import
  .
  (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import.module)))
  (#eq? @_import "@import")) @import

(VarDecl
  variable_type_function: (IDENTIFIER) @import.alias
  (ErrorUnionExpr
    (SuffixExpr
      .
      (BUILTINIDENTIFIER) @_import
      .
      (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import.module)))
      .))
  (#eq? @_import "@import")) @import

; `const Shape = @import("shapes.zig").Shape;`
(VarDecl
  variable_type_function: (IDENTIFIER) @import.alias
  (ErrorUnionExpr
    (SuffixExpr
      .
      (BUILTINIDENTIFIER) @_import
      .
      (FnCallArguments (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @import.module)))
      .
      (FieldOrFnCall field_access: (IDENTIFIER) @import.name)
      .))
  (#eq? @_import "@import")) @import

; ---- references ----

(SuffixExpr
  variable_type_function: (IDENTIFIER) @reference.call
  .
  (FnCallArguments))

(FieldOrFnCall
  function_call: (IDENTIFIER) @reference.call)

; Types begin with a capital.
(SuffixExpr
  variable_type_function: (IDENTIFIER) @reference.type.capital)

(FieldOrFnCall
  field_access: (IDENTIFIER) @reference.type.capital)
