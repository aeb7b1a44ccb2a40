"""The only place that turns our plain data into LSP's and back: positions, kinds, URIs, languages, whole answers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec
import msgspec.inspect
from lsprotocol import types

from pilotfish.operations.answer import Position, Span
from pilotfish.operations.editor import ItemParameters
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pilotfish.operations.answer import Answer
    from pilotfish.operations.editor import DefinitionResult, HierarchyItem, Location, SymbolNode
    from pilotfish.operations.search import SearchHit
    from pilotfish.operations.symbols import SymbolRecord

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_COLUMN: Final = {"utf-8": 1, "utf-16": 2, "utf-32": 3}

_KINDS: Final = {
    "".join(character if character.islower() else f" {character.lower()}" for character in kind.name).strip(): kind
    for kind in types.SymbolKind
}


def position(place: Position, encoding: Encoding) -> types.Position:
    """Return a place with the column that the client counts in."""
    column: int = (place.line, place.utf8, place.utf16, place.utf32)[_COLUMN[encoding]]
    return types.Position(place.line, column)


def span_range(span: Span, encoding: Encoding) -> types.Range:
    """Return a stretch of text as the client counts it."""
    return types.Range(position(span.start, encoding), position(span.end, encoding))


def uri_in(root: str, path: str) -> str:
    """Return the URI of a file by its path relative to a root."""
    return paths.uri_from_path(paths.join(root, path))


def location_uri(place: Location, root: str) -> str:
    """Return the URI of a definition or use, whether its file has a place in the root or not."""
    return place.uri or uri_in(root, place.path or "")


def location(place: Location, root: str, encoding: Encoding) -> types.Location:
    """Return the place of a definition or use."""
    return types.Location(location_uri(place, root), span_range(place.span, encoding))


def location_links(answer: DefinitionResult, root: str, encoding: Encoding) -> list[types.LocationLink]:
    """Return the places of definitions with their whole stretches."""
    origin = span_range(answer.origin, encoding) if answer.origin is not None else None
    return [
        types.LocationLink(
            target_uri=location_uri(item, root),
            target_range=span_range(target, encoding),
            target_selection_range=span_range(item.span, encoding),
            origin_selection_range=origin,
        )
        for item, target in zip(
            answer.locations, answer.targets or [item.span for item in answer.locations], strict=True
        )
    ]


def type_hierarchy_item(item: HierarchyItem, root: str, encoding: Encoding) -> types.TypeHierarchyItem:
    """Return a type as LSP has it."""
    return types.TypeHierarchyItem(**_hierarchy_item(item, root, encoding))


def call_hierarchy_item(item: HierarchyItem, root: str, encoding: Encoding) -> types.CallHierarchyItem:
    """Return a function as LSP has it."""
    return types.CallHierarchyItem(**_hierarchy_item(item, root, encoding))


def _hierarchy_item(item: HierarchyItem, root: str, encoding: Encoding) -> dict[str, Any]:
    """Return the fields that both have, with what `asked_item` needs to find the definition again."""
    return {
        "name": item.name or " ",
        "kind": types.SymbolKind(item.kind),
        "detail": item.detail or None,
        "uri": location_uri(item.location, root),
        "range": span_range(item.span, encoding),
        "selection_range": span_range(item.location.span, encoding),
        "data": {"root": root, "file": item.kind == types.SymbolKind.File},
    }


class AskedItem(NamedTuple):
    """The root of an item that a client sends back, and what to ask there."""

    root: str
    parameters: ItemParameters


def asked_item(
    item: types.TypeHierarchyItem | types.CallHierarchyItem, uri: str, encoding: Encoding
) -> AskedItem | None:
    """Return what an item stands for; None where it is none of ours. `uri` is the spelling that we know."""
    data: Any = item.data
    if not isinstance(data, dict) or not {"root", "file"} <= data.keys():
        return None
    start, name = item.selection_range.start, "" if data["file"] is True else item.name
    asked = ItemParameters(uri=uri, line=start.line, character=start.character, encoding=encoding, name=name)
    return AskedItem(str(data["root"]), asked)


class PlainList(list[Any]):
    """A result that is JSON already. There are answers of thousands of places, and the library's types check each."""


def locations(places: Iterable[Location], root: str, encoding: Encoding) -> PlainList:
    """Return the places of many uses as LSP's `Location[]`."""
    column = _COLUMN[encoding]
    uris: dict[tuple[str | None, str | None], str] = {}
    found = PlainList()
    for place in places:
        uri = uris.get((place.uri, place.path))
        if uri is None:
            uri = uris[place.uri, place.path] = location_uri(place, root)
        found.append({"uri": uri, "range": _plain_range(place.span, column)})
    return found


def workspace_symbols(records: Iterable[SymbolRecord], root: str, encoding: Encoding) -> PlainList:
    """Return definitions as LSP's `WorkspaceSymbol[]`, with what `workspaceSymbol/resolve` needs to find each again."""
    column = _COLUMN[encoding]
    uris: dict[str, str] = {}
    found = PlainList()
    for record in records:
        uri = uris.get(record.path)
        if uri is None:
            uri = uris[record.path] = uri_in(root, record.path)
        symbol: dict[str, Any] = {
            "location": {"uri": uri, "range": _plain_range(record.name_span, column)},
            "name": record.name,
            "kind": symbol_kind(record.kind).value,
        }
        qualified = record.name
        if record.container:
            symbol["containerName"] = record.container
            qualified = f"{record.container}.{record.name}"
        symbol["data"] = {"root": root, "path": record.path, "name": qualified, "line": record.line}
        found.append(symbol)
    return found


def hits_as_symbols(hits: Iterable[SearchHit], root: str) -> PlainList:
    """Return the results of a search as LSP's `WorkspaceSymbol[]`, from the line of each that matches best; what has no
    name is called by its file and that line, since editors show no more of it."""
    return PlainList(
        {
            "location": {
                "uri": uri_in(root, hit.path),
                "range": {
                    "start": {"line": (hit.match_line or hit.line_start) - 1, "character": 0},
                    "end": {"line": hit.line_end, "character": 0},
                },
            },
            "name": hit.symbol_name or f"{hit.path.rpartition('/')[2]}:{hit.match_line or hit.line_start}",
            "kind": (symbol_kind(hit.symbol_type) if hit.symbol_name else types.SymbolKind.File).value,
            **({"containerName": hit.parent} if hit.parent else {}),
        }
        for hit in hits
    )


def _plain_range(span: Span, column: int) -> dict[str, Any]:
    start, end = span.start, span.end
    return {
        "start": {"line": start.line, "character": (0, start.utf8, start.utf16, start.utf32)[column]},
        "end": {"line": end.line, "character": (0, end.utf8, end.utf16, end.utf32)[column]},
    }


def symbol_kind(label: str) -> types.SymbolKind:
    """Return LSP's kind for one of our labels (`enum member`)."""
    return _KINDS.get(label, types.SymbolKind.Null)


def language_ids(language: str) -> tuple[str, ...]:
    """Return the identifiers under which editors know a language of ours."""
    from pilotfish.syntax.languages import REGISTRY  # of use to those alone who name languages in their settings

    return (language, *REGISTRY[language].ids) if language in REGISTRY else (language,)


def language(language_id: str) -> str:
    """Return our name of an editor's language identifier; the identifier where it is none of ours."""
    from pilotfish.syntax.languages import called

    return called(language_id) or language_id


def document_symbols(nodes: Iterable[SymbolNode], encoding: Encoding) -> list[types.DocumentSymbol]:
    """Return definitions nested."""
    return [
        types.DocumentSymbol(
            name=node.name or " ",  # VS Code refuses a whole answer for one empty name
            detail=node.detail or None,
            kind=types.SymbolKind(node.kind),
            range=span_range(node.span, encoding),
            selection_range=span_range(node.name_span, encoding),
            children=document_symbols(node.children, encoding) or None,
        )
        for node in nodes
    ]


def symbol_information(
    nodes: Iterable[SymbolNode], uri: str, encoding: Encoding, container: str = ""
) -> list[types.SymbolInformation]:
    """Return definitions as a flat list in source order, for clients that know no nesting."""
    flat: list[types.SymbolInformation] = []
    for node in nodes:
        flat.append(
            types.SymbolInformation(
                name=node.name or " ",
                kind=types.SymbolKind(node.kind),
                location=types.Location(uri, span_range(node.span, encoding)),
                container_name=container or None,
            )
        )
        inner = f"{container}.{node.name}" if container else node.name
        flat += symbol_information(node.children, uri, encoding, inner)
    return flat


class PlainObject(dict[str, Any]):
    """A result that is JSON already: an answer to a command."""


def plain(answer: Answer, encoding: Encoding) -> PlainObject:
    """Return an answer as plain JSON, its spans as LSP ranges in the client's encoding."""
    if not _holds_places(type(answer)):
        return PlainObject(msgspec.to_builtins(answer))
    return PlainObject({field: _plain(getattr(answer, field), encoding) for field in answer.__struct_fields__})


@cache
def _holds_places(kind: type[Answer]) -> bool:
    """Whether a span may stand anywhere in an answer; where none can, msgspec writes it many times faster."""
    seen: set[type] = set()

    def holds(info: Any) -> bool:
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in seen:
                return False
            seen.add(info.cls)
            return info.cls in (Span, Position) or any(holds(field.type) for field in info.fields)
        parts = (getattr(info, name, ()) for name in ("types", "item_type", "item_types", "key_type", "value_type"))
        return any(holds(each) for part in parts for each in (part if isinstance(part, tuple) else (part,)))

    return holds(msgspec.inspect.type_info(kind))


def _plain(value: Any, encoding: Encoding) -> Any:
    if isinstance(value, Span):
        return {"start": _plain(value.start, encoding), "end": _plain(value.end, encoding)}
    if isinstance(value, Position):
        place = position(value, encoding)
        return {"line": place.line, "character": place.character}
    if isinstance(value, msgspec.Struct):
        return {field: _plain(getattr(value, field), encoding) for field in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(key): _plain(item, encoding) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, encoding) for item in value]
    return value
