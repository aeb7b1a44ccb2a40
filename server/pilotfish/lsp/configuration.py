"""The session's settings: `initializationOptions` first, then what the client answers for each folder.

What the client sends counts for keys of scope S only; `config.load` refuses the rest and names it, and each complaint
is told once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pilotfish import config

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SECTION = "pilotfish"


class Configuration:
    """Settings by root; None stands for what holds without one."""

    def __init__(self, report: Callable[[str], None]) -> None:
        """`report` gets each complaint about a setting, once."""
        self._report = report
        self._reported: set[str] = set()
        self._session: Any = None
        self._by_root: dict[Path, Any] = {}
        self._loaded: dict[Path | None, config.Settings] = {}

    def set_session(self, options: Any) -> None:
        """Take `initializationOptions`, which hold for all roots."""
        self._session = options
        self._loaded.clear()

    def add_session(self, options: Any) -> None:
        """Lay the settings of `didChangeConfiguration` over what holds for all roots."""
        self._session = merged(self._session, options)
        self._loaded.clear()

    def set_folder(self, root: Path, options: Any) -> None:
        """Take the client's answer for one root."""
        self._by_root[root] = options
        self._loaded.clear()

    def settings(self, root: Path | None = None) -> config.Settings:
        """Return the settings that hold in a root."""
        if root not in self._loaded:
            folder = self._by_root.get(root) if root is not None else None
            loaded = config.load(root, session=merged(self._session, folder))
            self._loaded[root] = loaded.settings
            self._complain(loaded.problems)
        return self._loaded[root]

    def reread(self) -> None:
        """Forget what was read, so that changed files are seen."""
        self._loaded.clear()

    def _complain(self, problems: list[str]) -> None:
        for problem in problems:
            if problem not in self._reported:
                self._reported.add(problem)
                self._report(problem)


def merged(base: Any, over: Any) -> Any:
    """Lay the tree `over` on the tree `base`; anything that is no tree is left for `config.load` to refuse."""
    if over is None:
        return base
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    return _merge(_unwrapped(base), _unwrapped(over))


def _unwrapped(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = tree.get(SECTION)
    return inner if isinstance(inner, dict) else tree


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        result[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result
