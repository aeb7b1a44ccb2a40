; inherits: ecma.locals

(abstract_class_declaration) @scope.type
(interface_declaration) @scope.type
(type_alias_declaration) @scope.type
[
  (function_signature)
  (method_signature)
  (abstract_method_signature)
  (call_signature)
  (construct_signature)
  (function_type)
  (internal_module)
] @scope

(required_parameter pattern: (identifier) @local type: (type_annotation) @type)
(required_parameter pattern: (identifier) @local !type value: (_) @value)
(required_parameter pattern: (identifier) @local !type !value)
(optional_parameter pattern: (identifier) @local type: (type_annotation) @type)
(optional_parameter pattern: (identifier) @local !type)
(required_parameter (accessibility_modifier) pattern: (identifier) @attribute type: (type_annotation) @type)
(optional_parameter (accessibility_modifier) pattern: (identifier) @attribute type: (type_annotation) @type)
(required_parameter pattern: (object_pattern) @taken type: (type_annotation) @type)

(variable_declarator name: (identifier) @local type: (type_annotation) @type)
(variable_declarator name: (identifier) @local !type value: (_) @value)
(variable_declarator name: (identifier) @local !type !value)
(variable_declarator name: (object_pattern) @taken type: (type_annotation) @type)

(type_parameter name: (type_identifier) @generic constraint: (constraint) @type)
(type_parameter name: (type_identifier) @generic !constraint)
(infer_type (type_identifier) @generic)
(mapped_type_clause name: (type_identifier) @generic)

(public_field_definition name: (_) @member type: (type_annotation) @type)
(public_field_definition name: (_) @member !type value: (_) @value)
(property_signature name: (_) @member type: (type_annotation) @type)

(function_declaration name: (identifier) @function return_type: (type_annotation) @type)
(function_signature name: (identifier) @function return_type: (type_annotation) @type)
(method_definition name: (_) @function return_type: (type_annotation) @type)
(method_signature name: (_) @function return_type: (type_annotation) @type)
(abstract_method_signature name: (_) @function return_type: (type_annotation) @type)
(variable_declarator
  name: (identifier) @function
  value: (arrow_function return_type: (type_annotation) @type))
