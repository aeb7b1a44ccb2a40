"""Vectors of texts: models, the process that runs them, and that process as the engine sees it."""
