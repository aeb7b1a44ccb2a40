; Tables, and the keys of the document, of tables and of inline tables within them.

(table
  .
  [(bare_key) (dotted_key) (quoted_key)] @name) @definition.object

(table_array_element
  .
  [(bare_key) (dotted_key) (quoted_key)] @name) @definition.object

(pair
  .
  [(bare_key) (dotted_key) (quoted_key)] @name) @definition.key
