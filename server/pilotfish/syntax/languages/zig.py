"""Zig."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTANT = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTANT
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE
_OF_A_TYPE = frozenset((SymbolKind.FIELD, SymbolKind.ENUM_MEMBER))

_KEYWORDS = words(
    """
    addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer
    else enum errdefer error export extern false fn for if inline linksection noalias noinline nosuspend null opaque
    or orelse packed pub resume return struct suspend switch test threadlocal true try undefined union unreachable
    usingnamespace var volatile while
    """
)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """What is not `pub` is seen in its file; a function within another definition stands in a type."""
    if kind is _FUNCTION and parent is not None:
        kind = _METHOD
    elif kind is _CONSTANT and b"var" in head.split():
        kind = SymbolKind.VARIABLE
    if kind in _OF_A_TYPE or head.startswith((b"pub", b"export")):
        return kind, _PUBLIC
    return kind, _PRIVATE


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The comment that a field begins with; those of others stand before them."""
    begin = text[symbol.start : symbol.start + symbol.head]
    return b"\n".join(line.strip().removeprefix(b"///") for line in begin.splitlines()) if b"///" in begin else b""


LANGUAGES = (
    Language(
        "zig",
        "Zig",
        grammar="zig",
        extensions=("zig", "zon"),
        line_comments=("///", "//!", "//"),
        custom="markdown",
        name_marks=b'"',
        rule=_verdict,
        locals={},
        documented=_documented,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(lexemes.LINE_SLASH, rb"\\\\[^\r\n]*", lexemes.DOUBLE, lexemes.CHARACTER),
    ),
)
