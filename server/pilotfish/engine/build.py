"""Which code a process runs: fronts and engines compare it, and an engine whose code changed on disk leaves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
"""The folder of the code that this process runs."""

_SUFFIXES = (".py", ".scm")


def build_id(package: Path = PACKAGE) -> str:
    """Identify the installed code by the names, sizes and times of its files."""
    digest = hashlib.sha256()
    for line in sorted(_files(os.fspath(package), "")):
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _files(folder: str, prefix: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # gone while an update is under way: that, too, is another build
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _files(entry.path, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIXES):
            try:
                found = entry.stat()
            except OSError:
                continue
            yield f"{prefix}{entry.name}\0{found.st_size}\0{found.st_mtime_ns}\n"
