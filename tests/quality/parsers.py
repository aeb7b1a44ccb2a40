"""What the parsers of compilers say of files; `tests/quality/fetch_oracles.sh` fetches them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.quality.records import DARK, FILE, REFUSED, Record

READERS = {"c": "libclang.py", "csharp": "roslyn.py"}
"""The programs by language; each explains itself."""

FETCHED = Path(__file__).parents[2] / "build" / "oracles"
_FOLDER = Path(__file__).parent / "readers"
_C_FLAGS = ("-x", "c", "-std=gnu11", "-ferror-limit=0", "-w")


@cache
def parser_version(language: str) -> str:
    """What the parser of a language is called."""
    command = [_python(), str(_FOLDER / READERS[language]), "--version"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def parser_records(root: Path, paths: list[str], language: str, flags: Sequence[str]) -> Iterator[Record]:
    """What the parser says of each file; `flags` go to C's before those that all get."""
    command = [_python(), str(_FOLDER / READERS[language]), str(root)]
    if language == "c":
        command += [*_C_FLAGS, *flags, *_c_folders(root)]
    listing = subprocess.run(command, input="\n".join(paths), stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in listing.splitlines():
        found = json.loads(line)
        if found["kind"] in (FILE, REFUSED, DARK):
            yield Record(found["path"], "", found.get("line", 0), found["kind"], found.get("last", 0))
        else:
            yield Record(found["path"], found["name"], found["line"], found["kind"])


def _python() -> str:
    if not (FETCHED / "bin" / "python").exists():
        raise SystemExit(f"The parser is not here: sh tests/quality/fetch_oracles.sh {FETCHED}")
    return str(FETCHED / "bin" / "python")


def _c_folders(root: Path) -> list[str]:
    """Where headers are looked for when the system has none of a name: the compiler's own, and beside all headers."""
    flags = []
    if compiler := shutil.which("cc"):
        folder = subprocess.run([compiler, "-print-file-name=include"], capture_output=True, check=True, text=True)
        flags += ["-isystem", folder.stdout.strip()]
    folders = sorted({path.parent for path in root.rglob("*.h")}, key=lambda folder: (len(folder.parts), folder))
    return flags + [f"-idirafter{folder}" for folder in folders]
