"""The repo map as a page to look at: one file that needs nothing else, no network least of all.

Its content security policy allows the one script and the one style that are in it, by their hashes, and nothing to be
fetched. All that comes from the repository is JSON in a block that is no script; the script puts it into the document
as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from pilotfish.graph.architecture import Architecture
from pilotfish.graph.drawing import LONGEST_NAME
from pilotfish.graph.edges import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

MOST_FILES: Final = 5_000
"""Files on a page, the highest ranked."""

MOST_BYTES: Final = 3_000_000
"""Bytes of a page. Symbols give way first."""

_MOST_LINKS: Final = 40_000
_MOST_SYMBOLS: Final = 200
"""Symbols of one file, outer ones before those within them."""

_SIGNATURE_SHARE: Final = 1_500
"""Bytes for the definitions of one file, below which there is no room for signatures."""

_LONGEST_SIGNATURE: Final = 240
_LONGEST_PATH: Final = 1_024
_MOST_LISTED: Final = 200
_RANK_UNITS: Final = 10_000_000


class PageSymbol(NamedTuple):
    """A definition on the page; `line` counts from 1, `depth` is in how many others it lies."""

    name: str
    kind: str
    line: int
    depth: int = 0
    signature: str = ""


Symbols = Callable[[str, bool], Sequence[PageSymbol]]
"""Returns the definitions of a file in source order, with their signatures if there is room for them."""


_BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn what follows around, so that a name looks like another one."""


def page(
    name: str,
    graph: Graph,
    ranks: Floats,
    architecture: Architecture,
    symbols: Symbols,
    most_bytes: int = MOST_BYTES,
) -> str:
    """Return the page, in HTML.

    Args:
        name: what the workspace is called.
        graph: its files and their links.
        ranks: the rank of each file.
        architecture: the architecture of the whole workspace.
        symbols: asked for the definitions of each file of the page, the highest ranked first.
        most_bytes: how large the page may be.

    """
    template, style, script = (_asset(part) for part in ("page.html", "page.css", "page.js"))
    room = most_bytes - sum(len(part.encode()) for part in (template, style, script)) - 1_000
    parts = {
        "title": html.escape(f"{_readable(name or 'workspace')} · map"),
        "style": style,
        "script": script,
        "style_hash": _hash(style),
        "script_hash": _hash(script),
        "data": _escaped(_data(name, graph, ranks, architecture, symbols, room)),
    }
    return re.sub(r"\{(title|style_hash|script_hash|style|script|data)\}", lambda match: parts[match[1]], template)


@cache
def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return what a content security policy calls an inline script or style by."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _escaped(text: str) -> str:
    """Return JSON as it may stand in a script element: nothing in it ends the element or begins a comment."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _readable(text: str) -> str:
    """Return a text without halves of characters, which no encoding of a file has."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _encoded(value: object) -> str:
    return _BIDIRECTIONAL.sub(
        "\N{REPLACEMENT CHARACTER}", _readable(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    )


def _size(text: str) -> int:
    return len(_escaped(text).encode())


# --- the data --------------------------------------------------------------------------------------------------------


def _data(
    name: str,
    graph: Graph,
    ranks: Floats,
    architecture: Architecture,
    symbols: Symbols,
    room: int,
) -> str:
    """Return the JSON that the page's script reads, at most `room` bytes of it where that can be."""
    order = np.lexsort((np.arange(len(graph)), -np.round(ranks, 12)))[:MOST_FILES].tolist()
    chosen = [number for number in order if len(graph.paths[number]) <= _LONGEST_PATH]
    place = {graph.paths[number]: at for at, number in enumerate(chosen)}
    languages = sorted({graph.nodes[path].language for path in place})
    module_of = {path: at for at, module in enumerate(architecture.modules) for path in module.files}
    head = {
        "name": name or "workspace",
        "fileCount": len(graph),
        "languages": languages,
        "links": _links(graph, chosen),
        "architecture": _architecture(architecture, place),
    }
    files = [
        [
            path,
            languages.index(graph.nodes[path].language),
            module_of.get(path, -1),
            max(1, round(float(ranks[number]) * _RANK_UNITS)),
        ]
        for path, number in ((graph.paths[number], number) for number in chosen)
    ]
    kinds: dict[str, int] = {}
    room -= _size(_encoded(head)) + sum(_size(_encoded(each)) + 16 for each in files)
    shown = _symbols(list(place), symbols, kinds, room)
    written = [_encoded([*file, *rows]) for file, rows in zip(files, shown, strict=True)]
    body = _encoded(head | {"kinds": list(kinds)})
    return f'{body[:-1]},"files":[{",".join(written)}]}}'


def _symbols(paths: Sequence[str], symbols: Symbols, kinds: dict[str, int], room: int) -> Iterator[list[object]]:
    """Yield for each file its definitions, and how many are left out. The first file may take twice what would be left
    for each if all took alike, the last one what is left: so the highest ranked show most, and all show something."""
    total = len(paths)
    for number, path in enumerate(paths):
        left = total - number
        share = room * (total + left) // (total * left)
        found = symbols(path, share >= _SIGNATURE_SHARE)
        rows = _fitting(found, kinds, share)
        room -= _size(_encoded(rows))
        yield [rows, len(found) - len(rows)]


def _fitting(found: Sequence[PageSymbol], kinds: dict[str, int], room: int) -> list[list[object]]:
    """Return rows of at most `room` bytes: rather all without their signatures than some with, and outer ones rather
    than those within them."""
    chosen = sorted(range(len(found)), key=lambda number: (found[number].depth, number))[:_MOST_SYMBOLS]
    rows = {number: _row(found[number], kinds) for number in sorted(chosen)}
    if _size(_encoded(list(rows.values()))) > room:
        rows = {number: row[:4] for number, row in rows.items()}
    left = room - 2
    for number in chosen:
        left -= _size(_encoded(rows[number])) + 1
        if left < 0:
            del rows[number]
    return list(rows.values())


def _row(symbol: PageSymbol, kinds: dict[str, int]) -> list[object]:
    kind = kinds.setdefault(symbol.kind, len(kinds))
    row: list[object] = [symbol.name[:LONGEST_NAME], kind, symbol.line, symbol.depth]
    return [*row, symbol.signature[:_LONGEST_SIGNATURE]] if symbol.signature else row


def _links(graph: Graph, chosen: Sequence[int]) -> list[int]:
    """Return the links between files of the page, source, target and number of uses, the heaviest where there are too
    many."""
    place = np.full(len(graph), -1)
    place[chosen] = np.arange(len(chosen))
    source, target = place[graph.links.source], place[graph.links.target]
    is_shown = (source >= 0) & (target >= 0)
    keys, which = np.unique(source[is_shown] * len(graph) + target[is_shown], return_inverse=True)
    uses = np.bincount(which, graph.links.uses[is_shown], len(keys)).astype(np.int64)
    heaviest = np.sort(np.lexsort((keys, -uses))[:_MOST_LINKS])
    columns = (keys[heaviest] // max(1, len(graph)), keys[heaviest] % max(1, len(graph)), uses[heaviest])
    found: list[int] = np.stack(columns, axis=1).ravel().tolist()
    return found


def _architecture(architecture: Architecture, place: dict[str, int]) -> dict[str, object]:
    return {
        "base": architecture.base,
        "modules": [
            [
                module.name[:LONGEST_NAME],
                module.folder[:_LONGEST_PATH],
                module.share,
                len(module.files),
                module.tests,
                [place[path] for path in module.files if path in place][:_MOST_LISTED],
            ]
            for module in architecture.modules
        ],
        "dependencies": [
            [each.source, each.target, *each.uses, int(each.against)] for each in architecture.dependencies
        ],
        "layers": architecture.layers,
        "cycles": architecture.cycles,
        "loops": [
            [cycle.size, [path[:LONGEST_NAME] for path in cycle.loop[:_MOST_LISTED]]]
            for cycle in architecture.file_cycles[:_MOST_LISTED]
        ],
        "loopCount": architecture.file_cycle_count,
        "entries": [
            [entry.path[:_LONGEST_PATH], entry.reason[:LONGEST_NAME], entry.uses]
            for entry in architecture.entry_points[:_MOST_LISTED]
        ],
        "entryCount": len(architecture.entry_points),
        "testFiles": architecture.test_files,
    }
