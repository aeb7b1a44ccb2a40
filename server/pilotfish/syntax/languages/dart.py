"""Dart."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, TYPES, Language, Verdict, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _VARIABLE = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE
_CONSTANT, _FIELD = SymbolKind.CONSTANT, SymbolKind.FIELD
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words(
    """
    assert await break case catch class const continue default do else enum extends false final finally for if in is new
    null rethrow return super switch this throw true try var void while with yield
    """
)
_SOFT_KEYWORDS = words(
    """
    abstract as async augment base covariant deferred dynamic export extension external factory get hide implements
    import interface late library mixin on operator part required sealed set show static sync typedef when
    """
)

_CONST = re.compile(rb"(?<![\w\"'.])const\s")
_DIRECTIVE = re.compile(r"(?:@[^\n]*\s+)*(import|export|part)\s+(?:of\s+)?r?(['\"])([^'\"\n]*)\2(.*)", re.DOTALL)
_ALIAS = re.compile(r"\bas\s+(\w+)")
_SHOWN = re.compile(r"\bshow\s+([\w\s,$]+?)(?=\bhide\b|;|\Z)")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Members by what they lie in; a leading underscore keeps a name to its library."""
    in_type = (parent is not None and parent.kind in TYPES) or container != ""
    if kind is _FUNCTION and in_type:
        kind = _METHOD
    elif kind is _VARIABLE:
        kind = _CONSTANT if _CONST.search(head) else _FIELD if in_type else kind
    return kind, _PRIVATE if name.startswith("_") else _PUBLIC


def _imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """What an import, export or part brings in; what is exported, and a part, goes on to those who import the file."""
    found = _DIRECTIVE.match(written)
    if found is None:
        return []
    directive, _, module, rest = found.groups()
    if alias := _ALIAS.search(rest):
        return [(module, ImportedName("*", alias[1]))]
    if shown := _SHOWN.search(rest):
        names = [name.strip() for name in shown[1].split(",")]
        return [(module, ImportedName(name, name)) for name in names if name]
    return [(module, None if directive == "import" else ImportedName("*", "*"))]


LANGUAGES = (
    Language(
        "dart",
        "Dart",
        grammar="dart",
        extensions=("dart",),
        interpreters=("dart",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="markdown",
        attributes=("@",),
        annotations=True,
        rule=_verdict,
        imports=_imports,
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, *lexemes.TRIPLE, lexemes.DOUBLE, lexemes.SINGLE),
        interpolating=b"\"'",
    ),
)
