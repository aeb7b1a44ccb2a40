"""Repo maps of one root: the graph's ranks for a question, what git says of it, and the answers given already."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from pilotfish.config import MapSettings
from pilotfish.engine.addresses import path_of_argument
from pilotfish.engine.view import Text, View
from pilotfish.engine.wire import INVALID_PARAMS, OperationError
from pilotfish.operations.repo_map import MapFile, MapSymbol, RepoMapParameters, RepoMapResult
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.spellings import key_of, spellings_of
from pilotfish.workspace.git import Git

if TYPE_CHECKING:
    # numpy comes with them: not before the first map.
    from pilotfish.graph.edges import Graph
    from pilotfish.graph.rank import Ranker
    from pilotfish.graph.repomap import Drawn
    from pilotfish.graph.tokens import Counter

KEPT: Final = 64
"""Maps that are kept for the same question."""

SIGNATURE_CHARS: Final = 100
"""Of a signature so much is shown, in characters."""


class _Recent(NamedTuple):
    """What git says at one generation and commit: files that differ from HEAD, files that its last so many commits
    changed."""

    at: tuple[int, str | None, int]
    changed: frozenset[str]
    committed: frozenset[str]


class TaskSearch(NamedTuple):
    """A search for a task: `find` gives path and name of definitions, best first; they are the same as long as texts,
    HEAD and `state` are."""

    find: Callable[[], Sequence[tuple[str, str]]]
    state: Hashable


@dataclass(slots=True)
class _Known:
    """What is kept of one graph, as long as that is: its ranks' columns, and maps by question."""

    settings: MapSettings | None = None
    ranker: Ranker | None = None
    answers: OrderedDict[Hashable, RepoMapResult] = field(default_factory=OrderedDict)


class Maps:
    """Draws the maps of one root. Asked from any thread."""

    def __init__(self, root: str) -> None:
        self._root = root
        # Held by who asks for a map: the others wait here and not in the few threads that answer everything.
        self.turn = asyncio.Lock()
        self._lock = threading.Lock()
        self._recent: _Recent | None = None
        self._known: WeakKeyDictionary[Graph, _Known] = WeakKeyDictionary()
        self._counters: dict[str, Counter] = {}

    def answer(
        self,
        view: View,
        parameters: RepoMapParameters,
        settings: MapSettings,
        tokens: int,
        head: str | None,
        search: TaskSearch | None = None,
    ) -> RepoMapResult:
        """Return the map that a question asks for, within `tokens`.

        Args:
            view: what the session sees.
            parameters: the question.
            settings: what counts how much.
            tokens: the budget.
            head: the commit that is checked out.
            search: finds what the task is about; asked where the map is not at hand.

        Raises:
            OperationError: the tokenizer named in the settings cannot be used, or a file lies outside the root.

        """
        graph = view.graph
        texts = (view.generation, view.unsaved_texts(), tuple(view.open_paths()))
        key = (head, texts, settings, tokens, msgspec.json.encode(parameters), search and search.state)
        with self._lock:
            answers = self._known.setdefault(graph, _Known()).answers
            kept = answers.get(key)
            if kept is None:
                kept = self._draw(view, graph, parameters, settings, tokens, head, search)
                if parameters.format == "html":  # megabytes, and asked for once
                    return kept
                answers[key] = kept
                if len(answers) > KEPT:
                    answers.popitem(last=False)
            answers.move_to_end(key)
            return msgspec.structs.replace(kept)

    def ranks(self, view: View, settings: MapSettings) -> dict[str, float]:
        """Return each file's share of all rank, whatever the question."""
        from pilotfish.graph.rank import Wishes

        graph = view.graph
        with self._lock:
            self._known.setdefault(graph, _Known())
            ranks = self._ranker(graph, settings).rank(Wishes())
        return dict(zip(graph.paths, ranks.files.tolist(), strict=True))

    def _draw(
        self,
        view: View,
        graph: Graph,
        parameters: RepoMapParameters,
        settings: MapSettings,
        tokens: int,
        head: str | None,
        search: TaskSearch | None,
    ) -> RepoMapResult:
        from pilotfish.graph import repomap
        from pilotfish.graph.rank import Wishes

        files, unknown = self._files(parameters.files, graph)
        count = self.counter(settings.tokenizer)
        words = repomap.Words(graph, parameters.mentions, parameters.task)
        answers = repomap.Answers(graph, search.find() if search is not None else ())
        # A person learns a page by its places, which do not depend on what is open or changed.
        groups: list[tuple[Collection[str], float]] = [(files, settings.boost_open)]
        if parameters.format != "html":
            recent = self._recently(view.generation, head, settings.recent_commits)
            groups = [
                ({*view.open_paths(), *files}, settings.boost_open),
                (recent.changed, settings.boost_changed),
                (recent.committed, settings.boost_changed / 10),
            ]
        start = repomap.start_of(graph, words, groups)
        ranker = self._ranker(graph, settings)
        ranks = ranker.rank(Wishes(start, dict.fromkeys(words.exact(), settings.boost_mentioned)))
        if parameters.format == "html":
            from pilotfish.engine.map_page import map_page

            text = map_page(view, ranks.files)
            return RepoMapResult(
                format="html",
                text=text,
                tokens=count(text),
                counter=counter_name(settings),
                outcome="found" if len(graph) else "no_match",
            )
        wanted = repomap.best(graph, repomap.score(graph, ranks, words, answers), tokens)
        drawn = repomap.draw(
            wanted,
            lambda path: _Source(view.file(path)),
            budget=tokens,
            count=count,
            style=parameters.format,
            files=len(graph),
        )
        return RepoMapResult(
            format=parameters.format,
            text=drawn.text,
            tokens=drawn.tokens,
            max_tokens=tokens,
            counter=counter_name(settings),
            files=[
                MapFile(
                    path=file.path,
                    rank=round(float(ranks.files[graph.index[file.path]]), 6),
                    symbols=[_symbol(each) for _, each in file.shown],
                )
                for file in drawn.files
            ],
            more_files=drawn.more,
            unknown_files=unknown,
            outcome="found" if drawn.files else "no_match",
        )

    def _files(self, named: Sequence[str], graph: Graph) -> tuple[list[str], list[str]]:
        """Return the files that are named, or lie in a folder that is, and the names of which the graph has nothing."""
        files: list[str] = []
        unknown: list[str] = []
        for name in named:
            path = path_of_argument(self._root, name)
            if path is None and name.strip("/") not in ("", "."):
                raise OperationError(INVALID_PARAMS, f"{name} lies outside the root", "name files relative to the root")
            below = f"{path}/" if path else ""
            found = [path] if path in graph.index else [each for each in graph.paths if each.startswith(below)]
            files += [each for each in found if each is not None]
            if not found:
                unknown.append(name)
        return files, unknown

    def counter(self, tokenizer: str) -> Counter:
        """Return what counts tokens: by the file that is named, else four characters are one.

        Raises:
            OperationError: the file cannot be used.

        """
        from pilotfish.graph.tokens import TokenizerError, counter_from, estimate

        if not tokenizer:
            return estimate
        if tokenizer not in self._counters:
            try:
                self._counters[tokenizer] = counter_from(Path(tokenizer).expanduser())
            except TokenizerError as error:
                raise OperationError(INVALID_PARAMS, str(error), "mend or remove `map.tokenizer`") from error
        return self._counters[tokenizer]

    def _recently(self, generation: int, head: str | None, commits: int) -> _Recent:
        at = (generation, head, commits)
        if self._recent is None or self._recent.at != at:
            git = Git(self._root)
            touched = {path for commit in git.recent_commits(commits) for path in commit.paths}
            self._recent = _Recent(at, git.changed_files(), frozenset(touched))
        return self._recent

    def _ranker(self, graph: Graph, settings: MapSettings) -> Ranker:
        from pilotfish.graph.rank import Boosts, Ranker

        known = self._known[graph]
        if known.ranker is None or known.settings != settings:
            boosts = Boosts(
                long_name=settings.boost_long,
                private=settings.boost_private,
                common=settings.boost_common,
                spelled=settings.boost_spelled,
            )
            known.settings, known.ranker = settings, Ranker(graph, boosts)
        return known.ranker


class _Source:
    """One file as `graph.repomap.Source` asks for it."""

    def __init__(self, text: Text | None) -> None:
        self._text = text
        self._symbols = None if text is None else text.symbols

    def names(self) -> Sequence[str]:
        """See `Source`."""
        if self._text is None or self._symbols is None:
            return ()
        names, language = self._symbols.names, self._text.language
        if spellings_of("", language) is None:
            return names
        kinds = map(SymbolKind, self._symbols.kinds)
        return [key_of(name, language, kind) for name, kind in zip(names, kinds, strict=True)]

    def parents(self) -> Sequence[int]:
        """See `Source`."""
        return () if self._symbols is None else self._symbols.parents

    def drawn(self, index: int) -> Drawn:
        """See `Source`."""
        from pilotfish.graph.repomap import Drawn

        assert self._text is not None
        assert self._symbols is not None
        symbol = self._symbols.symbol(index)
        signature = " ".join(self._text.signature(symbol).split())
        if len(signature) > SIGNATURE_CHARS:
            signature = signature[: SIGNATURE_CHARS - 1] + "…"
        line = self._text.line_of(symbol.name_start) + 1
        return Drawn(symbol.name, symbol.kind.label, line, signature)


def counter_name(settings: MapSettings) -> str:
    """Say how tokens are counted."""
    return settings.tokenizer or "characters / 4"


def _symbol(drawn: Drawn) -> MapSymbol:
    return MapSymbol(name=drawn.name, kind=drawn.kind, line=drawn.line, signature=drawn.signature)
