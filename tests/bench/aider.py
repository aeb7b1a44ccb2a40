"""The CPU of our cold index against that of Aider's tag extraction on the same files.

    python -m tests.bench.aider FOLDER [--share N]

`aider-chat` comes from PyPI, its version pinned below, into an environment of its own. Both read a copy of every N-th
file of the folder, ours first, with one worker, everything included that an index stores; Aider extracts tags only. It
keeps a cache in the folder it reads, hence the copy.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import venv
from pathlib import Path

import platformdirs
from tests.bench.cold_index import in_process, thinned

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
    done = subprocess.run(
        [environment(), "-W", "ignore", "-c", EXTRACT, str(root)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    cpu, tags = done.stdout.split()[-2:]
    return float(cpu), int(tags)


def main() -> None:
    """Measure both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pilotfish-aider-") as scratch:
        copy = thinned(options.folder.resolve(), options.share, Path(scratch).resolve() / "copy")
        ours = in_process("index", str(copy), str(Path(scratch) / "index"), "1")
        aider, tags = cpu_seconds(copy)
    print(f"{ours['parsed']:,} files: ours {ours['cpu']:.1f} s CPU, {ours['symbols'] + ours['references']:,} facts")
    print(f"Aider {VERSION}: {aider:.1f} s CPU, {tags:,} tags")
    print(f"ours / Aider: {ours['cpu'] / aider:.2f} (at most 0.20)")


if __name__ == "__main__":
    main()
