"""Julia."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import CALLABLES, LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _CONSTRUCTOR, _STRUCT = SymbolKind.FUNCTION, SymbolKind.CONSTRUCTOR, SymbolKind.STRUCT
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words(
    """
    Inf NaN baremodule begin break catch const continue do else elseif end export false finally for function global if
    import in isa let local macro module nothing public quote return struct true try using where while
    """
)
_SOFT_KEYWORDS = words("abstract mutable primitive type")

_BUILTINS = frozenset(b"Any Bool Float64 Int Int64 Nothing String T new".split())

_LOCALS: Locals = {**LOCALS, SymbolKind.CONSTANT: CALLABLES}

_LARGEST_DOCUMENTATION = 16_384
# What may stand between a docstring and the definition that it documents: macros.
_MACROS = re.compile(rb"(?:@[\w.]+[ \t]+)*\Z")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """A function in a type makes it; a name that begins with `_` is hidden by custom."""
    if parent is not None and parent.kind is _STRUCT:
        kind = _CONSTRUCTOR if kind is _FUNCTION else SymbolKind.FIELD
    return kind, _PRIVATE if name.startswith("_") else _PUBLIC


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The first paragraph of the docstring, without the signature that it begins with by custom."""
    paragraphs = re.split(rb"\n[ \t]*\n", _docstring(text, symbol))
    prose = [each for each in paragraphs if each.strip() and not each.startswith((b"    ", b"\t", b"#", b"```"))]
    return prose[0] if prose else b""


def _docstring(text: bytes, symbol: Symbol) -> bytes:
    """The docstring above a definition, b"" where there is none."""
    above = _MACROS.sub(b"", text[max(0, symbol.start - _LARGEST_DOCUMENTATION) : symbol.start]).rstrip(b" \t\r")
    if not above.endswith(b'"\n'):
        return b""
    above = above[:-1].rstrip()
    quote = b'"""' if above.endswith(b'"""') else b'"'
    end = len(above) - len(quote)
    start = above.rfind(quote, 0, end)
    if start < 0 or above[above.rfind(b"\n", 0, start) + 1 : start].strip(b" \tr@doc."):
        return b""
    return above[start + len(quote) : end].strip(b"\r\n")


LANGUAGES = (
    Language(
        "julia",
        "Julia",
        grammar="julia",
        called={SymbolKind.INTERFACE: ("abstract type",)},
        extensions=("jl",),
        interpreters=("julia",),
        line_comments=("#",),
        block_comments=(("#=", "=#"),),
        custom="markdown",
        rule=_verdict,
        locals=_LOCALS,
        documented=_documented,
        documented_whole=_docstring,
        builtins=_BUILTINS,
        word_marks=b"",
        word_ends=b"!",
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(
            rb"#=.*?(?:=#|\Z)",
            lexemes.LINE_HASH,
            lexemes.TRIPLE_DOUBLE,
            lexemes.MULTI_DOUBLE,
            lexemes.CHARACTER,
        ),
    ),
)
