(function_def
  (function_command
    (argument_list . (argument (unquoted_argument) @name)))
  (body)? @body) @definition.function

(macro_def
  (macro_command
    (argument_list . (argument (unquoted_argument) @name)))
  (body)? @body) @definition.function

((normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))) @definition.variable
  (#any-of? @_command "set" "SET" "option" "OPTION"))

((normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))) @definition.module
  (#any-of? @_command
    "add_library" "ADD_LIBRARY" "add_executable" "ADD_EXECUTABLE" "add_custom_target" "ADD_CUSTOM_TARGET"))

((normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))) @definition.package
  (#any-of? @_command "project" "PROJECT"))

; ---- imports ----

((normal_command
  (identifier) @_command
  (argument_list . (argument [(unquoted_argument) (quoted_argument)] @import.module))) @import
  (#any-of? @_command "include" "INCLUDE" "add_subdirectory" "ADD_SUBDIRECTORY"))

((normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @import.module))) @import
  (#set! prefix "Find")
  (#any-of? @_command "find_package" "FIND_PACKAGE"))

; ---- references ----

(normal_command (identifier) @reference.call)

((normal_command
  (identifier) @_command
  (argument_list (argument (unquoted_argument) @reference.type)))
  (#any-of? @_command
    "target_link_libraries" "TARGET_LINK_LIBRARIES" "add_dependencies" "ADD_DEPENDENCIES"
    "target_include_directories" "target_compile_definitions" "target_compile_options" "target_sources"))
