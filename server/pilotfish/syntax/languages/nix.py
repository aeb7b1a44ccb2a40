"""Nix."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words
from pilotfish.syntax.outline import Symbol, SymbolKind

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


# `a:`, `{ b, c ? 1 }:`, `args@{ ... }:`: a function of several arguments is one in another.
_ARGUMENT = re.compile(
    rb"\s*(?:[A-Za-z_][\w'-]*|(?:[\w'-]+\s*@\s*)?\{(?:[^{}]|\{[^{}]*\})*\}(?:\s*@\s*[\w'-]+)?)\s*:\s"
)


def _signed(text: bytes, symbol: Symbol) -> bytes:
    """A function with all its arguments: `add = a: b: …`."""
    if symbol.kind is not SymbolKind.FUNCTION or symbol.body < 0:
        return b""
    end = symbol.start + symbol.body
    while found := _ARGUMENT.match(text, end, symbol.end):
        end = found.end()
    return text[symbol.start : end].rstrip() + " …".encode()


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
        signed=_signed,
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
