"""What each language says about a definition beyond its shape: its final kind, and how far it is meant to be seen.

A rule is a pure function of what stands in the text: the name, the kind that the query gave, the head (the words before
the name: modifiers and keywords), the innermost enclosing symbol, the container that the text itself names (a Go
receiver) or "", and the whole text. Languages without a rule of their own use `plain`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

Verdict = tuple[SymbolKind, Visibility]
Rule = Callable[[str, SymbolKind, bytes, "Symbol | None", str, bytes], Verdict]

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_PROPERTY, _ENUM_MEMBER, _INTERFACE = SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER, SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

TYPES = frozenset((SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM))

_CALLABLES = frozenset((_FUNCTION, _METHOD, _CONSTRUCTOR, _PROPERTY, SymbolKind.OPERATOR))
_VALUES = frozenset((_VARIABLE, _CONSTANT, _FIELD))

Locals = Mapping[SymbolKind, frozenset[SymbolKind]]
LOCALS: Locals = {
    _VARIABLE: _CALLABLES | _VALUES,
    _CONSTANT: _CALLABLES | _VALUES,
    _PROPERTY: _CALLABLES - {_PROPERTY},
    _FIELD: _CALLABLES - {_PROPERTY, _CONSTRUCTOR},
}
"""What is a local and no symbol, by its kind and those of the symbols in which it directly lies: variables in
functions, fields of nameless structures."""

JAVA_LOCALS: Locals = {**LOCALS, _METHOD: _CALLABLES}
"""Methods of nameless classes as well."""
ECMA_LOCALS: Locals = {**LOCALS, _PROPERTY: (_CALLABLES | _VALUES) - {_PROPERTY}, SymbolKind.KEY: _CALLABLES}
"""Properties of nameless types as well, and the functions in objects that are made in functions."""


def plain(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Functions in a type are methods; everything is public."""
    if kind is _FUNCTION and in_type(parent, container):
        kind = _METHOD
    return kind, _PUBLIC


def in_type(parent: Symbol | None, container: str) -> bool:
    """Whether a definition lies directly in a type, or the text names a container for it."""
    return container != "" or (parent is not None and parent.kind in TYPES)


_PYTHON_ENUM = re.compile(rb"[(,.\s]\w*(?:Enum|Flag|Choices)\s*[,)]")


def python(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
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


_ECMA_ACCESSOR = re.compile(rb"\b[gs]et\s+$")
_ECMA_GLOBAL = frozenset(("exports", "module.exports", "this", "self", "window", "globalThis", "global"))
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")


def ecma(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """JavaScript and TypeScript: `#name` and `private` are private, `protected` is restricted."""
    if kind is _METHOD:
        if name == "constructor":
            kind = _CONSTRUCTOR
        elif head and _ECMA_ACCESSOR.search(head):
            kind = _PROPERTY
    elif kind is _FUNCTION and container:
        kind = _METHOD
    elif kind is SymbolKind.KEY:
        kind = _METHOD  # a function in an object
    if name[0] == "#" or b"private" in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"protected" in head else _PUBLIC


def ecma_container(written: str) -> str:
    """`Shape` of `Shape.prototype.draw = …`; "" of `exports.draw = …` and of expressions."""
    container = written.removesuffix(".prototype")
    return "" if container in _ECMA_GLOBAL or not _DOTTED.fullmatch(container) else container


def dotted(written: str) -> str:
    """A container as written, with its parts joined by dots: `a.b` of `a::b`."""
    return written.replace("::", ".").strip(".")


def c(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`static` hides a function or variable from other files; an inline one may stand in a header for all to use."""
    if (kind is _FUNCTION or kind is _VARIABLE) and b"static" in head:
        return kind, _RESTRICTED if b"inline" in head else _PRIVATE
    return kind, _PUBLIC


def cpp(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Members by what they lie in; outside of types as in C. The sections of a class are the query's."""
    in_class = parent is not None and parent.kind in TYPES
    if kind is _VARIABLE and in_class:
        kind = _FIELD
    elif (kind is _FUNCTION and (in_class or container)) or kind is _METHOD:
        owner = container.rpartition(".")[2] if container else parent.name if parent is not None else ""
        kind = _CONSTRUCTOR if name == owner else _METHOD
    if in_class or container:
        return kind, _PUBLIC
    return c(name, kind, head, parent, container, text)


def cpp_container(written: str) -> str:
    """`Shape` of `Shape<T>`, with parts joined by dots."""
    while (bare := _ANGLES.sub("", written)) != written:
        written = bare
    return dotted(written)


_ANGLES = re.compile(r"<[^<>]*>")
# An operator, a conversion (`operator bool`), or the last word, with `~` and without the arguments of a template.
_CPP_NAME = re.compile(rb"\boperator\s*\(\s*\)|\boperator\b[^(]*[^(\s]|(?:~\s*)?\w+(?=\s*(?:<.*)?$)", re.DOTALL)


def cpp_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier, and the bounds of `draw` in `Shape<T>::draw`, `operator T` in `operator T()`."""
    if written.replace(b"_", b"").isalnum():
        return 0, 0, len(written)
    if written.startswith(b'"'):  # the title of a test
        return 0, 1, len(written) - 1
    found = _CPP_NAME.search(written, 0 if b"operator" in written else max(0, written.rfind(b"::")))
    if found is None:
        return 0, 0, len(written)
    start, end = found.span()
    return (start if written[:start].rstrip().endswith(b"::") else 0), start, end


def ruby(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`private def …`; sections of a class are the query's."""
    if kind is _METHOD:
        if name == "initialize":
            kind = _CONSTRUCTOR
        if head.startswith(b"private"):
            return kind, _PRIVATE
        if head.startswith(b"protected"):
            return kind, _RESTRICTED
    return kind, _PUBLIC


def go(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Names that begin with a capital are exported from their package, others are seen in it."""
    return kind, _PUBLIC if name[0].isupper() else _RESTRICTED


_RUST_PATH = re.compile(r"(?:\w+::)*(\w+)")
_RUST_BEFORE_TYPE = re.compile(r"(?:&|\*|'\w+\b|\b(?:mut|dyn|const|impl)\b|\s)+")
_RUST_OPEN = frozenset((_INTERFACE, _ENUM_MEMBER))
_RUST_USE_TOKEN = re.compile(r"::|[{},*]|(?:r#)?\w+")


def rust(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`pub` is public, `pub(…)` restricted, nothing private; members of traits and variants are as their owners."""
    as_its_owner = kind in (_METHOD, _ENUM_MEMBER) or (parent is not None and parent.kind in _RUST_OPEN)
    if kind is _FUNCTION and in_type(parent, container):
        kind = _METHOD
    if b"pub" in head:
        return kind, _RESTRICTED if b"pub(" in head else _PUBLIC
    return kind, _PUBLIC if as_its_owner else _PRIVATE


def rust_container(written: str) -> str:
    """`Shape` of `impl Draw for &'a shapes::Shape<T>`; other types as written."""
    before = _RUST_BEFORE_TYPE.match(written)
    bare = written[before.end() :] if before else written
    path = _RUST_PATH.match(bare)
    return path[1] if path else bare


def rust_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The modules and names that the tree of a `use` brings in: `std::{io::{self, Read as R}, fmt::*}`."""
    found: list[tuple[str, ImportedName | None]] = []
    prefixes: list[list[str]] = [[]]  # of the lists that are open
    path: list[str] = []
    alias = ""
    tokens = _RUST_USE_TOKEN.findall(written)
    for place, token in enumerate([*tokens, ","]):
        if token == "{":
            prefixes.append(prefixes[-1] + path)
            path = []
        elif token in (",", "}"):
            if path:
                found.append(_rust_import(prefixes[-1] + path, alias))
            path, alias = [], ""
            if token == "}" and len(prefixes) > 1:
                prefixes.pop()
        elif token == "as" or (place and tokens[place - 1] == "as"):
            alias = token
        elif token != "::":
            path.append(token)
    return found


def _rust_import(path: list[str], alias: str) -> tuple[str, ImportedName | None]:
    if path[-1] == "self" and len(path) > 1:
        path = path[:-1]
    if len(path) == 1:
        return path[0], ImportedName("*", alias) if alias else None
    return "::".join(path[:-1]), ImportedName(path[-1], alias or path[-1])


def rust_module_within(module: str, modules: Sequence[str]) -> str:
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


_JAVA_CONSTANT = re.compile(rb"\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b", re.DOTALL)


def java(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """By modifiers; without one a member is seen in its package, or is public in an interface."""
    in_interface = parent is not None and parent.kind is _INTERFACE
    if kind is _FIELD and (in_interface or _JAVA_CONSTANT.search(head)):
        kind = _CONSTANT
    if b"private" in head:
        return kind, _PRIVATE
    if b"public" in head or in_interface or kind in (_ENUM_MEMBER, SymbolKind.MODULE):
        return kind, _PUBLIC
    return kind, _RESTRICTED
