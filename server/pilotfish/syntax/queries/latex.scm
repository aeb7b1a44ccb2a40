(part text: (curly_group) @name) @definition.string
(chapter text: (curly_group) @name) @definition.string
(section text: (curly_group) @name) @definition.string
(subsection text: (curly_group) @name) @definition.string
(subsubsection text: (curly_group) @name) @definition.string
(paragraph text: (curly_group) @name) @definition.string
(subparagraph text: (curly_group) @name) @definition.string

(label_definition name: (curly_group_label (label) @name)) @definition.key

(new_command_definition
  declaration: [
    (curly_group_command_name command: (command_name) @name)
    (command_name) @name
  ]
  implementation: (_)? @body) @definition.function
(old_command_definition declaration: (command_name) @name) @definition.function

(environment_definition
  name: (curly_group_text) @name
  begin: (_) @body) @definition.class
(theorem_definition name: (curly_group_text_list) @name) @definition.class

; ---- imports ----

(latex_include path: (curly_group_path path: (path) @import.module)) @import
(class_include path: (curly_group_path path: (path) @import.module)) @import
(package_include paths: (curly_group_path_list path: (path) @import.module)) @import
(bibtex_include paths: (curly_group_path_list path: (path) @import.module)) @import
(graphics_include path: (curly_group_path path: (path) @import.module)) @import

; ---- references ----

(generic_command command: (command_name) @reference.call)
(begin name: (curly_group_text text: (text) @reference.call))
(label_reference names: (curly_group_label_list (label) @reference.type))
(citation keys: (curly_group_text_list (text) @reference.type))
