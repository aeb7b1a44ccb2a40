; Definitions: every target has its name in quotes

((call_expression
  function: (identifier) @_kind
  .
  (primary_expression (string) @name)) @definition.object
  (#not-match? @_kind "^(import|assert|print|rebase_path|get_label_info|defined|read_file|process_file_template|exec_script)$"))

((call_expression
  function: (identifier) @_kind
  .
  (primary_expression (string) @name)) @definition.function
  (#eq? @_kind "template"))

(source_file
  (assignment_statement
    (identifier) @name)) @definition.variable

; References

(call_expression
  function: (identifier) @reference.call)

; Imports

(import_statement
  (primary_expression (string) @import.module)) @import
