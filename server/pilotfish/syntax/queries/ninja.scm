; Definitions

(rule
  name: (identifier) @name) @definition.function

(pool
  name: (identifier) @name) @definition.object

(manifest
  (let
    name: (identifier) @name) @definition.variable)

(build
  explicit: (outputs
    (path) @name)) @definition.object

; References

(build
  rule: (identifier) @reference.call)
