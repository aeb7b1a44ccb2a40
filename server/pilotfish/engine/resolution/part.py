"""What the modules of this package share: how much is read for one question, and the way to each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from pilotfish.syntax.expressions import MOST_BYTES

if TYPE_CHECKING:
    from pilotfish.engine.resolution import Resolution

_DEEP: Final = 12
"""So many steps from one expression to the next are followed."""

_EFFORT: Final = 400
"""So many expressions are read for one question."""

_FILES: Final = 40
"""In so many files it is looked what they give under a name, for one question."""


class Effort:
    """How much has been read for a question, so that no text can make it long."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget what earlier questions took."""
        self._left = _EFFORT
        self._files = _FILES
        self._depth = 0

    def allows(self, size: int = 0) -> bool:
        """Whether one more expression is read, of so many bytes. It is counted."""
        self._left -= 1
        return self._left >= 0 and self._depth < _DEEP and size <= MOST_BYTES

    def opens(self) -> bool:
        """Whether one more file is looked into for what it gives. It is counted."""
        self._files -= 1
        return self._files >= 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """While what one expression leads to is followed."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @property
    def is_spent(self) -> bool:
        """Whether no other expression is read."""
        return self._left < 0

    @property
    def is_cut_short(self) -> bool:
        """Whether what was just looked for may be there and was not reached."""
        return self._left < 0 or self._depth >= _DEEP - 1


class Part:
    """What one module answers, within a resolution: it asks the other modules through that.

    It is made when it is asked and dropped then. A resolution that kept its parts would be kept by them, and with it
    the texts that it has read, until memory is searched for cycles.
    """

    __slots__ = ("resolution",)

    def __init__(self, resolution: Resolution) -> None:
        self.resolution = resolution
