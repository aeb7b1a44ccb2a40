"""`workspace/symbol` and `workspaceSymbol/resolve`.

Each root answers with its best first; several roots are merged by how well the name matches, then by rank. A client
that takes partial results gets each root's as soon as it has answered.

What begins with `?` is a question in words, answered by what a search finds: for editors whose list of symbols shows
all that it is given (VS Code drops what has not the letters of the question in its name).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from pilotfish.lsp import converters
from pilotfish.lsp.server import PilotfishServer
from pilotfish.operations.search import SEARCH_CODE, SearchCodeParameters, SearchCodeResult
from pilotfish.operations.symbols import (
    FIND_SYMBOLS,
    GET_DEFINITION,
    FindSymbolsParameters,
    FindSymbolsResult,
    GetDefinitionParameters,
    GetDefinitionResult,
)

if TYPE_CHECKING:
    from pilotfish.lsp.roots import OpenRoot

PART = 64
"""Symbols in one partial result."""

IN_WORDS = "?"
"""What a question in words begins with; no name in any language does."""

MAX_HITS = 30
"""Results of a question in words."""


async def workspace_symbol(ls: PilotfishServer, params: types.WorkspaceSymbolParams) -> converters.PlainList:
    """Find symbols by name; an empty query finds nothing, as the whole workspace is no answer."""
    settings = ls.configuration.settings()
    query = params.query.strip()
    if not query or not settings.features.workspace_symbol:
        return converters.PlainList()
    limit = settings.search.max_symbols
    searches = [asyncio.ensure_future(_search(ls, opened, query, limit)) for opened in await ls.roots.all()]
    try:
        if params.partial_result_token is not None:
            await _stream(ls, params.partial_result_token, searches, limit)
            return converters.PlainList()
        return converters.PlainList(_merged(query, await asyncio.gather(*searches))[:limit])
    finally:
        for search in searches:
            search.cancel()


async def resolve(ls: PilotfishServer, symbol: types.WorkspaceSymbol) -> types.WorkspaceSymbol:
    """Bring the place of a symbol up to date with the text as it is now."""
    data: Any = symbol.data
    if not isinstance(data, dict) or not {"root", "path", "name", "line"} <= data.keys():
        return symbol
    opened = await ls.roots.named(str(data["root"]))
    if opened is None:
        return symbol
    parameters = GetDefinitionParameters(symbol_name=str(data["name"]), file_hint=str(data["path"]), max_results=100)
    answer = await ls.look_up(opened, GET_DEFINITION.name, parameters)
    if not isinstance(answer, GetDefinitionResult):
        return symbol
    here = [record for record in answer.definitions if record.path == data["path"]]
    if here:
        nearest = min(here, key=lambda record: abs(record.line - int(data["line"])))
        uri = converters.uri_in(opened.root, nearest.path)
        symbol.location = types.Location(uri, converters.span_range(nearest.name_span, ls.encoding))
    return symbol


async def _search(ls: PilotfishServer, opened: OpenRoot, query: str, limit: int) -> converters.PlainList:
    """Ask one root."""
    if query.startswith(IN_WORDS):
        return await _search_in_words(ls, opened, query.removeprefix(IN_WORDS).strip(), min(limit, MAX_HITS))
    answer = await ls.look_up(opened, FIND_SYMBOLS.name, FindSymbolsParameters(query=query, max_results=limit))
    records = answer.symbols if isinstance(answer, FindSymbolsResult) else []
    return converters.workspace_symbols(records, opened.root, ls.encoding)


async def _search_in_words(ls: PilotfishServer, opened: OpenRoot, query: str, limit: int) -> converters.PlainList:
    """Ask one root a question; while its first words are typed there is none yet."""
    if not query:
        return converters.PlainList()
    parameters = SearchCodeParameters(query=query, max_results=limit, snippet_chars=0)
    answer = await ls.look_up(opened, SEARCH_CODE.name, parameters)
    hits = answer.results if isinstance(answer, SearchCodeResult) else []
    return converters.hits_as_symbols(hits, opened.root)


async def _stream(
    ls: PilotfishServer,
    token: types.ProgressToken,
    searches: list[asyncio.Task[converters.PlainList]],
    limit: int,
) -> None:
    """Send what each root found as soon as it has answered, `limit` in all."""
    for search in asyncio.as_completed(searches):
        found = (await search)[:limit]
        limit -= len(found)
        for start in range(0, len(found), PART):
            value: Any = found[start : start + PART]
            ls.protocol.notify(types.PROGRESS, types.ProgressParams(token=token, value=value))


def _merged(query: str, answers: list[converters.PlainList]) -> list[Any]:
    """Merge the answers of several roots, each ordered by its own engine."""
    if len(answers) == 1:
        return answers[0]
    name = query.replace("::", ".").replace("#", ".").rpartition(".")[2].casefold()
    ranked = [
        ((_tier(name, symbol["name"].casefold()), rank), symbol)
        for answer in answers
        for rank, symbol in enumerate(answer)
    ]
    return [symbol for _, symbol in sorted(ranked, key=lambda item: item[0])]


def _tier(query: str, name: str) -> int:
    if name == query:
        return 0
    if name.startswith(query):
        return 1
    return 2 if query in name else 3
