"""Lisps that are written alike."""

from __future__ import annotations

from collections.abc import Callable

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, by_modifiers


def _lisp(
    name: str,
    title: str,
    *extensions: str,
    interpreters: tuple[str, ...] = (),
    name_key: Callable[[str], str] | None = None,
) -> Language:
    return Language(
        name,
        title,
        grammar=name,
        extensions=extensions,
        interpreters=interpreters,
        line_comments=(";",),
        rule=by_modifiers,
        name_key=name_key,
        word_marks=b"-!?*+<>=/",
        name_marks=b":\"'#",
        opaque=(rb";[^\r\n]*", lexemes.MULTI_DOUBLE),
    )


LANGUAGES = (
    _lisp("commonlisp", "Common Lisp", "lisp", "lsp", "asd", "cl", name_key=str.lower),
    _lisp("elisp", "Emacs Lisp", "el"),
    _lisp("fennel", "Fennel", "fnl"),
    _lisp("racket", "Racket", "rkt", "rktd", "rktl", interpreters=("racket",)),
    _lisp("scheme", "Scheme", "scm", "ss", "sld", "sls", "sps", interpreters=("guile", "chibi-scheme", "gosh")),
    _lisp("yuck", "Yuck", "yuck"),
)
