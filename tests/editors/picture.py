"""Takes the README's pictures from real programs in a real terminal (tmux), as SVG.

    python -m tests.editors.picture REPOSITORY FILE PATTERN

opens FILE of REPOSITORY in Neovim with a primary server and Pilotfish beside it, hovers over the first match of
PATTERN, and writes `docs/pictures/neovim.svg`; then runs `pilotfish symbols` there and writes
`docs/pictures/symbols.svg`. Needs tmux.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

HERE = Path(__file__).parent
PICTURES = HERE.parents[1] / "docs" / "pictures"
BIN = Path(sys.executable).parent
COLUMNS, LINES = 100, 26

INIT = """
vim.opt.swapfile = false
vim.opt.number = true
vim.opt.hlsearch = false
vim.opt.termguicolors = true
vim.opt.runtimepath:prepend([[{shipped}]])
vim.lsp.config('jedi', {{
  cmd = {{ [[{bin}/jedi-language-server]] }}, filetypes = {{ 'python' }}, root_markers = {{ '.git' }},
}})
vim.lsp.config('pilotfish', {{ cmd = {{ [[{bin}/pilotfish]], 'serve' }} }})
vim.lsp.enable({{ 'jedi', 'pilotfish' }})
"""


def tmux(*arguments: str) -> str:
    """Run one tmux command on a server of our own."""
    done = subprocess.run(["tmux", "-L", "pilotfish-picture", *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def capture(title: str, target: Path) -> None:
    """Write what the terminal shows as a picture."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text.from_ansi(tmux("capture-pane", "-e", "-p").rstrip("\n")), no_wrap=True)
    picture = console.export_svg(title=title, theme=MONOKAI, unique_id=target.stem)
    # The fonts of the viewer's own machine: a picture that fetches one tells somebody who looks at it.
    picture = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", picture)
    target.write_text(picture)


def main(repository: Path, file: str, pattern: str) -> None:
    """Take both pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pf-") as home:
        init = Path(home) / "init.lua"
        init.write_text(INIT.format(shipped=HERE.parents[1] / "editors" / "neovim", bin=BIN))
        environment = {"HOME": home, "PILOTFISH_HOME": home, "PATH": f"{BIN}:/usr/bin:/bin", "TERM": "xterm-256color"}
        pairs = [word for pair in environment.items() for word in ("-e", "=".join(pair))]
        tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), *pairs, "-c", str(repository), "sh")
        try:
            tmux("send-keys", f"{BIN}/pilotfish index --root .", "Enter")
            time.sleep(25)
            tmux("send-keys", f"clear; {BIN}/nvim --clean -u {init} {file}", "Enter")
            time.sleep(12)
            for keys in (f"/{pattern}", "Enter", "zt", "5", "C-y", "K"):
                tmux("send-keys", keys)
                time.sleep(1.0)
            time.sleep(4)
            capture("nvim: a primary server and Pilotfish beside it", PICTURES / "neovim.svg")
            for keys in ("Escape", ":qa!", "Enter"):
                tmux("send-keys", keys)
                time.sleep(0.5)
            tmux("send-keys", f"PATH={BIN}:$PATH; PS1='$ '; clear", "Enter")
            time.sleep(2)
            for command in ("pilotfish symbols gOo4", "pilotfish def slugify", "pilotfish refs slugify"):
                tmux("send-keys", command, "Enter")
                time.sleep(6)
            capture("pilotfish symbols, refs", PICTURES / "symbols.svg")
        finally:
            tmux("kill-server")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3])
