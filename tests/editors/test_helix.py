"""A real Helix with the shipped configuration, a primary server beside us, in a terminal of its own.

With PILOTFISH_PICTURES set the screens go into `docs/pictures`, and the page says when it ran and in what.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editors import last_run
from tests.editors.garage import build
from tests.editors.terminal import Terminal

pytestmark = [pytest.mark.editors_e2e, pytest.mark.vectors]

REPOSITORY = Path(__file__).parents[2]
SHIPPED = REPOSITORY / "editors" / "helix"
PICTURES = REPOSITORY / "docs" / "pictures"
BIN = Path(sys.executable).parent
HELIX = shutil.which("hx") or str(REPOSITORY / "build" / "helix" / "hx")


@pytest.fixture
def garage() -> Iterator[Path]:
    """A small repository whose path has room on a screen."""
    with tempfile.TemporaryDirectory(prefix="garage-", ignore_cleanup_errors=True) as name:
        build(Path(name))
        yield Path(name)


@pytest.fixture
def helix(garage: Path, private_home: Path) -> Iterator[Terminal]:
    """Helix with `drive.py` open, its home and ours apart from everybody's."""
    configuration = private_home / ".config" / "helix"
    configuration.mkdir(parents=True)
    for name in ("languages.toml", "config.toml"):
        shutil.copy(SHIPPED / name, configuration)
    environment = {
        "HOME": str(private_home),
        "XDG_CONFIG_HOME": str(private_home / ".config"),
        "PILOTFISH_HOME": str(private_home),
        "PATH": f"{BIN}:/usr/bin:/bin",
    }
    terminal = Terminal([HELIX, "drive.py"], garage, environment)
    terminal.wait_for("from motor import Motor", "NOR")
    yield terminal
    terminal.close()


@pytest.mark.skipif(not Path(HELIX).exists(), reason="no Helix: `make helix` fetches it where there is Debian's apt")
@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux to run Helix in")
def test_helix_beside_a_primary_server(helix: Terminal, garage: Path) -> None:
    _symbols_of_both_servers(helix)
    _a_question_in_words(helix)
    _a_code_action_about_the_name_under_the_cursor(helix, garage)
    _commands_without_parameters(helix)
    _what_cannot_be_run_says_why(helix)
    if last_run.WRITES:
        last_run.note("helix.md", f"{_version()} with {last_run.primary()} as the primary server")


def _version() -> str:
    told = subprocess.run([HELIX, "--version"], check=True, capture_output=True, text=True).stdout
    return " ".join(told.split()[:2]).replace("helix", "Helix")


def _symbols_of_both_servers(helix: Terminal) -> None:
    """The list is filled when it is opened: open it until both servers have something to say."""
    for _ in range(60):
        helix.keys("space", "S")
        if helix.shows("name", "path", within=1):
            helix.write("Motor")
            if helix.shows("3/3", within=2):
                break
        helix.keys("Escape")
    rows = re.findall(r"│ [> ] (class|module) +(\w+) +motor.py", helix.screen())
    assert sorted(rows) == [("class", "Motor"), ("class", "Motor"), ("module", "motor")], helix.screen()
    helix.keys("Escape")
    helix.keys("space", "S")
    helix.write("cdn")
    assert "cool_down" in helix.wait_for("cool_down"), "the primary knows no abbreviations"
    helix.keys("Escape")


def _a_question_in_words(helix: Terminal) -> None:
    helix.keys("space", "S")
    helix.write("? how does it get cold")
    helix.wait_for("> ", "class Motor:")
    assert re.search(r"│ > (method|class) +(Motor|cool_down) +motor.py", helix.screen()), helix.screen()
    _picture(helix, "helix-question.svg", "hx: a question in words, in the list of symbols")
    helix.keys("Escape")


def _a_code_action_about_the_name_under_the_cursor(helix: Terminal, garage: Path) -> None:
    helix.keys("g", "g", "/")
    helix.write("cool_down")
    helix.keys("Enter", "space", "a")
    menu = helix.wait_for("Pilotfish: Who uses cool_down").splitlines()
    ours = [line.split("Pilotfish: ")[1].strip() for line in menu if "Pilotfish: " in line]
    assert ours == [
        "Who uses cool_down",
        "Explain cool_down",
        "What cool_down calls",
        "What calls cool_down",
        "Code like drive",
    ]
    _picture(helix, "helix-actions.svg", "hx: code actions on the name under the cursor")
    above = next(number for number, line in enumerate(menu) if "Pilotfish" in line)
    theirs = sum("Extract" in line for line in menu[:above])
    helix.keys(*["Tab"] * theirs, "Enter")
    helix.wait_for("pilotfish.findUsages cool_down", f"{garage / 'drive.py'}:6", f"{garage / 'truck.py'}:7")
    helix.keys("/")
    helix.write("truck.py")
    helix.keys("Enter", ";", "g", "f")
    helix.wait_for("def drive_truck")
    helix.keys("C-o", "C-o", "C-o")
    helix.write(":buffer-close-others")
    helix.keys("Enter")
    helix.write(":open drive.py")
    helix.keys("Enter")
    helix.wait_for("NOR   drive.py")


def _commands_without_parameters(helix: Terminal) -> None:
    """From the list of commands, and by the shipped keys; each shows a document, from which we go back."""
    helix.write(":lsp-workspace-command")
    helix.keys("Enter")
    assert re.search(r"> pilotfish.findSimilar", helix.wait_for("pilotfish.repoMap")), "what needs no words is first"
    helix.write("outline")
    helix.keys("Enter")
    helix.wait_for("pilotfish.outline drive.py", "function drive")
    _follows_a_path_of_the_map(helix)
    for key, texts in (("m", ("pilotfish.repoMap", "cool_down")), ("s", ("pilotfish.status", "garage")), ("a", ())):
        _back(helix)
        helix.keys("space", "i", key)
        helix.wait_for(*texts or ("pilotfish.getArchitecture",))
    _back(helix)


def _follows_a_path_of_the_map(helix: Terminal) -> None:
    """Not from the folder that the document lies in."""
    _back(helix)
    helix.keys("space", "i", "m")
    helix.wait_for("pilotfish.repoMap", "truck.py:")
    helix.keys("/")
    helix.write("truck.py")
    helix.keys("Enter", ";", "g", "f")
    helix.wait_for("motor.rest(load)")


def _back(helix: Terminal) -> None:
    helix.write(":open drive.py")
    helix.keys("Enter")
    helix.wait_for("def drive(distance)")


def _what_cannot_be_run_says_why(helix: Terminal) -> None:
    helix.write(":lsp-workspace-command pilotfish.searchCode")
    helix.keys("Enter")
    helix.wait_for("The list of workspace symbols takes names, and questions in words behind a `?`.")
    helix.write(":quit-all!")
    helix.keys("Enter")


def _picture(helix: Terminal, name: str, title: str) -> None:
    if last_run.WRITES:
        helix.picture(title, PICTURES / name)
