; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (defProc)
  (lambda)
] @scope
(interface (declProc) @scope)
[
  (for)
  (exceptionHandler)
] @scope.block

(declClass) @scope.type
(declIntf) @scope.type

(declArg (identifier) @local (type (typeref) @type))
(declArg (identifier) @local)
(defProc (declVars (declVar (identifier) @local (type (typeref) @type))))
(defProc (declVars (declVar (identifier) @local)))
(defProc (declConsts (declConst . (identifier) @local)))
(lambda (declVars (declVar (identifier) @local)))
(varAssignDef (identifier) @local)
(varDef (identifier) @local)
(exceptionHandler variable: (identifier) @local)
