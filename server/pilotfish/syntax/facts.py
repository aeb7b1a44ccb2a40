"""What one file's outline says to the graph of all files: names defined, names used, imports; no places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Import, Outline, SymbolKind

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[Import])


class FileFacts(NamedTuple):
    """One file, column by column: `names`, `kinds`, `parents` and `visibilities` by symbol, in the outline's order;
    `referenced`, `roles` and `counts` by reference group. `imports` are those of the outline as msgpack: they are read
    once, and again when files come and go."""

    path: str
    language: str
    names: Sequence[str]
    kinds: bytes
    parents: Sequence[int]
    visibilities: bytes
    referenced: Sequence[str]
    roles: bytes
    counts: Sequence[int]
    imports: bytes


def decode_imports(packed: bytes) -> list[Import]:
    """Return the imports that `FileFacts.imports` holds."""
    return _decoder.decode(packed)


def facts_of(path: str, outline: Outline) -> FileFacts:
    """Take the facts out of an outline."""
    groups = [group for group in outline.references if group.offsets]
    return FileFacts(
        path=path,
        language=outline.language,
        names=[symbol.name for symbol in outline.symbols],
        kinds=bytes(symbol.kind for symbol in outline.symbols),
        parents=[symbol.parent for symbol in outline.symbols],
        visibilities=bytes(symbol.visibility for symbol in outline.symbols),
        referenced=[group.name for group in groups],
        roles=bytes(group.role for group in groups),
        counts=[len(group.offsets) for group in groups],
        imports=_encoder.encode(outline.imports),
    )


_BODIES = frozenset(int(kind) for kind in (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR))


def local_symbols(facts: FileFacts) -> list[bool]:
    """Tell of each symbol whether it stands inside a function, so that no other file can name it."""
    local = [False] * len(facts.parents)
    kinds = facts.kinds
    for index, parent in enumerate(facts.parents):
        if parent >= 0:
            local[index] = local[parent] or kinds[parent] in _BODIES
    return local


def language_family(language: str | None) -> str | None:
    """Return what languages share whose names can mean each other: C and C++, JavaScript and TypeScript."""
    known = REGISTRY.get(language) if language is not None else None
    return known.family or language if known is not None else language


@cache
def related_languages(language: str | None) -> frozenset[str | None]:
    """Return the languages whose names a name of this one can mean, itself among them."""
    family = language_family(language)
    return frozenset({language, *(each.name for each in REGISTRY.values() if each.family and each.family == family)})
