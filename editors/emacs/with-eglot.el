;; Eglot takes one server a buffer: rass (`pip install rassumfrassum') runs the primary one and Pilotfish behind it.
(require 'eglot)
(require 'pilotfish)
(add-to-list 'eglot-server-programs
             '(python-mode . ("rass" "--" "jedi-language-server" "--" "pilotfish" "serve")))
