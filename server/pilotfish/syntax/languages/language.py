"""What a language is to this house: how it is recognised, which grammar reads it, what its comments and rules are.

A rule says about a definition what lies beyond its shape: its final kind, and how far it is meant to be seen. It is a
pure function of what stands in the text: the name, the kind that the query gave, the head (the words before the name:
modifiers and keywords), the innermost enclosing symbol, the container that the text itself names (a Go receiver) or "",
and the whole text. Languages without a rule of their own use `plain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

Verdict = tuple[SymbolKind, Visibility]
Rule = Callable[[str, SymbolKind, bytes, "Symbol | None", str, bytes], Verdict]

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_PROPERTY, _ENUM_MEMBER, _INTERFACE = SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER, SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

TYPES = frozenset((SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM))

CALLABLES = frozenset((_FUNCTION, _METHOD, _CONSTRUCTOR, _PROPERTY, SymbolKind.OPERATOR))
VALUES = frozenset((_VARIABLE, _CONSTANT, _FIELD))


class Scanned(NamedTuple):
    """A definition that was found without a grammar, by its byte offsets: all of it, its name, where its body begins
    (-1 without one), and what it belongs to."""

    kind: SymbolKind
    start: int
    end: int
    name_start: int
    name_end: int
    body: int = -1
    container: str = ""


Locals = Mapping[SymbolKind, frozenset[SymbolKind]]
LOCALS: Locals = {
    _VARIABLE: CALLABLES | VALUES,
    _CONSTANT: CALLABLES | VALUES,
    _PROPERTY: CALLABLES - {_PROPERTY},
    _FIELD: CALLABLES - {_PROPERTY, _CONSTRUCTOR},
}
"""What is a local and no symbol, by its kind and those of the symbols in which it directly lies: variables in
functions, fields of nameless structures."""


def plain(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Functions in a type are methods; everything is public."""
    if kind is _FUNCTION and in_type(parent, container):
        kind = _METHOD
    return kind, _PUBLIC


def by_modifiers(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Functions in a type are methods, values in it fields; `private` and `protected` say what they say anywhere."""
    if parent is not None and parent.kind in TYPES:
        if kind is _FUNCTION:
            kind = _METHOD
        elif kind is _VARIABLE:
            kind = _FIELD
    if b"private" in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"protected" in head else _PUBLIC


def in_type(parent: Symbol | None, container: str) -> bool:
    """Whether a definition lies directly in a type, or the text names a container for it."""
    return container != "" or (parent is not None and parent.kind in TYPES)


def dotted(written: str) -> str:
    """A container as written, with its parts joined by dots: `a.b` of `a::b`."""
    return written.replace("::", ".").strip(".")


def words(written: str) -> frozenset[str]:
    """The words of a text: a table of keywords as people read it."""
    return frozenset(written.split())


def unix_lines(text: bytes) -> bytes:
    """A text of the same length and lines for a grammar that knows no carriage return."""
    return text.replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n")


C_COMMENTS = (("/*", "*/"),)


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    How it is read: `prepared` makes of a text one of the same length that the grammar understands better.

    How it is recognised: by `extensions` in lower case, `filenames`, the `interpreters` of a `#!` line without version
    numbers; `ids` are what editors call it (LSP's `languageId`) beside its `name`. `grammar` is the name in
    tree_sitter_language_pack. Languages of one `family` share names: a name in C++ can mean a definition in C.

    Names: `name_marks` are cut off both ends of a name's token (quotes, the colon of a symbol); `own_name` takes a
    qualified name apart: the end of its qualifier, the bounds of the name proper; where the grammar makes one token of
    a qualified name, `qualifier_end` is what stands before the name proper in a reference. `continues` says whether a
    definition (the last) is a further clause of the one of the same name before it, and no symbol of its own. `rule`
    decides kind and visibility of a definition, `locals` what is none by its place, `container` reads a container that
    the text names, and `joint` is what its people write between that and a name. Of a kind in `called` they say one of
    the words there, where that stands before the name. Where `exports_show`, a file that exports anything keeps its
    other definitions to itself. References to `builtins` are not kept.

    Imports: `imports` takes the module of an import apart where it holds the names as well; `module_within` names it as
    seen from the whole file where the import stands within modules of that file.

    Prose and signatures: `line_comments` and `block_comments` are markers of comments that may document the definition
    below them; `docstrings` says that a string as the first statement of a body documents it; `documented` finds what
    documents a definition elsewhere (an attribute's string, a comment below it), b"" where nothing does, and
    `documented_whole` all of it where `documented` only finds its beginning; `custom` is how its authors write it
    (`syntax.prose`), `unseen` what of a comment they keep from readers, a regular expression. `signed` is what its
    signature is where that is no text before its body, b"" where it is. Lines that begin with one of `attributes` may
    stand between a comment and its definition; `annotations` (`@Name(…)`) before a definition are no part of its
    signature.

    Bounds: `query_depth` is how deep in the tree a pattern may begin, `max_symbols` how many definitions of a file are
    kept, those of the query's first patterns first: a data file must not outweigh the code. `form` is set for what is
    no code: prose in a `section` each, and `configuration`, which is one piece where it is small. Where
    headings nest by what the query cannot say, `level` does: the lines around them, in the order in which each kind of
    line occurs first; the digit in their tag.

    Embedded languages: `queries/<name>.injections.scm` says what of a text is in another language
    (`syntax.injections`); each of its matches holds one of `injected`. The cells of a notebook (`is_notebook`) are read
    as what they hold.

    Without a query: `nodes` is set where a language has no query of its own, and says of kinds of the grammar's nodes
    what they define, None for nothing, where their names do not; `name_nodes` are then the kinds of nodes that are
    names, where others look like them (`syntax.generic`).

    Weak grammars: `scanned` finds definitions without a grammar, where that gives up too early.

    Spellings: where a name can be written in several ways, `name_key` makes one of them all, of the definitions of
    `keyed_kinds` and of calls where these are given (`syntax.spellings`).

    Scopes, where `queries/<name>.locals.scm` says what they are (`syntax.scopes`): one of `sigils` stands before each
    variable, and before nothing else; where a scope `redeclares`, each declaration of a name is another local.

    Words: `word_marks` belong to a word beside letters, digits and `_` (`Get-Item`), one of `word_ends` may be its last
    character (`push!`). `keywords` are no names, `soft_keywords` are none before another name or a string (`type Name =
    …`).
    `opaque` is what holds no code, comments and string literals, as alternatives of one regular expression
    (`syntax.words`); strings that begin with one of `interpolating` hold code in `{…}`.
    """

    name: str
    title: str
    grammar: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    family: str = ""
    line_comments: tuple[str, ...] = ()
    block_comments: tuple[tuple[str, str], ...] = ()
    docstrings: bool = False
    documented: Callable[[bytes, Symbol], bytes] | None = None
    documented_whole: Callable[[bytes, Symbol], bytes] | None = None
    custom: str = ""
    unseen: bytes = b""
    signed: Callable[[bytes, Symbol], bytes] | None = None
    name_marks: bytes = b""
    own_name: Callable[[bytes], tuple[int, int, int]] | None = None
    qualifier_end: bytes = b""
    continues: Callable[[bytes, Symbol, Symbol], bool] | None = None
    prepared: Callable[[bytes], bytes] | None = None
    query_depth: int | None = None
    max_symbols: int | None = None
    rule: Rule = plain
    locals: Locals = field(default_factory=lambda: LOCALS)
    container: Callable[[str], str] = dotted
    imports: Callable[[str], list[tuple[str, ImportedName | None]]] | None = None
    module_within: Callable[[str, Sequence[str]], str] | None = None
    exports_show: bool = False
    attributes: tuple[str, ...] = ()
    annotations: bool = False
    builtins: frozenset[bytes] = frozenset()
    joint: str = "."
    called: Mapping[SymbolKind, tuple[str, ...]] = field(default_factory=dict)
    form: Literal["", "section", "configuration"] = ""
    nodes: Mapping[str, SymbolKind | None] | None = None
    name_nodes: frozenset[str] = frozenset()
    injected: tuple[bytes, ...] = ()
    is_notebook: bool = False
    level: Literal["", "adornment", "digit"] = ""
    scanned: Callable[[bytes], Iterable[Scanned]] | None = None
    name_key: Callable[[str], str] | None = None
    keyed_kinds: frozenset[SymbolKind] = frozenset()
    sigils: bytes = b""
    redeclares: bool = False
    word_marks: bytes = b"$"
    word_ends: bytes = b""
    keywords: frozenset[str] = frozenset()
    soft_keywords: frozenset[str] = frozenset()
    opaque: tuple[bytes, ...] = ()
    interpolating: bytes = b""
