"""Operations that answer by a symbol's name: `find_symbols`, `get_definition`, `find_usages`, `outline`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer, Span
from pilotfish.operations.registry import Operation, Parameters, Tool


class SymbolRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One definition as clients see it. `path` is relative to the root, `line` is 1-based; `span` covers the whole
    definition and is present where the answer needs it (outline, definition), `name_span` always is."""

    name: str
    kind: str
    path: str
    line: int
    container: str = ""
    signature: str = ""
    documentation: str = ""
    visibility: str = "public"
    uses: int | None = None
    name_span: Span
    span: Span | None = None
    absolute_path: str | None = None


class FindSymbolsParameters(Parameters):
    """What `find_symbols` takes."""

    query: Annotated[str, msgspec.Meta(description="Name, abbreviation (`gUN`), part of a name, or `Class.method`.")]
    kind: Annotated[str | None, msgspec.Meta(description="Only this kind: function, class, method …")] = None
    file_filter: Annotated[
        str | None, msgspec.Meta(description="Only paths that match this glob, e.g. `src/**/*.py`.")
    ] = None
    max_results: Annotated[int, msgspec.Meta(ge=1, le=10_000, description="At most this many.")] = 128
    absolute_paths: Annotated[bool, msgspec.Meta(description="Add the absolute path to each result.")] = False


class FindSymbolsResult(Answer):
    """Definitions, best first; `truncated` when more matched; `hint` says what to try where none did."""

    symbols: list[SymbolRecord] = []
    truncated: bool = False
    hint: str = ""


class GetDefinitionParameters(Parameters):
    """What `get_definition` takes."""

    symbol_name: Annotated[str, msgspec.Meta(description="The name, or `Class.method`.")]
    file_hint: Annotated[str | None, msgspec.Meta(description="A path (or its end) to prefer.")] = None
    max_results: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Definitions on a page.")] = 20
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Which page of the definitions, from 1.")] = 1
    absolute_paths: Annotated[bool, msgspec.Meta(description="Add the absolute path to each result.")] = False


class GetDefinitionResult(Answer):
    """Definitions of the name, best first, with signature and documentation, and `total` of them in all; `hint` says
    what to try where there is none, and how to get more."""

    definitions: list[SymbolRecord] = []
    total: int = 0
    page: int = 1
    truncated: bool = False
    hint: str = ""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """A line that uses a name. `role` is call, type, import, inherit or read, or several of them with commas;
    `certainty` tells whether scopes, imports, receiver or container bind it to the definition, or whether it only holds
    the name; `span` is where it stands first, `text` the source line, trimmed."""

    path: str
    line: int
    role: str
    certainty: Literal["bound", "name"] = "bound"
    span: Span
    text: str = ""
    container: str = ""
    absolute_path: str | None = None


class FindUsagesParameters(Parameters):
    """What `find_usages` takes."""

    symbol_name: Annotated[str, msgspec.Meta(description="The name, or `Class.method`.")]
    file_hint: Annotated[
        str | None, msgspec.Meta(description="A path (or its end) of the definition that is meant.")
    ] = None
    include_context: Annotated[bool, msgspec.Meta(description="Give the source line of each use.")] = True
    max_results: Annotated[int, msgspec.Meta(ge=1, le=10_000, description="Uses on a page.")] = 100
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Which page of the uses, from 1.")] = 1
    absolute_paths: Annotated[bool, msgspec.Meta(description="Add the absolute path to each result.")] = False


class FindUsagesResult(Answer):
    """Lines that use the name: those bound to the definition first, then those that hold the name only, near files
    before others. `total` counts both, `bound` the first; `others` that mean another definition of the name are left
    out. `at_least` where there may be more: of a name that many files hold, the nearest are looked at one by one, and
    of the others it is counted how often they call or import it. `hint` says what to try where there is none, and how
    to get more."""

    usages: list[Usage] = []
    total: int = 0
    bound: int = 0
    others: int = 0
    at_least: bool = False
    page: int = 1
    truncated: bool = False
    hint: str = ""


class OutlineParameters(Parameters):
    """What `outline` takes."""

    files: Annotated[list[str], msgspec.Meta(description="Paths relative to the root.")] = []
    all: Annotated[bool, msgspec.Meta(description="Every indexed file.")] = False
    after: Annotated[str | None, msgspec.Meta(description="Page of `all`: paths after this one.")] = None


class FileOutline(msgspec.Struct, frozen=True, kw_only=True):
    """The definitions of one file in source order; `reason` says why there are none."""

    path: str
    language: str | None = None
    symbols: list[SymbolRecord] = []
    reason: str = ""


class OutlineResult(Answer):
    """One entry a file; `next` is set while `all` has further pages."""

    files: list[FileOutline] = []
    next: str | None = None


FIND_SYMBOLS = Operation(
    name="find_symbols",
    parameters=FindSymbolsParameters,
    result=FindSymbolsResult,
    summary="Find definitions by name, abbreviation or part of a name.",
    lsp_command="pilotfish.findSymbols",
    cli="symbols",
    positional=("query",),
    examples=("symbols Engine", "symbols gUN --kind function", "symbols Class.method --json"),
)
GET_DEFINITION = Operation(
    name="get_definition",
    parameters=GetDefinitionParameters,
    result=GetDefinitionResult,
    summary="Show where a name is defined, with its signature and documentation.",
    lsp_command="pilotfish.getDefinition",
    cli="def",
    mcp=True,
    tool=Tool(advice="Prefer it to search_code when you know the exact name; file_hint chooses among several."),
    positional=("symbol_name",),
    examples=("def Engine", "def Engine --file-hint engine.py"),
)
FIND_USAGES = Operation(
    name="find_usages",
    parameters=FindUsagesParameters,
    result=FindUsagesResult,
    summary="List where a name is used.",
    title="Who Uses This",
    lsp_command="pilotfish.findUsages",
    cli="refs",
    mcp=True,
    tool=Tool(
        advice="Ask before you change or remove a definition: calls, types, imports, inheritance and reads in code, "
        "unsaved text included; those bound to the definition first, then lines that only hold its name."
    ),
    positional=("symbol_name",),
    examples=("refs Engine", "refs Engine --max-results 10 --json"),
)
OUTLINE = Operation(
    name="outline",
    parameters=OutlineParameters,
    result=OutlineResult,
    summary="List the definitions of files, as JSON lines with --all.",
    lsp_command="pilotfish.outline",
    cli="outline",
    positional=("files",),
    examples=("outline src/app.py", "outline --all"),
)
