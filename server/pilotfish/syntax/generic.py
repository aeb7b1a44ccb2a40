"""An outline for any grammar, from the names of its nodes: what calls itself a definition and has a name.

Grammars name their nodes after what they stand for (`function_definition`, `class_declaration`, `section`), so that a
grammar without a query of its own still tells where its named declarations are. A query of plain node kinds is made
from these names, which costs nothing to compile (a pattern with a field takes seconds in the largest grammars), and
the name of each node found is looked for among its children.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pilotfish.syntax.languages.language import words
from pilotfish.syntax.outline import SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node


def _words_of(kind: SymbolKind, concepts: str) -> dict[str, SymbolKind]:
    return dict.fromkeys(concepts.split(), kind)


# What a word in the name of a node says of the kind; where several do, those that stand first here.
_CONCEPTS = {
    **_words_of(SymbolKind.CONSTRUCTOR, "constructor"),
    **_words_of(SymbolKind.METHOD, "method"),
    **_words_of(SymbolKind.ENUM_MEMBER, "enumerator variant"),
    **_words_of(SymbolKind.FIELD, "field member"),
    **_words_of(SymbolKind.ENUM, "enum enumeration"),
    **_words_of(
        SymbolKind.FUNCTION, "function func fn fun defun proc procedure subroutine subprogram routine operation"
    ),
    **_words_of(SymbolKind.CLASS, "class actor contract"),
    **_words_of(SymbolKind.STRUCT, "struct structure record union exception model shape"),
    **_words_of(SymbolKind.INTERFACE, "interface trait protocol service"),
    **_words_of(SymbolKind.MODULE, "module mod namespace package library program circuit"),
    **_words_of(SymbolKind.CLASS, "type typedef alias newtype"),
    **_words_of(SymbolKind.FUNCTION, "macro define rule target intent slot task trigger"),
    **_words_of(SymbolKind.CONSTANT, "const constant"),
    **_words_of(SymbolKind.PROPERTY, "property"),
    **_words_of(SymbolKind.VARIABLE, "var variable global"),
    **_words_of(SymbolKind.STRING, "section heading headline paragraph label menu choice"),
    **_words_of(SymbolKind.OBJECT, "resource component config menuconfig"),
}
_MEMBERS = words(
    """
    member field variant entry constant case
    """
)
# With one of these, a node that names a concept defines it; a node that is named by the concept alone does so, too,
# where that word is of `_ALONE`: in other places it is a use (`type`, `field`, `property`).
_DEFINES = words(
    """
    definition declaration declarator def decl defn item statement stmt directive spec specifier header entry
    command fqn assignment
    """
)
_ALONE = words(
    """
    function fn defun procedure method constructor class struct enum interface trait module service rule section
    heading macro paragraph config menuconfig choice menu newtype
    """
)
# What no definition is, whatever else its name says.
_NEVER = words(
    """
    abstract access alias_ anonymous argument arguments arrow block_comment body call case catch cast clause comment
    condition do else end expression expr for foreach if implements import imports include initializer instance
    invocation keyword lambda list literal loop match modifier name names parameter parameters param pattern
    quantifier reference return signature switch throw try use using value while
    """
)
_BODY = re.compile(r"(?:^|_)(?:body|block|members|fields|declarations|constructors)(?:_|$)")
_AFTER_NAME = re.compile(_BODY.pattern + r"|(?:^|_)(?:parameters?|arguments?|params)(?:_|$)")
_NAME = re.compile(
    r"(?:^|_)(?:identifier|ident|name|symbol|id|word|atom|variable|label|key|title|text|string|fqn)(?:_|$)"
)
_TYPE = re.compile(r"(?:^|_)(?:type|modifiers?|annotations?|attributes?|decorator|visibility|comment|keyword)(?:_|$)")
_TYPE_NAME = re.compile(r"_(?:identifier|name)$")
_NAME_FIELDS = ("name", "declarator", "identifier")
_DEEPEST_NAME = 4
_MOST_CHILDREN = 12
# What goes before the rest where several patterns capture one name: a field that is a function is a function.
_WEAK = frozenset((SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.KEY))


def kind_of(node_kind: str) -> SymbolKind | None:
    """Return what a node of this kind defines, by its name alone; None where it defines nothing."""
    parts = node_kind.strip("_").split("_")
    if not _NEVER.isdisjoint(parts):
        return None
    if ("enum" in parts or "enumeration" in parts) and not _MEMBERS.isdisjoint(parts):
        return SymbolKind.ENUM_MEMBER
    defines = not _DEFINES.isdisjoint(parts)
    if not defines and not (len(parts) == 1 and parts[0] in _ALONE):
        return None
    return next((kind for concept, kind in _CONCEPTS.items() if concept in parts), None)


def query_source(grammar: Grammar, nodes: Mapping[str, SymbolKind | None]) -> str:
    """Return a query that finds what is defined in texts of `grammar`; `nodes` says of kinds of nodes what it knows
    better, None for those that define nothing."""
    kinds = {
        grammar.node_kind_for_id(number)
        for number in range(grammar.node_kind_count)
        if grammar.node_kind_is_named(number) and grammar.node_kind_is_visible(number)
    }
    found = {kind: nodes[kind] if kind in nodes else kind_of(kind) for kind in kinds if kind is not None}
    defined = [(symbol not in _WEAK, kind, symbol) for kind, symbol in found.items() if symbol is not None]
    return "".join(f"({kind}) @definition.{symbol.name.lower()}\n" for _, kind, symbol in sorted(defined))


def add_parts(captures: dict[str, list[Node]], nodes: Mapping[str, SymbolKind | None], names: frozenset[str]) -> bool:
    """Add to the capture of a definition its name and its body; return whether it has a name of its own.

    `nodes` are those of `query_source`, of which one may be its name itself; `names` the kinds of nodes that are names
    in this grammar; where it is empty, their own names tell.
    """
    node = next(iter(captures.values()))[0]
    if node.parent is None:
        return False
    if node.named_child_count == 0 and node.type not in nodes:
        return False  # a keyword that is called as what it begins
    name = _name(node, names, _DEEPEST_NAME) if node.named_child_count else node
    if name is None:
        return False
    captures["name"] = [name]
    body = node.child_by_field_name("body")
    if body is None:
        body = next((child for child in node.named_children if _BODY.search(child.type)), None)
    if body is not None and body.start_byte >= name.end_byte:
        captures["body"] = [body]
    return True


def _name(node: Node, names: frozenset[str], depth: int) -> Node | None:
    """The name among what lies in a node: in the field that is meant for it, directly, or the first one deeper."""
    if not names:
        for field in _NAME_FIELDS:
            inner = node.child_by_field_name(field)
            if inner is not None:
                return _last_part(inner, depth)
    if depth == 0:
        return None
    children = node.named_children[:_MOST_CHILDREN]
    if names:
        direct = next((child for child in children if child.type in names), None)
        return direct or next(filter(None, (_name(child, names, depth - 1) for child in children)), None)
    children = [child for child in children if not _TYPE.search(child.type) or _TYPE_NAME.search(child.type)]
    direct = next((child for child in children if _NAME.search(child.type)), None)
    if direct is not None:
        return _last_part(direct, depth - 1)
    return next(filter(None, (_name(child, names, depth - 1) for child in _before_body(children))), None)


def _last_part(name: Node, depth: int) -> Node:
    """The name proper of a qualified one: `deposit` of `Account.deposit`; a declarator's own name."""
    while depth > 0 and name.named_child_count:
        inner = name.child_by_field_name("declarator") or name.child_by_field_name("name")
        if inner is None:
            inner = next((child for child in reversed(name.named_children) if _NAME.search(child.type)), None)
        if inner is None:
            break
        name, depth = inner, depth - 1
    return name


def _before_body(children: list[Node]) -> Iterator[Node]:
    for child in children:
        if _AFTER_NAME.search(child.type):
            return
        yield child
