"""Go."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_PUBLIC, _RESTRICTED = Visibility.PUBLIC, Visibility.RESTRICTED

_GO_TYPES = frozenset(
    b"any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint "
    b"uint8 uint16 uint32 uint64 uintptr".split()
)

_KEYWORDS = words(
    """
    _ break case chan const continue default defer else fallthrough false for func go goto if import interface iota
    map nil package range return select struct switch true type var
    """
)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Names that begin with a capital are exported from their package, others are seen in it."""
    return kind, _PUBLIC if name[0].isupper() else _RESTRICTED


LANGUAGES = (
    Language(
        "go",
        "Go",
        grammar="go",
        extensions=("go",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="godoc",
        builtins=_GO_TYPES,
        rule=_verdict,
        keywords=_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE, rb"`[^`]*`?", lexemes.CHARACTER),
        injected=(b"sql", b"SQL"),
    ),
)
