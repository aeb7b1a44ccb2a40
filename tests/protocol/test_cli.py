"""The command line over a real engine: answers, exit codes, streams, and nothing left behind."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from pilotfish.operations import OPERATIONS

FOUND, NO_MATCH, FAILED, NOT_INDEXED = range(4)

FILES = {
    "src/app.py": "from engine import Engine\n\n\nclass Class:\n    def method(self):\n        return Engine()\n",
    "engine.py": 'class Engine:\n    """Runs."""\n\n    def open(self):\n        return self\n',
    "names.py": "def getUserName():\n    return Engine().open()\n",
    "build/made.py": "made = 1\n",
    "odd\x1b[2Jname.py": "odd = 1\n",
    "picture.bin": "\0\0\0",
    ".gitignore": "build/\n",
    "tests/test_names.py": "def helper():\n    return {}.setdefault(1, 2)\n\n\nused = [helper(), helper(), helper()]\n",
    "dictionary.py": "def setdefault(key, value):\n    return value\n\n\nmade = setdefault(1, setdefault(2, 3))\n",
}

HOLD = """
import asyncio, sys
from pathlib import Path
from pilotfish.engine.client import EngineClient

async def hold():
    async with EngineClient(Path(sys.argv[1]), kind="cli", client="test") as client:
        await client.attached()
        print("attached", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(hold())
"""

COVERAGE = "PILOTFISH_SEMANTIC_COVERAGE"
EXAMPLES = [example for operation in OPERATIONS if operation.cli for example in operation.examples]


class Shell:
    """Runs the command line in a repository, with a home of its own."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PILOTFISH_", "GIT_"))}
        ours = {"PILOTFISH_HOME": str(home), COVERAGE: os.environ.get(COVERAGE, "auto")}
        self.environment = kept | ours | {"HOME": str(home), "NO_COLOR": ""}

    def start(self, *arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-m", "pilotfish", *arguments],
            cwd=folder or self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, *arguments: str, folder: Path | None = None) -> tuple[int, str, str]:
        with self.start(*arguments, folder=folder) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def json(self, *arguments: str) -> Any:
        _, out, err = self.run(*arguments, "--json")
        assert out.count("\n") == 1, err
        return json.loads(out)

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Keep an engine of the root alive, as an editor does."""
        with subprocess.Popen(
            [sys.executable, "-I", "-c", HOLD, str(self.root)],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as front:
            assert front.stdout is not None
            assert front.stdout.readline() == "attached\n"
            yield
            front.communicate(timeout=30)

    def is_left_alone(self) -> bool:
        """Wait until no process works for this home; an engine lingers for some seconds after its last front."""
        deadline = time.monotonic() + 30
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.1)
        return not self.processes()

    def processes(self) -> list[psutil.Process]:
        """Processes that work for this home."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("PILOTFISH_HOME") == str(self.home) and process.status() != "zombie":
                    found.append(process)
            except psutil.Error:
                continue
        return found


@pytest.fixture(scope="module")
def shell() -> Iterator[Shell]:
    # Sockets need a short path, which pytest's own temporary folders do not have everywhere.
    with tempfile.TemporaryDirectory(prefix="pf") as name:
        folder = Path(name).resolve()
        root, home = folder / "repository", folder / "home"
        home.mkdir()
        for path, text in FILES.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        subprocess.run(["git", "init", "-q", str(root)], check=True, stdin=subprocess.DEVNULL, timeout=30)
        shell = Shell(root, home)
        with shell.hold():
            yield shell
        assert shell.is_left_alone(), "a process outlived its clients"


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_reference_page_finds_something(shell: Shell, example: str) -> None:
    code, out, err = shell.run(*shlex.split(example))
    assert (code, bool(out)) == (FOUND, True), err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["symbols", "Engine"], FOUND),
        (["symbols", "zzzz_nothing"], NO_MATCH),
        (["def", "zzzz_nothing"], NO_MATCH),
        (["refs", "zzzz_nothing"], NO_MATCH),
        (["why", "build/made.py"], NO_MATCH),
        (["symbols", "x", "--root", "/nowhere/at/all"], FAILED),
        (["symbols", "x", "--root", "/"], FAILED),
        (["outline"], FAILED),
        (["symbols", "q", "--max-results", "0"], FAILED),
    ],
)
def test_the_exit_code_tells_the_empty_answers_apart(shell: Shell, arguments: Sequence[str], code: int) -> None:
    got, out, err = shell.run(*arguments)
    assert got == code, err
    assert (code == FAILED) == err.startswith("pilotfish: ")
    assert err.count("\n") <= 1
    assert (code == FAILED) <= (out == "")


def test_a_root_that_was_never_indexed_is_said_to_be_so_until_it_is(shell: Shell) -> None:
    root = shell.root.with_name("fresh")
    root.mkdir()
    (root / "a.py").write_text("class Fresh: ...\n", encoding="utf-8")
    (root / "pilotfish.toml").write_text("index.auto_index = false\n", encoding="utf-8")
    question = ("symbols", "Fresh", "--root", str(root))
    code, out, err = shell.run(*question)
    assert (code, out) == (NOT_INDEXED, "")
    assert "pilotfish index" in err
    assert shell.run("index", "--root", str(root))[0] == FOUND
    assert shell.run(*question)[0] == FOUND

    assert str(root) in {entry["root"] for entry in shell.json("cache", "list")["caches"]}
    assert shell.run("cache", "clear", "--root", str(root))[0] == FOUND
    assert str(root) not in {entry["root"] for entry in shell.json("cache", "list")["caches"]}


def test_symbols_are_rows_of_name_kind_container_and_place(shell: Shell) -> None:
    _, out, _ = shell.run("symbols", "Class.method")
    assert out.splitlines()[0].split("\t") == ["method", "method", "Class", "src/app.py:5"]
    (symbol,) = [item for item in shell.json("symbols", "Class.method")["symbols"] if item["name"] == "method"]
    assert (symbol["path"], symbol["line"], symbol["container"]) == ("src/app.py", 5, "Class")


def test_paths_are_named_from_where_the_shell_is(shell: Shell) -> None:
    code, out, _ = shell.run("outline", "app.py", "--json", folder=shell.root / "src")
    assert code == FOUND
    assert json.loads(out)["files"][0]["path"] == "src/app.py"


def test_all_outlines_are_json_lines_that_end_with_the_state_of_the_index(shell: Shell) -> None:
    code, out, err = shell.run("outline", "--all")
    assert code == FOUND, err
    lines = [json.loads(line) for line in out.splitlines()]
    assert set(lines[-1]) == {"index"}
    assert {tuple(line) for line in lines[:-1]} == {("path", "name", "kind", "line", "container")}
    assert ("engine.py", "Engine", 1) in {(line["path"], line["name"], line["line"]) for line in lines[:-1]}
    assert [line["path"] for line in lines[:-1]] == sorted(line["path"] for line in lines[:-1])


def test_the_status_names_what_is_used_most(shell: Shell) -> None:
    shell.run("index")
    status = shell.json("status")
    assert [(used["name"], used["path"]) for used in status["most_used"]] == [("Engine", "engine.py")]
    assert status["root"] == str(shell.root)
    code, out, _ = shell.run("status")
    assert code == FOUND
    assert "most used" in out


def test_the_dry_run_decides_as_the_index_does(shell: Shell) -> None:
    with open(os.fsencode(shell.root) + b"/caf\xe9.py", "w"):
        pass
    shell.run("index")
    paths = {line["path"]: line for line in shell.json("index", "--dry-run")["paths"]}
    assert paths["engine.py"]["verdict"] == "indexed"
    assert paths["picture.bin"]["verdict"] == "listed"
    left_out = next(line for path, line in paths.items() if path.startswith("build"))
    assert left_out["verdict"] == "left out"
    assert ".gitignore" in left_out["rule"]
    why = shell.json("why", "build/made.py")
    assert ".gitignore" in why["rule"] + why["detail"]
    assert paths["caf%E9.py"]["verdict"] == "left out"
    assert shell.json("why", "caf%E9.py")["rule"] == shell.json("why", "caf\udce9.py")["rule"] == "name is not UTF-8"
    assert shell.run("why", "gone\udcff.py")[1].startswith("gone%FF.py: not indexed\n")
    assert {"reason": "name is not UTF-8", "files": 1} in shell.json("status")["skipped"]
    listed = sum(line["verdict"] != "left out" for line in paths.values())
    assert shell.json("status")["index"]["files"] == listed


def test_names_of_files_do_not_command_the_terminal(shell: Shell) -> None:
    for arguments in (["symbols", "odd"], ["index", "--dry-run"], ["outline", "odd\x1b[2Jname.py"]):
        _, out, err = shell.run(*arguments)
        assert "\\x1b[2J" in out
        assert "\x1b" not in out + err


def test_a_reader_that_has_seen_enough_is_no_error(shell: Shell) -> None:
    with shell.start("outline", "--all") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) in (FOUND, 141)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_a_closed_stream_is_no_error(shell: Shell, closed: str) -> None:
    command = shlex.join([sys.executable, "-I", "-m", "pilotfish", "symbols", "Engine"])
    done = subprocess.run(
        f"{command} {closed}", shell=True, cwd=shell.root, env=shell.environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (FOUND, "")
    assert ("engine.py" in done.stdout) == (closed == "2>&-")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["symbols", "q", "--max-results", "0"], "pilotfish: symbols: --max-results: expected `int` >= 1\n"),
        (["symbols", "q", "--root", "engine.py"], "engine.py is a file; name its folder with --root\n"),
    ],
)
def test_a_mistake_is_named_in_the_words_of_the_command_line(
    shell: Shell, arguments: Sequence[str], words: str
) -> None:
    code, _, err = shell.run(*arguments)
    assert code == FAILED
    assert err.endswith(words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["def", ""], "def: say the name of a definition\n"),
        (["search", "  "], "search: say what to find\n"),
        (["search", '""'], 'nothing stands in ""; '),
        (["search", "//"], "nothing stands in //; "),
        (["search", "\udcff"], "search: the query is not in UTF-8\n"),
    ],
)
def test_what_says_nothing_is_refused(shell: Shell, arguments: Sequence[str], words: str) -> None:
    code, out, err = shell.run(*arguments)
    assert (code, out) == (FAILED, "")
    assert err.startswith(f"pilotfish: {words}")


def test_a_folder_is_indexed_as_its_files_are(shell: Shell) -> None:
    shell.run("index")
    code, out, _ = shell.run("why", "src")
    assert (code, out.splitlines()[0]) == (FOUND, "src: folder, 1 file indexed")
    whole = shell.json("why", ".")
    assert (whole["files"], whole["symbols"]) == (
        shell.json("status")["index"]["files"],
        shell.json("status")["symbols"],
    )
    assert shell.run("why", "build")[0] == NO_MATCH


def test_a_folder_without_files_is_said_to_have_none(shell: Shell) -> None:
    root = shell.root.with_name("empty")
    root.mkdir()
    for command in ("search", "def", "context"):
        code, out, err = shell.run(command, "anything", "--root", str(root))
        assert (code, out) == (NO_MATCH, "")
        assert err.splitlines()[-1].startswith("No file is indexed here; ")
    assert "No file is indexed here" in shell.json("search", "anything", "--root", str(root))["hint"]


def test_caches_are_listed_under_a_heading(shell: Shell) -> None:
    shell.run("index")
    _, out, _ = shell.run("cache", "list")
    heading, *rows = [line.split("\t") for line in out.splitlines()]
    assert heading == ["SIZE", "WHAT", "LAST USED", "OF", "FOLDER"]
    assert str(shell.root) in {row[3] for row in rows if row[1] == "index"}
    assert {cache["kind"] for cache in shell.json("cache", "list")["caches"]} <= {"index", "vectors"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_is_quiet(shell: Shell) -> None:
    shell.run("index")
    with shell.start("logs", "--follow") as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")


def test_the_index_of_a_running_engine_is_not_deleted(shell: Shell) -> None:
    code, _, err = shell.run("cache", "clear")
    assert code == FAILED
    assert str(shell.root) in err
    assert shell.run("symbols", "Engine")[0] == FOUND


def test_the_doctor_finds_a_healthy_installation(shell: Shell) -> None:
    report = shell.json("doctor")
    assert [finding for finding in report["findings"] if finding["level"] == "error"] == []
