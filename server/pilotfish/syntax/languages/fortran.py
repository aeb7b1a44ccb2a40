"""Fortran, in free and in fixed form."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from pilotfish.syntax.languages import remarks
from pilotfish.syntax.languages.language import TYPES, Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_VARIABLE, _CONSTANT, _FIELD, _MODULE = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.MODULE
_ENUM_MEMBER = SymbolKind.ENUM_MEMBER
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_LOWER_KEYWORDS = words(
    """
    abstract allocatable allocate associate block call case class codimension common contains contiguous continue cycle
    data deallocate default do else elseif elsewhere end endif enddo entry enum enumerator equivalence exit extends
    final forall format function generic go goto if implicit import include inquire intent interface intrinsic logical
    module namelist none nullify only optional parameter pointer print private procedure program protected public pure
    read recursive result return save select sequence stop submodule subroutine target then type use value where while
    write
    """
)
_KEYWORDS = _LOWER_KEYWORDS | frozenset(word.upper() for word in _LOWER_KEYWORDS)

_HIDDEN = re.compile(rb"^[ \t]*private[ \t]*(?:!.*)?$", re.MULTILINE | re.IGNORECASE)
_SHOWN = re.compile(
    rb"^[ \t]*public[ \t]*(?:::)?[ \t]*([^!&\n]*(?:&[ \t]*(?:![^\n]*)?\n[^!&\n]*)*)", re.MULTILINE | re.IGNORECASE
)
_NAME = re.compile(r"[a-z]\w*|[^\s\w,:()]+")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Where a module is `private`, what it declares `public` is seen, and else all that is not `private` itself."""
    if kind is _VARIABLE:
        if parent is not None and parent.kind in TYPES:
            kind = _FIELD
        elif b"parameter" in head.lower():
            kind = _CONSTANT
    if parent is None or parent.kind is not _MODULE or kind is _ENUM_MEMBER:
        return kind, _PRIVATE if b"private" in head.lower() else _PUBLIC
    own = head.lower()
    if b"public" in own or own.startswith(b"#"):
        return kind, _PUBLIC
    return kind, _PRIVATE if b"private" in own or name.lower() not in _public_names(text) else _PUBLIC


@lru_cache(maxsize=4)
def _public_names(text: bytes) -> Container[str]:
    """The names in lower case that are public in a file's modules; all where none says `private`."""
    if not _HIDDEN.search(text):
        return _Everything()
    lists = " ".join(found[1].decode("utf-8", "replace").lower() for found in _SHOWN.finditer(text))
    return frozenset(_NAME.findall(lists))


class _Everything:
    """Holds whatever is asked for."""

    def __contains__(self, name: object) -> bool:
        return True


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """Doxygen's `!>` before a definition, FORD's `!!` behind its statement; other comments before it."""
    if symbol.kind in (_FIELD, _VARIABLE, _CONSTANT):
        line_end = text.find(b"\n", symbol.name_end)
        own_line = text[symbol.name_end : line_end if line_end >= 0 else len(text)]
        place = max(own_line.find(b"!<"), own_line.find(b"!!"))
        if place >= 0:
            return own_line[place:].lstrip(b"!<> \t")
        return remarks.above(text, symbol.start, (b"!", b"*>"), b"!><*")
    before = remarks.above(text, symbol.start, (b"!", b"*", b"C ", b"c "), b"!><*")
    if not before and symbol.body >= 0:
        place = text.rfind(b"\n", 0, symbol.start + symbol.body) + 1
        return remarks.below(text, place, (b"!!", b"!>"), b"!><*")
    return before


_FREE = re.compile(
    rb"^(?:module|subroutine|program|function|end|use|implicit|type|integer|real|logical|interface|contains)\b",
    re.MULTILINE | re.IGNORECASE,
)
_REMARK = re.compile(rb"^[cC*dD]", re.MULTILINE)
# A line goes on where the next one has something in its sixth column; comments may lie between. All of these are taken
# at once, whether it goes on or not, so that long ones are not looked through from each of their lines.
_LINE_END = re.compile(rb"\n((?>(?:(?:[cC*dD!][^\n]*|[ \t]*)\n)*))((?: {5}|\t(?=[1-9]))[^ 0\r\n])?")
_MOST_BETWEEN = 20


def _as_free_form(text: bytes) -> bytes:
    """A text in fixed form as one in free form of the same length: other marks of comments, lines joined by blanks."""
    if _FREE.search(text):
        return text  # It is in free form already, whatever its file is called.
    return _LINE_END.sub(_joint, _REMARK.sub(b"!", text))


def _joint(line_end: re.Match[bytes]) -> bytes:
    if line_end[2] is None or line_end[1].count(b"\n") > _MOST_BETWEEN:
        return line_end[0]
    return b" " * len(line_end[0])


_OPAQUE = (rb"![^\r\n]*", rb"'[^'\r\n]*'?", rb'"[^"\r\n]*"?')

LANGUAGES = (
    Language(
        "fortran",
        "Fortran",
        grammar="fortran",
        name_key=str.lower,
        extensions=("f90", "f95", "f03", "f08", "f18", "fpp"),
        ids=("fortran-modern", "fortran_free-form", "fortranfreeform"),
        family="fortran",
        line_comments=("!",),
        custom="doxygen",
        rule=_verdict,
        documented=_documented,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=_OPAQUE,
    ),
    Language(
        "fortran_fixed",
        "Fortran (fixed form)",
        grammar="fortran",
        name_key=str.lower,
        extensions=("f", "for", "f77", "ftn"),
        ids=("fortran_fixed-form", "fortranfixedform", "fortran77"),
        family="fortran",
        line_comments=("!", "*"),
        custom="doxygen",
        prepared=_as_free_form,
        rule=_verdict,
        documented=_documented,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"^[cC*dD][^\r\n]*", *_OPAQUE),
    ),
)
