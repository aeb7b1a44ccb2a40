"""Perl."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words(
    """
    BEGIN CHECK END INIT UNITCHECK __DATA__ __END__ __FILE__ __LINE__ __PACKAGE__ __SUB__ and cmp continue default
    defer do else elsif eq eval finally for foreach ge given goto gt if last le local lt my ne next no not or our
    package redo require return state sub undef unless until use when while x xor
    """
)
_SOFT_KEYWORDS = words("class field method role try catch")

_CALLABLES = frozenset((_FUNCTION, _METHOD, _CONSTRUCTOR, SymbolKind.PROPERTY))

_LARGEST_POD = 16_384
_COMMAND = re.compile(rb"^=[a-zA-Z]\w*", re.MULTILINE)
_NO_HEADINGS = frozenset((b"=cut", b"=back", b"=over", b"=begin", b"=end", b"=for"))
_FORMATTED = re.compile(rb"\b[IBFSXZE]<([^<>]*)>|\bL<(?:([^<>|]*)\|)?([^<>]*)>")
_CODE = re.compile(rb"\bC<+ ?([^<>]*?) ?>+")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`my` and a name that begins with `_` keep a definition to its file."""
    if kind is _METHOD and name in ("new", "BUILD"):
        kind = _CONSTRUCTOR
    hidden = head.startswith((b"my", b"field")) or (name.startswith("_") and kind in _CALLABLES)
    return kind, _PRIVATE if hidden else _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """`Bar` of `Foo::Bar`, `name` of `+name`."""
    end = written.rfind(b"::")
    start = end + 2 if end >= 0 else len(written) - len(written.lstrip(b"+"))
    return max(0, end), start, len(written)


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The first paragraph of prose of what documents a definition."""
    return _prose(_pod(text, symbol))


def _documented_whole(text: bytes, symbol: Symbol) -> bytes:
    """What documents a definition, without its heading."""
    return _under_heading(_pod(text, symbol)).partition(b"\n")[2]


def _pod(text: bytes, symbol: Symbol) -> bytes:
    """The POD that documents a definition: right above it, or, as is the custom, anywhere under its name."""
    if symbol.kind not in _CALLABLES:
        return b""
    above = text[max(0, symbol.start - _LARGEST_POD) : symbol.start].rstrip()
    if above.endswith(b"\n=cut"):
        return above[: -len(b"=cut")]
    if above.rpartition(b"\n")[2].lstrip().startswith(b"#"):
        return b""
    name = re.escape(symbol.name.encode())
    heading = rb"^=(?:head[1-6]|item|method|func|attr)[ \t]+(?:[A-Z]<+ ?)?(?:[$\w:]*(?:->|::))?%s\b[^\n]*\n" % name
    if (found := re.search(heading, text, re.MULTILINE)) is None:
        return b""
    end = text.find(b"\n=", found.end())
    return text[found.start() : end if end >= 0 else found.end() + _LARGEST_POD]


def _under_heading(pod: bytes) -> bytes:
    """The last heading of a piece of POD and what stands under it; items of a list are no headings."""
    headings = [each for each in _COMMAND.finditer(pod) if each[0] not in _NO_HEADINGS and each[0] != b"=item"]
    headings = headings or [each for each in _COMMAND.finditer(pod) if each[0] not in _NO_HEADINGS]
    return pod[headings[-1].start() :] if headings else b""


def _prose(pod: bytes) -> bytes:
    """The first paragraph of prose under the last heading of a piece of POD."""
    commands = list(_COMMAND.finditer(pod))
    headings = [each for each in commands if each[0] not in _NO_HEADINGS]
    if not headings:
        return b""
    begin = headings[-1].start()
    paragraphs = re.split(rb"\n[ \t]*\n", pod[begin:])
    prose = [each for each in paragraphs if each.strip() and not each.startswith((b"=", b" ", b"\t"))]
    if not prose:
        return b""
    return _CODE.sub(rb"`\1`", _FORMATTED.sub(lambda found: found[1] or found[2] or found[3] or b"", prose[0]))


LANGUAGES = (
    Language(
        "perl",
        "Perl",
        grammar="perl",
        joint="::",
        extensions=("pl", "pm", "t", "psgi", "pod", "plx", "al", "cgi", "ph"),
        filenames=("Makefile.PL", "Build.PL", "cpanfile", "Rexfile", "latexmkrc", ".latexmkrc"),
        interpreters=("perl", "cperl", "plackup", "perl5"),
        line_comments=("#",),
        custom="pod",
        own_name=_own_name,
        qualifier_end=b"::",
        rule=_verdict,
        documented=_documented,
        documented_whole=_documented_whole,
        sigils=b"$@%#",
        redeclares=True,
        word_marks=b"",
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(
            rb"=[a-zA-Z](?<=^=[a-zA-Z]).*?(?:^=cut\b|\Z)",
            rb"#(?<![$@%&]#)[^\r\n]*",
            rb"__(?:END|DATA)__\s*$.*",
            lexemes.MULTI_SINGLE,
        ),
    ),
)
