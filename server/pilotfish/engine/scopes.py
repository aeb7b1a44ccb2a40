"""Scopes of the texts that were asked about last, so that questions about the same text read it once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Final

from pilotfish.syntax.scopes import ScopeReader, Scopes

_KEPT_BYTES: Final = 8 << 20
"""Of texts whose scopes are kept; these take a few times as much."""


class KeptScopes:
    """Reads scopes and keeps them by content. Asked from any thread; one at a time reads, the others wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader = ScopeReader()
        self._kept: OrderedDict[tuple[str | None, bytes], tuple[Scopes | None, int]] = OrderedDict()
        self._bytes = 0

    def of(self, text: bytes, language: str | None) -> Scopes | None:
        """Return the scopes of a text; None where nothing is known of them."""
        key = (language, hashlib.sha256(text).digest())
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (self._reader.read(text, language), len(text))
                self._bytes += len(text)
                while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
                    _, (_, size) = self._kept.popitem(last=False)
                    self._bytes -= size
            self._kept.move_to_end(key)
            return self._kept[key][0]
