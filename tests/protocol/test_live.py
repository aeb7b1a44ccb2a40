"""Real editors' sessions, real servers, real engines: whatever dies or changes, the next answer is right."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.protocol.conftest import engines
from tests.protocol.raw_client import RawClient, raw_client

LIMIT_S = 15.0
"""Every disaster ends in a right answer, or in one clear message, within this time (the issue)."""

pytestmark = pytest.mark.usefixtures("private_home")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number in range(20):
        (folder / f"module_{number}.py").write_text(f"def function_{number}():\n    return {number}\n")
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c", "core.hooksPath=/dev/null"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


@contextlib.asynccontextmanager
async def editor(root: Path, **options: Any) -> AsyncIterator[RawClient]:
    async with raw_client() as client:
        await client.initialize(root, **options)
        yield client


async def command(client: RawClient, name: str, **parameters: Any) -> Any:
    return await client.request("workspace/executeCommand", {"command": f"pilotfish.{name}", "arguments": [parameters]})


async def names(client: RawClient, query: str) -> list[str]:
    """Return where a definition is found, as `path:line`."""
    found = await client.request("workspace/symbol", {"query": query})
    return sorted(
        f"{each['location']['uri'].rpartition('/')[2]}:{each['location']['range']['start']['line'] + 1}"
        for each in found or []
        if each["name"] == query
    )


async def until(question: Callable[[], Any], expected: Any, limit: float = LIMIT_S) -> float:
    """Ask until the answer is as expected; return how long it took, in seconds."""
    started = time.monotonic()
    answer: Any = None
    while time.monotonic() - started < limit:
        with contextlib.suppress(AssertionError):  # an error is an answer too, but not the expected one
            answer = await question()
            if answer == expected:
                return time.monotonic() - started
        await asyncio.sleep(0.05)
    raise AssertionError(f"after {limit} s the answer is {answer!r}, not {expected!r}")


async def open_dirty(client: RawClient, root: Path, numbers: Sequence[int], mark: str) -> None:
    """Open files and change them without saving."""
    for number in numbers:
        path = root / f"module_{number}.py"
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
        await client.notify("textDocument/didOpen", {"textDocument": document})
        await client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": path.as_uri(), "version": 2},
                "contentChanges": [{"text": f"def {mark}_{number}():\n    pass\n"}],
            },
        )


async def shell(*arguments: str, cwd: Path) -> tuple[int, bytes, bytes]:
    """Run a command as a person would and return its exit code and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-m", "pilotfish", *arguments),
        cwd=cwd,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await asyncio.wait_for(process.communicate(), LIMIT_S)
    return process.returncode or 0, output, errors


def engine_pid(home: Path) -> int:
    (process,) = engines(home)
    return int(process.pid)


async def test_kill_9_with_five_dirty_documents_in_two_editors(root: Path, private_home: Path) -> None:
    async with editor(root) as one, editor(root) as two:
        await open_dirty(one, root, range(5), "one")
        await open_dirty(two, root, range(5, 10), "two")
        await until(lambda: names(one, "one_4"), ["module_4.py:1"])
        await until(lambda: names(two, "two_9"), ["module_9.py:1"])
        os.kill(engine_pid(private_home), signal.SIGKILL)
        for client, mark, numbers in ((one, "one", range(5)), (two, "two", range(5, 10))):
            for number in numbers:
                await until(lambda c=client, n=f"{mark}_{number}": names(c, n), [f"module_{number}.py:1"])
                assert await names(client, f"function_{number}") == [], "the saved text is hidden by the open one"
        assert await names(one, "two_9") == [], "another editor's unsaved text is not seen"
        assert len(engines(private_home)) == 1


async def test_a_stopped_engine_is_replaced(root: Path, private_home: Path) -> None:
    async with editor(root) as client:
        await open_dirty(client, root, [3], "mark")
        await until(lambda: names(client, "mark_3"), ["module_3.py:1"])
        stopped = engine_pid(private_home)
        os.kill(stopped, signal.SIGSTOP)
        await until(lambda: names(client, "mark_3"), ["module_3.py:1"])
        assert not psutil.pid_exists(stopped) or psutil.Process(stopped).status() == psutil.STATUS_ZOMBIE


async def test_the_first_editors_process_group_dies_while_a_second_works(root: Path, private_home: Path) -> None:
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "pilotfish", "symbols", "function_1", "--root", str(root),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    async with editor(root) as second:
        await until(lambda: names(second, "function_7"), ["module_7.py:1"])
        with contextlib.suppress(ProcessLookupError):
            os.killpg(first.pid, signal.SIGKILL)
        await first.wait()
        await until(lambda: names(second, "function_8"), ["module_8.py:1"])
        assert len(engines(private_home)) == 1


async def test_a_shell_at_the_top_and_an_editor_below_share_one_engine(root: Path, private_home: Path) -> None:
    inner = root / "package"
    inner.mkdir()
    (inner / "inner.py").write_text("def inner_function():\n    pass\n")
    async with editor(root) as client:
        await until(lambda: names(client, "inner_function"), ["inner.py:1"])
        code, output, _ = await shell("symbols", "inner_function", cwd=inner)
        assert code == 0
        assert b"package/inner.py" in output, "the path is relative to the engine's root"
        assert len(engines(private_home)) == 1


async def test_agents_and_shells_see_unsaved_text_and_are_told_so(root: Path) -> None:
    async with editor(root) as client:
        await open_dirty(client, root, [2], "fresh")
        await until(lambda: names(client, "fresh_2"), ["module_2.py:1"])
        _, output, _ = await shell("symbols", "fresh_2", "--json", cwd=root)
        assert b'"module_2.py"' in output
        assert b'"unsaved"' in output


async def test_no_process_is_left(root: Path, private_home: Path) -> None:
    async with editor(root) as client:
        await until(lambda: names(client, "function_7"), ["module_7.py:1"])
        (engine,) = engines(private_home)
        workers = engine.children(recursive=True)
        client.process.kill()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and any(each.is_running() for each in (engine, *workers)):
        if all(not each.is_running() or each.status() == psutil.STATUS_ZOMBIE for each in (engine, *workers)):
            break
        await asyncio.sleep(0.2)
    assert engines(private_home) == []


async def test_idle_is_quiet(root: Path, private_home: Path) -> None:
    async with editor(root) as client:
        await command(client, "control", action="wait")
        await open_dirty(client, root, [1], "dirty")
        await until(lambda: names(client, "dirty_1"), ["module_1.py:1"])
        (root / "module_5.py").touch()
        (root / "untracked.bin").write_bytes(b"\0" * 100)
        await asyncio.sleep(3)
        (engine,) = engines(private_home)
        before = {path: path.stat().st_mtime_ns for path in private_home.rglob("*") if path.is_file()}
        generation = (await command(client, "status"))["index"]["generation"]
        spent = sum(engine.cpu_times()[:2])
        await asyncio.sleep(5)
        assert sum(engine.cpu_times()[:2]) - spent < 0.25, "seconds of CPU in five idle seconds"
        after = {path: path.stat().st_mtime_ns for path in private_home.rglob("*") if path.is_file()}
        assert {path.name for path in after if after[path] != before.get(path)} == set()
        assert (await command(client, "status"))["index"]["generation"] == generation


async def test_a_branch_switch_of_2000_files(root: Path) -> None:
    for number in range(2_000):
        folder = root / f"pkg_{number % 40}"
        folder.mkdir(exist_ok=True)
        (folder / f"file_{number}.py").write_text(f"def on_main_{number}(): pass\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "main")
    git(root, "checkout", "-q", "-b", "other")
    for number in range(2_000):
        (root / f"pkg_{number % 40}" / f"file_{number}.py").write_text(f"def on_other_{number}(): pass\n")
    git(root, "commit", "-q", "-a", "-m", "other")
    async with editor(root, capabilities={"window": {"workDoneProgress": True}}) as client:
        await command(client, "control", action="wait")
        assert await names(client, "on_other_1999") == ["file_1999.py:1"]
        parsed = (await command(client, "status"))["counters"]["parsed"]
        begun = begins(client)
        git(root, "checkout", "-q", "main")
        await until(lambda: names(client, "on_main_1999"), ["file_1999.py:1"], 60)
        await command(client, "control", action="wait")
        assert await names(client, "on_main_0") == ["file_0.py:1"]
        assert await names(client, "on_other_0") == []
        status = await command(client, "status")
        assert status["counters"]["parsed"] - parsed == 2_000, "each file is parsed exactly once"
        assert begins(client) - begun == 1, "under one progress"
        ends = [each for each in progress(client) if each["kind"] == "end"]
        assert len(ends) == begins(client), "which has ended"


def progress(client: RawClient) -> list[dict[str, Any]]:
    return [each["params"]["value"] for each in client.notifications if each["method"] == "$/progress"]


def begins(client: RawClient) -> int:
    return sum(each["kind"] == "begin" for each in progress(client))


async def test_nothing_of_a_hostile_root_runs(root: Path, tmp_path: Path) -> None:
    proof = tmp_path / "it-ran"
    evil = f"import pathlib; pathlib.Path({str(proof)!r}).touch()\n"
    for name in ("json", "msgspec", "sitecustomize", "usercustomize", "pilotfish", "tree_sitter", "pygls", "asyncio"):
        (root / f"{name}.py").write_text(evil)
    program = root / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {proof}\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "filter.x.clean", "core.editor"):
        git(root, "config", key, str(program))
    git(root, "config", "core.hooksPath", str(root))
    (root / "post-index-change").write_text(program.read_text())
    (root / "post-index-change").chmod(0o755)
    (root / ".gitattributes").write_text("*.py filter=x\n")
    (root / "pilotfish.toml").write_text('[index]\nlocation = "workspace"\n')
    async with raw_client(command=[str(Path(sys.executable).parent / "pilotfish"), "serve"]) as client:
        await client.initialize(root)
        await until(lambda: names(client, "function_7"), ["module_7.py:1"])
        await command(client, "sync")
    assert not proof.exists()
    assert not (root / ".pilotfish").exists(), "a repository may not say where the index lies"


async def test_a_read_only_home_is_one_clear_message_or_a_right_answer(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "no" / "home"
    blocked = tmp_path / "no"
    blocked.write_text("a file where a folder should be: even root cannot write below it")
    monkeypatch.setenv("PILOTFISH_HOME", str(home))
    code, output, errors = await shell("symbols", "function_3", cwd=root)
    if code != 0:
        assert code == 2
        assert len(errors.decode().strip().splitlines()) == 1, errors.decode()
    else:
        assert b"module_3.py" in output
