(rule
  (targets (_) @name)
  (recipe)? @body) @definition.function

; A target with a pattern for each of its files.
(rule
  target: (pattern_list (_) @name)
  (recipe)? @body) @definition.function

; `.PHONY` and its like set how Make works.
((targets (word) @discard)
  (#match? @discard "^\\.[A-Z_]+$"))

; Nor is what goes on over lines the name of a file: something is broken there.
((targets (_) @discard)
  (#match? @discard "\n"))

; What `+=` adds to is defined elsewhere.
(variable_assignment
  name: (word) @name
  operator: ["=" ":=" "::=" "?=" "!="]) @definition.variable

(define_directive
  name: (word) @name
  value: (raw_text)? @body) @definition.function

; ---- imports ----

(include_directive
  filenames: (list (_) @import.module)) @import

; ---- references ----

(prerequisites (word) @reference.call)
(rule prerequisite: (pattern_list (word) @reference.call))
