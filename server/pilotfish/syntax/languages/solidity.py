"""Solidity."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Verdict, in_type, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _FIELD, _CONSTANT = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.FIELD, SymbolKind.CONSTANT
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    abstract address anonymous as assembly bool break bytes calldata case catch constant constructor continue contract
    default delete do else emit enum event external fallback false final fixed for function if immutable import
    indexed int interface internal is let library mapping memory modifier new override payable pragma private public
    pure receive return returns revert storage string struct super switch this throw true try type ufixed uint
    unchecked using var view virtual while
    """
)
_SOFT_KEYWORDS = words("error from global transient")

_BUILTINS = frozenset(b"abi addmod assert keccak256 mulmod require selfdestruct".split())

_LARGEST_COMMENT = 4_096
_COMMENT = re.compile(rb"(?:/\*\*(?:(?!\*/).)*\*/|(?:^[ \t]*///[^\n]*(?:\n|\Z))+)\s*\Z", re.DOTALL | re.MULTILINE)
_MARKS = re.compile(rb"^[ \t]*(?:/\*\*|\*/|///|\*)?[ \t]?|[ \t]*\*/[ \t]*$", re.MULTILINE)
_TAGS = tuple(
    re.compile(rb"@%s\s+(.*?)(?=\n\s*@|\n[ \t]*\n|\Z)" % tag, re.DOTALL) for tag in (b"notice", b"dev", b"title")
)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """State variables by their modifiers, internal where there is none; functions that begin with `_` by custom."""
    if kind is _FUNCTION:
        kind = _METHOD if in_type(parent, container) else _FUNCTION
    elif kind is _FIELD and parent is not None and parent.kind is not SymbolKind.STRUCT:
        written = head.split()
        if b"constant" in written:
            kind = _CONSTANT
        if b"private" in written:
            return kind, _PRIVATE
        return kind, _PUBLIC if b"public" in written else _RESTRICTED
    return kind, _RESTRICTED if name.startswith("_") else _PUBLIC


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """What NatSpec says of a definition: its notice to users, else to developers, else its title."""
    above = text[max(0, symbol.start - _LARGEST_COMMENT) : symbol.start].rstrip(b" \t")
    begin = (
        max(above.rfind(b"/**"), above.rfind(b"\n\n")) if above.rstrip().endswith(b"*/") else above.rfind(b"\n\n") + 1
    )
    comment = _COMMENT.search(above, max(0, begin))
    if comment is None:
        return b""
    prose = _MARKS.sub(b"", comment[0])
    return next((found[1].strip() for tag in _TAGS if (found := tag.search(prose))), b"")


LANGUAGES = (
    Language(
        "solidity",
        "Solidity",
        grammar="solidity",
        extensions=("sol",),
        line_comments=("///", "//"),
        block_comments=C_COMMENTS,
        custom="natspec",
        rule=_verdict,
        documented=_documented,
        builtins=_BUILTINS,
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE, lexemes.SINGLE),
    ),
)
