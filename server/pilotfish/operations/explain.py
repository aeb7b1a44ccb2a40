"""`explain_code`: what a piece of code is, what it uses, and who uses it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool

_Line = Annotated[int, msgspec.Meta(ge=1)]

Relation = Literal[
    "calls",
    "uses type",
    "inherits",
    "overrides",
    "called by",
    "used by",
    "may be used by",
    "inherited by",
    "overridden by",
    "member",
]


class ExplainCodeParameters(Parameters):
    """What `explain_code` takes: a name, or a file with lines, or a whole file."""

    symbol_name: Annotated[str | None, msgspec.Meta(description="A definition by name, or `Class.method`.")] = None
    file_hint: Annotated[str | None, msgspec.Meta(description="A path (or its end) of the definition meant.")] = None
    file_path: Annotated[str | None, msgspec.Meta(description="A file, relative to the root.")] = None
    line_start: Annotated[_Line | None, msgspec.Meta(description="First line of the piece, from 1.")] = None
    line_end: Annotated[_Line | None, msgspec.Meta(description="Its last line.")] = None
    max_tokens: Annotated[
        int, msgspec.Meta(ge=50, le=1_000_000, description="Most tokens of the answer, a token being four characters.")
    ] = 1_500
    absolute_paths: Annotated[bool, msgspec.Meta(description="Add the absolute path of the piece.")] = False


class RelatedCode(msgspec.Struct, frozen=True, kw_only=True):
    """A definition that has to do with the piece: how (`relation`), its place, and `used_at`, the line of the first of
    `count` uses: in the piece's own file for what it uses, in this one's for what uses it.

    `ambiguous` is the number of definitions that the name may mean, where it is more than one; this is the likeliest.
    """

    relation: Relation
    name: str
    kind: str
    path: str
    line: int
    used_at: int = 0
    count: int = 1
    ambiguous: int = 0
    signature: str = ""


class PastCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that changed the piece's file: its id, shortened, its date in UTC, and the first line of its message."""

    commit: str
    date: str
    subject: str


class ExplainCodeResult(Answer):
    """What the piece is, and what it has to do with others; lines count from 1, both ends included.

    Where the budget does not suffice, this goes in first: what it is; the members of a file; the source, whole lines
    and a mark, at most half of what is left, but all that has room of lines that were asked for; the documentation,
    where the source does not have it; what it inherits and overrides; its members; who uses it, at most half of what is
    left; what it uses; tests that use it; imports, those of the repository first; past commits; other definitions of
    the name. `left_out` counts what had no room.

    Of lines that are less than a definition, name, kind and signature are those of the definition around them, which
    has the lines `enclosing_start` to `enclosing_end`.

    `calls`, `types`, `imports`, `inherits` and `reads` count its uses by role, `test_uses` those in tests; `use_files`
    the files with uses; `name_uses` counts what only holds its name and may mean it. `imported_by` counts the files
    that use anything of its file. `others` are places of other definitions of the same name.
    """

    name: str = ""
    kind: str = ""
    path: str = ""
    line_start: int = 0
    line_end: int = 0
    enclosing_start: int = 0
    enclosing_end: int = 0
    language: str = ""
    container: str = ""
    visibility: str = ""
    signature: str = ""
    documentation: str = ""
    source: str = ""
    source_truncated: bool = False
    uses: list[RelatedCode] = []
    used_by: list[RelatedCode] = []
    tests: list[RelatedCode] = []
    ancestry: list[RelatedCode] = []
    members: list[RelatedCode] = []
    calls: int = 0
    types: int = 0
    imports: int = 0
    inherits: int = 0
    reads: int = 0
    test_uses: int = 0
    name_uses: int = 0
    use_files: int = 0
    file_imports: list[str] = []
    imported_by: int = 0
    history: list[PastCommit] = []
    others: list[str] = []
    left_out: int = 0
    tokens: int = 0
    max_tokens: int = 0
    absolute_path: str | None = None
    hint: str = ""


EXPLAIN_CODE = Operation(
    name="explain_code",
    parameters=ExplainCodeParameters,
    result=ExplainCodeResult,
    summary="Explain a definition or some lines: what it is, its source, what it uses, who uses it, its past.",
    lsp_command="pilotfish.explainCode",
    cli="explain",
    mcp=True,
    tool=Tool(omits=("tokens", "max_tokens", "left_out"), yields=("others", "history", "file_imports"), is_ample=True),
    positional=("symbol_name",),
    examples=("explain Engine", "explain --file-path engine.py --line-start 1 --line-end 5"),
)
