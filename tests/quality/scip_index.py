"""SCIP indexes, which compilers write: of every occurrence of a name, the symbol that it means.

https://github.com/sourcegraph/scip/blob/main/scip.proto. Fields by number: Index.documents 2, Document.relative_path 1
and .occurrences 2, Occurrence.range 1, .symbol 2 and .symbol_roles 3 (bit 1: it is the definition).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TOOLS = Path(__file__).parent / "scip" / "node_modules"


class Occurrence(NamedTuple):
    """One occurrence of a symbol, at a line and a column from 0."""

    symbol: str
    is_definition: bool
    line: int
    character: int


def documents(index: bytes) -> Iterator[tuple[str, Iterator[Occurrence]]]:
    """Yield the files of an index by path, each with its occurrences; those of locals, parameters and type parameters
    are left out."""
    for number, document in _fields(memoryview(index)):
        if number == 2 and isinstance(document, memoryview):
            yield _text(document, 1), _occurrences(document)


_GLOBAL = re.compile(r"(?!local ).*[\w`$+\-](?:#|\(\+?\d*\)\.|\.|/|:)", re.DOTALL)

_SOURCE_ROOT = re.compile(r"`src\.([^`]+)`")
"""scip-python names a definition by its path (`src.flask.app`) and a reference as it is imported (`flask.app`)."""


def as_imported(symbol: str) -> str:
    """Return the symbol of a definition as references name it."""
    return _SOURCE_ROOT.sub(lambda module: f"`{module[1]}`" if "." in module[1] else module[1], symbol)


def _occurrences(document: memoryview) -> Iterator[Occurrence]:
    for number, occurrence in _fields(document):
        if number == 2 and isinstance(occurrence, memoryview):
            symbol = _text(occurrence, 2)
            if _GLOBAL.fullmatch(symbol):
                fields = {field: value for field, value in _fields(occurrence) if field in (1, 3)}
                place, roles = fields.get(1, b""), fields.get(3, 0)
                assert isinstance(place, memoryview)
                assert isinstance(roles, int)
                line, after = _varint(place, 0)
                yield Occurrence(symbol, bool(roles & 1), line, _varint(place, after)[0])


def _text(message: memoryview, number: int) -> str:
    found = (value for field, value in _fields(message) if field == number and isinstance(value, memoryview))
    return bytes(next(found, b"")).decode()


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the fields of a protobuf message by number: https://protobuf.dev/programming-guides/encoding."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        size, at = _varint(message, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def index_of(language: str, root: Path, folder: Path) -> bytes:
    """Return the index of a repository, kept in a folder under its name, made by the indexer of its language where it
    is missing; raises CalledProcessError, or OSError where the indexer is missing."""
    index = folder.resolve() / f"{root.name}.scip"
    if not index.exists():
        _make(language, root, index)
    return index.read_bytes()


def _make(language: str, root: Path, index: Path) -> None:
    node = str(TOOLS / "node" / "bin" / "node")
    if language == "python":
        # Told of no installed packages, it does not ask pip; and it wants absolute paths.
        environment = index.with_suffix(".environment.json")
        environment.write_text("[]")
        options = ["--project-name", root.name, "--project-version", "0", "--environment", str(environment)]
    else:
        options = ["--infer-tsconfig"]
    indexer = str(TOOLS / ".bin" / ("scip-python" if language == "python" else "scip-typescript"))
    command = [node, indexer, "index", "--cwd", str(root), "--output", str(index), *options]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    if index.stat().st_size < 1_000:
        index.unlink()
        raise ValueError(f"{root}: the indexer found nothing")
