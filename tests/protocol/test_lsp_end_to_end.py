"""An editor, the server and a real engine over a real folder: what the editor is answered."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

from tests.protocol.markers import place, span
from tests.protocol.raw_client import PATIENCE, RawClient, raw_client

SHAPES = '''\
"""Shapes."""


class Circle:  # @class:Circle
    """A round shape."""

    def area(self) -> float:  # @method:area
        return 3.0
'''
SCENE = """\
from shapes import Circle


def draw_scene():  # @function:draw_scene
    fish = "🐟"; circle = Circle()  # @use:Circle
    return circle.area()
"""
FULL = {"features": {"full_for": ["python"]}}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own under a short path: no other engine is seen, and sockets fit."""
    with tempfile.TemporaryDirectory(prefix="pf-", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("PILOTFISH_HOME", folder)
        yield Path(folder)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return _workspace(tmp_path / "scene")


def _workspace(root: Path) -> Path:
    (root / "drawing").mkdir(parents=True)
    (root / "shapes.py").write_text(SHAPES)
    (root / "drawing" / "scene.py").write_text(SCENE, encoding="utf-8")
    return root


@contextlib.asynccontextmanager
async def editor(root: Path, options: Any = None, **params: Any) -> AsyncIterator[RawClient]:
    """A client whose engine has indexed the root."""
    async with raw_client() as client:
        await client.initialize(root, initializationOptions=options, **params)
        await settle(client)
        yield client


async def settle(client: RawClient) -> None:
    """Wait until the index is quiet."""
    await command(client, "pilotfish.control", action="wait")


async def command(client: RawClient, name: str, **parameters: Any) -> Any:
    return await client.request("workspace/executeCommand", {"command": name, "arguments": [parameters]})


async def found(client: RawClient, query: str) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = await client.request("workspace/symbol", {"query": query})
    return result


async def becomes(client: RawClient, query: str, is_right: Callable[[list[dict[str, Any]]], bool]) -> None:
    """Wait until a search is answered as it should be."""
    async with asyncio.timeout(PATIENCE):
        while not is_right(symbols := await found(client, query)):
            await asyncio.sleep(0.05)
    assert is_right(symbols)


def _files(symbols: list[dict[str, Any]]) -> set[str]:
    return {symbol["location"]["uri"].rpartition("/")[2] for symbol in symbols}


def _line(symbol: dict[str, Any]) -> int:
    line: int = symbol["location"]["range"]["start"]["line"]
    return line


def _statuses(client: RawClient) -> list[dict[str, Any]]:
    return [item["params"] for item in client.notifications if item["method"] == "experimental/serverStatus"]


def at(path: Path, text: str, marker: str) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": place(text, marker)}


async def open_document(client: RawClient, uri: str, text: str, language: str = "python") -> None:
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    await client.notify("textDocument/didOpen", {"textDocument": item})


async def test_definitions_in_a_secret_document_are_told_to_who_opened_it_and_found_by_nobody(root: Path) -> None:
    uri = (root / "secrets.yml").as_uri()
    async with editor(root, {"features": {"full_for": ["yaml"]}}) as client:
        await open_document(client, uri, "osprey_key: 1\n", "yaml")
        (symbol,) = await client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert symbol["name"] == "osprey_key"
        assert (await command(client, "pilotfish.findSymbols", query="osprey_key"))["outcome"] == "no_match"
        assert await found(client, "osprey_key") == []


async def test_symbols_are_found_and_resolved(root: Path) -> None:
    async with editor(root) as client:
        (symbol,) = await found(client, "Circle")
        assert (symbol["name"], symbol["kind"]) == ("Circle", types.SymbolKind.Class.value)
        location: dict[str, Any] = {"uri": (root / "shapes.py").as_uri(), "range": span(SHAPES, "class")}
        assert symbol["location"] == location
        (method,) = await found(client, "Circle.area")
        assert (method["name"], method["containerName"]) == ("area", "Circle")
        await open_document(client, location["uri"], "# above\n" + SHAPES)
        line = location["range"]["start"]["line"] + 1
        await becomes(client, "Circle", lambda symbols: _line(symbols[0]) == line)
        assert _line(await client.request("workspaceSymbol/resolve", symbol)) == line


async def test_partial_results_leave_the_answer_empty(root: Path) -> None:
    async with editor(root) as client:
        assert await client.request("workspace/symbol", {"query": "Circle", "partialResultToken": "part"}) == []
        part = await client.wait_for("$/progress")
        assert part["token"] == "part"
        assert [symbol["name"] for symbol in part["value"]] == ["Circle"]


async def test_hover_beside_a_primary_server_is_one_line_or_nothing(root: Path) -> None:
    scene = root / "drawing" / "scene.py"
    async with editor(root) as client:
        await open_document(client, scene.as_uri(), SCENE)
        hover = await client.request("textDocument/hover", at(scene, SCENE, "use"))
        assert hover["range"] == span(SCENE, "use")
        assert "shapes.py" in hover["contents"]["value"]
        assert "\n" not in hover["contents"]["value"]
        blank = {"textDocument": {"uri": scene.as_uri()}, "position": {"line": 1, "character": 0}}
        assert await client.request("textDocument/hover", blank) is None
        assert await client.request("textDocument/definition", at(scene, SCENE, "use")) is None


async def test_everything_is_answered_in_a_language_without_a_server(root: Path) -> None:
    scene, shapes = root / "drawing" / "scene.py", root / "shapes.py"
    capabilities = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
    async with editor(root, FULL, capabilities=capabilities) as client:
        await open_document(client, scene.as_uri(), SCENE)
        await open_document(client, shapes.as_uri(), SHAPES)
        hover = await client.request("textDocument/hover", at(scene, SCENE, "use"))
        assert "A round shape." in hover["contents"]["value"]
        (definition,) = await client.request("textDocument/definition", at(scene, SCENE, "use"))
        assert definition == {"uri": shapes.as_uri(), "range": span(SHAPES, "class")}
        asked = {**at(shapes, SHAPES, "class"), "context": {"includeDeclaration": False}}
        references = await client.request("textDocument/references", asked)
        assert {"uri": scene.as_uri(), "range": span(SCENE, "use")} in references
        (circle,) = await client.request("textDocument/documentSymbol", {"textDocument": {"uri": shapes.as_uri()}})
        assert circle["selectionRange"] == span(SHAPES, "class")
        assert [child["name"] for child in circle["children"]] == ["area"]
        highlights = await client.request("textDocument/documentHighlight", at(scene, SCENE, "use"))
        assert span(SCENE, "use") in [highlight["range"] for highlight in highlights]


async def test_hierarchies_are_walked_from_file_to_file(root: Path) -> None:
    square = "from shapes import Circle\n\n\nclass Squircle(Circle):  # @class:Squircle\n    pass\n"
    (root / "drawing" / "squircle.py").write_text(square)
    scene, squircle = root / "drawing" / "scene.py", root / "drawing" / "squircle.py"
    async with editor(root, FULL) as client:
        await open_document(client, scene.as_uri(), SCENE)
        use = at(scene, SCENE, "use")
        (circle,) = await client.request("textDocument/prepareTypeHierarchy", use)
        assert (circle["name"], circle["kind"], circle["selectionRange"]) == ("Circle", 5, span(SHAPES, "class"))
        (below,) = await client.request("typeHierarchy/subtypes", {"item": circle})
        assert (below["uri"], below["selectionRange"]) == (squircle.as_uri(), span(square, "class"))
        assert await client.request("typeHierarchy/supertypes", {"item": below}) == [circle]
        found = await client.request("textDocument/implementation", use)
        assert [each["range"] for each in found] == [span(SHAPES, "class"), span(square, "class")]

        (called,) = await client.request("textDocument/prepareCallHierarchy", use)
        (incoming,) = await client.request("callHierarchy/incomingCalls", {"item": called})
        assert (incoming["from"]["name"], incoming["fromRanges"]) == ("draw_scene", [span(SCENE, "use")])
        outgoing = await client.request("callHierarchy/outgoingCalls", {"item": incoming["from"]})
        assert [each["to"]["name"] for each in outgoing] == ["Circle", "area"]
        assert outgoing[0]["fromRanges"] == [span(SCENE, "use")]
        foreign = {key: value for key, value in called.items() if key != "data"}
        assert await client.request("callHierarchy/incomingCalls", {"item": foreign}) is None


async def test_case_does_not_matter_where_a_language_says_so(root: Path) -> None:
    solver = "module solver\ncontains\n  subroutine RunStep(n)  ! @definition:RunStep\n  end subroutine\nend module\n"
    main = "program main\n  use SOLVER\n  call RUNSTEP(3)  ! @use:RUNSTEP\nend program\n"
    (root / "solver.f90").write_text(solver)
    (root / "main.f90").write_text(main)
    async with editor(root, {"features": {"full_for": ["fortran"]}}) as client:
        await open_document(client, (root / "main.f90").as_uri(), main, "fortran")
        use = at(root / "main.f90", main, "use")
        (definition,) = await client.request("textDocument/definition", use)
        assert (definition["uri"], definition["range"]) == ((root / "solver.f90").as_uri(), span(solver, "definition"))
        asked = {**use, "context": {"includeDeclaration": True}}
        found = await client.request("textDocument/references", asked)
        assert [each["range"] for each in found] == [span(solver, "definition"), span(main, "use")]
        found = await command(client, "pilotfish.findUsages", symbol_name="runstep")
        assert [(each["path"], each["line"]) for each in found["usages"]] == [("main.f90", 3)]


async def test_old_clients_get_flat_symbols_and_new_ones_links(root: Path) -> None:
    scene = root / "drawing" / "scene.py"
    capabilities = {"textDocument": {"definition": {"linkSupport": True}}}
    async with editor(root, FULL, capabilities=capabilities) as client:
        await open_document(client, scene.as_uri(), SCENE)
        await open_document(client, (root / "shapes.py").as_uri(), SHAPES)
        asked = {"textDocument": {"uri": (root / "shapes.py").as_uri()}}
        flat = await client.request("textDocument/documentSymbol", asked)
        assert [(item["name"], item.get("containerName")) for item in flat] == [("Circle", None), ("area", "Circle")]
        (link,) = await client.request("textDocument/definition", at(scene, SCENE, "use"))
        assert link["originSelectionRange"] == span(SCENE, "use")
        assert link["targetSelectionRange"] == span(SHAPES, "class")
        assert link["targetRange"]["end"]["line"] > link["targetSelectionRange"]["end"]["line"]


async def test_a_text_typed_in_before_its_first_outline_is_waited_for(root: Path) -> None:
    scene, shapes = root / "drawing" / "scene.py", root / "shapes.py"
    async with editor(root, FULL) as client:
        await open_document(client, shapes.as_uri(), SHAPES)
        asked = {**at(shapes, SHAPES, "class"), "context": {"includeDeclaration": False}}
        await client.request("textDocument/references", asked)
        await open_document(client, scene.as_uri(), SCENE)
        changed = "\n\n" + SCENE
        await client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": scene.as_uri(), "version": 2}, "contentChanges": [{"text": changed}]},
        )
        found = await client.request("textDocument/references", asked)
        assert {"uri": scene.as_uri(), "range": span(changed, "use")} in found


async def test_symbols_say_what_they_belong_to_where_it_is_not_around_them(root: Path) -> None:
    texts = {
        "round.rs": (
            "struct Circle;\nimpl Circle { fn draw() {} }\nimpl Drop for Circle { fn drop(&mut self) {} }\n",
            "rust",
        ),
        "round.swift": ("class Circle {}\nextension Circle { func draw() {} }\n", "swift"),
    }
    capabilities = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
    async with editor(root, {"features": {"full_for": ["rust", "swift"]}}, capabilities=capabilities) as client:
        found = []
        for name, (text, language) in texts.items():
            (root / name).write_text(text)
            await open_document(client, (root / name).as_uri(), text, language)
            asked = {"textDocument": {"uri": (root / name).as_uri()}}
            found.append([each["name"] for each in await client.request("textDocument/documentSymbol", asked)])
        assert found == [["Circle", "Circle::draw", "Circle::drop"], ["Circle", "Circle.draw"]]


async def test_unsaved_text_counts_until_the_document_is_closed(root: Path) -> None:
    uri = (root / "shapes.py").as_uri()
    async with editor(root) as client:
        await open_document(client, uri, SHAPES)
        change = {"range": {"start": place(SHAPES, "class"), "end": span(SHAPES, "class")["end"]}, "text": "Ellipse"}
        document = {"uri": uri, "version": 2}
        await client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        await becomes(client, "Ellipse", lambda symbols: len(symbols) == 1)
        assert not await found(client, "Circle")
        await client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        await becomes(client, "Circle", lambda symbols: len(symbols) == 1)
        assert not await found(client, "Ellipse")


async def test_files_follow_renames_of_files_and_folders(root: Path) -> None:
    async with editor(root) as client:
        for old, new in (("shapes.py", "forms.py"), ("drawing", "painting")):
            (root / old).rename(root / new)
            pair = {"oldUri": (root / old).as_uri(), "newUri": (root / new).as_uri()}
            assert await client.request("workspace/willRenameFiles", {"files": [pair]}) is None
            await client.notify("workspace/didRenameFiles", {"files": [pair]})
        await becomes(client, "Circle", lambda symbols: _files(symbols) == {"forms.py"})
        await becomes(client, "draw_scene", lambda symbols: _files(symbols) == {"scene.py"})
        (scene,) = await found(client, "draw_scene")
        assert scene["location"]["uri"] == (root / "painting" / "scene.py").as_uri()


async def test_the_order_of_vs_code_around_a_rename(root: Path) -> None:
    """Watched files first, then open and close, then the rename: nothing of it may lose the file."""
    old, new = root / "shapes.py", root / "forms.py"
    async with editor(root) as client:
        await open_document(client, old.as_uri(), SHAPES)
        old.rename(new)
        changes = [{"uri": new.as_uri(), "type": 1}, {"uri": old.as_uri(), "type": 3}] * 2
        await client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        await open_document(client, new.as_uri(), SHAPES)
        await client.notify("textDocument/didClose", {"textDocument": {"uri": old.as_uri()}})
        await client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]})
        await becomes(client, "Circle", lambda symbols: _files(symbols) == {"forms.py"})


async def test_a_save_of_a_file_that_was_never_opened_is_noticed(root: Path) -> None:
    """All that Neovim says about a rename."""
    async with editor(root) as client:
        (root / "shapes.py").rename(root / "forms.py")
        await client.notify("textDocument/didSave", {"textDocument": {"uri": (root / "forms.py").as_uri()}})
        await becomes(client, "Circle", lambda symbols: _files(symbols) == {"forms.py"})


async def test_deleted_files_are_out_of_every_answer(root: Path) -> None:
    async with editor(root) as client:
        (root / "shapes.py").unlink()
        await client.notify("workspace/didDeleteFiles", {"files": [{"uri": (root / "shapes.py").as_uri()}]})
        await becomes(client, "Circle", lambda symbols: not symbols)


async def test_untitled_and_outside_documents_are_answered_but_never_indexed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    async with editor(root, FULL) as client:
        for uri in ("untitled:Untitled-1", outside.as_uri()):
            await open_document(client, uri, "def loose_end():\n    pass\n")
            (symbol,) = await client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            assert symbol["name"] == "loose_end"
        assert not await found(client, "loose_end")


async def test_folders_come_and_go_at_run_time(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "round.py").write_text("class CircleOfFriends: ...\nclass Circle: ...\n")
    folder = {"uri": other.as_uri(), "name": "other"}
    async with editor(root) as client:
        await client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        await becomes(client, "Circle", lambda symbols: _files(symbols) == {"shapes.py", "round.py"})
        names = [symbol["name"] for symbol in await found(client, "circle")]
        assert names == ["Circle", "Circle", "CircleOfFriends"]
        status = await command(client, "pilotfish.status", root=str(other))
        assert status["root"] == str(other.resolve())
        await client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
        await becomes(client, "Circle", lambda symbols: _files(symbols) == {"shapes.py"})


async def test_a_single_file_without_a_folder_works_in_its_repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    async with raw_client() as client:
        await client.initialize(initializationOptions=FULL)
        await open_document(client, (root / "drawing" / "scene.py").as_uri(), SCENE)
        await settle(client)
        assert _files(await found(client, "Circle")) == {"shapes.py"}


async def test_a_loose_file_is_no_reason_to_index_its_folder(root: Path) -> None:
    async with raw_client() as client:
        await client.initialize()
        await open_document(client, (root / "shapes.py").as_uri(), SHAPES)
        assert (await command(client, "pilotfish.status"))["connection"]["roots"] == []


async def test_commands_answer_with_the_state_of_the_index(root: Path) -> None:
    async with editor(root) as client:
        answer = await command(client, "pilotfish.findSymbols", query="Circle")
        assert answer["outcome"] == "found"
        assert answer["index"]["phase"] == "ready"
        assert answer["symbols"][0]["name_span"] == span(SHAPES, "class")
        assert (await command(client, "pilotfish.findSymbols", query="nothing_like_it"))["outcome"] == "no_match"
        status = await command(client, "pilotfish.status")
        assert status["connection"]["position_encoding"] == "utf-16"
        assert status["index"]["files"] == 2


async def test_progress_is_created_first_and_always_ended(root: Path) -> None:
    capabilities = {"window": {"workDoneProgress": True}, "experimental": {"serverStatusNotification": True}}
    for number in range(200):
        (root / f"module_{number}.py").write_text(f"def function_{number}(): ...\n")
    async with editor(root, capabilities=capabilities) as client:
        async with asyncio.timeout(PATIENCE):
            while not [item for item in _statuses(client) if item["quiescent"]]:
                await asyncio.sleep(0.05)
        await client.request("workspace/symbol", {"query": ""})
        created = [item["params"]["token"] for item in client.requests if item["method"].endswith("Progress/create")]
        stages: dict[str, list[str]] = {}
        for item in client.notifications:
            if item["method"] == "$/progress":
                stages.setdefault(item["params"]["token"], []).append(item["params"]["value"]["kind"])
        assert set(stages) <= set(created)
        for kinds in stages.values():
            assert (kinds[0], kinds[-1], kinds.count("begin"), kinds.count("end")) == ("begin", "end", 1, 1)


async def test_a_client_without_progress_is_sent_none(root: Path) -> None:
    async with editor(root) as client:
        assert not [item for item in client.requests if "rogress" in item["method"]]
        assert not [
            item for item in client.notifications if item["method"] in ("$/progress", "experimental/serverStatus")
        ]


async def test_the_death_of_the_engine_costs_no_unsaved_text(root: Path) -> None:
    async with editor(root) as client:
        await open_document(client, (root / "shapes.py").as_uri(), SHAPES.replace("Circle", "Ellipse"))
        await becomes(client, "Ellipse", lambda symbols: len(symbols) == 1)
        before = (await command(client, "pilotfish.status"))["engine_pid"]
        os.kill(before, signal.SIGKILL)
        await becomes(client, "Ellipse", lambda symbols: len(symbols) == 1)
        assert not await found(client, "Circle")
        assert (await command(client, "pilotfish.status"))["engine_pid"] != before


# --- under the capabilities of real editors, through a real client library


def _client() -> LanguageClient:
    client = make_test_lsp_client()
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    client.feature(types.CLIENT_UNREGISTER_CAPABILITY)(lambda params: None)
    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[sys.executable, "-I", "-m", "pilotfish", "serve"], client_factory=_client
    ),
    params=["visual_studio_code", "neovim"],
)
async def recorded(request: pytest.FixtureRequest, lsp_client: LanguageClient, root: Path) -> AsyncIterator[None]:
    editors = {"visual_studio_code": "Visual Studio Code", "neovim": "Neovim"}
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            client_info=types.ClientInfo(editors[request.param]),
            workspace_folders=[types.WorkspaceFolder(uri=root.as_uri(), name=root.name)],
            initialization_options=FULL,
        )
    )
    yield
    await lsp_client.shutdown_session()


async def test_under_the_capabilities_of_real_editors(recorded: LanguageClient, root: Path) -> None:
    waiting = types.ExecuteCommandParams("pilotfish.control", [{"action": "wait"}])
    await recorded.workspace_execute_command_async(waiting)
    symbols = await recorded.workspace_symbol_async(types.WorkspaceSymbolParams("Circle"))
    assert [symbol.name for symbol in symbols or ()] == ["Circle"]

    scene = root / "drawing" / "scene.py"
    item = types.TextDocumentItem(scene.as_uri(), "python", 1, SCENE)
    recorded.text_document_did_open(types.DidOpenTextDocumentParams(item))
    document, use = types.TextDocumentIdentifier(scene.as_uri()), types.Position(**place(SCENE, "use"))
    hover = await recorded.text_document_hover_async(types.HoverParams(document, use))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "A round shape." in hover.contents.value
    nested = await recorded.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [symbol.name for symbol in nested or ()] == ["draw_scene"]
    definition = await recorded.text_document_definition_async(types.DefinitionParams(document, use))
    assert isinstance(definition, list)
    assert len(definition) == 1
    assert not recorded.messages
