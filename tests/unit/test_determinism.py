"""The same tree gives byte-identical answers, whatever the hash seed, the folder or the order of creation."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.vectors

ASK = """
import asyncio, sys, tempfile
from pathlib import Path
import msgspec
from pilotfish.engine import wire
from pilotfish.engine.engine import Engine

QUESTIONS = [
    ("outline", {"all": True}),
    ("find_symbols", {"query": "run"}),
    ("find_symbols", {"query": "r"}),
    ("find_symbols", {"query": "Th.ru"}),
    ("get_definition", {"symbol_name": "run"}),
    ("find_usages", {"symbol_name": "run"}),
    ("find_usages", {"symbol_name": "Thing"}),
    ("explain_code", {"symbol_name": "Thing1"}),
    ("explain_code", {"symbol_name": "run", "max_tokens": 300}),
    ("explain_code", {"file_path": "pkg_1/module_1.py", "line_start": 3, "line_end": 6}),
    ("trace_execution", {"entry_point": "Thing1.run", "max_depth": 10, "max_tokens": 5_000}),
    ("trace_execution", {"entry_point": "run", "direction": "both", "max_tokens": 500}),
    ("trace_execution", {"entry_point": "Thing1.run", "to": "Thing3.run", "max_depth": 10}),
    ("search_code", {"query": "usages of Thing3", "max_results": 50}),
    ("search_code", {"query": "trace Thing1.run"}),
    ("why", {"path": "pkg_1/module_1.py"}),
    ("repo_map", {}),
    ("repo_map", {"max_tokens": 300, "format": "compact", "mentions": ["run", "Thing"]}),
    ("repo_map", {"max_tokens": 1_000_000, "format": "json", "files": ["pkg_1/module_1.py"]}),
    ("repo_map", {"max_tokens": 200, "task": "run the things of package 2", "files": ["pkg_2/other_2.go"]}),
    ("get_architecture", {}),
    ("search_code", {"query": "run the things of package 2"}),
    ("search_code", {"query": "Thing3", "max_results": 50}),
    ("search_code", {"query": "/return \\\\w+/", "max_results": 20}),
    ("find_similar", {"symbol_name": "Thing1"}),
    ("build_context", {"task": "change how things run"}),
]

async def main():
    with tempfile.TemporaryDirectory() as index:
        engine = await Engine.open(Path(sys.argv[1]), index_folder=Path(index))
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
        session = engine.connect(hello, lambda method, params: None)
        await engine.wait_quiet()
        for name, parameters in QUESTIONS:
            answer = await engine.call(session, name, msgspec.Raw(msgspec.json.encode(parameters)))
            answer.index = type(answer.index)()
            print(msgspec.json.encode(answer).decode())
        await engine.close()

asyncio.run(main())
"""


def write_tree(root: Path, order: list[int]) -> None:
    for number in order:
        folder = root / f"pkg_{number % 4}"
        folder.mkdir(parents=True, exist_ok=True)
        other = (number + 1) % len(order)
        (folder / f"module_{number}.py").write_text(
            f"from pkg_{other % 4}.module_{other} import run, Thing{other}\n\n\n"
            f"class Thing{number}:\n    def run(self):\n        return run(Thing{other}())\n\n\n"
            f"def run(value):\n    return value.run()\n"
        )
        (folder / f"other_{number}.go").write_text(f"package p\n\nfunc run{number}() {{ run() }}\n\nfunc run() {{}}\n")


def commit_by_fours(root: Path) -> None:
    """Commit the tree in pieces, so that some files are more recent than others, and change one."""
    git(root, "init", "-q")
    for number in range(4):
        git(root, "add", f"pkg_{number}")
        git(root, "commit", "-q", "-m", f"package {number}", day=number + 1)
    (root / "pkg_3" / "module_3.py").write_text("def changed():\n    return run(changed)\n")


def git(root: Path, *arguments: str, day: int = 1) -> None:
    """Run git on a day of one month: how recent a file is counts, and the clock goes on between two trees."""
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "gc.auto=0"]
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"2026-01-{day:02}T12:00:00Z")
    environment = {**os.environ, **dates}
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, env=environment)


def answers(root: Path, seed: int) -> bytes:
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(root)],
        env={"PYTHONHASHSEED": str(seed), "PATH": "/usr/bin:/bin", "HOME": str(root.parent)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("has_git", [False, True])
def test_answers_do_not_depend_on_seed_folder_or_order(tmp_path: Path, has_git: bool) -> None:
    order = list(range(24))
    first, second = tmp_path / "a" / "root", tmp_path / "another place" / "deeper" / "root"
    write_tree(first, order)
    random.Random(1).shuffle(order)
    write_tree(second, order)
    if has_git:
        commit_by_fours(first)
        commit_by_fours(second)
    expected = answers(first, 0)
    assert expected.count(b"\n") == 26
    assert all(b'"outcome":"found"' in answer for answer in expected.splitlines()[-5:])
    for seed in (1, 99):
        assert answers(second, seed) == expected
