"""R."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_METHOD, _CONSTRUCTOR, _CLASS = SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.CLASS
_VARIABLE, _CONSTANT = SymbolKind.VARIABLE, SymbolKind.CONSTANT
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words(
    """
    FALSE Inf NA NA_character_ NA_integer_ NA_real_ NULL NaN TRUE break else for function if in next repeat return
    while
    """
)

# What is called everywhere and nobody defines anew.
_BUILTINS = frozenset(b"UseMethod c invisible is.null library list missing paste paste0 require return stop".split())

_LOCALS: Locals = {**LOCALS, _CLASS: LOCALS[_VARIABLE]}


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """A name that begins with a dot is hidden; one in capitals is a constant."""
    if kind is _METHOD and name == "initialize":
        kind = _CONSTRUCTOR
    elif kind is _VARIABLE and len(name) > 1 and name.isupper():
        kind = _CONSTANT
    return kind, _PRIVATE if name.startswith(".") else _PUBLIC


LANGUAGES = (
    Language(
        "r",
        "R",
        grammar="r",
        extensions=("r", "rprofile"),
        filenames=(".Rprofile", "Rprofile.site"),
        interpreters=("Rscript", "R", "littler"),
        line_comments=("#'", "#"),
        custom="roxygen",
        name_marks=b"`\"'",
        rule=_verdict,
        locals=_LOCALS,
        builtins=_BUILTINS,
        word_marks=b".",
        keywords=_KEYWORDS,
        opaque=(
            lexemes.LINE_HASH,
            rb"[rR]\"(?P<r_dashes>-*)\((?>(?:[^)]|\)(?!(?P=r_dashes)\"))*)(?:\)(?P=r_dashes)\"|\Z)",
            rb"[rR]'(?P<r_single>-*)\((?>(?:[^)]|\)(?!(?P=r_single)'))*)(?:\)(?P=r_single)'|\Z)",
            lexemes.MULTI_DOUBLE,
            rb"'[^'\\]*+(?>(?:\\.[^'\\]*+)*)'?",
        ),
    ),
)
