"""`get_architecture` from a live engine: formats, budgets, areas, unsaved texts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.sessions import Session
from pilotfish.engine.wire import OperationError
from pilotfish.graph.tokens import estimate
from pilotfish.operations.architecture import GetArchitectureResult

FILES = {
    "package.json": '{"bin": "./lib/cli.js"}',
    "lib/cli.js": 'import { run } from "./core/run.js"\n\nrun()\n',
    "lib/core/run.js": 'import { load } from "../store/load.js"\n\nexport function run() { load() }\n',
    "lib/store/load.js": 'import { run } from "../core/run.js"\n\nexport const load = () => 1\nrun()\n',
    "lib/views/app.tsx": "export function App() { return null }\n",
    "test/run.test.js": 'import { run } from "../lib/core/run.js"\n\nrun()\n',
}


@pytest_asyncio.fixture
async def engine(tmp_path: Path) -> AsyncIterator[tuple[Engine, Session]]:
    root = tmp_path / "root"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    engine = await Engine.open(root, index_folder=tmp_path / "index")
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    await engine.indexer.wait_quiet()
    yield engine, session
    await engine.close()


async def asked(engine: tuple[Engine, Session], **parameters: Any) -> GetArchitectureResult:
    answer = await engine[0].call(engine[1], "get_architecture", msgspec.Raw(msgspec.json.encode(parameters)))
    assert isinstance(answer, GetArchitectureResult)
    return answer


async def test_formats_tell_the_same(engine: tuple[Engine, Session]) -> None:
    text, mermaid, structure = [await asked(engine, format=each) for each in ("text", "mermaid", "json")]
    assert "package.json: bin" in text.text
    assert mermaid.text.startswith("flowchart TD\n")
    assert structure.text == ""
    names = [module.name for module in structure.modules]
    assert all(name in text.text for name in names)
    assert mermaid.text.count("<br/>") == len(names) == structure.module_count
    assert [entry.path for entry in structure.entry_points] == ["lib/cli.js"]
    assert [cycle.loop for cycle in structure.file_cycles] == [["lib/core/run.js", "lib/store/load.js"]]
    assert any(each.against_layers for each in structure.dependencies)
    assert (structure.file_count, structure.test_file_count) == (4, 1)
    json.dumps(msgspec.to_builtins(structure))


@pytest.mark.parametrize("form", ["text", "mermaid", "json"])
async def test_a_budget_is_kept(engine: tuple[Engine, Session], form: str) -> None:
    full = await asked(engine, format=form, max_tokens=1_000_000)
    assert not full.truncated
    for budget in (0, 1, 20, 64, 200, 100_000):
        answer = await asked(engine, format=form, max_tokens=budget)
        assert answer.tokens <= budget
        assert estimate(answer.text) <= budget
        assert answer.truncated or (answer.text, answer.modules) == (full.text, full.modules)
        assert answer.file_count == 4


@pytest.mark.parametrize("area", ["nowhere", "lib/cor", "../root", "/etc", "Lib", "*", "a\0b", "x" * 9_000])
async def test_an_unknown_area_is_an_error_that_lists_those_found(engine: tuple[Engine, Session], area: str) -> None:
    with pytest.raises(OperationError) as caught:
        await asked(engine, focus_area=area)
    assert "full, backend, frontend, lib, lib/core, lib/store, lib/views" in caught.value.hint
    assert len(caught.value.message) < 300


async def test_an_area_of_tests_is_no_match_and_others_hold_their_files(engine: tuple[Engine, Session]) -> None:
    assert (await asked(engine, focus_area="test")).outcome == "no_match"
    for same in ("lib/core", "lib/core/", "./lib/core", str(Path(engine[0].root) / "lib" / "core")):
        assert (await asked(engine, focus_area=same)).focus_area == "lib/core"
    assert (await asked(engine, focus_area="lib/core")).file_count == 1
    assert (await asked(engine, focus_area="frontend")).file_count == 1
    assert (await asked(engine, focus_area="backend")).file_count == 3
