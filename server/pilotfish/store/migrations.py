"""The way from an earlier version of the tables to the current one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def bring_up(file: Path, *, on_progress: Callable[[int, int], object], on_damage: Callable[[str], object]) -> None:
    """See to it that the newest earlier catalog, if there is one, is not lost."""
