; Scopes, and what gives names in them a value; see syntax/scopes.py.

(function_expression) @scope
[
  (let_expression)
  (rec_attrset_expression)
] @scope.block

(function_expression universal: (identifier) @local)
(formal name: (identifier) @local)
(let_expression (binding_set (binding attrpath: (attrpath . attr: (identifier) @local))))
(let_expression (binding_set (inherit_from attrs: (inherited_attrs attr: (identifier) @local))))
(rec_attrset_expression (binding_set (binding attrpath: (attrpath . attr: (identifier) @local))))

(attrset_expression (binding_set (binding attrpath: (attrpath attr: (identifier) @label))))
