; What is declared is found by lines (`languages.ml`): no grammar reads signatures. That of F# tells of imports and types.

(import_decl
  (long_identifier) @import.module) @import

(simple_type
  (long_identifier (identifier) @reference.type .))
