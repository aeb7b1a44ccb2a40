; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function)
  (lambda)
] @scope

[
  (bind)
  (let_in)
  (do)
  (alternative)
  (match)
  (list_comprehension)
] @scope.block

(class) @scope.type
(instance) @scope.type

(local_binds (function name: (variable) @local.around))
(local_binds (bind name: (variable) @local.around))
(patterns (variable) @local)
(patterns (_ (variable) @local))
(patterns (_ (_ (variable) @local)))
(patterns (_ (_ (tuple (variable) @local))))
(patterns (_ (_ (parens (_ (variable) @local)))))
(alternative pattern: (variable) @local)
(alternative pattern: (_ (variable) @local))
(alternative pattern: (_ (_ (variable) @local)))
(alternative pattern: (_ (_ (tuple (variable) @local))))
(generator pattern: (variable) @local)
(generator pattern: (_ (variable) @local))
(generator pattern: (_ (_ (variable) @local)))
(generator pattern: (_ (_ (tuple (variable) @local))))
(pattern_guard pattern: (variable) @local)
(pattern_guard pattern: (_ (variable) @local))
(pattern_guard pattern: (_ (_ (variable) @local)))
(pattern_guard pattern: (_ (_ (tuple (variable) @local))))
(bind pattern: (variable) @local.around)
(bind pattern: (_ (variable) @local.around))
(bind pattern: (_ (_ (variable) @local.around)))
(field_pattern (field_name (variable) @local) !pattern)

(field_pattern (field_name (variable) @label))
(field_update (field_name (variable) @label))
(qualified id: (variable) @label)
