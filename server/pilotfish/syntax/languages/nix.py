"""Nix."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words

_KEYWORDS = words("assert else false if in inherit let null or rec then true with")
_BUILTINS = frozenset(
    b"""
    abort baseNameOf derivation dirOf fetchTarball fetchurl import isNull map mkIf mkMerge mkOption removeAttrs throw
    toString
    """.split()
)


def _own_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `enable` in `services.foo.enable`, of a quoted attribute."""
    if written.endswith(b'"'):
        start = written.rfind(b'"', 0, len(written) - 1) + 1
        return max(0, start - 2), start, len(written) - 1
    bound = written.rfind(b".")
    return (bound, bound + 1, len(written)) if bound > 0 else (0, 0, len(written))


LANGUAGES = (
    Language(
        "nix",
        "Nix",
        grammar="nix",
        extensions=("nix",),
        interpreters=("nix-shell",),
        line_comments=("#",),
        block_comments=C_COMMENTS,
        custom="markdown",
        own_name=_own_name,
        builtins=_BUILTINS,
        word_marks=b"-'",
        keywords=_KEYWORDS,
        max_symbols=2_000,
        opaque=(
            lexemes.BLOCK,
            lexemes.LINE_HASH,
            rb"''(?:[^'$]++|'''|''\$|''\\.|'(?!')|\$)*(?:''|\Z)",
            lexemes.MULTI_DOUBLE,
        ),
    ),
)
