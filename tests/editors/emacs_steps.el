;;; emacs_steps.el --- What test_emacs.py has Emacs do in --batch -*- lexical-binding: t -*-

;; PF_CLIENT is eglot or lsp-mode, PF_SHIPPED the folder of our files, PF_RESULT the file for what was seen.

(require 'json)
(package-initialize)

(defvar steps-shipped (getenv "PF_SHIPPED"))
(defvar steps-seen nil "What was seen, as an association list.")
(setq make-backup-files nil auto-save-default nil create-lockfiles nil)
;; A busy machine takes longer than people would wait.
(setq lsp-response-timeout 60 jrpc-default-request-timeout 60)
(add-to-list 'load-path steps-shipped)
(load (expand-file-name (format "with-%s.el" (getenv "PF_CLIENT")) steps-shipped) nil t)

(defun steps-see (name value)
  "Keep VALUE under NAME."
  (push (cons name value) steps-seen))

(defun steps-until (what predicate)
  "Wait until PREDICATE holds, or fail because WHAT never came."
  (let ((end (+ (float-time) 60)) (value nil))
    (while (not (setq value (funcall predicate)))
      (when (> (float-time) end) (error "Timed out waiting for %s" what))
      (accept-process-output nil 0.1))
    value))

(defun steps-start-eglot ()
  "Start both servers as the shipped configuration says."
  (setq eglot-sync-connect 60 eglot-connect-timeout 60)
  (apply #'eglot (eglot--guess-contact))
  (steps-until "the servers" #'eglot-current-server)
  (steps-see 'servers (plist-get (eglot--server-info (eglot-current-server)) :name)))

(defun steps-start-lsp-mode ()
  "Start a primary server and, as the shipped configuration says, Pilotfish."
  (setq lsp-auto-guess-root t lsp-session-file (expand-file-name "session" (getenv "HOME"))
        lsp-enable-suggest-server-download nil lsp-restart 'ignore)
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection "jedi-language-server")
                    :activation-fn (lsp-activate-on "python") :server-id 'jedi))
  (setq lsp-enabled-clients '(jedi pilotfish))
  (lsp)
  (steps-until "both servers"
               (lambda () (= 2 (cl-count 'initialized (lsp-workspaces) :key #'lsp--workspace-status))))
  (steps-see 'servers (mapconcat (lambda (each) (symbol-name (lsp--workspace-server-id each))) (lsp-workspaces) "+")))

(defun steps-buffer (name)
  "Return the text of our buffer NAME."
  (with-current-buffer (format "*pilotfish %s*" name)
    (list (symbol-name major-mode) (buffer-substring-no-properties (point-min) (point-max)))))

(defun steps-run ()
  "Do everything."
  (find-file "drive.py")
  (funcall (intern (format "steps-start-%s" (getenv "PF_CLIENT"))))
  (pilotfish-ask "pilotfish.control" '(:action "wait"))
  (search-forward "cool_down")
  (backward-char 2)
  (steps-see 'definition (mapcar (lambda (each) (substring-no-properties (prin1-to-string each)))
                                 (xref-backend-definitions (xref-find-backend)
                                                           (xref-backend-identifier-at-point (xref-find-backend)))))
  (pilotfish-search "how does it get cold")
  (steps-see 'search (steps-buffer "search"))
  (next-error)
  (with-current-buffer (window-buffer (selected-window))
    (steps-see 'first (list (file-name-nondirectory buffer-file-name) (line-number-at-pos))))
  (find-file "drive.py")
  (pilotfish-usages "cool_down")
  (steps-see 'usages (steps-buffer "usages"))
  (goto-char (point-max))
  (search-backward "cool_down")
  (call-interactively #'pilotfish-similar)
  (steps-see 'similar (steps-buffer "similar"))
  (pilotfish-trace "cool_down" t)
  (steps-see 'callers (steps-buffer "trace"))
  (next-error 2)
  (with-current-buffer (window-buffer (selected-window))
    (steps-see 'caller (list (file-name-nondirectory buffer-file-name) (line-number-at-pos))))
  (find-file "drive.py")
  (pilotfish-map)
  (steps-see 'map (steps-buffer "map"))
  (pilotfish-context "let the motor rest")
  (steps-see 'context (steps-buffer "context"))
  (pilotfish-explain "cool_down")
  (steps-see 'explain (steps-buffer "explain"))
  (next-error)
  (with-current-buffer (window-buffer (selected-window))
    (steps-see 'explained (list (file-name-nondirectory buffer-file-name) (line-number-at-pos))))
  (find-file "drive.py")
  (pilotfish-architecture)
  (steps-see 'architecture (steps-buffer "architecture"))
  (steps-see 'why (call-interactively #'pilotfish-why))
  (steps-see 'why-not (pilotfish-why ".git/config"))
  (steps-see 'pause (pilotfish-pause))
  (steps-see 'resume (pilotfish-resume))
  (load (expand-file-name "keys.el" steps-shipped) nil t)
  (steps-see 'keys (mapcar (lambda (key) (symbol-name (key-binding (kbd (concat "C-c p " key)))))
                           '("s" "l" "u" "e" "t" "m" "a" "c" "w" "i")))
  (steps-see 'killed (string= (current-kill 0) (cadr (steps-buffer "context"))))
  (steps-see 'status (pilotfish-status))
  (steps-see 'nothing (pilotfish-usages "nobody_wrote_this"))
  (goto-char (point-min))
  (insert "def unsaved_and_seen():\n    return 1\n\n\n")
  (steps-see 'unsaved (steps-until "the unsaved definition" #'steps-unsaved))
  (steps-see 'rebuild (pilotfish-rebuild)))

(defun steps-unsaved ()
  "Return the file that defines what is not saved yet."
  (if (eq 'eglot (intern (getenv "PF_CLIENT"))) (eglot--signal-textDocument/didChange))
  (let ((found (append (pilotfish--get (pilotfish-ask "pilotfish.findSymbols" '(:query "unsaved_and_seen"))
                                       "symbols")
                       nil)))
    (and found (pilotfish--get (car found) "path"))))

(condition-case failure (steps-run) (error (steps-see 'failure (format "%S" failure))))
(steps-see 'version emacs-version)
(steps-see 'client-version
           (package-version-join (package-desc-version (cadr (assq (intern (getenv "PF_CLIENT")) package-alist)))))
(with-temp-file (getenv "PF_RESULT") (insert (json-encode steps-seen)))
(set-buffer-modified-p nil)
(let ((kill-emacs-hook nil)) (kill-emacs 0))

;;; emacs_steps.el ends here
