; inherits: c

; ---- classes, protocols, categories ----

(class_interface
  "@interface"
  .
  (identifier) @name) @definition.class

; Where the first member begins, the signature ends.
(class_interface
  "@interface"
  .
  (identifier) @name
  .
  [(instance_variables) (property_declaration) (method_declaration) (comment)] @body) @definition.class
(class_interface
  "@interface"
  .
  (identifier) @name
  superclass: (identifier)
  .
  [(instance_variables) (property_declaration) (method_declaration) (comment)] @body) @definition.class
(class_interface
  "@interface"
  .
  (identifier) @name
  superclass: (identifier)
  .
  (parameterized_arguments)
  .
  [(instance_variables) (property_declaration) (method_declaration) (comment)] @body) @definition.class

; Categories and extensions add to a class.
(class_interface
  "@interface"
  .
  (identifier) @name @discard
  .
  "(") @scope

(class_implementation
  "@implementation"
  .
  (identifier) @name) @definition.class

(class_implementation
  "@implementation"
  .
  (identifier) @name
  .
  [(instance_variables) (implementation_definition) (comment)] @body) @definition.class

(class_implementation
  "@implementation"
  .
  (identifier) @name @discard
  .
  "(") @scope

(protocol_declaration
  "@protocol"
  .
  (identifier) @name) @definition.interface

(protocol_declaration
  "@protocol"
  .
  (identifier) @name
  .
  (protocol_reference_list)?
  .
  [(qualified_protocol_interface_declaration) (property_declaration) (method_declaration) (comment)] @body)
  @definition.interface

; ---- members: a method is called by the first part of its selector ----

(method_declaration
  (method_type)
  .
  (identifier) @name) @definition.method

(method_definition
  (method_type)
  .
  (identifier) @name
  (compound_statement) @body) @definition.method

(property_declaration
  (struct_declaration
    (struct_declarator
      [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (function_declarator
          declarator: (parenthesized_declarator
            (block_pointer_declarator declarator: (identifier) @name)))
      ]))) @definition.property

(instance_variable
  (struct_declaration
    (struct_declarator
      [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
      ]))) @definition.field

; typedef void (^Name)(int);
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (block_pointer_declarator declarator: (type_identifier) @name)))) @definition.class

; ---- references ----

(message_expression
  .
  receiver: (_)
  .
  method: (identifier) @reference.call)

(message_expression
  receiver: (identifier) @reference.type.capital)

(class_interface
  superclass: (identifier) @reference.inherit)

(class_interface
  superclass: (_)
  .
  (parameterized_arguments
    (type_name (type_identifier) @reference.inherit)))

(class_interface
  ")"
  .
  (parameterized_arguments
    (type_name (type_identifier) @reference.inherit)))

(protocol_declaration
  (protocol_reference_list
    (identifier) @reference.inherit))

(typedefed_specifier
  (protocol_reference_list
    (identifier) @reference.type))

(class_implementation
  "@implementation"
  .
  (identifier) @reference.type)

; ---- imports ----

(module_import
  path: (identifier) @import.module) @import
