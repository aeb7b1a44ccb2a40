"""How files become rows: the structural phase, single changes, and the parse workers."""
