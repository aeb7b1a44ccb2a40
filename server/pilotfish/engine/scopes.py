"""Scopes of the texts that were asked about last, so that questions about the same text read it once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from pilotfish.syntax.bodies import bodies_of
from pilotfish.syntax.partial_scopes import PartialScopes
from pilotfish.syntax.scopes import ScopeReader, Scopes, has_scopes

if TYPE_CHECKING:
    from pilotfish.syntax.outline import Symbol

_KEPT_BYTES: Final = 8 << 20
"""Of texts whose scopes are kept; these take a few times as much."""


class KeptScopes:
    """Reads scopes and keeps them by content. Asked from any thread; one at a time reads, the others wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader = ScopeReader()
        self._reading = threading.Lock()
        self._kept: OrderedDict[tuple[str, bytes], tuple[PartialScopes, int]] = OrderedDict()
        self._bytes = 0

    def of(self, text: bytes, language: str | None, symbols: Callable[[], Sequence[Symbol]]) -> PartialScopes | None:
        """Return the scopes of a text, of which `symbols` gives the definitions; None where nothing is known of
        them."""
        if language is None or not has_scopes(text, language):
            return None
        key = (language, hashlib.sha256(text).digest())
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        scopes = PartialScopes(text, bodies_of(text, language, symbols()), partial(self._read, language))
        with self._lock:
            if key not in self._kept:
                self._bytes += len(text)
            self._kept[key] = scopes, len(text)
            while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
                _, (_, size) = self._kept.popitem(last=False)
                self._bytes -= size
        return scopes

    def _read(self, language: str, text: bytes) -> Scopes | None:
        with self._reading:
            return self._reader.read(text, language)
