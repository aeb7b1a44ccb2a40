; ---- the namespace holds what follows ----

((list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)) @definition.module
  (#set! level 1)
  (#any-of? @_word "ns" "in-ns"))

; ---- vars and functions, however the namespace of the defining macro is called ----

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  (#any-of? @_word "def" "defonce" "def-")) @definition.variable

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  (#any-of? @_word "defn" "defn-" "defmacro" "defmulti" "deftest" "defn-spec" "definline")) @definition.function

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  (#eq? @_word "defmethod")) @definition.method

; ---- protocols, records, types ----

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  (#any-of? @_word "defprotocol" "definterface")) @definition.interface

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  .
  (vec_lit)
  (#any-of? @_word "defrecord" "deftype")) @definition.struct

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit)
  .
  (vec_lit (sym_lit name: (sym_name) @name) @definition.field)
  (#any-of? @_word "defrecord" "deftype"))

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  (list_lit
    .
    (sym_lit name: (sym_name) @name)
    .
    (vec_lit)) @definition.method
  (#any-of? @_word "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "extend-protocol"))

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit name: (sym_name) @name)
  (#any-of? @_word "extend-type" "extend-protocol")) @scope

; ---- imports: the clause is read from its text ----

(list_lit
  .
  (kwd_lit name: (kwd_name) @_word)
  (#any-of? @_word "require" "use" "import" "require-macros" "use-macros")) @import @import.module

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (quoting_lit)
  (#any-of? @_word "require" "use")) @import @import.module

(list_lit
  .
  (kwd_lit name: (kwd_name) @_word)
  (vec_lit
    (kwd_lit name: (kwd_name) @_refer)
    .
    [(vec_lit (sym_lit name: (sym_name) @reference.import)) (list_lit (sym_lit name: (sym_name) @reference.import))])
  (#any-of? @_word "require" "use" "require-macros")
  (#any-of? @_refer "refer" "only"))

; ---- references ----

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit)
  .
  (vec_lit)
  (sym_lit name: (sym_name) @reference.inherit)
  (#any-of? @_word "defrecord" "deftype"))

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  .
  (sym_lit)
  (sym_lit name: (sym_name) @reference.inherit)
  (#eq? @_word "extend-type"))

(list_lit
  .
  (sym_lit name: (sym_name) @_word)
  (sym_lit name: (sym_name) @reference.inherit)
  (#eq? @_word "reify"))

(list_lit
  .
  (sym_lit name: (sym_name) @reference.call))

(anon_fn_lit
  .
  (sym_lit name: (sym_name) @reference.call))
