"""Pilotfish: one live index of a workspace, for the editor and for the agent beside it."""

__version__ = "0.1.0"
