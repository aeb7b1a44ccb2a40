"""How the built-in embedding table is made; see README.md. Not part of the installed package."""
