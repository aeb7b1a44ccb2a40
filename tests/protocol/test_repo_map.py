"""The repo map as clients get it: as command of the editor and on the shell, over a real engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.raw_client import RawClient
from tests.protocol.test_cli import FAILED, FOUND, NO_MATCH, Shell
from tests.protocol.test_lsp_end_to_end import command, editor, open_document

pytestmark = pytest.mark.usefixtures("private_home")

INVALID_PARAMS, REQUEST_CANCELLED = -32602, -32800
MAPS = Path(__file__).parents[1] / "fixtures" / "maps"
FILES = {
    "apples.py": "def pick_apples(): ...\n\n\ndef wash_apples(): ...\n",
    "berries.py": "def pick_berries(): ...\n\n\ndef wash_berries(): ...\n",
    "sub/cherries.py": "def pick_cherries(): ...\n\n\ndef wash_cherries(): ...\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "orchard"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


async def repo_map(client: RawClient, **parameters: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await command(client, "pilotfish.repoMap", **parameters)
    return answer


def paths(answer: dict[str, Any]) -> list[str]:
    return [file["path"] for file in answer["files"]]


# --- editors ---------------------------------------------------------------------------------------------------------


async def test_a_map_starts_from_the_open_documents_of_its_client(root: Path) -> None:
    async with editor(root) as client, editor(root) as other:
        assert paths(await repo_map(client)) == sorted(FILES)
        await open_document(client, (root / "berries.py").as_uri(), FILES["berries.py"])
        assert paths(await repo_map(client, max_tokens=16)) == ["berries.py"]
        assert paths(await repo_map(other, max_tokens=16)) == ["apples.py"]
        await open_document(other, (root / "sub/cherries.py").as_uri(), "# new\ndef dry_cherries(): ...\n")
        answer = await repo_map(other, max_tokens=16)
        assert answer["text"].startswith("sub/cherries.py:\n  def dry_cherries()\n")
        assert answer["files"][0]["symbols"][0]["line"] == 2
        assert answer["tokens"] <= answer["max_tokens"] == 16


async def test_the_page_is_the_same_whatever_is_open(root: Path) -> None:
    async with editor(root) as client:
        page = await repo_map(client, format="html")
        await open_document(client, (root / "berries.py").as_uri(), FILES["berries.py"])
        assert (await repo_map(client, format="html"))["text"] == page["text"]
        around = await repo_map(client, format="html", files=["berries.py"])
        assert around["text"] != page["text"]
        assert "dry_cherries" not in (await repo_map(client))["text"], "an editor sees its own texts"
        close = {"textDocument": {"uri": (root / "berries.py").as_uri()}}
        await client.notify("textDocument/didClose", close)
        assert paths(await repo_map(client, max_tokens=16)) == ["apples.py"]


async def test_the_clients_settings_say_how_long_a_map_is(root: Path) -> None:
    async with editor(root, {"map": {"max_tokens": 16}}) as client:
        assert (await repo_map(client))["max_tokens"] == 16
        assert paths(await repo_map(client)) == ["apples.py"]
        assert (await repo_map(client, max_tokens=500))["max_tokens"] == 500
        nothing = await repo_map(client, max_tokens=0)
        assert (nothing["text"], nothing["files"], nothing["outcome"]) == ("", [], "no_match")
    async with editor(root, {"map": {"max_tokens": 0}}) as client:
        assert (await repo_map(client))["text"] == ""


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"max_token": 16}, "max_token"),
    ({"max_tokens": -1}, "max_tokens"),
    ({"max_tokens": 1_000_001}, "max_tokens"),
    ({"max_tokens": "16"}, "max_tokens"),
    ({"format": "html5"}, "format"),
    ({"mentions": "wash"}, "mentions"),
    ({"files": ["../elsewhere.py"]}, "../elsewhere.py lies outside the root"),
    ({"files": ["/etc/passwd"]}, "/etc/passwd lies outside the root"),
]


async def test_what_it_does_not_take_is_refused(root: Path) -> None:
    async with editor(root) as client:
        for arguments, said in REFUSED:
            question = {"command": "pilotfish.repoMap", "arguments": [arguments]}
            error = await client.error("workspace/executeCommand", question)
            assert error["code"] == INVALID_PARAMS
            assert said in error["message"]
        assert paths(await repo_map(client)) == sorted(FILES)


async def test_a_cancelled_map_is_answered_as_cancelled(root: Path) -> None:
    async with editor(root) as client:
        question = {"command": "pilotfish.repoMap", "arguments": [{"task": "wash the fruit"}]}
        number, answer = await client.start_request("workspace/executeCommand", question)
        await client.notify("$/cancelRequest", {"id": number})
        assert (await answer)["error"]["code"] == REQUEST_CANCELLED
        assert paths(await repo_map(client)) == sorted(FILES)


# --- shells ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def shell(root: Path, private_home: Path) -> Shell:
    subprocess.run(["git", "init", "-q", str(root)], check=True, env=_plain())
    return Shell(root, private_home)


def test_the_shell_prints_the_map_and_its_cost(shell: Shell) -> None:
    code, out, err = shell.run("map")
    assert (code, out.splitlines()[0]) == (FOUND, "apples.py:")
    assert "1,024 tokens" in err
    code, out, _ = shell.run("map", "--max-tokens", "20", "--mentions", "cherries", "wash", "--format", "compact")
    assert code == FOUND
    assert out.startswith("sub/cherries.py :: def wash_cherries (line 4)\n")
    _, out, _ = shell.run("map", "--format", "json", "--files", "sub/cherries.py")
    assert {file["path"] for file in json.loads(out)} == set(FILES)
    code, out, _ = shell.run("map", "--max-tokens", "16", "--files", "cherries.py", folder=shell.root / "sub")
    assert (code, out.splitlines()[0]) == (FOUND, "sub/cherries.py:")
    code, out, err = shell.run("map", "--max-tokens", "0")
    assert (code, out) == (NO_MATCH, "")
    code, out, err = shell.run("map", "--files", "../elsewhere.py")
    assert (code, out, err.count("\n")) == (FAILED, "", 1)
    assert "outside the root" in err


async def test_the_shell_sees_what_an_editor_has_not_saved(root: Path, shell: Shell) -> None:
    async with editor(root) as client:
        await open_document(client, (root / "berries.py").as_uri(), "def freeze_berries(): ...\n")
        await repo_map(client)
        answer = shell.json("map", "--max-tokens", "16")
        assert answer["text"].startswith("berries.py:\n  def freeze_berries()\n")
        assert answer["unsaved"] == ["berries.py"]


@pytest.mark.parametrize("has_git", [False, True])
def test_clones_have_the_same_maps_byte_by_byte(tmp_path: Path, private_home: Path, has_git: bool) -> None:
    """Every process has its own seed of hashes; the clone's files are written in another order, to another place."""
    first, second = tmp_path / "one" / "work", tmp_path / "b" / "another place" / "work"
    shutil.copytree(MAPS / "mixed", first)
    if has_git:
        _commit(first)
        subprocess.run(["git", "clone", "-q", str(first), str(second)], check=True, capture_output=True)
    else:
        for path in sorted((path for path in first.rglob("*") if path.is_file()), reverse=True):
            target = second / path.relative_to(first)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    for question in (
        ["--format", "compact", "--max-tokens", "100"],
        ["--mentions", "store", "Entry", "--task", "append an entry to the ledger", "--files", "svc/main.go"],
    ):
        answers = []
        for root in (first, second):
            code, out, err = Shell(root, private_home).run("map", "--json", *question)
            assert code == FOUND, err
            answer = json.loads(out)
            del answer["index"]
            assert answer["text"]
            answers.append(json.dumps(answer))
        assert answers[0] == answers[1]


def _commit(root: Path) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "gc.auto=0"]
    for arguments in (["init", "-q"], ["add", "svc"], ["commit", "-qm", "one"], ["add", "."], ["commit", "-qm", "two"]):
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, env=_plain())


def _plain() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
