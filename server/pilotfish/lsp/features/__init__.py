"""One module per LSP method: converts its parameters, asks the engine, converts the answer."""
