"""Pascal and its kin: Free Pascal, Delphi."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, in_type, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _FIELD, _OPERATOR = SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.OPERATOR
_PUBLIC = Visibility.PUBLIC

_LOWER_KEYWORDS = words(
    """
    and array as asm begin case class const constructor destructor div do downto else end except exports file
    finalization finally for function generic goto if implementation in inherited initialization inline interface is
    label library mod nil not object of operator or out packed procedure program property raise record repeat
    resourcestring set shl shr string then threadvar to try type unit until uses var while with xor
    """
)
_KEYWORDS = _LOWER_KEYWORDS | frozenset(word.upper() for word in _LOWER_KEYWORDS)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Members by what they lie in or are qualified by; the sections of a class are the query's."""
    if kind is _FUNCTION:
        word = head.strip().lower()
        if word.startswith(b"constructor"):
            kind = _CONSTRUCTOR
        elif in_type(parent, container):
            kind = _METHOD
        elif word.startswith((b"operator", b"class operator")):
            kind = _OPERATOR
    elif kind is _VARIABLE and in_type(parent, container):
        kind = _FIELD
    return kind, _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `Draw` in `TShape.Draw`, without what a template takes."""
    end = written.find(b"<", written.rfind(b".") + 1)
    end = len(written) if end <= 0 else end
    bound = written.rfind(b".", 0, end)
    return (bound, bound + 1, end) if 0 < bound < end - 1 else (0, 0, end)


LANGUAGES = (
    Language(
        "pascal",
        "Pascal",
        grammar="pascal",
        name_key=str.lower,
        extensions=("pas", "lpr", "dpr", "dpk"),
        interpreters=("instantfpc",),
        ids=("objectpascal", "delphi"),
        line_comments=("//",),
        block_comments=(("{", "}"), ("(*", "*)")),
        own_name=_own_name,
        rule=_verdict,
        builtins=frozenset(
            b"Boolean Byte Cardinal Char Double Integer Real Single String Word boolean integer".split()
        ),
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"\{[^}]*\}?", rb"\(\*.*?(?:\*\)|\Z)", lexemes.LINE_SLASH, rb"'[^'\r\n]*'?"),
    ),
)
