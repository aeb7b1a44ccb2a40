; Scopes, and what gives names in them a value; see syntax/scopes.py.

(Decl (FnProto)) @scope

[
  (Block)
  (TestDecl)
  (IfStatement)
  (IfExpr)
  (ForStatement)
  (ForExpr)
  (WhileStatement)
  (WhileExpr)
  (SwitchProng)
  (BinaryExpr)
] @scope.block

(ContainerDecl) @scope.type

(ParamDecl parameter: (IDENTIFIER) @local (ParamType (_) @type))
(VarDecl . variable_type_function: (IDENTIFIER) @local)
(Payload variable: (IDENTIFIER) @local)
(PtrPayload variable: (IDENTIFIER) @local)
(PtrListPayload variable: (IDENTIFIER) @local)
(PtrIndexPayload variable: (IDENTIFIER) @local)
(BlockLabel (IDENTIFIER) @local)
