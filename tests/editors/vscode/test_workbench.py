"""The VS Code extension in a real workbench: code-server, in Debian's Chromium, driven by keys and clicks.

The `.vsix` is the one that `make vsix` made. Pictures go to `docs/pictures` where PILOTFISH_PICTURES is set.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.editors.vscode.code_server import NEEDED, PILOTFISH, CodeServer, git

PACKAGES = ("networkx", "pygments", "rich", "hypothesis")
"""What the tests have installed anyway: more than 1,000 files of real code."""

COOLING = '''\
"""Motors get hot."""


def let_motor_rest(seconds: float) -> None:
    """Wait until the motor is cold enough to be started once more."""
'''
QUESTIONS = {
    "question": "shortest path with edge weights",
    "answer": "shortest_path",
    "name": "shortest_path",
    "task": "speed up shortest paths",
    "renamed": "ways.py",
    "branch": "cooling",
    "branchQuestion": "how does a motor get cold",
    "branchAnswer": "let_motor_rest",
}
STEPS = [
    *(
        "indexed",
        "search",
        "usages",
        "trace",
        "similar",
        "menus",
        "why",
        "context",
        "status",
        "paused",
        "rename",
        "branch",
    ),
    *("hasty", "killed", "storm"),
    *("map", "architecture", "agents", "restarted", "off"),
]

pytestmark = NEEDED


def large_repository(root: Path) -> int:
    """Make a repository of real code with a second branch; return how many files it has."""
    for package in PACKAGES:
        found = importlib.util.find_spec(package)
        assert found is not None
        assert found.origin is not None
        source = Path(found.origin).parent
        shutil.copytree(source, root / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Begin")
    git(root, "checkout", "-q", "-b", QUESTIONS["branch"])
    (root / "motors").mkdir()
    (root / "motors" / "cooling.py").write_text(COOLING)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Let motors rest")
    git(root, "checkout", "-q", "main")
    return sum(path.is_file() and ".git" not in path.parts for path in root.rglob("*"))


@pytest.fixture(scope="module")
def files_and_seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("workbench")
    root, home = folder / "repository", folder / "home"
    root.mkdir()
    files = large_repository(root)
    code_server = CodeServer(home, {"pilotfish.server.path": str(PILOTFISH)})
    return files, code_server.play(root, STEPS, **QUESTIONS)


@pytest.fixture(scope="module")
def seen(files_and_seen: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    return files_and_seen[1]


def test_a_repository_of_a_thousand_files_is_indexed(files_and_seen: tuple[int, dict[str, Any]]) -> None:
    files, seen = files_and_seen
    assert files >= 1_000
    assert "1,1" in seen["indexed"]["label"]
    assert not seen["indexed"]["spins"]


def test_a_search_by_meaning_brings_results_in_order_and_opens_one(seen: dict[str, Any]) -> None:
    picks = seen["search"]["picks"]
    assert len(picks) >= 5
    assert any("shortest_path" in pick["label"] for pick in picks[:3])
    assert all("words" in pick["detail"] or "meaning" in pick["detail"] for pick in picks[:5])
    opened = seen["search"]["opened"]
    assert Path(picks[0]["description"].split(":")[0]).name == opened["name"]
    assert opened["line"] >= int(picks[0]["description"].split(":")[1])


def test_uses_and_calls_of_the_name_at_the_cursor_are_shown(seen: dict[str, Any]) -> None:
    assert "Name only" in seen["usages"]["rows"][0]  # networkx is used by its package's name, which hands it on
    assert "shortest_path" in seen["usages"]["use"]
    assert seen["usages"]["opened"]["name"] in " ".join(seen["usages"]["rows"])
    assert len(seen["trace"]["rows"]) > 1
    assert "shortest_path" in seen["trace"]["rows"][0]


def test_similar_code_is_looked_at_and_left_without_a_trace(seen: dict[str, Any]) -> None:
    assert len(seen["similar"]["picks"]) > 1
    assert seen["similar"]["looked"] != seen["similar"]["before"]
    assert seen["similar"]["after"] == seen["similar"]["before"]


def test_menus_have_what_is_about_code_and_files(seen: dict[str, Any]) -> None:
    assert {"Find Similar Code", "Who Uses This", "Trace from Here"} <= set(seen["menus"]["editor"])
    assert "Why Is This File (Not) Indexed?" in seen["menus"]["explorer"]


def test_the_index_is_explained(seen: dict[str, Any]) -> None:
    assert "is indexed" in seen["why"]["text"]
    for part in ("State: ready", "Passages with vectors", "python", "Not indexed"):
        assert part in seen["status"]["text"]


def test_context_for_a_task_lies_on_the_clipboard(seen: dict[str, Any]) -> None:
    assert seen["context"]["told"].startswith("Copied ")
    assert "shortest_path" in seen["context"]["text"]
    assert len(seen["context"]["text"]) < 4 * 8_000 + 1_000


def test_pause_restart_and_off_are_obeyed(seen: dict[str, Any]) -> None:
    assert "paused" in seen["paused"]["paused"]["label"]
    assert "definitions" in seen["paused"]["resumed"]["label"]
    assert "definitions" in seen["restarted"]["label"]
    assert "off" in seen["off"]["off"]["label"]
    assert "definitions" in seen["off"]["on"]["label"]


def test_a_file_renamed_in_the_explorer_is_found_at_its_new_name(seen: dict[str, Any]) -> None:
    before = seen["rename"]["before"]["name"]
    paths = [pick["description"] for pick in seen["rename"]["picks"]]
    assert any(f"/{QUESTIONS['renamed']}:" in path for path in paths)
    places = [pick["description"].split(":")[0] for pick in seen["search"]["picks"]]
    old = next(place for place in places if place.endswith(f"/{before}"))
    assert not any(path.startswith(f"{old}:") for path in paths)


def test_after_a_switch_of_the_branch_its_code_is_found(seen: dict[str, Any]) -> None:
    assert seen["branch"]["opened"]["name"] == "cooling.py"
    assert "let_motor_rest" in seen["branch"]["picks"][0]["label"]


def test_enter_takes_the_answer_to_what_is_typed(seen: dict[str, Any]) -> None:
    assert seen["hasty"]["name"] == "cooling.py"


def test_a_server_that_is_killed_comes_back_and_answers(seen: dict[str, Any]) -> None:
    assert any("let_motor_rest" in pick["label"] for pick in seen["killed"]["picks"])
    assert "definitions" in seen["killed"]["status"]["label"]


def test_a_server_that_keeps_ending_is_told_once_and_can_be_started_by_hand(seen: dict[str, Any]) -> None:
    assert seen["storm"]["popups"] == 0
    assert "keeps ending" in seen["storm"]["said"]
    assert "keeps ending" in seen["storm"]["picks"][0]["detail"]
    assert "definitions" in seen["storm"]["restarted"]["label"]


def test_the_map_follows_the_active_file_and_opens_the_one_that_is_clicked(seen: dict[str, Any]) -> None:
    assert seen["map"]["followed"].endswith(".py")
    assert Path(seen["map"]["clicked"]).name == seen["map"]["name"]
    assert len(seen["architecture"]["modules"]) > 3


def test_the_mcp_server_is_offered_to_agents_in_the_editor(seen: dict[str, Any]) -> None:
    assert any("Pilotfish" in pick["label"] for pick in seen["agents"]["offered"])
    assert int(seen["agents"]["discovered"].split()[1]) > 5


def test_the_server_is_installed_after_consent(tmp_path: Path) -> None:
    """Into the extension's own storage, from the wheel that it carries; the rest comes from the package index."""
    root = tmp_path / "shop"
    root.mkdir()
    (root / "stock.py").write_text("def count_items(shelf):\n    return len(shelf)\n")
    git(root, "init", "-q")
    code_server = CodeServer(tmp_path / "home", {"pilotfish.server.python": sys.executable}, "/usr/bin:/bin")
    seen = code_server.play(root, ["installed"])["installed"]
    assert seen["buttons"] == ["Install"]
    assert "not installed" in seen["before"]["label"]
    assert seen["after"]["label"].endswith("shop: 1 of 1 files, 1 definitions")
    (made,) = (tmp_path / "home" / "data" / "User" / "globalStorage" / "pilotfish.pilotfish").glob("server-*/complete")
    assert made.exists()
