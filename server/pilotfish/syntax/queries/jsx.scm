; Elements of a component; lower-case ones are built in.

(jsx_opening_element
  name: [
    (identifier) @reference.call.capital
    (member_expression property: (property_identifier) @reference.call.capital)
  ])

(jsx_self_closing_element
  name: [
    (identifier) @reference.call.capital
    (member_expression property: (property_identifier) @reference.call.capital)
  ])
