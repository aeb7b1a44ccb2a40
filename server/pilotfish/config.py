"""The one tree of settings: what each means, what it may be, who may set it, and where its value came from.

A key belongs to one of three scopes (DESIGN §10). `U`: the user's file and the environment. `R`: also the root's
`pilotfish.toml`. `S`: also the session, that is `initializationOptions` and `workspace/configuration`. A repository
can write the root's file and `.vscode/settings.json`, so nothing that names a place, a program or a network is `R` or
`S`. Settings that shape the index are never `S`: every front then computes the same index.

Later sources win: default, user's file, root's file, environment, session. `load` never fails: whatever it cannot use
is named in `Loaded.problems` and its default holds.
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import platformdirs

from pilotfish.toml import parsed_toml

Scope = Literal["U", "R", "S"]

ROOT_FILE: Final = "pilotfish.toml"
"""Name of the settings file at the top of a root."""

MAX_FILE_BYTES: Final = 64 * 1024
"""A settings file longer than this, in bytes, is not read."""

MAX_PROBLEMS: Final = 5
"""Problems of one source that are told one by one."""

MAX_ENTRIES: Final = 1_000
"""Longest list or table that a key takes."""

CLIENT_SECTIONS: Final = frozenset({"trace", "server"})
"""Sections that editors' own extensions keep under our name (`pilotfish.trace.server`); not ours to judge."""

MCP_TOKEN_VARIABLE: Final = "PILOTFISH_MCP_TOKEN"
"""What clients of the MCP server over HTTP have to know: a secret, and no setting."""

_INSIDE_ROOT: Final = r"\A(?![/\\])(?![A-Za-z]:)(?!(?:[^\x00]*[/\\])?\.\.(?:[/\\]|\Z))[^\x00]+\Z"

_SWITCH_WORDS: Final = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


def _key(
    scope: Scope,
    description: str,
    *,
    ge: float | None = None,
    le: float | None = None,
    max_length: int | None = None,
    lowers: bool = False,
    expects: str = "",
) -> msgspec.Meta:
    """Describe one key: its scope, its bounds, and whether the root's file may only lower it."""
    bounds: dict[str, Any] = {"ge": ge, "le": le, "max_length": max_length}
    extra = {"scope": scope, "lowers": lowers, "expects": expects}
    meta: msgspec.Meta = msgspec.Meta(description=description, extra=extra, **bounds)
    return meta


Pattern = Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]
InnerPath = Annotated[str, msgspec.Meta(pattern=_INSIDE_ROOT, max_length=1_000)]
LanguageName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class IndexSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is indexed, when, and where the index lies."""

    enabled: Annotated[bool, _key("R", "Index this root at all; `false` switches it off.")] = True
    auto_index: Annotated[bool, _key("R", "Index when an editor opens the root, not only when asked.")] = True
    watch: Annotated[bool, _key("R", "Watch the working tree for changes that no editor reports.")] = True
    paths: Annotated[
        tuple[InnerPath, ...],
        _key(
            "R",
            "Folders and files to index, relative to the root.",
            max_length=MAX_ENTRIES,
            expects="a list of relative paths that stay inside the root",
        ),
    ] = (".",)
    include: Annotated[
        tuple[Pattern, ...],
        _key(
            "R",
            "Patterns in the manner of `.gitignore`; where there are any, only what one of them matches is indexed.",
            max_length=MAX_ENTRIES,
            expects="a list of patterns",
        ),
    ] = ()
    exclude: Annotated[
        tuple[Pattern, ...],
        _key(
            "R",
            "Patterns in the manner of `.gitignore`; what one of them matches is not indexed.",
            max_length=MAX_ENTRIES,
            expects="a list of patterns",
        ),
    ] = ()
    location: Annotated[
        Literal["cache", "workspace"],
        _key("U", "Keep the index in the user's cache folder, or in `.pilotfish/` inside the root."),
    ] = "cache"
    submodules: Annotated[bool, _key("R", "Index git submodules as part of the root.")] = False
    debounce_ms: Annotated[
        int, _key("R", "Wait this many milliseconds after a change on disk before reading it.", ge=0, le=10_000)
    ] = 300


class LimitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Ceilings; a file that meets one is listed with its reason and found by name."""

    file_kb: Annotated[int, _key("R", "Largest file that is parsed, in KiB.", ge=1, le=65_536, lowers=True)] = 1_024
    line_chars: Annotated[
        int,
        _key(
            "R",
            "A file that lies mostly in lines longer than this many characters is not parsed.",
            ge=80,
            le=10_000_000,
            lowers=True,
        ),
    ] = 2_000
    parse_s: Annotated[float, _key("R", "Longest time to parse one file, in seconds.", ge=0.1, le=60, lowers=True)] = (
        5.0
    )
    memory_mb: Annotated[
        int, _key("U", "Memory of the engine and its workers together, in MiB.", ge=200, le=1_048_576)
    ] = 800
    workers: Annotated[
        int, _key("U", "Parse workers; 0 stands for one per processor core, at most 8.", ge=0, le=64)
    ] = 0
    watches: Annotated[
        int,
        _key("U", "Most folders that are watched; beyond it the tree is polled slowly.", ge=0, le=10_000_000),
    ] = 50_000

    def worker_count(self) -> int:
        """Return how many parse workers to start: the setting, or the processor cores that we may use, at most 8."""
        return self.workers or max(1, min(8, _usable_cores()))


class LanguageSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which language a file is in."""

    associations: Annotated[
        dict[Pattern, LanguageName],
        _key(
            "R",
            'Language of files by name pattern, e.g. `{"*.inc" = "cpp"}`; wins over extension and content.',
            max_length=MAX_ENTRIES,
            expects="a table of name pattern = language",
        ),
    ] = {}


class ChunkSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces of files that are searched by content, in characters that are no whitespace."""

    target: Annotated[int, _key("R", "Neighbours are merged up to this size.", ge=50, le=10_000)] = 600
    max: Annotated[int, _key("R", "No piece is larger; at least `chunks.target`.", ge=50, le=20_000)] = 1_200
    min: Annotated[
        int, _key("R", "A smaller piece joins a neighbour where it can; at most `chunks.target`.", ge=0, le=10_000)
    ] = 100


class SemanticSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched by meaning, and with which model."""

    coverage: Annotated[
        Literal["auto", "all", "selective", "off"],
        _key(
            "R",
            "What has vectors: everything, the most valuable files, nothing; `auto` is everything with the built-in "
            "model, `selective` with others.",
        ),
    ] = "auto"
    top_share: Annotated[
        float, _key("R", "Share of all files, the best by rank, that `selective` embeds.", ge=0, le=1)
    ] = 0.20
    recent_days: Annotated[
        int, _key("R", "`selective` embeds what changed in this many days before HEAD.", ge=0, le=10_000)
    ] = 30
    paths: Annotated[
        tuple[Pattern, ...],
        _key(
            "R",
            "Patterns in the manner of `.gitignore` of files that `selective` always embeds, and first.",
            max_length=MAX_ENTRIES,
            expects="a list of patterns",
        ),
    ] = ()
    model: Annotated[
        str,
        _key(
            "U",
            "`built-in`, `minilm` (the extra `pilotfish[minilm]`), a folder with a model in ONNX, or a name "
            "that fastembed knows, which is fetched once if `network.enabled` allows it.",
            expects="the name of a model, or the absolute path of a folder",
        ),
    ] = "built-in"
    query_prefix: Annotated[
        str,
        _key(
            "U",
            "Said to the model before a question; `auto` stands for what it was trained with.",
            expects="a text",
        ),
    ] = "auto"
    passage_prefix: Annotated[
        str,
        _key("U", "Said to the model before a passage; `auto` stands for what it was trained with.", expects="a text"),
    ] = "auto"
    max_tokens: Annotated[
        int,
        _key(
            "U",
            "How much of a passage the model reads; 0 stands for all it can, or 256 of one that is slow.",
            ge=0,
            le=32_768,
        ),
    ] = 0
    cache_mb: Annotated[
        int,
        _key("U", "Disk for vectors that need not be computed again, a repository and model, in MiB.", ge=1, le=65_536),
    ] = 512
    secrets: Annotated[
        bool,
        _key("U", "Read, index and return secrets too: `.env` and key files, and tokens and passwords in others."),
    ] = False


class GitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What of git's history is looked at, and whether its remotes are."""

    history_commits: Annotated[
        int,
        _key("R", "How many of the last commits count in a search, by their messages; 0 for none.", ge=0, le=1_000_000),
    ] = 20_000
    fetch: Annotated[
        bool, _key("U", "Let `sync_repository` fetch the branch that HEAD follows, where it is asked to.")
    ] = False


class SearchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much a question brings back."""

    max_symbols: Annotated[int, _key("S", "Most results of `workspace/symbol`.", ge=1, le=10_000)] = 128
    max_results: Annotated[
        int,
        _key(
            "S",
            "Results of a search where the question does not say; 0 stands for 5 for agents, else 10.",
            ge=0,
            le=500,
        ),
    ] = 0
    max_chunks: Annotated[int, _key("S", "Most passages that a context is put together from.", ge=1, le=500)] = 40
    history_weight: Annotated[
        float, _key("U", "How much past commits count in a search, times what was fitted; 0 is not.", ge=0, le=10)
    ] = 1.0
    similarity_threshold: Annotated[
        float,
        _key("S", "Least cosine of what only vectors find; 0 stands for the model's own, as measured.", ge=0, le=1),
    ] = 0.0


class NetworkSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Whether anything is ever fetched."""

    enabled: Annotated[bool, _key("U", "Fetch a model that `semantic.model` names and this machine does not have.")] = (
        False
    )


class FeatureSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an editor is offered. The defaults suit a sidecar beside a primary language server."""

    workspace_symbol: Annotated[
        bool, _key("S", "Answer `workspace/symbol`; what begins with `?` is a question in words.")
    ] = True
    hover: Annotated[
        Literal["off", "summary", "full"],
        _key("S", "Answer hovers: not at all, with one line about use and definition, or with signature and text."),
    ] = "summary"
    document_symbol: Annotated[bool, _key("S", "Answer `textDocument/documentSymbol` in every language.")] = False
    definition: Annotated[bool, _key("S", "Answer `textDocument/definition` in every language.")] = False
    references: Annotated[bool, _key("S", "Answer `textDocument/references` in every language.")] = False
    document_highlight: Annotated[bool, _key("S", "Answer `textDocument/documentHighlight` in every language.")] = False
    implementation: Annotated[bool, _key("S", "Answer `textDocument/implementation` in every language.")] = False
    type_hierarchy: Annotated[
        bool, _key("S", "Answer type hierarchies (`textDocument/prepareTypeHierarchy`) in every language.")
    ] = False
    call_hierarchy: Annotated[
        bool, _key("S", "Answer call hierarchies (`textDocument/prepareCallHierarchy`) in every language.")
    ] = False
    full_for: Annotated[
        tuple[LanguageName, ...],
        _key(
            "S",
            "Languages without a server of their own: every feature is on in their documents.",
            max_length=MAX_ENTRIES,
            expects="a list of language names",
        ),
    ] = ()
    code_actions: Annotated[
        bool,
        _key(
            "S",
            "Offer commands as code actions on the name under the cursor, for editors that give commands no place; "
            "others show a lamp on every line.",
        ),
    ] = False
    file_operations: Annotated[bool, _key("S", "Ask the editor to report files it creates, renames, deletes.")] = True
    watched_files: Annotated[bool, _key("S", "Ask the editor to report files that change on disk.")] = True


class CommandSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the answers to commands (`workspace/executeCommand`)."""

    show: Annotated[
        Literal["auto", "client", "message", "document"],
        _key(
            "S",
            "Who shows answers: the editor's own commands, one line of a message, or a document that the editor opens; "
            "`auto` is a document in editors that drop answers, such as Helix.",
        ),
    ] = "auto"


class LspSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the editor and the server talk."""

    position_encoding: Annotated[
        Literal["utf-8", "utf-16", "utf-32"],
        _key("S", "Position encoding to choose when the editor offers it; UTF-16 holds otherwise."),
    ] = "utf-16"
    trace: Annotated[
        Literal["off", "messages", "verbose"],
        _key("S", "Trace sent to the editor until it sends `$/setTrace`."),
    ] = "off"


class MapSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The repo map: how much, and what first. Files with a boost of 10 begin with as much rank as all others."""

    max_tokens: Annotated[
        int, _key("S", "Most tokens of a map where the question does not say; 0 stands for no map.", ge=0, le=1_000_000)
    ] = 1_024
    tokenizer: Annotated[
        str,
        _key(
            "U",
            "Count tokens by this file: `tokenizer.json`, or ranks of tiktoken. Else four characters are one.",
            expects="the path of a file",
        ),
    ] = ""
    boost_open: Annotated[float, _key("R", "Boost of open documents and files named.", ge=0, le=1_000)] = 50.0
    boost_changed: Annotated[
        float, _key("R", "Boost of files that differ from HEAD, and of those its last commits changed.", ge=0, le=1_000)
    ] = 10.0
    boost_mentioned: Annotated[float, _key("R", "Factor of names that the question mentions.", ge=0, le=1_000)] = 10.0
    boost_long: Annotated[
        float, _key("R", "Factor of names of several words and eight letters or more.", ge=0, le=1_000)
    ] = 10.0
    boost_private: Annotated[float, _key("R", "Factor of private names.", ge=0, le=1_000)] = 0.1
    boost_common: Annotated[float, _key("R", "Factor of names that more than five files define.", ge=0, le=1_000)] = 0.1
    boost_spelled: Annotated[
        float, _key("R", "Factor of uses that no import explains, only the name.", ge=0, le=1_000)
    ] = 0.3
    recent_commits: Annotated[int, _key("R", "How many of the last commits count as recent.", ge=0, le=1_000)] = 20


class ContextSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much source is put together for a task."""

    max_tokens: Annotated[
        int, _key("S", "Most tokens of a context where the question does not say.", ge=0, le=1_000_000)
    ] = 8_000
    share: Annotated[
        float, _key("S", "Of a reader's whole context, where it is stated, at most this part is filled.", ge=0, le=1)
    ] = 0.40


class McpSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is told unasked."""

    instructions: Annotated[
        Literal["short", "off"], _key("S", "Tell an agent in a few sentences what the tools are for, or nothing.")
    ] = "short"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The whole tree; every part has its defaults."""

    index: IndexSettings = IndexSettings()
    limits: LimitSettings = LimitSettings()
    languages: LanguageSettings = LanguageSettings()
    chunks: ChunkSettings = ChunkSettings()
    semantic: SemanticSettings = SemanticSettings()
    network: NetworkSettings = NetworkSettings()
    git: GitSettings = GitSettings()
    search: SearchSettings = SearchSettings()
    map: MapSettings = MapSettings()
    context: ContextSettings = ContextSettings()
    features: FeatureSettings = FeatureSettings()
    commands: CommandSettings = CommandSettings()
    lsp: LspSettings = LspSettings()
    mcp: McpSettings = McpSettings()


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """One key as the table of settings has it; `type` is what `msgspec.convert` checks a value against."""

    section: str
    field: str
    type: Any
    default: Any
    scope: Scope
    lowers: bool
    expects: str
    description: str

    @property
    def name(self) -> str:
        """The key as written everywhere: `index.watch`."""
        return f"{self.section}.{self.field}"

    @property
    def variable(self) -> str:
        """The environment variable that sets it: `PILOTFISH_INDEX_WATCH`."""
        return f"PILOTFISH_{self.section}_{self.field}".upper()


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """Settings with their history: `origins` tells for each key that is not at its default who set it (a file's path,
    an environment variable, `session`); `problems` are sentences for the user, each to be shown once."""

    settings: Settings
    origins: dict[str, str]
    problems: list[str]


class _Source(msgspec.Struct, frozen=True, kw_only=True):
    """One place that settings come from: how messages name it, and the scopes it may set."""

    name: str
    scopes: frozenset[Scope]
    values: Mapping[str, Any]
    strict: bool = True
    is_root: bool = False


@functools.cache
def keys() -> dict[str, Key]:
    """Return the table of settings by name, in the order of the tree."""
    table: dict[str, Key] = {}
    for section in msgspec.structs.fields(Settings):
        hints = typing.get_type_hints(section.type, include_extras=True)
        for field in msgspec.structs.fields(section.type):
            meta = hints[field.name].__metadata__[-1]
            key = Key(
                section=section.name,
                field=field.name,
                type=hints[field.name],
                default=getattr(section.type(), field.name),
                description=meta.description,
                **meta.extra,
            )
            table[key.name] = key
    return table


def expectation(key: Key) -> str:
    """Say in words what values `key` takes, e.g. `a whole number from 1 to 64`."""
    if key.expects:
        return key.expects
    base, *metas = typing.get_args(key.type)
    if base is bool:
        return "`true` or `false`"
    if typing.get_origin(base) is Literal:
        return "one of " + ", ".join(f'`"{value}"`' for value in typing.get_args(base))
    noun = "a whole number" if base is int else "a number"
    return f"{noun} from {metas[-1].ge:,} to {metas[-1].le:,}"


def user_file(environment: Mapping[str, str] | None = None) -> Path:
    """Return the path of the user's settings file, which need not exist.

    `PILOTFISH_CONFIG` names the file; `PILOTFISH_HOME` names the folder that holds it with everything else of ours.
    Relative values are ignored (`load` reports them): engines and fronts do not share a working folder.
    """
    environment = os.environ if environment is None else environment
    if chosen := _absolute(environment.get("PILOTFISH_CONFIG")):
        return chosen
    if home := _absolute(environment.get("PILOTFISH_HOME")):
        return home / "config.toml"
    return Path(platformdirs.user_config_path("pilotfish", appauthor=False)) / "config.toml"


def load(
    root: str | os.PathLike[str] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    session: object = None,
) -> Loaded:
    """Read the settings of `root` from every source that exists.

    Args:
        root: the canonical root, whose `pilotfish.toml` is read; None for what holds without a root.
        environment: the environment variables, this process's own when None.
        session: what the editor sent, nested or with dotted names, with or without the outer `pilotfish`; None for
            the settings that the engine uses.

    """
    environment = os.environ if environment is None else environment
    problems: list[str] = []
    sources = list(_sources(None if root is None else Path(root), environment, session, problems))
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for source in sources:
        wrong: list[str] = []
        for name, value in source.values.items():
            key = keys().get(name)
            if key is None:
                wrong.append(f"unknown setting {_shown(name)}.{_nearest(name) if len(wrong) < MAX_PROBLEMS else ''}")
                continue
            problem = _take(key, value, source, values)
            if problem:
                wrong.append(problem)
            else:
                origins[name] = source.name
        problems += [f"{source.name}: {problem}" for problem in _first(wrong)]
    _drop_unknown_associations(values, origins, problems)
    _know_full_languages(values, origins, problems)
    return Loaded(settings=_tree(values), origins=origins, problems=problems)


def _take(key: Key, value: Any, source: _Source, values: dict[str, Any]) -> str:
    """Put `value` into `values` if it is valid and `source` may set it; otherwise return what is wrong with it."""
    if key.scope not in source.scopes:
        return f"`{key.name}` may not be set here and is ignored; set it in {_home_of(key)}."
    try:
        converted = msgspec.convert(_parsed(key, value) if not source.strict else value, key.type, strict=source.strict)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return f"`{key.name}` is {_shown(value)}; expected {expectation(key)}. {_instead(key, values)}"
    if source.is_root and key.lowers and converted > values.get(key.name, key.default):
        return f"`{key.name}` may only be lowered here, not raised to {_shown(value)}. {_instead(key, values)}"
    values[key.name] = converted
    return ""


def _first(problems: list[str]) -> list[str]:
    """Return a few problems of one source, which may be a stranger's file with any number of them."""
    more = len(problems) - MAX_PROBLEMS
    return [*problems[:MAX_PROBLEMS], f"and {more:,} more problems."] if more > 0 else problems


def _know_full_languages(values: dict[str, Any], origins: Mapping[str, str], problems: list[str]) -> None:
    """Call the languages that are to have every feature by our names, whatever an editor or a person calls them; report
    those that do not exist, and keep the others."""
    name = "features.full_for"
    if not values.get(name):
        return
    from pilotfish.syntax.languages import REGISTRY, named

    known = {written: named(written) for written in dict.fromkeys(values[name])}
    import difflib

    wrong = []
    for written in (each for each, language in known.items() if language is None):
        near = difflib.get_close_matches(written.lower(), REGISTRY, 1)
        meant = f"; did you mean `{near[0]}`?" if near else f"; the languages are {', '.join(sorted(REGISTRY))}."
        wrong.append(f"`{name}` names the unknown language {_shown(written)}, which is ignored{meant}")
    problems += [f"{origins[name]}: {problem}" for problem in _first(wrong)]
    values[name] = tuple(dict.fromkeys(language for language in known.values() if language is not None))


def _drop_unknown_associations(values: dict[str, Any], origins: Mapping[str, str], problems: list[str]) -> None:
    """Report associations with languages that do not exist, and keep the others."""
    name = "languages.associations"
    if not values.get(name):
        return
    from pilotfish.syntax.languages import REGISTRY

    unknown = sorted(pattern for pattern, language in values[name].items() if language not in REGISTRY)
    wrong = [
        f"`{name}` gives {_shown(pattern)} the unknown language {_shown(values[name][pattern])} and is ignored there; "
        f"the languages are {', '.join(sorted(REGISTRY))}."
        for pattern in unknown
    ]
    problems += [f"{origins[name]}: {problem}" for problem in _first(wrong)]
    values[name] = {pattern: language for pattern, language in values[name].items() if pattern not in unknown}


def _sources(
    root: Path | None, environment: Mapping[str, str], session: object, problems: list[str]
) -> Iterator[_Source]:
    """Yield the sources from the weakest to the strongest, reporting those that cannot be read."""
    everything: frozenset[Scope] = frozenset(("U", "R", "S"))
    problems += [
        f"{variable}: {_shown(environment[variable])} is not an absolute path and is ignored."
        for variable in ("PILOTFISH_CONFIG", "PILOTFISH_HOME")
        if environment.get(variable) and not _absolute(environment[variable])
    ]
    path = user_file(environment)
    yield _Source(name=str(path), scopes=everything, values=_read(path, path.name, problems, follow=True))
    if root is not None:
        path = root / ROOT_FILE
        values = _read(path, ROOT_FILE, problems, follow=False)
        yield _Source(name=ROOT_FILE, scopes=frozenset(("R", "S")), values=values, is_root=True)
    for name, variable in _variables(environment):
        yield _Source(name=variable, scopes=everything, values={name: environment[variable]}, strict=False)
    if session is not None:
        yield _Source(name="session", scopes=frozenset(("S",)), values=_session_values(session, problems))


def _read(path: Path, name: str, problems: list[str], *, follow: bool) -> dict[str, Any]:
    """Return the flat values of a TOML file; nothing when it is absent, a problem when it is unusable."""
    try:
        text = _bounded_text(path, follow=follow)
        return {} if text is None else _flat(parsed_toml(text))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "nested too deeply"
        problems.append(f"{path if follow else name}: not used, {_plain(reason)}; the defaults hold instead.")
        return {}


def _bounded_text(path: Path, *, follow: bool) -> str | None:
    """Read a small regular file, or None when there is none; never through a link unless `follow`."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if not follow:
        if path.is_symlink():
            raise ValueError("it is a symbolic link, which could lead out of the root")
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is not a regular file")
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"it is longer than {MAX_FILE_BYTES // 1024} KiB")
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def _flat(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Turn sections into dotted names; a table that is itself a key's value stays whole."""
    flat: dict[str, Any] = {}
    for section, content in tree.items():
        if "." in section or not isinstance(content, Mapping):
            flat[section] = content
        else:
            flat.update({f"{section}.{field}": value for field, value in content.items()})
    return flat


def _session_values(session: object, problems: list[str]) -> dict[str, Any]:
    """Return the flat values that an editor sent; null means not set, other extensions' sections are left alone."""
    if not isinstance(session, Mapping):
        problems.append(f"session: settings are {_shown(session)}; expected an object. They are ignored.")
        return {}
    tree = {str(name): value for name, value in session.items()}
    if isinstance(tree.get("pilotfish"), Mapping):
        tree.update(tree.pop("pilotfish"))
    tree = {name.removeprefix("pilotfish."): value for name, value in tree.items()}
    flat = _flat({name: value for name, value in tree.items() if name.split(".")[0] not in CLIENT_SECTIONS})
    return {name: value for name, value in flat.items() if value is not None}


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (key or wrong name, variable) for variables that start like one of our sections, sorted."""
    known = {key.variable: key.name for key in keys().values()}
    sections = {f"PILOTFISH_{key.section.upper()}_": key.section for key in keys().values()}
    for variable in sorted(environment.keys() - {MCP_TOKEN_VARIABLE}):
        if variable in known:
            yield known[variable], variable
            continue
        for prefix, section in sections.items():
            if variable.startswith(prefix):
                yield f"{section}.{variable.removeprefix(prefix).lower()}", variable


def _parsed(key: Key, text: str) -> Any:
    """Read the text of an environment variable: lists as `a,b`, tables as `a=b,c=d`, either also as JSON."""
    base = typing.get_args(key.type)[0]
    shape = typing.get_origin(base)
    if base is bool:
        return _SWITCH_WORDS.get(text.strip().lower(), text)
    if shape not in (tuple, dict):
        return text.strip()
    if text.lstrip().startswith(("[", "{")):
        return msgspec.json.decode(text)
    items = [item.strip() for item in text.split(",") if item.strip()]
    if shape is tuple:
        return items
    return dict(item.partition("=")[::2] for item in items)


def _tree(values: Mapping[str, Any]) -> Settings:
    """Build the tree out of checked values."""
    sections: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        section, _, field = name.partition(".")
        sections.setdefault(section, {})[field] = value
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    return Settings(**{name: types[name](**fields) for name, fields in sections.items()})


def _nearest(name: str) -> str:
    """Name the settings that a wrong name may have meant."""
    import difflib

    close = difflib.get_close_matches(name, keys(), n=1, cutoff=0.75)
    return f" Did you mean `{close[0]}`?" if close else " docs/settings.md lists them all."


def _instead(key: Key, values: Mapping[str, Any]) -> str:
    return f"{_shown(values.get(key.name, key.default))} is used."


def _home_of(key: Key) -> str:
    if key.scope == "U":
        return f"your own settings file or {key.variable}"
    return f"your own settings file, the root's {ROOT_FILE} or {key.variable}"


def _shown(value: Any) -> str:
    """Show a value of unknown origin as TOML would, on one short line."""
    with contextlib.suppress(TypeError, ValueError, RecursionError):
        value = (
            value
            if isinstance(value, str | float)
            else msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
        )
    return f"`{_plain(str(value))}`"


def _plain(text: str) -> str:
    """Return `text` short and without control characters; the root's file may hold any."""
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:81])
    return text if len(text) <= 80 else text[:79] + "…"


def _absolute(value: str | None) -> Path | None:
    path = Path(value).expanduser() if value else None
    return path if path is not None and path.is_absolute() else None


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
