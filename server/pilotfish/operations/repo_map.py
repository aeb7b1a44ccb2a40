"""`repo_map`: what matters in the workspace, within a budget of tokens."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool

MapFormat = Literal["tree", "compact", "json", "html"]


class RepoMapParameters(Parameters):
    """What `repo_map` takes. Without any of them it shows what matters most, starting from the open documents."""

    max_tokens: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None,
        msgspec.Meta(description="Most tokens of the map; 0 is none. Else the setting, 1,024."),
    ] = None
    format: Annotated[
        MapFormat,
        msgspec.Meta(
            description="Files with nested signatures, one line a file, JSON, or a page to look at, without a budget."
        ),
    ] = "tree"
    mentions: Annotated[
        list[str], msgspec.Meta(description="Names and words to draw the map around: of symbols, files, or plain ones.")
    ] = []
    files: Annotated[
        list[str], msgspec.Meta(description="Files and folders to draw the map around, relative to the root.")
    ] = []
    task: Annotated[str, msgspec.Meta(description="What is to be done, in words.")] = ""


class MapSymbol(msgspec.Struct, frozen=True, kw_only=True):
    """A definition in the map; `line` is 1-based."""

    name: str
    kind: str
    line: int
    signature: str = ""


class MapFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the map with the definitions shown of it; `rank` is its share of all files' rank."""

    path: str
    rank: float
    symbols: list[MapSymbol] = []


class RepoMapResult(Answer):
    """The map as text, what it costs by the counter named, its files, those with the best
    definitions first, and how many more there are. `unknown_files` were named, and nothing of them is in the index."""

    format: MapFormat = "tree"
    text: str = ""
    tokens: int = 0
    max_tokens: int = 0
    counter: str = ""
    files: list[MapFile] = []
    more_files: int = 0
    unknown_files: list[str] = []


REPO_MAP = Operation(
    name="repo_map",
    parameters=RepoMapParameters,
    result=RepoMapResult,
    summary="Show the definitions that matter most, as much as a budget of tokens holds.",
    title="Repo Map",
    lsp_command="pilotfish.repoMap",
    cli="map",
    mcp=True,
    tool=Tool(
        advice="Use it to get to know a repository, or the part of it around a task.",
        choices={"format": ("tree", "compact")},
        omits=("files",),
    ),
    examples=(
        "map",
        "map --max-tokens 4096 --format compact",
        "map --mentions Parser tokens",
        "map --files src/app.py",
    ),
)
