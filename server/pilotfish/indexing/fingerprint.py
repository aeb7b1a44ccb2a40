"""What the outlines in a catalog were made with: when it changes, every file is parsed again.

The fingerprint covers the code and the queries that turn bytes into rows, the grammars, and the settings that decide
how a content is taken. It is kept in a file beside the catalog and written when the last file has been parsed with it
(DESIGN invariant 4), or before the first one.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

import msgspec

from pilotfish import indexing, store, syntax, workspace
from pilotfish.config import Settings
from pilotfish.store.migrations import FINGERPRINT

_GRAMMARS: Final = (
    "tree-sitter",
    "tree-sitter-language-pack",
    "tree-sitter-c-sharp",
    "tree-sitter-embedded-template",
    "tree-sitter-yaml",
)


def fingerprint_of(settings: Settings) -> str:
    """Return the fingerprint of what this process would make of a file."""
    from importlib import metadata  # not before the engine answers: it brings a mail library along

    digest = hashlib.sha256()
    for source in _sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    for name in _GRAMMARS:
        with contextlib.suppress(metadata.PackageNotFoundError):
            digest.update(f"{name} {metadata.version(name)}\n".encode())
    limits = settings.limits
    deciding = [
        (limits.file_kb, limits.line_chars),
        sorted(settings.languages.associations.items()),
        (settings.chunks, settings.semantic.secrets),
    ]
    digest.update(msgspec.json.encode(deciding))
    return digest.hexdigest()


def _sources() -> list[Path]:
    folder = Path(syntax.__path__[0])
    return [
        *sorted(folder.rglob("*.py")),
        *sorted(folder.glob("queries/*.scm")),
        Path(store.__path__[0], "rows.py"),
        Path(store.__path__[0], "postings.py"),
        Path(workspace.__path__[0], "content.py"),
        Path(workspace.__path__[0], "secrets.py"),
        Path(indexing.__path__[0], "chunk_rows.py"),
    ]


class FingerprintFile:
    """The fingerprint that goes with the catalog in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FINGERPRINT

    def read(self) -> str:
        """Return what was written last, or nothing."""
        try:
            return self._path.read_text("ascii")
        except (OSError, ValueError):
            return ""

    def write(self, fingerprint: str) -> None:
        """Replace it, unless it is the same."""
        if self.read() != fingerprint:
            draft = self._path.with_suffix(".draft")
            draft.write_text(fingerprint, "ascii")
            draft.replace(self._path)
