;; All commands behind one prefix: C-c p s searches by meaning, C-c p u lists uses, and so on.
(global-set-key (kbd "C-c p") 'pilotfish-keys)
