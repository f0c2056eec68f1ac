;;; tca-replay-dape.el --- Debug action logs with dape  -*- lexical-binding: t -*-

;; Load this after dape, open a log, and start `dape' with the configuration `tca-replay'.
;; The configuration `tca-replay-app' steps a running app.

;;; Code:

(require 'dape)

(defcustom tca-replay-executable "tca-replay"
  "The executable that debugs logs.
The host of your app has the same commands, and can be given as well."
  :type 'string
  :group 'dape)

(defun tca-replay--log ()
  "The log in the current buffer, or one that is asked for."
  (if (and buffer-file-name (string-suffix-p ".jsonl" buffer-file-name))
      buffer-file-name
    (expand-file-name (read-file-name "Log: " nil nil t))))

(add-to-list
 'dape-configs
 `(tca-replay
   modes (swift-mode swift-ts-mode json-mode js-json-mode json-ts-mode)
   command (lambda () tca-replay-executable)
   command-args ("dap")
   command-cwd dape-command-cwd
   :type "tca-replay"
   :request "launch"
   :log tca-replay--log
   :stopOnEntry t
   :sourceFolders (lambda () (vector (dape-cwd)))))

(add-to-list
 'dape-configs
 `(tca-replay-app
   modes (swift-mode swift-ts-mode)
   command (lambda () tca-replay-executable)
   command-args ("dap")
   command-cwd dape-command-cwd
   :type "tca-replay"
   :request "attach"
   :socket (lambda () (expand-file-name (read-file-name "Socket: " "/tmp/" nil t)))
   :stopOnEntry t
   :sourceFolders (lambda () (vector (dape-cwd)))))

;; The timeline of a log.
(add-to-list 'dape-mime-mode-alist '("text/x-tca-timeline" . fundamental-mode))

(provide 'tca-replay-dape)
;;; tca-replay-dape.el ends here
