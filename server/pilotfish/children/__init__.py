"""Processes that work for the engine: how one is started, heard and ended, and how it behaves on its own side."""
