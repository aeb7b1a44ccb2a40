; The first paragraph of a section documents its heading.

(section
  (atx_heading (atx_h1_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 1))
(section
  (atx_heading (atx_h2_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 2))
(section
  (atx_heading (atx_h3_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 3))
(section
  (atx_heading (atx_h4_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 4))
(section
  (atx_heading (atx_h5_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 5))
(section
  (atx_heading (atx_h6_marker) heading_content: (inline) @name) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 6))

; Underlined headings stand in one section with what follows, whatever their level.
(section
  (setext_heading heading_content: (paragraph) @name (setext_h1_underline)) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 1))
(section
  (setext_heading heading_content: (paragraph) @name (setext_h2_underline)) @definition.string
  .
  (paragraph)? @documentation
  (#set! level 2))

(link_reference_definition
  (link_destination) @import.module) @import
