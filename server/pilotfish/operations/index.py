"""Operations about the index itself: `get_repo_status`, `sync_repository`, `control`, `why`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pilotfish.operations.answer import Answer
from pilotfish.operations.registry import Operation, Parameters, Tool
from pilotfish.operations.symbols import SymbolRecord


class StatusParameters(Parameters):
    """`get_repo_status` takes nothing."""


class LanguageCount(msgspec.Struct, frozen=True, kw_only=True):
    """Files and definitions of one language; `with_errors` counts files with syntax errors that were recovered."""

    language: str
    files: int
    symbols: int
    with_errors: int = 0


class SkipCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many files are listed without an outline for one reason."""

    reason: str
    files: int


class SemanticStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far the vectors are; how many passages there are and have one stands in `index`. `pending` counts files,
    `message` says what is wrong."""

    phase: Literal["off", "waiting", "embedding", "ready", "paused", "failed"] = "off"
    model: str = ""
    pending: int = 0
    message: str = ""


class StatusResult(Answer):
    """What is indexed, what is not and why, and which process answers.

    `most_used` holds the ten definitions whose names are used most, best first, each with its `uses`. Those of tests
    are left out, and names that types and functions of the language itself have, since uses are counted by name.
    `nested_roots` names repositories inside, which are roots of their own and not part of this index, the first
    hundred of `nested_total`.
    """

    root: str = ""
    symbols: int = 0
    references: int = 0
    languages: list[LanguageCount] = []
    skipped: list[SkipCount] = []
    most_used: list[SymbolRecord] = []
    semantic: SemanticStatus = SemanticStatus()
    unsaved_documents: int = 0
    sessions: list[str] = []
    source_bytes: int = 0
    index_bytes: int = 0
    index_folder: str = ""
    log_path: str = ""
    head: str | None = None
    watcher: str = ""
    engine_pid: int = 0
    worker_pids: list[int] = []
    memory_bytes: int = 0
    counters: dict[str, int] = {}
    warnings: list[str] = []
    version: str = ""
    root_reason: str = ""
    nested_roots: list[str] = []
    nested_total: int = 0


class SyncParameters(Parameters):
    """What `sync_repository` takes."""

    force: Annotated[bool, msgspec.Meta(description="Hash every file again, whatever its time and size say.")] = False
    wait: Annotated[bool, msgspec.Meta(description="Answer when the index is quiet again.")] = True
    fetch: Annotated[
        bool,
        msgspec.Meta(description="Before that, fetch the branch that HEAD follows, where `git.fetch` allows it."),
    ] = False


class SyncResult(Answer):
    """What the reconciling scan found, and how far HEAD is from the branch that it follows.

    `upstream` is that branch, empty where there is none. `behind` and `ahead` count commits by what is known here,
    which is as old as the last fetch; they are null where nothing is known. The working tree is never touched.
    """

    added: int = 0
    changed: int = 0
    removed: int = 0
    moved: int = 0
    head: str | None = None
    upstream: str = ""
    behind: int | None = None
    ahead: int | None = None
    fetched: bool = False


class ControlParameters(Parameters):
    """What `control` takes."""

    action: Annotated[
        Literal["rebuild", "pause", "resume", "cancel", "wait"],
        msgspec.Meta(description="`wait` answers when the index is quiet; `rebuild` starts it from nothing."),
    ]
    semantic: Annotated[
        bool, msgspec.Meta(description="`wait` also for the vectors of the semantic index, not only for symbols.")
    ] = False


class ControlResult(Answer):
    """The state after the action."""

    message: str = ""


class WhyParameters(Parameters):
    """What `why` takes."""

    path: Annotated[str, msgspec.Meta(description="A file or folder, relative to the root or absolute.")]


class WhyResult(Answer):
    """Whether a path is indexed, and the rule that decided with its source (file, line and pattern where there are).

    A folder is as soon as a file in it or below it is; `files` counts these, `symbols` their definitions.
    """

    path: str = ""
    indexed: bool = False
    listed: bool = False
    rule: str = ""
    detail: str = ""
    language: str | None = None
    symbols: int = 0
    files: int = 0


GET_REPO_STATUS = Operation(
    name="get_repo_status",
    parameters=StatusParameters,
    result=StatusResult,
    summary="Show what is indexed, what is skipped and why, and how fresh it is.",
    title="Index Status",
    lsp_command="pilotfish.status",
    cli="status",
    mcp=True,
    tool=Tool(
        advice="Use it when an answer looks empty or old.",
        hides=("max_tokens",),
        omits=("counters", "worker_pids", "memory_bytes", "engine_pid", "index_folder", "index_bytes", "source_bytes"),
    ),
    examples=("status", "status --json"),
)
SYNC_REPOSITORY = Operation(
    name="sync_repository",
    parameters=SyncParameters,
    result=SyncResult,
    summary="Reread the working tree and bring the index up to date.",
    lsp_command="pilotfish.sync",
    cli="sync",
    mcp=True,
    tool=Tool(
        advice="Seldom needed, since changes are followed by themselves. It changes no file.",
        hides=("max_tokens", "fetch"),  # a tool that only reads asks no other machine and moves no ref
    ),
    examples=("sync", "sync --force"),
)
CONTROL = Operation(
    name="control",
    parameters=ControlParameters,
    result=ControlResult,
    summary="Rebuild, pause, resume or cancel indexing.",
    lsp_command="pilotfish.control",
    examples=(),
)
WHY = Operation(
    name="why",
    parameters=WhyParameters,
    result=WhyResult,
    summary="Tell whether a file is indexed and which rule decided.",
    title="Why Is This File (Not) Indexed?",
    lsp_command="pilotfish.why",
    cli="why",
    positional=("path",),
    examples=("why src/app.py",),
)
