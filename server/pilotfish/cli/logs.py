"""`pilotfish logs`: the end of the engine's log, and what comes after it."""

from __future__ import annotations

import collections
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from pilotfish.cli.terminal import Terminal, printable

POLL_SECONDS = 0.3
"""How often a followed log is looked at."""

MAX_LINE_BYTES = 64 * 1024


def show(path: Path, count: int, terminal: Terminal, *, follow: bool, as_json: bool) -> int:
    """Write the last `count` lines of the log at `path`; with `follow`, go on until interrupted."""
    try:
        lines = _last_lines(path, count)
    except FileNotFoundError:
        if not follow:
            terminal.note(f"{path}: no log yet; an engine writes one when it starts.")
            return 1
        lines = []
    if as_json:
        terminal.data(msgspec.json.encode({"path": os.fspath(path), "lines": lines}))
        return 0
    for line in lines:
        terminal.line(printable(line))
    terminal.flush()
    if follow:
        for line in _followed(path):
            terminal.line(printable(line))
            terminal.flush()
    return 0


def _last_lines(path: Path, count: int) -> list[str]:
    with path.open("rb") as file:
        return [_text(line) for line in collections.deque(file, maxlen=max(0, count))]


def _followed(path: Path) -> Iterator[str]:
    """Yield lines as they are written, also after the log was rotated; never ends."""
    file: BinaryIO | None = None
    rest = b""
    try:
        while True:
            if file is None or _was_rotated(file, path):
                if file is not None:
                    yield from map(_text, file.readlines())
                    file.close()
                file = _opened(path, from_end=file is None)
                rest = b""
            while file is not None and (chunk := file.readline(MAX_LINE_BYTES)):
                rest += chunk
                if rest.endswith(b"\n") or len(rest) >= MAX_LINE_BYTES:
                    yield _text(rest)
                    rest = b""
            time.sleep(POLL_SECONDS)
    finally:
        if file is not None:
            file.close()


def _opened(path: Path, *, from_end: bool) -> BinaryIO | None:
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    if from_end:
        file.seek(0, os.SEEK_END)
    return file


def _was_rotated(file: BinaryIO, path: Path) -> bool:
    try:
        now = path.stat()
    except FileNotFoundError:
        return False
    return now.st_ino != os.fstat(file.fileno()).st_ino or now.st_size < file.tell()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")
