"""After any history the graph and the map equal those made from nothing (DESIGN invariant 1), and files that only
moved are bound anew without being parsed (invariant 2).

One real engine over real files lives through all histories; beside it a fresh `Graphs` and `Maps` read its catalog.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.graphs import Graphs
from pilotfish.engine.handlers.repo_map import search_for
from pilotfish.engine.maps import Maps
from pilotfish.engine.view import View
from pilotfish.graph.edges import Graph
from pilotfish.graph.linking import Evidence
from pilotfish.operations.answer import IndexState
from pilotfish.operations.repo_map import RepoMapParameters
from pilotfish.store.catalog import Reader
from pilotfish.syntax.outline import Role

TEXTS = {
    ".py": (
        "def run_all(): ...\n\n\nclass Engine:\n    def start(self): run_all()\n",
        "from pkg.a import run_all\nfrom .b import Engine as Motor\n\n\ndef main():\n    run_all(Motor())\n",
        "from lib.a import *\nimport pkg.b\n\n\ndef helper():\n    return run_all(pkg.b.Engine())\n",
        "",
    ),
    ".ts": (
        "export function format_it() {}\nexport class Store {}\n",
        'import { format_it, Store as S } from "@/util";\nexport const app = () => format_it(new S());\n',
        'export * from "./util";\nimport { Store } from "../src/util";\nexport class Other extends Store {}\n',
    ),
    ".go": (
        "package store\n\ntype Store struct{}\n\nfunc Open() *Store { return nil }\n",
        'package main\n\nimport "example.com/x/svc/store"\n\nfunc main() { store.Open() }\n',
    ),
    ".json": (
        '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}\n',
        '{"compilerOptions": {"paths": {"@/*": ["./web/src/*"]}}} // and more\n',
        "{broken",
    ),
    ".mod": ("module example.com/x\n", "module other.org/y\n"),
}
PATHS = (
    *("pkg/__init__.py", "pkg/a.py", "pkg/b.py", "lib/a.py", "lib/b.py", "main.py"),
    *("web/src/util.ts", "web/app.ts", "src/util.ts", "src/index.ts"),
    *("svc/store/store.go", "svc/main.go", "main.go"),
    *("tsconfig.json", "web/tsconfig.json", "go.mod", "svc/go.mod"),
)
FOLDERS = ("pkg", "lib", "web/src", "src", "svc/store", "web")
QUESTIONS = (
    RepoMapParameters(),
    RepoMapParameters(max_tokens=90, format="compact", mentions=["Store", "run"]),
    RepoMapParameters(files=["main.py", "web/app.ts"], task="format the store", format="json"),
)

path = st.sampled_from(PATHS)
text_number = st.integers(0, 11)
step = st.one_of(
    st.tuples(st.just("write"), path, text_number),
    st.tuples(st.just("write"), path, text_number),
    st.tuples(st.just("delete"), path),
    st.tuples(st.just("rename"), path, path),
    st.tuples(st.just("move_folder"), st.sampled_from(FOLDERS), st.sampled_from((*FOLDERS, "new"))),
    st.tuples(st.just("open"), path, text_number),
    st.tuples(st.just("close"), path),
)


def text_for(path: str, number: int) -> str:
    texts = TEXTS[Path(path).suffix]
    return texts[number % len(texts)]


class Home:
    """A root with its engine, one editor, and what is done to both."""

    def __init__(self, folder: Path) -> None:
        self.root = (folder / "root").resolve()
        self.root.mkdir()
        self.loop = asyncio.new_event_loop()
        environment = {
            "PILOTFISH_HOME": str(folder / "home"),
            "PILOTFISH_INDEX_WATCH": "false",
            "PILOTFISH_INDEX_DEBOUNCE_MS": "0",
            "PILOTFISH_LIMITS_WORKERS": "1",
            "PATH": os.environ["PATH"],
        }
        self.loop.run_until_complete(self._open(folder / "index", environment))

    async def _open(self, index_folder: Path, environment: dict[str, str]) -> None:
        self.engine: Engine = await Engine.open(self.root, index_folder=index_folder, environment=environment)
        assert not self.engine.warnings
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
        self.session = self.engine.connect(hello, lambda method, params: None)

    def close(self) -> None:
        self.loop.run_until_complete(self.engine.close())
        self.loop.close()

    async def begin(self, numbers: list[int]) -> None:
        for path in list(self.session.documents):
            self._tell("document/close", {"uri": path})
        for child in self.root.iterdir():
            shutil.rmtree(child) if child.is_dir() else child.unlink()
        for path, number in zip(PATHS, numbers, strict=True):
            if number:
                self.write(path, number)
        await self.engine.indexer.sync()

    # --- steps

    def write(self, path: str, number: int) -> list[str]:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text_for(path, number))
        return [path]

    def delete(self, path: str) -> list[str]:
        (self.root / path).unlink(missing_ok=True)
        return [path]

    def rename(self, old: str, new: str) -> list[str]:
        if (self.root / old).is_file() and Path(old).suffix == Path(new).suffix:
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
        return [old, new]

    def move_folder(self, old: str, new: str) -> list[str]:
        source, target = self.root / old, self.root / new
        if source.is_dir() and not target.exists() and source not in target.parents:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)
        return [old, new]

    def open(self, path: str, number: int) -> list[str]:
        uri = (self.root / path).as_uri()
        self._tell("document/open", {"uri": uri, "version": 1, "text": text_for(path, number), "language": ""})
        return []

    def close_document(self, path: str) -> list[str]:
        uri = (self.root / path).as_uri()
        if uri in self.session.documents:
            self._tell("document/close", {"uri": uri})
        return []

    def _tell(self, method: str, params: dict[str, object]) -> None:
        self.engine.receive(self.session, method, msgspec.Raw(msgspec.json.encode(params)))

    # --- looking

    async def live_through(self, history: list[tuple[str, ...]]) -> None:
        counters = self.engine.indexer.counters
        for name, *arguments in history:
            parsed = counters.parsed
            touched = getattr(self, {"close": "close_document"}.get(name, name))(*arguments)
            if touched:
                self.engine.indexer.changed(touched)
            await self.engine.indexer.wait_quiet()
            for document in self.session.documents.values():
                await document.decided.wait()
                await document.settled.wait()
            if name in ("rename", "move_folder", "delete"):
                assert counters.parsed == parsed, "what only moves is not parsed"
            await self.compare()

    async def compare(self) -> None:
        await self.engine.wait_quiet()  # a task asks by meaning, too
        with self.engine.catalog.reader() as reader:
            views = [self.view(reader, graphs) for graphs in (self.engine._graphs, Graphs(str(self.root)))]
            words = {hash(name): name for text in views[0].files(views[0].graph.paths) for name in names_in(text)}
            followed, fresh = (view.graph for view in views)
            assert described(followed, words) == described(fresh, words)
            assert bound(followed) == bound(fresh)
        for question in QUESTIONS:
            params = msgspec.Raw(msgspec.json.encode(question))
            answer = await self.engine.call(self.session, "repo_map", params)
            answer.index = IndexState()
            with self.engine.catalog.reader() as reader:
                view = self.view(reader, Graphs(str(self.root)))
                tokens = 1_024 if question.max_tokens is None else question.max_tokens
                head = self.engine.indexer.head
                settings, search = self.engine.loaded.settings.map, search_for(self.engine, view, question)
                expected = await asyncio.to_thread(
                    Maps(str(self.root)).answer, view, question, settings, tokens, head, search
                )
            expected.index = IndexState()
            assert answer == expected

    def view(self, reader: Reader, graphs: Graphs) -> View:
        own = dict(self.session.documents)
        by_path = {document.path: document for document in own.values() if document.path is not None}
        return View(str(self.root), reader, by_path, own, graphs)


def names_in(text) -> list[str]:
    return [symbol.name for symbol in text.outline.symbols]


def described(graph: Graph, words: dict[int, str]) -> list[tuple[str, ...]]:
    return sorted(
        (
            graph.paths[source],
            graph.paths[target],
            words[int(graph.names[name])] if name >= 0 else "*",
            Role(role).name,
            str(uses),
            Evidence(evidence).name,
        )
        for source, target, name, role, uses, evidence in zip(*graph.links, strict=True)
    )


def bound(graph: Graph) -> dict[str, object]:
    return {
        path: (
            node.language,
            node.bindings.aliases.tolist(),
            node.bindings.names.tolist(),
            node.bindings.files,
            node.bindings.package,
        )
        for path, node in graph.nodes.items()
    }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = Home(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


async def live(home: Home, numbers: list[int], history: list[tuple[str, ...]]) -> None:
    await home.begin(numbers)
    await home.compare()
    await home.live_through(history)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    numbers=st.lists(text_number, min_size=len(PATHS), max_size=len(PATHS)),
    history=st.lists(step, min_size=1, max_size=8),
)
def test_graph_and_map_equal_fresh_ones(home: Home, numbers, history):
    home.loop.run_until_complete(live(home, numbers, history))


def test_a_manifest_changed_and_restored_counts_again(home: Home):
    """Between two looks at the disk the text was another one than the catalog's."""

    async def scene() -> None:
        await home.begin([0] * len(PATHS))
        for path, number in (("web/app.ts", 1), ("web/src/util.ts", 0), ("src/util.ts", 0), ("tsconfig.json", 1)):
            home.write(path, number)
        await home.engine.indexer.sync()
        await home.compare()
        home.write("tsconfig.json", 0)
        await home.live_through([("write", "main.py", 0)])
        home.write("tsconfig.json", 1)
        home.engine.indexer.changed(["tsconfig.json"])
        await home.live_through([("write", "main.py", 1)])
        with home.engine.catalog.reader() as reader:
            graph = home.view(reader, home.engine._graphs).graph
        assert ("web/src/util.ts",) in graph.nodes["web/app.ts"].bindings.files

    home.loop.run_until_complete(scene())


def test_a_manifest_decides_what_imports_mean(home: Home):
    """The history that the random ones above only hit now and then: manifests alone change, come, go and move."""

    async def scene() -> None:
        await home.begin([0] * len(PATHS))
        for path, text in (("web/app.ts", 1), ("web/src/util.ts", 0), ("src/util.ts", 0)):
            home.write(path, text)
        home.write("svc/main.go", 1)
        home.write("svc/store/store.go", 0)
        await home.engine.indexer.sync()
        seen = []
        for step in (
            ("write", "web/tsconfig.json", 0),
            ("rename", "web/tsconfig.json", "tsconfig.json"),
            ("write", "tsconfig.json", 1),
            ("delete", "tsconfig.json"),
            ("write", "go.mod", 0),
            ("rename", "go.mod", "svc/go.mod"),
        ):
            await home.live_through([step])
            with home.engine.catalog.reader() as reader:
                graph = home.view(reader, home.engine._graphs).graph
            seen.append(
                {(node.path, file) for node in graph.nodes.values() for files in node.bindings.files for file in files}
            )
        near, top = ("web/app.ts", "web/src/util.ts"), ("web/app.ts", "src/util.ts")
        store = ("svc/main.go", "svc/store/store.go")
        # Where no tsconfig says what `@/` is, it is the folder of that custom: `src`.
        assert seen == [{near}, {top}, {near}, {top}, {top, store}, {top}]

    home.loop.run_until_complete(scene())
