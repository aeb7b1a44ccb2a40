"""What a text says of its names by how it is written, where its scopes are not known: what an object is or is made by,
what a type inherits, what a function takes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pilotfish.syntax.outline import BODIES, TYPES, Role, Symbol

if TYPE_CHECKING:
    from pilotfish.engine.view import Text

_PATH: Final = re.compile(rb"([A-Za-z_]\w*(?:\.\w+)+)\s*\.\s*$")

_ANNOTATED: Final = re.compile(rb"\s*\??:\s*(?:&\s*)?(?:mut\s+)?[\"']?(?:Optional\[|type\[)?([A-Za-z_][\w.]*)")
_GO_PARAMETER: Final = re.compile(rb"\s+[*]?([A-Za-z_][\w.]*)(?=\s*[,){\n])")
_MADE: Final = re.compile(rb"\s*(?::[^=\n]*)?:?=\s*(?:await\s+)?(?:new\s+)?[&*]?\s*([A-Za-z_][\w.]*(?:::\w+)*)\s*[({]")
_SAID: Final = {
    "go": (_GO_PARAMETER, _MADE),
    "python": (_ANNOTATED, _MADE),
    "rust": (_ANNOTATED, _MADE),
    "tsx": (_ANNOTATED, _MADE),
    "typescript": (_ANNOTATED, _MADE),
}
"""What stands behind a name where a text says what it is, or what makes it, by language: `: Flask`, ` *Command`,
` = Command(`."""

_TYPE_BEFORE: Final = re.compile(rb"([A-Za-z_][\w.]*)(?:<[^<>\n]*>)?(?:\s+|\s*[*&]+\s*)$")
_DECLARED: Final = re.compile(rb"\s*[;=,){]")
_TYPES_FIRST: Final = frozenset({"c", "cpp", "java"})
"""Languages that put the type before the name: `Engine engine;`."""

_HEADED: Final = frozenset({"cpp", "java", "javascript", "python", "tsx", "typescript"})
"""Languages in which the bases of a type stand between its name and its body."""

_NAME: Final = re.compile(rb"[A-Za-z_]\w*")
_NO_BASES: Final = frozenset(
    b"class extends implements public private protected virtual final metaclass permits typename const object".split()
)
_MOST_BASES: Final = 6

_IN_WORD: Final = re.compile(rb"[\w$]")

_MOST_SAID: Final = 50
"""So many places of a name are looked at for that."""

_NO_TYPES: Final = frozenset(
    b"return new await yield in is not and or if else elif assert del lambda var let const func fn def for while "
    b"import from as with raise throw case go defer static final mut pub type".split()
)


class Spelling:
    """One text, with what is asked of it for several uses."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.symbols = text.symbols
        self.imports = text.imports
        self._said: dict[tuple[str, int], list[str]] = {}

    def around(self, offset: int) -> int:
        """Return the innermost definition around a place; -1 where there is none."""
        ordinal = bisect_right(self.symbols.starts, offset) - 1
        while ordinal >= 0 and self.symbols.symbol(ordinal).end <= offset:
            ordinal = self.symbols.parents[ordinal]
        return ordinal

    def outward(self, offset: int) -> list[int]:
        """Return the definitions around a place, innermost first, ending with -1: the text."""
        found = [self.around(offset)]
        while found[-1] >= 0:
            found.append(self.symbols.parents[found[-1]])
        return found

    def type_around(self, offset: int) -> str:
        """Return the name of the innermost type that a place lies in, empty where there is none."""
        for ordinal in self.outward(offset)[:-1]:
            if self.symbols.kinds[ordinal] in TYPES:
                return self.symbols.names[ordinal]
            container = self.symbols.containers[ordinal] if self.symbols.containers else ""
            if container:
                return container.rpartition(".")[2]
        return ""

    def bases(self, ordinal: int) -> list[str]:
        """Return the names that a type says it inherits, as far as a name tells: those that its head writes, where it
        has one."""
        symbol = self.symbols.symbol(ordinal)
        if symbol.body >= 0 and self._text.language in _HEADED:
            head = self._text.text[symbol.name_end : symbol.start + symbol.body]
            words = [each for each in _NAME.findall(head) if each not in _NO_BASES]
            return [each.decode() for each in dict.fromkeys(words)][:_MOST_BASES]
        return [
            group.name
            for group in self._text.outline.references
            if group.role is Role.INHERIT
            and any(symbol.start <= each < symbol.end and self.around(each) == ordinal for each in group.offsets)
        ]

    def types_of(self, name: str, offset: int) -> list[str]:
        """Return what the text says that an object is, or what makes it: in the function around a place, or else at the
        top of the text."""
        outermost = next((each for each in reversed(self.outward(offset)[:-1]) if self._is_body(each)), -1)
        key = (name, outermost)
        if key not in self._said:
            symbol = None if outermost < 0 else self.symbols.symbol(outermost)
            found = set() if symbol is None else {word for word, _ in self._words(name, symbol.start, symbol.end)}
            if not found:
                words = self._words(name, 0, len(self._text.text))
                found = {word for word, start in words if not any(map(self._is_body, self.outward(start)[:-1]))}
            self._said[key] = sorted(found)
        return self._said[key]

    def modules_called(self, name: str) -> list[str]:
        """Return the modules that a name stands for in a text, as the imports write them."""
        found = []
        for each in self.imports:
            if not each.names:
                segments = [part for part in re.split(r"[./:\\]+", each.module.strip("<>\"'")) if part]
                if segments[-1:] == [name]:
                    found.append(each.module)
                elif name in segments and self._text.language == "python":
                    found.append(".".join(segments[: segments.index(name) + 1]))
            elif any(one.name == "*" and one.alias == name for one in each.names):
                found.append(each.module)
        return found

    def modules_on(self, offset: int) -> list[str]:
        """Return the modules that a path before a place names, from one that is imported: `package.module` of
        `package.module.name`."""
        path = _PATH.search(self._text.text, max(0, offset - 200), offset)
        if path is None:
            return []
        first, _, rest = path.group(1).decode().partition(".")
        return [f"{module}.{rest}" for module in self.modules_called(first)]

    def is_parameter(self, name: str, offset: int) -> bool:
        """Whether a function around a place takes something under the name."""
        written = re.compile(rb"[(,|]\s*[*&.]*" + re.escape(name.encode()) + rb"\s*[,:=)|?]")
        return any(
            match.start() <= offset < match.end() or each.start + each.body <= offset
            for each in self._bodies(offset)
            if each.body >= 0
            for match in written.finditer(self._text.text, each.name_end, each.start + each.body)
        )

    def defines(self, name: str, offset: int) -> bool:
        """Whether the functions around a place, or the text where there is none, give the name to a value."""
        bodies = self._bodies(offset)
        start, end = (bodies[-1].start, bodies[-1].end) if bodies else (0, len(self._text.text))
        written = re.escape(name.encode())
        given = rb"^[ \t]*%s\s*(?::[^=\n]+)?:?=(?!=)|\b(?:for|as|let|const|var|func)\s+%s\b" % (written, written)
        return re.compile(given, re.MULTILINE).search(self._text.text, start, end) is not None

    def _bodies(self, offset: int) -> list[Symbol]:
        return [self.symbols.symbol(each) for each in self.outward(offset)[:-1] if self._is_body(each)]

    def _is_body(self, ordinal: int) -> bool:
        return self.symbols.kinds[ordinal] in BODIES

    def _words(self, name: str, start: int, end: int) -> Iterator[tuple[str, int]]:
        text, language = self._text.text, self._text.language
        word = name.encode()
        patterns = _SAID.get(language or "", (_MADE,))
        place = text.find(word, start, end)
        for _ in range(_MOST_SAID):
            if place < 0:
                break
            behind = place + len(word)
            if not _IN_WORD.match(text, behind) and not _IN_WORD.match(text, place - 1):
                said = [pattern.match(text, behind) for pattern in patterns]
                if language in _TYPES_FIRST and _DECLARED.match(text, behind):
                    said.append(_TYPE_BEFORE.search(text, max(start, place - 80), place))
                for match in said:
                    if match is not None and match.group(1) not in _NO_TYPES:
                        yield match.group(1).decode("utf-8", "replace").replace("::", "."), place
            place = text.find(word, behind, end)


class Spellings:
    """The texts that were asked about."""

    def __init__(self) -> None:
        self._known: dict[str, Spelling] = {}

    def of(self, text: Text) -> Spelling:
        """Return what a text says."""
        if text.address not in self._known:
            self._known[text.address] = Spelling(text)
        return self._known[text.address]
