; Definitions: every target has its name in quotes

((normal_command
  command: (identifier) @_kind
  .
  (variableunit (string) @name)) @definition.object
  (#any-of? @_kind "executable" "library" "shared_library" "static_library" "both_libraries" "custom_target" "run_target" "test" "benchmark" "jar" "option" "shared_module" "alias_target" "generator"))

((normal_command
  command: (identifier) @_kind
  .
  (variableunit (string) @name)) @definition.module
  (#eq? @_kind "project"))

(operatorunit
  .
  (identifier) @name) @definition.variable

; References

(normal_command
  command: (identifier) @reference.call)

; Imports

((normal_command
  command: (identifier) @_kind
  .
  (variableunit (string) @import.module)) @import
  (#eq? @_kind "subdir"))
