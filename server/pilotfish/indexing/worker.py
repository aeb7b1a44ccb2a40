"""A parse worker: a process that makes outlines and chunks of bytes, so that tree-sitter never holds the engine's GIL.

Started by `workers.ParsePool` as `python -I -m pilotfish.indexing.worker`; standard input and output are its private
pipes. It never outlives its engine: it ends when the pipe does, and since a parse cannot be interrupted from within,
the kernel ends it at the engine's death (Linux) or when one file took far more CPU time than any deadline allows
(POSIX).
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from pilotfish.children.frames import encode
from pilotfish.children.inside import claim_pipes, end_with_engine, limit, step_back
from pilotfish.indexing.chunk_rows import chunk_rows
from pilotfish.indexing.frames import Examined, FilesDone, FileTask, Setup, TextDone, TextTask, read_task
from pilotfish.indexing.journal import open_slot
from pilotfish.store.rows import ParsedFile, pack, pack_chunks, pack_text
from pilotfish.syntax.languages import HEAD_SIZE, REGISTRY, detect
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.outlines import Outliner, Reading
from pilotfish.syntax.text import decode, pack_lines
from pilotfish.workspace.content import (
    ContentLimits,
    Skipped,
    SkipReason,
    changed_at,
    inspect_content,
    inspect_name,
    inspect_nesting,
)
from pilotfish.workspace.paths import Folders, OutsideRootError, join
from pilotfish.workspace.secrets import is_secret, redact, secret_content

if sys.platform != "win32":
    import resource

RACY_NS: Final = 2_000_000_000
"""A file whose time of change is within this of its hashing may change again without showing it (git's racy rule)."""

_ORPHAN_FACTOR: Final = 4
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if sys.platform != "win32" else 0


class Worker:
    """Answers tasks one after the other until the engine closes the pipe."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._limits = ContentLimits(file_bytes=setup.file_bytes, line_chars=setup.line_chars, secrets=setup.secrets)
        self._slot = open_slot(setup.journal, setup.slot)
        self._outliner = Outliner()

    def answer(self, task: FileTask | TextTask) -> FilesDone | TextDone:
        """Do one task; a fault in one file or text is part of the answer."""
        if isinstance(task, TextTask):
            return self._outline_text(task)
        with Folders(self._setup.root) as folders:
            files = [self._examine(folders, path, task.parse) for path in task.paths]
        return FilesDone(files=files, memory=_resident_bytes())

    def _outline_text(self, task: TextTask) -> TextDone:
        done = TextDone()
        with self._at_work(""):
            try:
                self._read_document(task, done)
            except Exception as error:
                done.failure = _describe(error)
        done.memory = _resident_bytes()
        return done

    def _read_document(self, task: TextTask, done: TextDone) -> None:
        done.line_table = pack_lines(task.text)
        if isinstance(verdict := inspect_nesting(task.text), Skipped):
            done.failure = f"{verdict.reason}: {verdict.detail}"
            return
        shown = self._shown(task.text)
        outline, reading = self._read_text(task.text, task.language, shown)
        done.outline = msgspec.msgpack.encode(outline)
        if self._setup.secrets or not (is_secret(task.path) or secret_content(task.path, task.text)):
            done.chunks, _ = self._cut(shown, outline, reading)

    def _examine(self, folders: Folders, path: str, parse: bool) -> Examined:
        try:
            file, data = self._read(folders, path)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, OutsideRootError):
            return Examined(path)
        except OSError as error:
            return self._unreadable(path, error)
        if data is None:
            verdict = inspect_name(path, file.size, self._limits)
        else:
            verdict = inspect_content(data, path, self._limits)
        if data is None or isinstance(verdict, Skipped):
            file.status = "skipped"
            file.skip_reason = verdict.reason if isinstance(verdict, Skipped) else SkipReason.TOO_LARGE
            return Examined(path, file)
        return self._outline(file, data, parse)

    def _outline(self, file: ParsedFile, data: bytes, parse: bool) -> Examined:
        file.language = detect(file.path, data[:HEAD_SIZE], self._setup.associations)
        file.status = "listed" if file.language is None else "parsed"
        if not parse:
            return Examined(file.path, file)
        with self._at_work(file.path):
            try:
                self._parse(file, data)
            except Exception as error:
                unread = ParsedFile(file.path, file.content_hash, file.size, file.mtime_ns, file.language)
                unread.status, unread.skip_reason, unread.racy = "skipped", SkipReason.PARSER_CRASHED, file.racy
                return Examined(file.path, unread, _describe(error))
        return Examined(file.path, file)

    def _parse(self, file: ParsedFile, data: bytes) -> None:
        """Fill in what the text of a file says."""
        text, file.encoding = decode(data)
        shown = self._shown(text)
        outline, reading = self._read_text(text, file.language, shown)
        if file.language is not None:
            file.line_table = pack_lines(text)
            file.outline, file.rows = pack(outline, text)
        file.chunks, file.text = self._cut(shown, outline, reading)

    def _shown(self, text: bytes) -> bytes:
        """Return what of a text may be told: it without its secrets, unless the user's own settings say otherwise."""
        return text if self._setup.secrets else redact(text)

    def _read_text(self, text: bytes, language: str | None, shown: bytes) -> tuple[Outline, Reading | None]:
        """Outline a text; one in no known language has nothing to say and no tree."""
        if language is None or language not in REGISTRY:
            return Outline(language or ""), None
        reading = self._outliner.read(text, language, shown)
        return reading.outline, reading

    def _cut(self, shown: bytes, outline: Outline, reading: Reading | None) -> tuple[bytes, bytes]:
        """Return the packed chunks of what of a text may be shown, and this packed; nothing where it has no chunk."""
        shown, tree, embedded = (reading.shown, reading.tree, reading.embedded) if reading else (shown, None, {})
        rows = chunk_rows(shown, outline, tree, self._setup.chunk_sizes, embedded)
        return (pack_chunks(rows), pack_text(shown)) if rows.starts else (b"", b"")

    def _read(self, folders: Folders, path: str) -> tuple[ParsedFile, bytes | None]:
        """Read and hash a regular file inside the root; no bytes where its name or size already decides."""
        descriptor = folders.open(path)
        try:
            status = os.fstat(descriptor)
            file = ParsedFile(path=path, content_hash=b"", size=status.st_size, mtime_ns=changed_at(status))
            if isinstance(inspect_name(path, status.st_size, self._limits), Skipped):
                return file, None
            data = _read_whole(descriptor, status.st_size, self._limits.file_bytes + 1)
        finally:
            os.close(descriptor)
        if len(data) > self._limits.file_bytes:  # it grows while we read
            return file, None
        file.content_hash = hashlib.sha256(data).digest()
        file.racy = time.time_ns() - file.mtime_ns < RACY_NS
        return file, data

    def _unreadable(self, path: str, error: OSError) -> Examined:
        """Describe a file that exists and cannot be read."""
        try:
            status = os.lstat(join(self._setup.root, path))
        except OSError:
            return Examined(path)
        file = ParsedFile(path=path, content_hash=b"", size=status.st_size, mtime_ns=changed_at(status))
        file.status, file.skip_reason = "skipped", SkipReason.UNREADABLE
        return Examined(path, file, error.strerror or str(error))

    @contextlib.contextmanager
    def _at_work(self, path: str) -> Iterator[None]:
        _allow_processor_time(_ORPHAN_FACTOR * self._setup.parse_s)
        self._slot.begin(path)
        yield
        self._slot.end()


def _read_whole(descriptor: int, expected: int, most: int) -> bytes:
    """Read a file that had `expected` bytes a moment ago, up to `most`: one more than allowed shows that there is more.

    One byte more than expected is asked for, so that a file that has not grown takes one call and no room beyond it.
    """
    data = os.read(descriptor, min(expected + 1, most))
    if len(data) == expected:
        return data
    parts = [data]
    while (left := most - sum(map(len, parts))) and (data := os.read(descriptor, left)):
        parts.append(data)
    return b"".join(parts)


def _settle(setup: Setup) -> None:
    """Behave as a guest of the machine, and see to it that the kernel ends us when nobody else can."""
    end_with_engine()
    gc.disable()  # outlines have no cycles, and collecting costs a tenth of the time
    if sys.platform == "win32":
        return
    step_back(setup.niceness)
    limit(resource.RLIMIT_DATA, setup.data_bytes)


def _allow_processor_time(seconds: float) -> None:
    """Let the kernel end this process (SIGXCPU) after that much more CPU time: nobody supervises an orphan's parse."""
    if sys.platform != "win32":
        limit(resource.RLIMIT_CPU, int(time.process_time() + seconds) + 1)


def _resident_bytes() -> int:
    """Return how much memory this process has; where the system does not say, the most it ever had."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * _PAGE_BYTES
    elif sys.platform == "win32":  # noqa: RET505 - the type checker follows this form only
        return 0
    else:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _describe(error: Exception) -> str:
    return "".join(traceback.format_exception(error, limit=-3)).strip()


def main() -> None:
    """Serve tasks until the engine is gone."""
    tasks, answers = claim_pipes()
    setup = read_task(tasks)
    if not isinstance(setup, Setup):
        return
    _settle(setup)
    worker = Worker(setup)
    while task := read_task(tasks):
        assert not isinstance(task, Setup)
        answers.write(encode(worker.answer(task)))


if __name__ == "__main__":
    main()
