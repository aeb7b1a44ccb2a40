; ---- design units ----

(entity_declaration
  name: (identifier) @name
  "is" @body) @definition.class

(architecture_body
  name: (identifier) @name
  entity: (simple_name) @container
  "is" @body) @definition.module

(package_declaration
  name: (identifier) @name
  "is" @body) @definition.module

(package_body
  package: (simple_name) @name
  "is" @body) @definition.module

(configuration_declaration
  name: (identifier) @name
  "is" @body) @definition.module

; ---- what an entity takes and has ----

(entity_header
  (generic_clause
    (constant_interface_declaration (identifier_list (identifier) @name)) @definition.constant))

(entity_header
  (port_clause
    (signal_interface_declaration (identifier_list (identifier) @name)) @definition.property))

(signal_declaration
  (identifier_list (identifier) @name)) @definition.variable

(shared_variable_declaration
  (identifier_list (identifier) @name)) @definition.variable

(constant_declaration
  (identifier_list (identifier) @name)) @definition.constant

(alias_declaration
  designator: (identifier) @name) @definition.variable

(component_declaration
  name: (identifier) @name
  .
  (_) @body) @definition.interface

; ---- types ----

(full_type_declaration
  name: (identifier) @name) @definition.class

(full_type_declaration
  name: (identifier) @name
  (record_type_definition) @body) @definition.struct

(full_type_declaration
  name: (identifier) @name
  (enumeration_type_definition)) @definition.enum

(enumeration_type_definition
  literal: (_) @name @definition.enum_member)

(element_declaration
  (identifier_list (identifier) @name)) @definition.field

(full_type_declaration
  name: (identifier) @name
  [(protected_type_declaration) (protected_type_body)] @body) @definition.class

(subtype_declaration
  name: (identifier) @name) @definition.class

; ---- subprograms, processes, blocks ----

(function_declaration
  designator: (_) @name) @definition.function

(procedure_declaration
  designator: (_) @name) @definition.function

(function_body
  designator: (_) @name
  "is" @body) @definition.function

(procedure_body
  designator: (_) @name
  "is" @body) @definition.function

(process_statement
  (label (identifier) @name)
  [(declarative_part) (sequence_of_statements)] @body) @definition.function

(for_generate_statement
  (label (identifier) @name)
  (generate_statement_body) @body) @definition.namespace

(component_instantiation_statement
  (label (identifier) @name)) @definition.object

; ---- imports: a selected name says library, package and what of it ----

(use_clause
  (selected_name) @import.module) @import

(context_reference
  (context_list (selected_name) @import.module)) @import

(use_clause
  (selected_name prefix: (selected_name suffix: (simple_name) @reference.import)))

; ---- references ----

(component_instantiation
  component: (simple_name) @reference.call)

(entity_instantiation
  entity: [(simple_name) @reference.call (selected_name suffix: (simple_name) @reference.call)])

(procedure_call_statement
  procedure: [(simple_name) @reference.call (selected_name suffix: (simple_name) @reference.call)])

(ambiguous_name
  prefix: [(simple_name) @reference.call (selected_name suffix: (simple_name) @reference.call)])

(type_mark
  [(simple_name) @reference.type (selected_name suffix: (simple_name) @reference.type)])

(architecture_body
  entity: (simple_name) @reference.inherit)

(configuration_declaration
  entity: (simple_name) @reference.type)
