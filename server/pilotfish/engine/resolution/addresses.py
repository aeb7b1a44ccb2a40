"""Addresses of Terraform: `var.region`, `local.name`, `aws_vpc.main.id`, `data.aws_ami.ubuntu`, `module.rules.id`.

What an address means stands in the folder of its file, which is a module; what it begins with says of which kind it is
(the language's specification, "References to Named Values").
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.part import Part
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.engine.view import Definition

_ADDRESS: Final = re.compile(rb"[A-Za-z_][\w-]*(?:(?:\[[^\[\]\n]*\])?\.[\w*-]+)*")
_WORD: Final = re.compile(rb"(?<![\w-])[A-Za-z_][\w-]*")
_IN_BRACKETS: Final = re.compile(rb"\[[^\[\]\n]*\]")
_ARGUMENT: Final = re.compile(rb"[ \t]*=(?![=>])")
_VARIABLE, _LOCAL, _OUTPUT, _MODULE, _BLOCK = (
    SymbolKind.VARIABLE,
    SymbolKind.CONSTANT,
    SymbolKind.PROPERTY,
    SymbolKind.MODULE,
    SymbolKind.CLASS,
)
_NAMED: Final = {b"var": _VARIABLE, b"local": _LOCAL, b"module": _MODULE}
_ITSELF: Final = frozenset({b"each", b"count", b"self", b"path", b"terraform"})
"""What the language itself gives."""


class Addresses(Part):
    """Finds what addresses mean within one resolution."""

    def at(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a part of an address means, none where it is an attribute or the language's own; None where a
        text in another language is asked about, and for what only its block knows."""
        if source.language != "terraform":
            return None
        parts, number = _parts(source.bytes, offset)
        if len(parts) == 1:
            return self._argument(source, name, offset)
        kind = _NAMED.get(parts[0])
        if kind is not None:
            if number == 1:
                return self._beside(source, name, kind)
            is_output = kind is _MODULE and number == 2
            return self._given_by(source, parts[1].decode("utf-8", "replace"), name, _OUTPUT) if is_output else []
        if parts[0] in _ITSELF:
            return []
        typed = parts[1:] if parts[0] == b"data" else parts
        if number >= len(parts) - len(typed) + 2 or len(typed) < 2:
            return []
        written = typed[1].decode("utf-8", "replace")
        found = self._beside(source, written, _BLOCK, typed[0].decode("utf-8", "replace"))
        is_data = parts[0] == b"data"
        return [each for each in found if self._is_data(each) == is_data] or (None if typed is parts else [])

    def _beside(self, source: Source, name: str, kind: SymbolKind, container: str = "") -> list[Definition]:
        return self._in_folder(source, posixpath.dirname(source.text.address), name, kind, container)

    def _in_folder(
        self, source: Source, folder: str, name: str, kind: SymbolKind, container: str = ""
    ) -> list[Definition]:
        known = self.resolution.view.definitions(name, related_languages(source.language))
        return [
            each
            for each in known
            if each.kind is kind and each.container == container and posixpath.dirname(each.address) == folder
        ]

    def _is_data(self, block: Definition) -> bool:
        source = self.resolution.source(block.address)
        return source is not None and source.bytes.startswith(b"data", source.file.symbols[block.ordinal].start)

    def _argument(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the variable that an argument of a module's block sets; none for any other argument."""
        end = offset + len(name.encode())
        line = source.bytes.rfind(b"\n", 0, offset) + 1
        if source.bytes[line:offset].strip() or not _ARGUMENT.match(source.bytes, end):
            return None
        around = [source.file.symbols[each] for each in source.file.outward(offset)]
        block = next((each for each in around if each.kind in (_MODULE, _BLOCK, _VARIABLE, _OUTPUT)), None)
        if block is None:
            return None
        return self._given_by(source, block.name, name, _VARIABLE) if block.kind is _MODULE else []

    def _given_by(self, source: Source, module: str, name: str, kind: SymbolKind) -> list[Definition]:
        """Return what the folder that a module's block names has under a name."""
        found: list[Definition] = []
        for block in self._beside(source, module, _MODULE):
            told = self.resolution.source(block.address)
            if told is None:
                continue
            symbol = told.file.symbols[block.ordinal]
            imports = [each for each in told.text.imports if symbol.start <= each.start < symbol.end]
            files = [
                file for each in imports for one in self.resolution.view.bound_by(told.text, each) for file in one.files
            ]
            for folder in dict.fromkeys(posixpath.dirname(each) for each in files):
                found += self._in_folder(source, folder, name, kind)
        return found


def _parts(text: bytes, offset: int) -> tuple[list[bytes], int]:
    """Return the names of the address around an offset, and the number of the one that stands there."""
    start = text.rfind(b"\n", 0, offset) + 1
    end = text.find(b"\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    for address in _ADDRESS.finditer(line):
        if not address.start() <= offset - start < address.end():
            continue
        bare = _IN_BRACKETS.sub(lambda found: b" " * len(found[0]), address[0])
        words = [*_WORD.finditer(bare)]
        for number, word in enumerate(words):
            if address.start() + word.start() == offset - start:
                return [each[0] for each in words], number
        break
    return [b""], 0
