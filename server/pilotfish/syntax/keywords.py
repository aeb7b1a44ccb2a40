"""The reserved words of each language, taken from its grammar: anonymous node types that are spelt like words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tree_sitter_language_pack import SupportedLanguage


@lru_cache(maxsize=64)
def keywords(language: str) -> frozenset[str]:
    """Return the words that the grammar of `language` reserves; empty for a language without a grammar."""
    from pilotfish.syntax.languages import REGISTRY

    entry = REGISTRY.get(language)
    if entry is None:
        return frozenset()
    from tree_sitter_language_pack import get_language

    grammar = get_language(cast("SupportedLanguage", entry.grammar))
    return frozenset(
        kind
        for number in range(grammar.node_kind_count)
        if not grammar.node_kind_is_named(number)
        and grammar.node_kind_is_visible(number)
        and (kind := grammar.node_kind_for_id(number)) is not None
        and kind.isidentifier()
    )


def is_keyword(language: str, word: str) -> bool:
    """Whether `word` is reserved in `language`."""
    return word in keywords(language)
