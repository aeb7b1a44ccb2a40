(package (full_ident) @name) @definition.package

(message
  (message_name) @name
  (message_body) @body) @definition.struct

(enum
  (enum_name) @name
  (enum_body) @body) @definition.enum

(enum_field . (identifier) @name) @definition.enum_member

(field (type) . (identifier) @name) @definition.field
(map_field (type) . (identifier) @name) @definition.field
(oneof_field (type) . (identifier) @name) @definition.field
(oneof . (identifier) @name "{" @body) @definition.field

(service (service_name) @name "{" @body) @definition.interface

(rpc (rpc_name) @name "{"? @body) @definition.method

; What another message is extended with belongs to it.
(extend (full_ident (identifier) @name .)) @scope

; ---- imports ----

(import path: (string) @import.module) @import

; ---- references ----

(message_or_enum_type (identifier) @reference.type .)
(extend (full_ident (identifier) @reference.type .))
