; Modules, packages, interfaces, classes, functions and tasks are found by their keywords (`languages.hardware`).

; ---- types ----

(constraint_declaration
  (constraint_identifier (constraint_identifier (simple_identifier) @name))) @definition.property

(type_declaration
  (simple_identifier) @name .) @definition.class

(type_declaration
  (data_type (struct_union))
  (simple_identifier) @name .) @definition.struct

(type_declaration
  (data_type (enum_name_declaration))
  (simple_identifier) @name .) @definition.enum

(enum_name_declaration
  (enum_identifier (simple_identifier) @name)) @definition.enum_member

(struct_union_member
  (list_of_variable_decl_assignments (variable_decl_assignment (simple_identifier) @name))) @definition.field

(covergroup_declaration
  .
  (covergroup_identifier (simple_identifier) @name)) @definition.class

(property_declaration
  (property_identifier (simple_identifier) @name)) @definition.function

(modport_item
  (modport_identifier (modport_identifier (simple_identifier) @name))) @definition.property

; ---- properties of classes, with what stands before them ----

(class_property
  (data_declaration
    (list_of_variable_decl_assignments (variable_decl_assignment (simple_identifier) @name)))) @definition.variable

; ---- parameters, ports, nets and variables ----

(parameter_declaration
  (list_of_param_assignments
    (param_assignment (parameter_identifier (simple_identifier) @name)))) @definition.constant

(local_parameter_declaration
  (list_of_param_assignments
    (param_assignment (parameter_identifier (simple_identifier) @name)))) @definition.constant

(ansi_port_declaration
  (port_identifier (simple_identifier) @name)) @definition.property

(input_declaration
  (list_of_port_identifiers (port_identifier (simple_identifier) @name))) @definition.property

(output_declaration
  (list_of_port_identifiers (port_identifier (simple_identifier) @name))) @definition.property

(net_declaration
  (list_of_net_decl_assignments (net_decl_assignment (simple_identifier) @name))) @definition.variable

(data_declaration
  (list_of_variable_decl_assignments (variable_decl_assignment (simple_identifier) @name))) @definition.variable

(hierarchical_instance
  (name_of_instance (instance_identifier (simple_identifier) @name))) @definition.object

(generate_block
  (generate_block_identifier (generate_block_identifier (simple_identifier) @name))) @definition.namespace

; ---- macros ----

(text_macro_definition
  (text_macro_name (text_macro_identifier (simple_identifier) @name))) @definition.constant

(text_macro_definition
  (text_macro_name (text_macro_identifier (simple_identifier) @name))
  (macro_text) @_text
  (#match? @_text "^\\(")) @definition.function

; ---- imports ----

(include_compiler_directive
  (double_quoted_string) @import.module) @import

(package_import_item
  (package_identifier (simple_identifier) @import.module @reference.import)
  (simple_identifier)? @import.name) @import

; ---- references ----

(module_instantiation
  .
  (simple_identifier) @reference.call)

(tf_call
  .
  (simple_identifier) @reference.call)

(text_macro_usage
  (text_macro_identifier (simple_identifier) @reference.call))

(simple_text_macro_usage
  (text_macro_identifier (simple_identifier) @reference.call))

(class_declaration
  (class_type (class_identifier (simple_identifier) @reference.inherit)))

(interface_class_type
  (class_identifier (simple_identifier) @reference.inherit))

(data_type
  .
  (simple_identifier) @reference.type)

(class_type
  (class_identifier (simple_identifier) @reference.type))

(interface_port_header
  (interface_identifier (simple_identifier) @reference.type))

(net_declaration
  .
  (simple_identifier) @reference.type)
