"""Nim."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, words
from pilotfish.syntax.outline import ImportedName, Symbol

_KEYWORDS = words(
    """
    addr and as asm bind block break case cast concept const continue converter defer discard distinct div do elif else
    end enum except export finally for from func if import in include interface is isnot iterator let macro method
    mixin mod nil not notin object of or out proc ptr raise ref return shl shr static template try tuple type using
    var when while xor yield
    """
)

_BUILTINS = frozenset(b"auto bool char float int int64 seq string typed untyped void".split())

_LARGEST_HEAD = 8_192
_FROM = re.compile(r"from\s+(?P<module>.+?)\s+import\s+(?P<names>.*)", re.DOTALL)
_LISTED = re.compile(r"(?P<folder>[^\[\]]*)\[(?P<modules>[^\[\]]*)\]?")


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The documentation comment that follows the head of a definition, on its line or below it."""
    has_body = symbol.body >= 0
    end = min(symbol.start + symbol.body if has_body else len(text), symbol.name_end + _LARGEST_HEAD)
    prose: list[bytes] = []
    for number, line in enumerate(text[symbol.name_end : end].split(b"\n")):
        code, mark, comment = line.partition(b"##")
        if mark and (number == 0 or not code.strip() or (has_body and code.rstrip().endswith(b"="))):
            prose.append(comment.strip())
        elif prose or (number and not has_body):
            break
    if prose:
        return b"\n".join(prose)
    above = text[max(0, symbol.start - _LARGEST_HEAD) : symbol.start].rstrip()
    line = above[above.rfind(b"\n") + 1 :]
    return b" " if line.lstrip().startswith(b"##") else b""  # what stands above is of another definition


def _imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """`std/[os, strutils]`, `shop/cart as c`, `from math import sqrt, pi` as modules and names."""
    if taken := _FROM.match(written):
        module, _, _ = _aliased(taken["module"])
        names = (_aliased(name) for name in taken["names"].split(","))
        return [(module, ImportedName(name, alias or name)) for name, _, alias in names if name]
    listed = _LISTED.fullmatch(written)
    if listed is not None:
        return [each for module in listed["modules"].split(",") for each in _whole(listed["folder"] + module.strip())]
    return list(_whole(written))


def _whole(written: str) -> Iterator[tuple[str, ImportedName | None]]:
    module, _, alias = _aliased(written)
    if module:
        yield module, ImportedName("*", alias) if alias else None


def _aliased(written: str) -> tuple[str, str, str]:
    name, separator, alias = written.partition(" as ")
    return name.strip(' \n`"'), separator, alias.strip(" \n`")


def _name_key(name: str) -> str:
    """What all spellings of a name share: its first letter as it is, the others in any case, without underscores."""
    return name[:1] + name[1:].replace("_", "").lower()


LANGUAGES = (
    Language(
        "nim",
        "Nim",
        grammar="nim",
        name_key=_name_key,
        extensions=("nim", "nims", "nimble"),
        interpreters=("nim",),
        line_comments=("##", "#"),
        block_comments=(("##[", "]##"), ("#[", "]#")),
        custom="docstring",
        imports=_imports,
        documented=_documented,
        exports_show=True,
        builtins=_BUILTINS,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"#\[.*?(?:\]#|\Z)", lexemes.LINE_HASH, lexemes.TRIPLE_DOUBLE, lexemes.DOUBLE, lexemes.CHARACTER),
    ),
)
