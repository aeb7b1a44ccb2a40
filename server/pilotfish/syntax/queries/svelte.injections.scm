; inherits: markup.injections

([(raw_text_expr) (raw_text_each) (raw_text_await)] @injection.content
  (#set! injection.language "typescript")
  (#set! injection.local))
