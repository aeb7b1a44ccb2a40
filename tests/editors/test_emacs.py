"""A real Emacs in batch, with a primary server beside us: eglot behind a multiplexer, and lsp-mode."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from tests.editors import last_run
from tests.editors.garage import build

pytestmark = [pytest.mark.editors_e2e, pytest.mark.vectors]

STEPS = Path(__file__).with_name("emacs_steps.el")
SHIPPED = Path(__file__).parents[2] / "editors" / "emacs"
COMMANDS = set(re.findall(r"^;;;###autoload\n\(defun (\S+)", (SHIPPED / "pilotfish.el").read_text(), re.MULTILINE))
NO_KEY = {"pilotfish-pause", "pilotfish-resume", "pilotfish-rebuild", "pilotfish-register-with-lsp-mode"}
BIN = Path(sys.executable).parent
PROGRAMS = f"{BIN}:{os.environ['PATH']}"
EMACS = shutil.which("emacs")


@pytest.fixture
def garage(tmp_path: Path) -> Path:
    folder = tmp_path / "garage"
    folder.mkdir()
    build(folder)
    return folder


def emacs(client: str, garage: Path, home: Path) -> dict[str, Any]:
    """What Emacs saw with one of its two clients."""
    result = home / "seen.json"
    done = subprocess.run(
        [str(EMACS), "--batch", "--no-init-file", "-l", str(STEPS)],
        cwd=garage,
        env={
            **os.environ,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "PATH": PROGRAMS,
            "PF_CLIENT": client,
            "PF_SHIPPED": str(SHIPPED),
            "PF_RESULT": str(result),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    seen: dict[str, Any] = json.loads(result.read_text())
    assert "failure" not in seen, (seen, done.stderr)
    return seen


def has(package: str) -> bool:
    """Whether this Emacs has a package."""
    if EMACS is None:
        return False
    program = f"(progn (package-initialize) (kill-emacs (if (locate-library {json.dumps(package)}) 0 1)))"
    return subprocess.run([EMACS, "--batch", "--eval", program], check=False, capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def versions(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """That of Emacs, and of each client that ran; in the end they are noted in the page."""
    seen: dict[str, str] = {}
    yield seen
    if last_run.WRITES and last_run.is_whole(request.session) and len(seen) == 3:
        clients = "eglot {eglot} behind rassumfrassum {rass} and with lsp-mode {lsp-mode}"
        behind = clients.format(**seen, rass=metadata.version("rassumfrassum"))
        words = f"Emacs {seen['emacs']}, with {behind}, {last_run.primary()} as the primary server,"
        last_run.note("emacs.md", words)


@pytest.mark.skipif(EMACS is None, reason="no Emacs")
@pytest.mark.parametrize("client", ["eglot", "lsp-mode"])
def test_emacs_beside_a_primary_server(client: str, garage: Path, private_home: Path, versions: dict[str, str]) -> None:
    if not has(client):
        pytest.skip(f"this Emacs has no {client}: on Debian 12 it is in elpa-{client}")
    if client == "eglot" and shutil.which("rass", path=PROGRAMS) is None:
        pytest.skip("no multiplexer beside this Python: pip install rassumfrassum")
    seen = emacs(client, garage, private_home)
    assert "jedi" in seen["servers"]
    assert "pilotfish" in seen["servers"]
    assert "motor.py" in "".join(seen["definition"]), "the primary still answers go-to-definition"
    mode, text = seen["search"]
    assert mode == "grep-mode"
    assert re.match(r"motor\.py:5: (method Motor\.cool_down|class Motor)  \(", text.splitlines()[2])
    assert seen["first"][0] == "motor.py", "next-error leads to the first result"
    uses = [line.split(": ")[0] for line in seen["usages"][1].splitlines()[2:]]
    assert sorted(uses) == ["drive.py:6", "truck.py:7"]
    assert "drive_truck" in seen["similar"][1]
    mode, text = seen["callers"]
    assert (mode, text.splitlines()[2]) == ("grep-mode", "motor.py:4: Motor.cool_down")
    assert "truck.py:4:   drive_truck" in text
    assert seen["caller"][0] in ("drive.py", "truck.py"), "next-error leads to a caller"
    assert "cool_down" in seen["map"][1]
    assert "def cool_down" in seen["context"][1]
    assert seen["killed"] is True
    mode, text = seen["explain"]
    assert (mode, text.splitlines()[2]) == ("grep-mode", "motor.py:4: method cool_down")
    assert "Let the motor rest until it is cold again." in text
    assert "\nused by\ndrive.py:4: called by function drive\ntruck.py:4: called by function drive_truck\n" in text
    assert seen["explained"] == ["motor.py", 4], "next-error goes on from an explanation too"
    assert seen["architecture"][1].startswith("Architecture: 3 files in 3 modules")
    assert seen["why"] == "Pilotfish: drive.py: indexed: accepted by every rule"
    assert seen["why-not"].startswith("Pilotfish: .git/config: not indexed: ")
    assert (seen["pause"], seen["resume"]) == ("Pilotfish: indexing is paused", "Pilotfish: indexing goes on")
    assert seen["rebuild"].startswith("Pilotfish: ")
    assert {name for name in COMMANDS if name not in seen["keys"]} == NO_KEY
    assert seen["status"].startswith("Pilotfish: ready, 3 files, 0 pending")
    assert seen["nothing"].startswith("No match. No definition is called nobody_wrote_this. pilotfish-search ")
    assert seen["unsaved"] == "drive.py"
    versions["emacs"], versions[client] = seen["version"], seen["client-version"]
