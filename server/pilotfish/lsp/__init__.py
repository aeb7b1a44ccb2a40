"""The front that speaks LSP with an editor; the only package that knows LSP's types."""
