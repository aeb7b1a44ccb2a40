; inherits: ecma, jsx

(field_definition
  property: [
    (property_identifier) @name
    (private_property_identifier) @name
  ]) @definition.field

(field_definition
  property: [
    (property_identifier) @name
    (private_property_identifier) @name
  ]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.method

(class_heritage
  [
    (identifier) @reference.inherit
    (member_expression property: (property_identifier) @reference.inherit)
  ])
