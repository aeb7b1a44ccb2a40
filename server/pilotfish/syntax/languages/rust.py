"""Rust."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Verdict, in_type, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _ENUM_MEMBER = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.ENUM_MEMBER
_INTERFACE = SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    Self _ as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod
    move mut pub ref return self static struct super trait true try type unsafe use where while yield
    """
)

_PATH = re.compile(r"(?:\w+::)*(\w+)")

_BEFORE_TYPE = re.compile(r"(?:&|\*|'\w+\b|\b(?:mut|dyn|const|impl)\b|\s)+")

_OPEN = frozenset((_INTERFACE, _ENUM_MEMBER))

_USE_TOKEN = re.compile(r"::|[{},*]|(?:r#)?\w+")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`pub` is public, `pub(…)` restricted, nothing private; members of traits and variants are as their owners."""
    as_its_owner = kind in (_METHOD, _ENUM_MEMBER) or (parent is not None and parent.kind in _OPEN)
    if kind is _FUNCTION and in_type(parent, container):
        kind = _METHOD
    if b"pub" in head:
        return kind, _RESTRICTED if b"pub(" in head else _PUBLIC
    return kind, _PUBLIC if as_its_owner else _PRIVATE


def _container(written: str) -> str:
    """`Shape` of `impl Draw for &'a shapes::Shape<T>`; other types as written."""
    before = _BEFORE_TYPE.match(written)
    bare = written[before.end() :] if before else written
    path = _PATH.match(bare)
    return path[1] if path else bare


def _imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The modules and names that the tree of a `use` brings in: `std::{io::{self, Read as R}, fmt::*}`."""
    found: list[tuple[str, ImportedName | None]] = []
    prefixes: list[list[str]] = [[]]  # of the lists that are open
    path: list[str] = []
    alias = ""
    tokens = _USE_TOKEN.findall(written)
    for place, token in enumerate([*tokens, ","]):
        if token == "{":
            prefixes.append(prefixes[-1] + path)
            path = []
        elif token in (",", "}"):
            if path:
                found.append(_import(prefixes[-1] + path, alias))
            path, alias = [], ""
            if token == "}" and len(prefixes) > 1:
                prefixes.pop()
        elif token == "as" or (place and tokens[place - 1] == "as"):
            alias = token
        elif token != "::":
            path.append(token)
    return found


def _import(path: list[str], alias: str) -> tuple[str, ImportedName | None]:
    if path[-1] == "self" and len(path) > 1:
        path = path[:-1]
    if len(path) == 1:
        return path[0], ImportedName("*", alias) if alias else None
    return "::".join(path[:-1]), ImportedName(path[-1], alias or path[-1])


def _module_within(module: str, modules: Sequence[str]) -> str:
    """The path of a module seen from the whole file, where `modules` are those that the import stands in, the outermost
    first: `super::x` within `mod tests` is `self::x`."""
    path = module.split("::")
    ups = next((place for place, part in enumerate(path) if part != "super"), len(path))
    if ups == 0 and path[0] != "self":
        return module
    rest = path[max(ups, 1) :]
    if ups > len(modules):
        return "::".join([*path[: ups - len(modules)], *rest])
    return "::".join(["self", *modules[: len(modules) - ups], *rest])


LANGUAGES = (
    Language(
        "rust",
        "Rust",
        grammar="rust",
        joint="::",
        called={SymbolKind.INTERFACE: ("trait",), SymbolKind.FUNCTION: ("macro",)},
        extensions=("rs",),
        interpreters=("rust-script",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="markdown",
        attributes=("#[",),
        builtins=frozenset((b"Self",)),
        rule=_verdict,
        container=_container,
        imports=_imports,
        module_within=_module_within,
        keywords=_KEYWORDS,
        soft_keywords=words("auto default macro_rules raw union"),
        opaque=(
            lexemes.BLOCK,
            lexemes.LINE_SLASH,
            rb'r(?<!\wr)(#*)".*?(?:"\1|\Z)',
            lexemes.MULTI_DOUBLE,
            lexemes.CHARACTER,
        ),
    ),
)
