"""`get_architecture`: modules, layers, entry points and cycles."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool


class GetArchitectureParameters(Parameters):
    """What `get_architecture` takes."""

    focus_area: Annotated[
        str,
        msgspec.Meta(
            description="`full`, `backend`, `frontend`, or a folder or file, relative to the root: its files of code, "
            "without tests. What is neither is refused with the areas that there are."
        ),
    ] = "full"
    format: Annotated[
        Literal["text", "json", "mermaid"],
        msgspec.Meta(description="`json` fills the fields of the result, the others its `text`."),
    ] = "text"
    max_tokens: Annotated[
        int, msgspec.Meta(ge=0, le=1_000_000, description="At most this many tokens, a token being four characters.")
    ] = 4096


class ArchitectureModule(msgspec.Struct, frozen=True, kw_only=True):
    """Files that belong together: those below `folder`, what other modules leave of it (`name` ends in `/*`), or one.

    `share` is their share of the rank of all modules; `languages` counts their files by language; `files` are the most
    important ones; `test_files` counts the tests that use them.
    """

    name: str
    folder: str
    file_count: int
    share: float
    languages: dict[str, int] = {}
    files: list[str] = []
    test_files: int = 0


class ArchitectureDependency(msgspec.Struct, frozen=True, kw_only=True):
    """How often one module uses another, by role. `against_layers`: it closes a cycle, so that the layers leave it
    out."""

    source: str
    target: str
    calls: int = 0
    types: int = 0
    imports: int = 0
    inherits: int = 0
    against_layers: bool = False


class ArchitectureFileCycle(msgspec.Struct, frozen=True, kw_only=True):
    """Files that import each other around some corners: how many, and the shortest way around that was found."""

    file_count: int
    loop: list[str]


class ArchitectureEntryPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A file where something begins, by which rule, and how many files it uses."""

    path: str
    reason: str
    uses: int


class GetArchitectureResult(Answer):
    """The architecture of an area, at most `tokens` long.

    `text` is what there is to read, empty with the format `json`; then the other fields hold it: names of modules as
    seen from the folder `base`, with `/` before those elsewhere; `layers` from what uses others to what is used.
    `truncated`: there is more than the budget lets through. `areas` are those that there are, given while the index is
    not whole and lacks the one asked about.
    """

    focus_area: str = "full"
    format: str = "text"
    text: str = ""
    tokens: int = 0
    truncated: bool = False
    file_count: int = 0
    module_count: int = 0
    test_file_count: int = 0
    base: str = ""
    modules: list[ArchitectureModule] = []
    dependencies: list[ArchitectureDependency] = []
    layers: list[list[str]] = []
    module_cycles: list[list[str]] = []
    file_cycles: list[ArchitectureFileCycle] = []
    entry_points: list[ArchitectureEntryPoint] = []
    areas: list[str] = []


GET_ARCHITECTURE = Operation(
    name="get_architecture",
    parameters=GetArchitectureParameters,
    result=GetArchitectureResult,
    summary="Show modules, what they use, layers, cycles and entry points.",
    title="Architecture",
    lsp_command="pilotfish.getArchitecture",
    cli="architecture",
    mcp=True,
    tool=Tool(
        advice="Use it to see how the parts hang together before a change that crosses them.",
        choices={"format": ("text", "mermaid")},
        omits=("base", "modules", "dependencies", "layers", "module_cycles", "file_cycles", "entry_points"),
    ),
    examples=(
        "architecture",
        "architecture --focus-area src --max-tokens 1000",
        "architecture --format mermaid",
        "architecture --format json",
    ),
)
