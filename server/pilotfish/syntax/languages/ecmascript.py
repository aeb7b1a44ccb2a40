"""JavaScript and TypeScript."""

from __future__ import annotations

import re
from dataclasses import replace

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, CALLABLES, LOCALS, VALUES, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_PROPERTY = SymbolKind.PROPERTY
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE


_JAVASCRIPT_KEYWORDS = words(
    """
    await break case catch class const continue debugger default delete do else enum export extends false finally
    for function if import in instanceof let new null return static super switch this throw true try typeof
    undefined var void while with yield
    """
)
TYPESCRIPT_KEYWORDS = _JAVASCRIPT_KEYWORDS | words(
    "any boolean implements interface keyof never private protected public readonly unknown"
)
TYPESCRIPT_SOFT_KEYWORDS = words(
    """
    abstract accessor as asserts async declare from get global infer is module namespace number object of override
    satisfies set string symbol type using
    """
)

_LOCALS: Locals = {**LOCALS, _PROPERTY: (CALLABLES | VALUES) - {_PROPERTY}, SymbolKind.KEY: CALLABLES}
"""Properties of nameless types as well, and the functions in objects that are made in functions."""

_ACCESSOR = re.compile(rb"\b[gs]et\s+$")

_GLOBAL = frozenset(("exports", "module.exports", "this", "self", "window", "globalThis", "global"))

_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """JavaScript and TypeScript: `#name` and `private` are private, `protected` is restricted."""
    if kind is _METHOD:
        if name == "constructor":
            kind = _CONSTRUCTOR
        elif head and _ACCESSOR.search(head):
            kind = _PROPERTY
    elif kind is _FUNCTION and container:
        kind = _METHOD
    elif kind is SymbolKind.KEY:
        kind = _METHOD  # a function in an object
    if name[0] == "#" or b"private" in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"protected" in head else _PUBLIC


def _container(written: str) -> str:
    """`Shape` of `Shape.prototype.draw = …`; "" of `exports.draw = …` and of expressions."""
    container = written.removesuffix(".prototype")
    return "" if container in _GLOBAL or not _DOTTED.fullmatch(container) else container


_JAVASCRIPT = Language(
    "javascript",
    "JavaScript",
    grammar="javascript",
    extensions=("js", "jsx", "mjs", "cjs"),
    filenames=("Jakefile",),
    interpreters=("node", "bun"),
    ids=("javascriptreact", "jsx"),
    family="ecmascript",
    line_comments=("//",),
    block_comments=C_COMMENTS,
    custom="jsdoc",
    word_marks=b"$#",
    rule=_verdict,
    locals=_LOCALS,
    container=_container,
    exports_show=True,
    attributes=("@",),
    annotations=True,
    keywords=_JAVASCRIPT_KEYWORDS,
    soft_keywords=words("as async from get of set using"),
    opaque=lexemes.SCRIPT,
    interpolating=b"`",
    injected=(b"sql", b"SQL", b"gql", b"graphql", b"GraphQL", b"css`", b"html`"),
)
_TYPESCRIPT = replace(
    _JAVASCRIPT,
    name="typescript",
    title="TypeScript",
    grammar="typescript",
    extensions=("ts", "mts", "cts"),
    filenames=(),
    interpreters=("deno", "ts-node", "tsx"),
    ids=(),
    keywords=TYPESCRIPT_KEYWORDS,
    soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
)
_TSX = replace(
    _TYPESCRIPT,
    name="tsx",
    title="TSX",
    grammar="tsx",
    extensions=("tsx",),
    interpreters=(),
    ids=("typescriptreact",),
)

LANGUAGES = (_JAVASCRIPT, _TYPESCRIPT, _TSX)
