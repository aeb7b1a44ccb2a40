"""Commands of people who chose them in a list: without parameters, and by an editor that drops what comes back."""

from __future__ import annotations

import contextlib
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import engines
from tests.protocol.markers import place, span
from tests.protocol.raw_client import RawClient, raw_client

MOTOR = '''\
class Motor:
    """Moves things."""

    def cool_down(self, seconds):  # @method:cool_down
        """Let the motor rest until it is cold again."""
        return self.rest(seconds)  # @body:return

    def rest(self, seconds):
        return seconds
'''
DRIVE = """\
from motor import Motor


def drive(distance):
    motor = Motor()  # @use:Motor
    return motor.cool_down(distance)  # @call:cool_down
"""
TRUCK = """\
from motor import Motor


def drive_truck(distance, load):
    motor = Motor()
    return motor.cool_down(distance + load)
"""
HELIX = {"name": "helix", "version": "25.01.1"}
NO_ARGUMENTS: tuple[Any, ...] = (None, [], [None], [{}])
"""The ways in which editors say nothing."""


@pytest.fixture(scope="module")
def garage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder whose engine outlives each test's client, in a home of its own under a short path."""
    folder = tmp_path_factory.mktemp("shown") / "garage"
    folder.mkdir()
    for name, text in (("motor.py", MOTOR), ("drive.py", DRIVE), ("truck.py", TRUCK)):
        (folder / name).write_text(text)
    with (
        tempfile.TemporaryDirectory(prefix="pf-", ignore_cleanup_errors=True) as home,
        pytest.MonkeyPatch.context() as m,
    ):
        m.setenv("PILOTFISH_HOME", home)
        yield folder
        for process in engines(Path(home)):
            process.kill()


@pytest.fixture
def root(garage: Path, _without_vectors: None) -> Path:
    return garage


@contextlib.asynccontextmanager
async def editor(root: Path, *, shows: bool = False, **params: Any) -> AsyncIterator[RawClient]:
    """A client whose engine has indexed the root, with one document open; where the server `shows` answers, it does so
    from the first on."""
    async with raw_client() as client:
        client.replies["window/showDocument"] = {"success": True}
        await client.initialize(root, **params)
        await command(client, "pilotfish.control", [{"action": "wait"}])
        if shows:
            message = (await client.wait_for("window/showMessage"))["message"]
            assert message == "pilotfish.control wait: the index is up to date"
        client.notifications.clear()
        await open_document(client, root / "drive.py")
        yield client
        client.notifications[:] = [item for item in client.notifications if item["method"] != "window/showMessage"]


async def open_document(client: RawClient, path: Path) -> None:
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
    await client.notify("textDocument/didOpen", {"textDocument": item})


async def command(client: RawClient, name: str, arguments: Any = None) -> Any:
    return await client.request("workspace/executeCommand", {"command": name, "arguments": arguments})


async def hover(client: RawClient, path: Path, marker: str) -> None:
    where = {"textDocument": {"uri": path.as_uri()}, "position": place(path.read_text(), marker)}
    await client.request("textDocument/hover", where)


async def shown(client: RawClient, number: int = 1) -> Path:
    """The file that the client was asked to open."""
    params = await client.wait_for("window/showDocument", number)
    assert params["takeFocus"] is True
    return Path(params["uri"].removeprefix("file://"))


# --- what a command is about


async def test_a_command_without_parameters_is_about_the_name_last_asked_about(root: Path) -> None:
    async with editor(root) as client:
        await hover(client, root / "drive.py", "call")
        for nothing in NO_ARGUMENTS:
            usages = await command(client, "pilotfish.findUsages", nothing)
            assert sorted({usage["path"] for usage in usages["usages"]}) == ["drive.py", "truck.py"]
        definition = await command(client, "pilotfish.getDefinition")
        assert [(each["name"], each["path"]) for each in definition["definitions"]] == [("cool_down", "motor.py")]
        assert (await command(client, "pilotfish.explainCode"))["name"] == "cool_down"
        trace = await command(client, "pilotfish.traceExecution")
        assert (trace["entry"], trace["entry_at"]) == ("Motor.cool_down", "motor.py:4")
        few = await command(client, "pilotfish.findUsages", [{"max_results": 1}])
        assert len(few["usages"]) == 1
        named = await command(client, "pilotfish.findUsages", [{"symbol_name": "Motor"}])
        assert {usage["role"] for usage in named["usages"]} >= {"import", "call"}


async def test_a_command_is_about_the_place_that_is_given_with_it(root: Path) -> None:
    async with editor(root) as client:
        await open_document(client, root / "motor.py")  # which it is not about
        await open_document(client, root / "drive.py")
        at = {"uri": (root / "drive.py").as_uri(), "range": span(DRIVE, "call")}
        await hover(client, root / "motor.py", "method")
        usages = await command(client, "pilotfish.findUsages", [{"at": at, "max_results": 1}])
        assert (usages["usages"][0]["path"], usages["total"]) == ("drive.py", 2)
        around = {**at, "range": {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 0}}}
        assert (await command(client, "pilotfish.traceExecution", [{"at": around}]))["entry"] == "drive"
        assert (await command(client, "pilotfish.findSimilar", [{"at": around}]))["subject"].startswith("drive.py:4-6")
        for wrong in ({"uri": "x"}, {**at, "range": None}, 7):
            refused = {"command": "pilotfish.findUsages", "arguments": [{"at": wrong}]}
            assert "`at` is no Location" in (await client.error("workspace/executeCommand", refused))["message"]


async def test_where_no_name_is_under_the_cursor_the_definition_around_it_counts(root: Path) -> None:
    async with editor(root) as client:
        await open_document(client, root / "motor.py")
        await hover(client, root / "motor.py", "body")
        similar = await command(client, "pilotfish.findSimilar")
        assert similar["subject"].startswith("motor.py:4-6")
        assert (await command(client, "pilotfish.traceExecution"))["entry"] == "Motor.cool_down"
        assert (await command(client, "pilotfish.explainCode"))["name"] == "cool_down"


async def test_the_file_is_the_one_last_opened_and_the_place_that_of_the_last_edit(root: Path) -> None:
    async with editor(root) as client:
        assert (await command(client, "pilotfish.outline"))["files"][0]["path"] == "drive.py"
        assert (await command(client, "pilotfish.why"))["path"] == "drive.py"
        error = await client.error("workspace/executeCommand", {"command": "pilotfish.findUsages"})
        assert "is not known yet" in error["message"]
        assert "symbol_name (required)" in error["message"]
        document = {"uri": (root / "drive.py").as_uri(), "version": 2}
        start = {"line": 6, "character": 0}
        edit = {"range": {"start": start, "end": start}, "text": "\n\n🐟 = Motor"}
        await client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [edit]})
        usages = await command(client, "pilotfish.findUsages")
        assert [each["path"] for each in usages["usages"]].count("drive.py") == 3
        await open_document(client, root / "truck.py")
        assert (await command(client, "pilotfish.why"))["path"] == "truck.py"
        await client.notify("textDocument/didClose", {"textDocument": {"uri": (root / "truck.py").as_uri()}})
        assert (await command(client, "pilotfish.why"))["path"] == "drive.py"
        await client.notify("textDocument/didClose", {"textDocument": {"uri": (root / "drive.py").as_uri()}})
        error = await client.error("workspace/executeCommand", {"command": "pilotfish.why"})
        assert "no document is open" in error["message"]
        assert "path (required)" in error["message"]


async def test_commands_that_need_nothing_are_offered_before_those_that_need_words(root: Path) -> None:
    async with raw_client() as client:
        result = await client.initialize(root)
        offered = result["capabilities"]["executeCommandProvider"]["commands"]
    assert offered[0] == "pilotfish.findSimilar"
    names = [name.removeprefix("pilotfish.") for name in offered]
    last = {"searchCode", "buildContext", "findSymbols", "control"}
    assert set(names[-len(last) :]) == last
    assert max(map(names.index, ("findUsages", "why", "outline"))) < names.index("repoMap")


# --- who shows the answer


async def test_a_client_that_takes_answers_is_shown_none(root: Path) -> None:
    async with editor(root, clientInfo={"name": "Visual Studio Code"}) as client:
        await command(client, "pilotfish.outline")
        await client.error("workspace/executeCommand", {"command": "pilotfish.findUsages"})
        await command(client, "pilotfish.status")
        assert not client.requests
        assert not [item for item in client.notifications if item["method"] == "window/showMessage"]


async def test_an_editor_that_drops_answers_is_asked_to_open_them(root: Path) -> None:
    async with editor(root, shows=True, clientInfo=HELIX) as client:
        await hover(client, root / "drive.py", "call")
        await command(client, "pilotfish.findUsages")
        first = await shown(client)
        text = first.read_text()
        assert text.startswith("pilotfish.findUsages cool_down\n\n")
        assert f"{root / 'truck.py'}:6  call" in text
        assert stat.S_IMODE(first.stat().st_mode) == 0o600
        assert stat.S_IMODE(first.parent.stat().st_mode) == 0o700
        item = {"uri": first.as_uri(), "languageId": "text", "version": 1, "text": text}
        await client.notify("textDocument/didOpen", {"textDocument": item})
        await command(client, "pilotfish.outline")
        second = await shown(client, 2)
        assert second != first, "an editor does not read a file again that it has open"
        assert "drive.py" in second.read_text(), "what we wrote ourselves is not what people ask about"
    assert not first.parent.exists(), "the files go with the session"


async def test_an_editor_can_follow_the_places_of_a_document(root: Path) -> None:
    """From the folder that the document lies in, as Helix does, and from any that the editor was started in."""
    drive, motor = root / "drive.py", root / "motor.py"
    async with editor(root, shows=True, clientInfo=HELIX) as client:
        for number, (name, arguments, places) in enumerate(
            (
                ("explainCode", {"symbol_name": "cool_down"}, (f"{motor}:4-6", f"{drive}:4")),
                ("traceExecution", {"entry_point": "drive"}, (f"{drive}:4", f"{motor}:4")),
                ("traceExecution", {"entry_point": "cool_down", "direction": "callers"}, (f"({drive}:6)",)),
                ("outline", {"files": ["drive.py"]}, (f"{drive}  python",)),
                ("repoMap", {}, (f"\n{drive}:\n", f"\n{motor}:\n")),
                ("repoMap", {"format": "compact"}, (f"\n{motor} :: ",)),
                ("buildContext", {"task": "let the motor rest"}, (f"\n## {motor}\n",)),
                ("getArchitecture", {}, (f"Paths are as seen from {root}\n", "\n  motor.py ")),
            ),
            start=1,
        ):
            answer = await command(client, f"pilotfish.{name}", [arguments])
            text = (await shown(client, number)).read_text()
            assert all(place in text for place in places), text
            assert str(root) not in str(answer.get("text", "")), "what the client gets is as ever"


async def test_where_an_editor_opens_no_document_one_line_is_said(root: Path) -> None:
    for reply, show in (({"success": False}, "document"), (None, "document"), ({"success": True}, "message")):
        options = {"commands": {"show": show}}
        async with editor(root, shows=True, initializationOptions=options) as client:
            client.replies["window/showDocument"] = reply
            await hover(client, root / "drive.py", "call")
            await command(client, "pilotfish.findUsages")
            message = await client.wait_for("window/showMessage")
            assert message["message"].startswith("pilotfish.findUsages cool_down: ")
            assert "drive.py:6" in message["message"]
            assert "\n" not in message["message"]
            assert bool(client.requests) == (show == "document")


async def test_nothing_found_and_failed_are_said_in_other_words(root: Path) -> None:
    options = {"commands": {"show": "document"}}
    async with editor(root, shows=True, initializationOptions=options) as client:
        await command(client, "pilotfish.findUsages", [{"symbol_name": "nobody_wrote_this"}])
        nothing = await client.wait_for("window/showMessage")
        assert (nothing["type"], nothing["message"][:52]) == (
            3,
            "pilotfish.findUsages nobody_wrote_this: no match. No",
        )
        await client.error("workspace/executeCommand", {"command": "pilotfish.findUsages"})
        failed = await client.wait_for("window/showMessage", 2)
        assert (failed["type"], "is not known yet" in failed["message"]) == (1, True)
        await client.error("workspace/executeCommand", {"command": "pilotfish.searchCode"})
        assert "`?`" in (await client.wait_for("window/showMessage", 3))["message"]
        assert not client.requests


# --- where a list of symbols or actions is all that an editor has


async def test_a_question_in_words_is_answered_in_the_list_of_symbols(root: Path) -> None:
    async with editor(root) as client:
        assert not await client.request("workspace/symbol", {"query": "?"})
        found = await client.request("workspace/symbol", {"query": "? how does the motor get cold"})
        assert found[0]["name"] == "cool_down"
        assert found[0]["location"]["uri"] == (root / "motor.py").as_uri()
        description = place(MOTOR, "method")["line"] + 1  # the line that has the words
        assert found[0]["location"]["range"]["start"] == {"line": description, "character": 0}
        assert await client.request("workspaceSymbol/resolve", found[0]) == found[0]


async def test_code_actions_are_commands_about_the_cursor(root: Path) -> None:
    uri = (root / "drive.py").as_uri()
    start = place(DRIVE, "call")
    params = {"textDocument": {"uri": uri}, "range": {"start": start, "end": start}, "context": {"diagnostics": []}}
    async with editor(root, initializationOptions={"features": {"code_actions": True}}) as client:
        actions = await client.request("textDocument/codeAction", params)
        assert [action["title"] for action in actions] == [
            "Pilotfish: Who uses cool_down",
            "Pilotfish: Explain cool_down",
            "Pilotfish: What cool_down calls",
            "Pilotfish: What calls cool_down",
            "Pilotfish: Code like drive",
        ]
        answers = [await command(client, action["command"], action["arguments"]) for action in actions]
        assert sorted({usage["path"] for usage in answers[0]["usages"]}) == ["drive.py", "truck.py"]
        assert answers[1]["name"] == "cool_down"
        assert {step["callee"] for step in answers[2]["steps"]} == {"Motor.rest"}
        assert {step["caller"] for step in answers[3]["steps"]} == {"drive", "drive_truck"}
        assert answers[4]["results"][0]["symbol_name"] == "drive_truck"
        only = {**params, "context": {"diagnostics": [], "only": ["source.organizeImports"]}}
        assert await client.request("textDocument/codeAction", only) is None
    async with raw_client() as client:
        result = await client.initialize(root)
        assert "codeActionProvider" not in result["capabilities"], "a lamp on every line is not for everybody"
