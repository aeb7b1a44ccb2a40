;; Lsp-mode starts Pilotfish beside the server that it starts anyway.
(require 'lsp-mode)
(require 'pilotfish)
(pilotfish-register-with-lsp-mode)
