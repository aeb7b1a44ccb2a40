"""One outliner for all tests of a process: to load a language's query takes up to seconds, and there are many."""

from __future__ import annotations

from pilotfish.syntax.outlines import Outliner

OUTLINER = Outliner()
