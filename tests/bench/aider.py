"""The CPU of Aider's tag extraction over a folder: `aider-chat` from PyPI in an environment of its own.

    python -m tests.bench.aider FOLDER

Aider keeps a cache of tags in the folder it reads, so a copy is read. Its version is pinned below.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import platformdirs

VERSION = "0.86.2"

EXTRACT = """
import os, sys, time
from aider.io import InputOutput
from aider.repomap import RepoMap
root = sys.argv[1]
repo_map = RepoMap(map_tokens=0, root=root, io=InputOutput(pretty=False, yes=True), main_model=None)
files = [os.path.join(at, name) for at, _, names in os.walk(root) for name in names]
files = sorted(path for path in files if os.path.isfile(path) and not os.path.islink(path))
before = time.process_time()
tags = 0
for path in files:
    tags += len(list(repo_map.get_tags(path, os.path.relpath(path, root))))
print(time.process_time() - before, tags)
"""


def environment() -> Path:
    """Return a Python that has Aider, installing it where that was not done yet."""
    folder = platformdirs.user_cache_path("pilotfish-bench") / f"aider-{VERSION}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "-q", "install", f"aider-chat=={VERSION}"], check=True)
        (folder / "ready").touch()
    return python


def cpu_seconds(root: Path) -> tuple[float, int]:
    """Return the CPU that Aider takes to extract the tags of every file below `root`, in seconds, and how many tags."""
    with tempfile.TemporaryDirectory(prefix="pilotfish-aider-") as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(root, copy)
        done = subprocess.run(
            [environment(), "-W", "ignore", "-c", EXTRACT, str(copy)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=True,
        )
    cpu, tags = done.stdout.split()[-2:]
    return float(cpu), int(tags)


if __name__ == "__main__":
    seconds, count = cpu_seconds(Path(sys.argv[1]).resolve())
    print(f"Aider {VERSION}: {seconds:.1f} s of CPU for {count:,} tags")
