; Definitions

(defun
  (defun_header
    function_name: (_) @name)) @definition.function

((list_lit . (sym_lit) @_define . (sym_lit) @name) @definition.variable
  (#any-of? @_define "defvar" "defparameter" "defglobal"))

((list_lit . (sym_lit) @_define . (sym_lit) @name) @definition.constant
  (#any-of? @_define "defconstant" "define-constant"))

((list_lit . (sym_lit) @_define . [(sym_lit) @name (list_lit . (sym_lit) @name)]) @definition.class
  (#any-of? @_define "defclass" "define-condition" "deftype"))

((list_lit . (sym_lit) @_define . [(sym_lit) @name (list_lit . (sym_lit) @name)]) @definition.struct
  (#eq? @_define "defstruct"))

((list_lit . (sym_lit) @_define . [(sym_lit) (kwd_lit) (str_lit)] @name) @definition.module
  (#any-of? @_define "defpackage" "defsystem" "define-package"))

((list_lit . (sym_lit) @_define . (sym_lit) @name) @definition.function
  (#any-of? @_define "deftest" "define-compiler-macro" "defsetf" "define-modify-macro"))

; References

((list_lit . (sym_lit) @reference.call)
  (#not-match? @reference.call "^(def.*|let\\*?|if|cond|case|setf|setq|progn|quote|in-package|and|or|when|unless|lambda)$"))
