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

(defconst pilotfish--commands
  '(("search_code" . "pilotfish-search") ("find_similar" . "pilotfish-similar") ("find_usages" . "pilotfish-usages")
    ("explain_code" . "pilotfish-explain") ("trace_execution" . "pilotfish-trace") ("repo_map" . "pilotfish-map")
    ("get_architecture" . "pilotfish-architecture") ("build_context" . "pilotfish-context")
    ("get_repo_status" . "pilotfish-status"))
  "Our commands by the operations that the server's advice names.")

(defun pilotfish--advice (answer)
  "Return the advice of ANSWER, with commands in the place of operations."
  (replace-regexp-in-string
   "\\_<[a-z]+\\(?:_[a-z]+\\)+\\_>"
   (lambda (name) (or (cdr (assoc name pilotfish--commands)) name)) (or (pilotfish--get answer "hint") "") t t))

(defun pilotfish--nothing (answer)
  "Say why ANSWER is empty: no match, or not everything is indexed yet."
  (let ((index (pilotfish--get answer "index")))
    (if (equal (pilotfish--get answer "outcome") "not_indexed")
        (message "Not indexed yet (%s, %s files)" (pilotfish--get index "phase") (pilotfish--get index "files"))
      (message "No match. %s" (pilotfish--advice answer)))))

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

(defun pilotfish--root (place)
  "Return the folder that the path of PLACE is seen from."
  (string-remove-suffix (pilotfish--get place "path") (pilotfish--get place "absolute_path")))

(defun pilotfish--show-places (name subject answer field places)
  "Show PLACES under NAME and SUBJECT.
They are path, line and text of what ANSWER has in FIELD."
  (if (null places)
      (pilotfish--nothing answer)
    (let* ((root (pilotfish--root (elt (pilotfish--get answer field) 0)))
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
  "Return the results of a search in ANSWER as places.
Each is at the line that has most of the question's words."
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
       "trace" #'grep-mode
       (concat (format "Pilotfish trace: %s of %s\n\n" direction name)
               (pilotfish--get answer "entry_at") ": " (pilotfish--get answer "entry") "\n"
               (mapconcat (lambda (step)
                            (format "%s: %s%s" (pilotfish--get step "defined_at")
                                    (make-string (* 2 (pilotfish--get step "depth")) ?\s)
                                    (pilotfish--get step (if callers "caller" "callee"))))
                          steps "\n")
               "\n")
       (file-name-as-directory (pilotfish--get (pilotfish-ask "pilotfish.status" nil) "root")))
      (setq next-error-last-buffer (get-buffer "*pilotfish trace*")))))

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
(defun pilotfish-explain (name)
  "Show what NAME is, what it uses and who uses it."
  (interactive (list (pilotfish--name)))
  (let ((answer (pilotfish-ask "pilotfish.explainCode" (list :symbol_name name :absolute_paths t))))
    (if (string-empty-p (pilotfish--get answer "name"))
        (pilotfish--nothing answer)
      (pilotfish--show
       "explain" #'grep-mode
       (concat "Pilotfish explain: " name "\n\n"
               (pilotfish--place answer "line_start" (pilotfish--get answer "kind")) "\n\n"
               (pilotfish--get answer "documentation") "\n\n" (pilotfish--get answer "source") "\n"
               (mapconcat (lambda (part) (pilotfish--related (car part) (pilotfish--get answer (cdr part))))
                          '(("inherits and overrides" . "ancestry") ("uses" . "uses") ("used by" . "used_by")
                            ("tests" . "tests") ("members" . "members"))
                          ""))
       (pilotfish--root answer))
      (setq next-error-last-buffer (get-buffer "*pilotfish explain*")))))

(defun pilotfish--place (where line words)
  "Return WHERE as a line of grep, with WORDS before its name.
LINE names the field with its line."
  (format "%s:%s: %s %s" (pilotfish--get where "path") (pilotfish--get where line) words (pilotfish--get where "name")))

(defun pilotfish--related (title related)
  "Return under TITLE the definitions that are RELATED.
Where there are none it is the empty string."
  (if (seq-empty-p related)
      ""
    (concat "\n" title "\n"
            (mapconcat (lambda (each)
                         (pilotfish--place each "line"
                                           (format "%s %s" (pilotfish--get each "relation") (pilotfish--get each "kind"))))
                       related "\n")
            "\n")))

;;;###autoload
(defun pilotfish-architecture ()
  "Show modules, what they use, layers, cycles and entry points."
  (interactive)
  (let ((answer (pilotfish-ask "pilotfish.getArchitecture" '(:format "text"))))
    (if (string-empty-p (pilotfish--get answer "text"))
        (pilotfish--nothing answer)
      (pilotfish--show "architecture" #'special-mode (pilotfish--get answer "text")))))

;;;###autoload
(defun pilotfish-why (path)
  "Tell whether PATH is indexed and which rule decided.
Interactively it is that of the current file."
  (interactive (list (or buffer-file-name (read-file-name "Path: "))))
  (let* ((answer (pilotfish-ask "pilotfish.why" (list :path (expand-file-name path))))
         (reasons (list (pilotfish--get answer "rule") (pilotfish--get answer "detail"))))
    (message "Pilotfish: %s: %s%s" (pilotfish--get answer "path")
             (cond ((pilotfish--true (pilotfish--get answer "indexed")) "indexed")
                   ((pilotfish--true (pilotfish--get answer "listed")) "listed, without an outline")
                   ((> (pilotfish--get answer "files") 0) (format "%s files indexed" (pilotfish--get answer "files")))
                   (t "not indexed"))
             (mapconcat (lambda (each) (concat ": " each)) (remove "" reasons) ""))))

(defun pilotfish--true (value)
  "Whether VALUE is JSON's true: both clients have a symbol of their own for false."
  (eq value t))

(defun pilotfish--control (action)
  "Run ACTION on the index, and say what came of it."
  (message "Pilotfish: %s" (pilotfish--get (pilotfish-ask "pilotfish.control" (list :action action)) "message")))

;;;###autoload
(defun pilotfish-pause ()
  "Hold indexing back."
  (interactive)
  (pilotfish--control "pause"))

;;;###autoload
(defun pilotfish-resume ()
  "Let indexing go on."
  (interactive)
  (pilotfish--control "resume"))

;;;###autoload
(defun pilotfish-rebuild ()
  "Make the index from nothing."
  (interactive)
  (pilotfish--control "rebuild"))

;;;###autoload
(defun pilotfish-status ()
  "Say how far the index is."
  (interactive)
  (let ((index (pilotfish--get (pilotfish-ask "pilotfish.status" nil) "index")))
    (message "Pilotfish: %s, %s files, %s pending, %s of %s passages by meaning"
             (pilotfish--get index "phase") (pilotfish--get index "files") (pilotfish--get index "pending")
             (pilotfish--get index "embedded") (pilotfish--get index "chunks"))))

;;; Keys

(defvar pilotfish-keys
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command)
                   '(("s" . pilotfish-search) ("l" . pilotfish-similar) ("u" . pilotfish-usages) ("e" . pilotfish-explain)
                     ("t" . pilotfish-trace) ("m" . pilotfish-map) ("a" . pilotfish-architecture)
                     ("c" . pilotfish-context) ("w" . pilotfish-why) ("i" . pilotfish-status)))
      (define-key map (kbd key) command))
    map)
  "Keys of the commands, to be put under a prefix.")
(fset 'pilotfish-keys pilotfish-keys)

(provide 'pilotfish)

;;; pilotfish.el ends here
