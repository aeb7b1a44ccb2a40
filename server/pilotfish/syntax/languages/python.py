"""Python."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import TYPES, Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_ENUM_MEMBER = SymbolKind.ENUM_MEMBER
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

KEYWORDS = words(
    """
    False None True _ and as assert async await break class continue def del elif else except finally for from
    global if import in is lambda nonlocal not or pass raise return try while with yield
    """
)

_PYTHON_ENUM = re.compile(rb"[(,.\s]\w*(?:Enum|Flag|Choices)\s*[,)]")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """A leading underscore makes a name private, two at both ends a part of the language's protocol (PEP 8)."""
    is_private = name[0] == "_" and not (name.startswith("__") and name.endswith("__"))
    if parent is not None and parent.kind in TYPES:
        if kind is _FUNCTION:
            kind = _CONSTRUCTOR if name == "__init__" else _METHOD
        elif kind is _VARIABLE:
            kind = _FIELD
            if name[0] != "_" and _PYTHON_ENUM.search(text, parent.name_end, parent.start + parent.body):
                kind = _ENUM_MEMBER
    elif kind is _VARIABLE and name.isupper():
        kind = _CONSTANT
    return kind, _PRIVATE if is_private else _PUBLIC


LANGUAGES = (
    Language(
        "python",
        "Python",
        grammar="python",
        extensions=("py", "pyi", "pyw"),
        filenames=("SConstruct", "SConscript", "wscript"),
        interpreters=("python", "pypy"),
        line_comments=("#",),
        docstrings=True,
        custom="docstring",
        rule=_verdict,
        keywords=KEYWORDS,
        soft_keywords=words("case exec match print type"),
        opaque=(lexemes.LINE_HASH, *lexemes.TRIPLE, lexemes.DOUBLE, lexemes.SINGLE),
        interpolating=b"fFtT",
        injected=(b"sql", b"SQL"),
    ),
)
