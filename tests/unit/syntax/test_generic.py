"""Every grammar of the pack: read with a query, read by the names of its nodes, or left out for a reason."""

from __future__ import annotations

import typing

import pytest
from tests.readers import OUTLINER
from tree_sitter import Query
from tree_sitter_language_pack import SupportedLanguage, get_language, get_parser

from pilotfish.syntax import generic
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.languages.unread import UNREAD
from pilotfish.syntax.outline import SymbolKind

GRAMMARS = typing.get_args(SupportedLanguage)

SAMPLES = {
    "comment": "TODO(me): mend this",
    "csv": "name,price\nbread,3\n",
    "doxygen": "/** @brief Adds. @param x a number */",
    "embeddedtemplate": "<% items.each do |item| %><%= item %><% end %>",
    "fsharp_signature": "module Shop\n",
    "gitattributes": "*.png binary\n",
    "gitcommit": "Add a shop\n\nIt sells bread.\n",
    "gitignore": "build/\n!keep.o\n",
    "gosum": "example.org/bread v1.2.0 h1:abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=\n",
    "gstlaunch": "videotestsrc name=source ! autovideosink",
    "heex": "<.header title={@title}>Hello</.header>",
    "jsdoc": "/** @param {string} name */",
    "luadoc": "---@param name string",
    "luap": "^[%w_]+$",
    "markdown_inline": "Some *words* and [a link](there).",
    "pem": "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0B\n-----END CERTIFICATE-----\n",
    "pgn": '[Event "Club"]\n\n1. e4 e5 1-0\n',
    "po": 'msgid "Hello"\nmsgstr "Hallo"\n',
    "printf": "%5d of %s\n",
    "psv": "name|price\nbread|3\n",
    "pymanifest": "include README.md\n",
    "query": "(call function: (identifier) @function)",
    "readline": "set editing-mode vi\n",
    "sparql": "SELECT ?name WHERE { ?item ?has ?name }",
    "test": "===\nname\n===\n\ntext\n\n---\n\n(source)\n",
    "tsv": "name\tprice\n",
    "udev": 'SUBSYSTEM=="usb", MODE="0660"\n',
    "xcompose": '<Multi_key> <less> : "x" U2665\n',
}
"""A text for each grammar that no file is read with."""


def test_every_grammar_is_read_or_left_out_for_a_reason() -> None:
    read = {language.grammar for language in REGISTRY.values()}
    assert read | UNREAD.keys() == set(GRAMMARS)
    assert not read & UNREAD.keys()
    assert SAMPLES.keys() == UNREAD.keys()


@pytest.mark.parametrize("grammar", sorted(UNREAD))
def test_grammars_that_are_left_out_end_on_their_texts(grammar: str) -> None:
    text = SAMPLES[grammar].encode()
    assert get_parser(grammar).parse(text).root_node.end_byte == len(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", [name for name, language in REGISTRY.items() if language.nodes is not None])
def test_what_is_said_of_nodes_is_about_nodes_of_the_grammar(language: str) -> None:
    """A node that a new release of a grammar calls otherwise would be lost without a word."""
    known = REGISTRY[language]
    grammar = get_language(known.grammar)  # type: ignore[arg-type]
    kinds = {grammar.node_kind_for_id(number) for number in range(grammar.node_kind_count)}
    assert (known.nodes or {}).keys() - kinds == set()
    assert known.name_nodes - kinds == set()
    assert Query(grammar, generic.query_source(grammar, known.nodes or {})).pattern_count > 0


BROKEN = (
    *(b"", b"\0" * 64, b"(" * 400, b"[{" * 200, b'"', b"/*", bytes(range(256)).decode("latin-1").encode()),
    "é {} ∀ x".encode() * 20,
)


@pytest.mark.parametrize("language", REGISTRY)
def test_no_text_is_too_broken(language: str) -> None:
    for text in BROKEN:
        outline = OUTLINER.outline(text, language)
        assert all(0 <= symbol.start <= symbol.name_start < symbol.name_end <= symbol.end for symbol in outline.symbols)


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        ("function_definition", SymbolKind.FUNCTION),
        ("class_declaration", SymbolKind.CLASS),
        ("struct_field_declaration", SymbolKind.FIELD),
        ("enum_variant", SymbolKind.ENUM_MEMBER),
        ("enum_item", SymbolKind.ENUM),
        ("type_alias_declaration", SymbolKind.CLASS),
        ("section", SymbolKind.STRING),
        ("type", None),
        ("function_type", None),
        ("function_call", None),
        ("class_body", None),
        ("import_statement", None),
        ("parameter_declaration", None),
    ],
)
def test_the_name_of_a_node_says_what_it_defines(node: str, kind: SymbolKind | None) -> None:
    assert generic.kind_of(node) is kind
