; Scopes, and what gives names in them a value; see syntax/scopes.py.

[
  (function_statement)
  (class_method_definition)
] @scope
(script_block_expression) @scope.block
(class_statement) @scope.type

(script_parameter (variable) @local)
(class_method_parameter (variable) @local)
(foreach_statement . (variable) @assigned)
(assignment_expression
  (left_assignment_expression
    (logical_expression
      (bitwise_expression
        (comparison_expression
          (additive_expression
            (multiplicative_expression
              (format_expression
                (range_expression
                  (array_literal_expression
                    (unary_expression
                      [
                        (variable) @assigned
                        (expression_with_unary_operator (cast_expression (unary_expression (variable) @assigned)))
                      ])))))))))))
