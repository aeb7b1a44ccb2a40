"""Ada."""

from __future__ import annotations

from pilotfish.syntax.languages import remarks
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _OPERATOR, _CLASS = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.OPERATOR, SymbolKind.CLASS
_FIELD = SymbolKind.FIELD
_PUBLIC = Visibility.PUBLIC

_LOWER_KEYWORDS = words(
    """
    abort abs abstract accept access aliased all and array at begin body case constant declare delay delta digits do
    else elsif end entry exception exit for function generic goto if in interface is limited loop mod new not null of or
    others out overriding package parallel pragma private procedure protected raise range record rem renames requeue
    return reverse select separate some subtype synchronized tagged task terminate then type until use when while with
    xor
    """
)
_KEYWORDS = _LOWER_KEYWORDS | frozenset(word.upper() for word in _LOWER_KEYWORDS)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """The private part of a package is the query's; what tasks and protected objects have are methods."""
    if kind is _FUNCTION:
        if parent is not None and parent.kind is _CLASS:
            kind = _METHOD
        elif not (name[0].isalpha() or name[0] == "_"):
            kind = _OPERATOR
    return kind, _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `Plane` in `Shapes.Plane`, of `+` in `"+"`."""
    start = written.rfind(b".") + 1
    quoted = written.startswith(b'"', start) and len(written) > start + 2
    return max(0, start - 1), start + quoted, len(written) - quoted


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The comment below a declaration, as GNAT's sources have it, else the one above."""
    if symbol.body < 0:
        line_end = text.find(b"\n", symbol.end)
        below = remarks.below(text, line_end, (b"--",)) if line_end >= 0 else b""
        if below or symbol.kind is _FIELD:
            return below
    lines = remarks.above(text, symbol.start, (b"--",)).split(b"\n")
    return b"\n".join(line.removesuffix(b"--").rstrip() for line in lines)


LANGUAGES = (
    Language(
        "ada",
        "Ada",
        grammar="ada",
        name_key=str.lower,
        extensions=("adb", "ads", "ada"),
        line_comments=("--",),
        own_name=_own_name,
        rule=_verdict,
        documented=_documented,
        builtins=frozenset(b"Boolean Character Float Integer Natural Positive String".split()),
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"--[^\r\n]*", rb'"[^"\r\n]*"?', rb"'(?<![\w)]')[^\r\n]'"),
    ),
)
