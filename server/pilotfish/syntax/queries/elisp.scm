; Definitions

(function_definition
  name: (symbol) @name) @definition.function

(macro_definition
  name: (symbol) @name) @definition.function

((special_form
  ["defvar" "defconst"] @_define
  .
  (symbol) @name) @definition.variable)

((list . (symbol) @_define . (symbol) @name) @definition.variable
  (#any-of? @_define "defcustom" "defvar-local" "defgroup" "defface" "defvar-keymap"))

((list . (symbol) @_define . (symbol) @name) @definition.function
  (#any-of? @_define "cl-defun" "cl-defmethod" "cl-defgeneric" "cl-defmacro" "define-minor-mode" "define-derived-mode" "ert-deftest" "define-inline" "defadvice" "define-advice" "define-globalized-minor-mode"))

((list . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]) @definition.struct
  (#any-of? @_define "cl-defstruct" "defclass"))

; References

((list . (symbol) @reference.call)
  (#not-match? @reference.call "^(def.*|cl-def.*|define-.*|ert-deftest)$"))

; Imports

((list . (symbol) @_require . (quote (symbol) @import.module)) @import
  (#eq? @_require "require"))
