;;; pilotfish.el --- One live index of the workspace, beside your language servers -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1"))
;; Version: 0.1
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands that ask the language server Pilotfish, and a client of it for lsp-mode.
;;
;; With lsp-mode it runs beside the primary server:  (pilotfish-register-with-lsp-mode)
;; With eglot, which takes one server a buffer, both run behind a multiplexer; see docs/editors/emacs.md.
;;
;; Results that are places are shown in a buffer of `grep-mode', from which `next-error' goes on.

;;; Code:

(require 'cl-lib)
(require 'grep)
(require 'subr-x)
(require 'thingatpt)

(declare-function eglot-current-server "ext:eglot")
(declare-function eglot-execute-command "ext:eglot")
(declare-function lsp-find-workspace "ext:lsp-mode")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(defvar lsp--cur-workspace)

(defgroup pilotfish nil
  "One live index of the workspace."
  :group 'tools)

(defcustom pilotfish-program "pilotfish"
  "The program, by name or path."
  :type 'string)

(defcustom pilotfish-max-results 20
  "Most results of a search."
  :type 'integer)

;;;###autoload
(defun pilotfish-register-with-lsp-mode ()
  "Let `lsp-mode' start Pilotfish beside the server that it starts anyway."
  (require 'lsp-mode)
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () (list pilotfish-program "serve")))
                    :activation-fn (lambda (&rest _) t)
                    :add-on? t
                    :priority -1
                    :server-id 'pilotfish)))

;;; Asking

(defun pilotfish-ask (command parameters)
  "Run COMMAND of the server with PARAMETERS and return its answer.
PARAMETERS is a property list."
  (let ((workspace (and (featurep 'lsp-mode) (bound-and-true-p lsp-mode)
                        (lsp-find-workspace 'pilotfish buffer-file-name))))
    (cond
     (workspace
      (let ((lsp--cur-workspace workspace))
        (lsp-request "workspace/executeCommand" (list :command command :arguments (vector parameters)))))
     ((and (featurep 'eglot) (eglot-current-server))
      (eglot-execute-command (eglot-current-server) command (vector parameters)))
     (t (user-error "Pilotfish is not running in this buffer; start `lsp' or `eglot' here")))))

(defun pilotfish--get (object name)
  "Return the field NAME, a string, of OBJECT: a hash table or property list."
  (if (hash-table-p object)
      (gethash name object)
    (plist-get object (intern (concat ":" name)))))

(defun pilotfish--nothing (answer)
  "Say why ANSWER is empty: no match, or not everything is indexed yet."
  (let ((index (pilotfish--get answer "index")) (hint (pilotfish--get answer "hint")))
    (if (equal (pilotfish--get answer "outcome") "not_indexed")
        (message "Not indexed yet (%s, %s files)" (pilotfish--get index "phase") (pilotfish--get index "files"))
      (message "No match. %s" (or hint "")))))

;;; Showing

(defun pilotfish--show (name mode text &optional directory)
  "Show TEXT in the buffer NAME, in MODE, with paths as seen from DIRECTORY."
  (let ((buffer (get-buffer-create (format "*pilotfish %s*" name))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text)
        (goto-char (point-min)))
      (funcall mode)
      (when directory (setq default-directory directory)))
    (display-buffer buffer)))

(defun pilotfish--show-places (name subject answer field places)
  "Show PLACES under NAME and SUBJECT: path, line and text of what ANSWER has in FIELD."
  (if (null places)
      (pilotfish--nothing answer)
    (let* ((first (elt (pilotfish--get answer field) 0))
           (root (string-remove-suffix (pilotfish--get first "path") (pilotfish--get first "absolute_path")))
           (lines (mapcar (lambda (place) (apply #'format "%s:%s: %s" place)) places)))
      ;; `next-error' goes to what stands below a heading, as in the output of grep.
      (pilotfish--show name #'grep-mode
                       (format "Pilotfish %s: %s\n\n%s\n" name subject (string-join lines "\n")) root)
      (setq next-error-last-buffer (get-buffer (format "*pilotfish %s*" name))))))

(defun pilotfish--line (file number)
  "Return line NUMBER of FILE, as it is in its buffer where it has one."
  (with-temp-buffer
    (let ((buffer (find-buffer-visiting file)))
      (cond (buffer (insert-buffer-substring buffer))
            ((file-readable-p file) (insert-file-contents file))))
    (goto-char (point-min))
    (forward-line (1- number))
    (string-trim (buffer-substring-no-properties (point) (line-end-position)))))

(defun pilotfish--hit-name (hit line)
  "Return what HIT is called, or, where it has no name, what stands on its LINE."
  (let ((name (pilotfish--get hit "symbol_name")) (parent (pilotfish--get hit "parent")))
    (if (string-empty-p name)
        (truncate-string-to-width (pilotfish--line (pilotfish--get hit "absolute_path") line) 80)
      (format "%s %s%s" (pilotfish--get hit "symbol_type") (if (string-empty-p parent) "" (concat parent ".")) name))))

(defun pilotfish--hits (answer)
  "Return the results of a search in ANSWER as places, each at the line that has most of the question's words."
  (mapcar (lambda (hit)
            (let* ((match (pilotfish--get hit "match_line"))
                   (line (if (> match 0) match (pilotfish--get hit "line_start"))))
              (list (pilotfish--get hit "path") line
                    (format "%s  (%s)" (pilotfish--hit-name hit line)
                            (replace-regexp-in-string "changed by \".*\"" "past commits" (pilotfish--get hit "why"))))))
          (append (pilotfish--get answer "results") nil)))

(defun pilotfish--search-parameters (&rest parameters)
  "Return PARAMETERS with what every search here has."
  (append parameters (list :absolute_paths t :max_results pilotfish-max-results :snippet_chars 0)))

(defun pilotfish--name ()
  "Read a name, that at point by default."
  (let ((here (thing-at-point 'symbol t)))
    (read-string (format-prompt "Name" here) nil nil here)))

;;; Commands

;;;###autoload
(defun pilotfish-search (question)
  "Find code by QUESTION.
It may be words, a name, \"quoted text\" or a /regular expression/."
  (interactive "sSearch by meaning: ")
  (let ((answer (pilotfish-ask "pilotfish.searchCode" (pilotfish--search-parameters :query question))))
    (pilotfish--show-places "search" question answer "results" (pilotfish--hits answer))))

;;;###autoload
(defun pilotfish-similar (beginning end)
  "Find code like the lines from BEGINNING to END.
Interactively these are the region, or else the definition around point."
  (interactive (if (use-region-p) (list (region-beginning) (region-end)) (pilotfish--around-point)))
  (let ((answer (pilotfish-ask "pilotfish.findSimilar"
                               (pilotfish--search-parameters
                                :file_path buffer-file-name
                                :line_start (line-number-at-pos beginning t)
                                :line_end (line-number-at-pos (max beginning (1- end)) t)))))
    (pilotfish--show-places "similar" (pilotfish--get answer "subject") answer "results" (pilotfish--hits answer))))

(defun pilotfish--around-point ()
  "Return the bounds of the definition around point, or of its line."
  (let ((bounds (or (bounds-of-thing-at-point 'defun) (bounds-of-thing-at-point 'line))))
    (list (car bounds) (cdr bounds))))

;;;###autoload
(defun pilotfish-usages (name)
  "List where NAME is used."
  (interactive (list (pilotfish--name)))
  (let ((answer (pilotfish-ask "pilotfish.findUsages" (list :symbol_name name :absolute_paths t))))
    (pilotfish--show-places
     "usages" name answer "usages"
     (mapcar (lambda (use)
               (list (pilotfish--get use "path") (pilotfish--get use "line")
                     (format "%s%s" (pilotfish--get use "text")
                             (if (equal (pilotfish--get use "certainty") "name") "  (name only)" ""))))
             (append (pilotfish--get answer "usages") nil)))))

;;;###autoload
(defun pilotfish-trace (name callers)
  "Show what NAME calls and where.
With a prefix argument, CALLERS, show what calls it."
  (interactive (list (pilotfish--name) current-prefix-arg))
  (let* ((direction (if callers "callers" "callees"))
         (answer (pilotfish-ask "pilotfish.traceExecution" (list :entry_point name :direction direction)))
         (steps (append (pilotfish--get answer "steps") nil)))
    (if (null steps)
        (pilotfish--nothing answer)
      (pilotfish--show
       "trace" #'special-mode
       (concat (pilotfish--get answer "entry") "  " (pilotfish--get answer "entry_at") "\n"
               (mapconcat (lambda (step)
                            (format "%s%s  %s" (make-string (* 2 (pilotfish--get step "depth")) ?\s)
                                    (pilotfish--get step (if callers "caller" "callee"))
                                    (pilotfish--get step "defined_at")))
                          steps "\n"))))))

;;;###autoload
(defun pilotfish-map ()
  "Show the definitions that matter most here, drawn around what is open."
  (interactive)
  (pilotfish--show "map" #'special-mode (pilotfish--get (pilotfish-ask "pilotfish.repoMap" nil) "text")))

;;;###autoload
(defun pilotfish-context (task)
  "Put together the source to read for TASK, and put it on the kill ring too."
  (interactive "sContext for a task: ")
  (let* ((answer (pilotfish-ask "pilotfish.buildContext" (list :task task)))
         (text (pilotfish--get answer "text")))
    (if (string-empty-p text)
        (pilotfish--nothing answer)
      (kill-new text)
      (pilotfish--show "context" #'special-mode text))))

;;;###autoload
(defun pilotfish-status ()
  "Say how far the index is."
  (interactive)
  (let ((index (pilotfish--get (pilotfish-ask "pilotfish.status" nil) "index")))
    (message "Pilotfish: %s, %s files, %s pending, %s of %s passages by meaning"
             (pilotfish--get index "phase") (pilotfish--get index "files") (pilotfish--get index "pending")
             (pilotfish--get index "embedded") (pilotfish--get index "chunks"))))

(provide 'pilotfish)

;;; pilotfish.el ends here
