"""Questions in words: `search_code`, `find_similar`, `build_context`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool

SearchType = Literal["hybrid", "semantic", "symbol", "text"]
TestFiles = Literal["auto", "include", "exclude", "only"]
Evidence = Literal["names", "text", "vectors", "history"]
Strategy = Literal["words", "meaning", "definitions", "symbols", "text", "usages", "callees", "path", "similar", "none"]

MAX_SNIPPET: int = 2_000
"""Characters of source that a result carries at most."""

_Count = Annotated[int, msgspec.Meta(ge=1, le=500)]
_Cosine = Annotated[float, msgspec.Meta(ge=0, le=1)]
_Line = Annotated[int, msgspec.Meta(ge=1)]
_Tokens = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Narrowing(Parameters):
    """What every question in words takes: where to look, and what of the results to give."""

    file_filter: Annotated[
        str | None, msgspec.Meta(description="Only paths that match this glob, e.g. `src/**/*.py`.")
    ] = None
    language: Annotated[str | None, msgspec.Meta(description="Only this language: python, typescript, go …")] = None
    tests: Annotated[
        TestFiles, msgspec.Meta(description="Files of tests; `auto` takes them in where the question speaks of tests.")
    ] = "auto"
    absolute_paths: Annotated[bool, msgspec.Meta(description="Add the absolute path to each result.")] = False


class Paged(Narrowing):
    """What the questions take that answer with a list of results."""

    kind: Annotated[str | None, msgspec.Meta(description="Only this kind: function, class, method …")] = None
    similarity_threshold: Annotated[
        _Cosine | None,
        msgspec.Meta(description="Least cosine of what only vectors find; else the setting, or the model's own."),
    ] = None
    max_results: Annotated[
        _Count | None, msgspec.Meta(description="Results on a page; else the setting: 5 for agents, 10 for others.")
    ] = None
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000, description="Which page of the results, from 1.")] = 1
    snippet_chars: Annotated[
        int, msgspec.Meta(ge=0, le=MAX_SNIPPET, description="Most characters of source with each result; 0 is none.")
    ] = MAX_SNIPPET


class SearchCodeParameters(Paged, kw_only=True):
    """What `search_code` takes."""

    query: Annotated[
        str,
        msgspec.Meta(description='A question in words, a name, "quoted text", or a `/regular expression/`.'),
    ]
    search_type: Annotated[
        SearchType,
        msgspec.Meta(
            description="All evidence together, meaning alone, names of definitions, or the text as written "
            "(`/regular expression/` between slashes)."
        ),
    ] = "hybrid"


class SearchHit(msgspec.Struct, frozen=True, kw_only=True):
    """One result. Lines count from 1, both ends included; `parent` is what the definition lies in, with dots.

    `score` compares results of one answer, 1 the best there could be; `similarity` is the cosine to the question, where
    a vector was compared. `why` names the evidence. `match_line` is the line that has most of the question's words, 0
    where that is not told. `code_snippet` holds whole source lines as they are now, that one among them, with a mark in
    the place of lines that are left out.
    """

    path: str
    line_start: int
    line_end: int
    symbol_name: str = ""
    symbol_type: str = ""
    language: str = ""
    parent: str = ""
    signature: str = ""
    score: float = 0.0
    similarity: float | None = None
    why: str = ""
    match_line: int = 0
    code_snippet: str = ""
    absolute_path: str | None = None


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer is drawn from: the kinds of evidence that were asked, and in words what was missing of them."""

    searched: list[Evidence] = []
    missing: str = ""


class SearchCodeResult(Answer):
    """Results, best first. `total` counts what was found in all, as far as it was looked at; `hint` is the next step.

    `intent` is what the question was taken for, `strategy` how it was answered. `words`: by all evidence. `meaning`: by
    vectors alone. `definitions`: those of the name that the question is, or of names like it where nothing is called
    so, then as words. `symbols`: by name alone. `text`: as it stands. A question that names a definition and says
    nothing else is answered directly, then as words: `usages` ("who calls X", "usages of X"), `callees` ("what does X
    call", "trace X"), `path` ("path from X to Y"), `similar` ("code like X"). `none`: nothing was asked.
    """

    results: list[SearchHit] = []
    total: int = 0
    page: int = 1
    truncated: bool = False
    intent: str = ""
    strategy: Strategy = "none"
    coverage: Coverage = Coverage()
    hint: str = ""


class FindSimilarParameters(Paged):
    """What `find_similar` takes: a name, or a file with lines, or a piece of code."""

    symbol_name: Annotated[str | None, msgspec.Meta(description="A definition by name, or `Class.method`.")] = None
    file_hint: Annotated[str | None, msgspec.Meta(description="A path (or its end) of the definition meant.")] = None
    file_path: Annotated[str | None, msgspec.Meta(description="A file, relative to the root.")] = None
    line_start: Annotated[_Line | None, msgspec.Meta(description="First line of the piece, from 1.")] = None
    line_end: Annotated[_Line | None, msgspec.Meta(description="Its last line.")] = None
    snippet: Annotated[str | None, msgspec.Meta(description="Code to compare with, as text.")] = None


class FindSimilarResult(Answer):
    """Code like the one given, most alike first, that itself left out; `subject` names what was compared."""

    subject: str = ""
    results: list[SearchHit] = []
    total: int = 0
    page: int = 1
    truncated: bool = False
    coverage: Coverage = Coverage()
    hint: str = ""


class BuildContextParameters(Narrowing, kw_only=True):
    """What `build_context` takes."""

    task: Annotated[str, msgspec.Meta(description="What is to be done or understood, in words.")]
    max_tokens: Annotated[
        _Tokens | None, msgspec.Meta(description="Most tokens of the answer's text; else the setting, 8,000.")
    ] = None
    context_tokens: Annotated[
        _Tokens | None,
        msgspec.Meta(description="Size of the reader's whole context; of it no more than 40 % (a setting) is used."),
    ] = None


class ContextPassage(msgspec.Struct, frozen=True, kw_only=True):
    """One passage of a context: its place, and whether it stands there in full or by its signature."""

    path: str
    line_start: int
    line_end: int
    symbol_name: str = ""
    symbol_type: str = ""
    form: Literal["full", "signature"] = "full"
    tokens: int = 0
    why: str = ""
    absolute_path: str | None = None


class BuildContextResult(Answer):
    """Source to read for a task, as one text within the budget, and the passages that it consists of, best first.

    `left_out` counts passages that were found and did not fit.
    """

    text: str = ""
    tokens: int = 0
    max_tokens: int = 0
    counter: str = ""
    passages: list[ContextPassage] = []
    left_out: int = 0
    intent: str = ""
    coverage: Coverage = Coverage()
    hint: str = ""


NOTHING_CLOSE: Final = "Nothing close was found; these are the nearest."
"""How the hint begins where that is so."""

SEARCH_CODE = Operation(
    name="search_code",
    parameters=SearchCodeParameters,
    result=SearchCodeResult,
    summary="Find code by a question in words, by name, or by text.",
    title="Search by Meaning",
    lsp_command="pilotfish.searchCode",
    cli="search",
    mcp=True,
    tool=Tool(
        advice="Start here. Describe behaviour in words, or give a name, quoted text or a /regex/; each result has its "
        "path, lines and source.",
        hides=("similarity_threshold", "snippet_chars"),
    ),
    batch="results",
    positional=("query",),
    examples=(
        'search "where is the engine opened"',
        "search getUserName",
        "search Class.method --json",
        "search 'def open' --search-type text",
        "search '/get\\w+Name/' --max-results 3 --page 1",
    ),
)
FIND_SIMILAR = Operation(
    name="find_similar",
    parameters=FindSimilarParameters,
    result=FindSimilarResult,
    summary="Find code like a definition, like some lines, or like a piece of code.",
    title="Find Similar Code",
    lsp_command="pilotfish.findSimilar",
    cli="similar",
    mcp=True,
    tool=Tool(
        advice="Use it to find duplicates, or other places that a change must reach. Give symbol_name, or file_path "
        "with lines, or snippet.",
        hides=("similarity_threshold", "snippet_chars", "kind"),
    ),
    positional=("symbol_name",),
    examples=("similar Engine", "similar --file-path engine.py --line-start 1 --line-end 5"),
)
BUILD_CONTEXT = Operation(
    name="build_context",
    parameters=BuildContextParameters,
    result=BuildContextResult,
    summary="Put together the source to read for a task, within a budget of tokens.",
    title="Context for a Task",
    lsp_command="pilotfish.buildContext",
    cli="context",
    mcp=True,
    tool=Tool(
        advice="Use it instead of many searches when you begin a task: it packs the passages that matter most.",
        hides=("context_tokens",),
    ),
    positional=("task",),
    examples=('context "open the engine" --max-tokens 2000',),
)
