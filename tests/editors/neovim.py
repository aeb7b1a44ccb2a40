"""A headless Neovim with the plugin as it is shipped and a primary server beside it, driven by a Lua file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "editors" / "neovim"
BIN = Path(sys.executable).parent
PROGRAM = BIN / "nvim"


def drive(
    script: str,
    repository: Path,
    home: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    has_program: bool = True,
) -> dict[str, Any]:
    """Run `script`, a Lua file beside this one, in a Neovim in `repository`, and return what it writes down.

    The plugin is a copy in a clone of nothing else, since help tags are written beside the help. The program is not on
    the `PATH`: the plugin finds it in the clone's environment.
    """
    plugin, programs = home / "clone" / "editors" / "neovim", home / "clone" / ".venv" / "bin"
    shutil.copytree(SHIPPED, plugin)
    programs.mkdir(parents=True)
    if has_program:
        (programs / "pilotfish").symlink_to(BIN / "pilotfish")
    result = home / "result.json"
    inherited = {name: v for name, v in os.environ.items() if not name.startswith(("XDG_", "NVIM", "PILOTFISH_"))}
    done = subprocess.run(
        [str(PROGRAM), "--headless", "--clean", "-u", str(HERE / "neovim_steps.lua"), *arguments],
        cwd=repository,
        env={
            **inherited,
            "PATH": os.pathsep.join(each for each in inherited["PATH"].split(os.pathsep) if Path(each) != BIN),
            "HOME": str(home),
            "PILOTFISH_HOME": str(home / "pilotfish"),
            "PILOTFISH_SEMANTIC_COVERAGE": "off",
            "PF_SCRIPT": str(HERE / script),
            "PF_RESULT": str(result),
            "PF_PLUGIN": str(plugin),
            "PF_BIN": str(BIN),
            **(environment or {}),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(result.read_text())
    assert answer["ok"], answer["error"]
    return answer
