"""What the engine and its parse workers say to each other: msgpack messages in frames of a four-byte length.

The pipes are private to one engine and one worker, which are the same build, so nothing is negotiated.
"""

from __future__ import annotations

from typing import BinaryIO, Final

import msgspec

from pilotfish.children.frames import read_body
from pilotfish.store.rows import ParsedFile
from pilotfish.syntax.chunks import ChunkSizes


class Setup(msgspec.Struct, tag=True, kw_only=True):
    """The first frame: what holds for the whole life of a worker.

    `parse_s` is the CPU time that one file may take; `data_bytes` is the most private memory that the worker may have.
    Unless `secrets` are wanted, files that hold them give no chunks, and others give theirs without them.
    """

    root: str
    journal: str
    slot: int = 0
    niceness: int = 0
    file_bytes: int
    line_chars: int
    parse_s: float
    data_bytes: int
    associations: dict[str, str]
    chunk_sizes: ChunkSizes = ChunkSizes()
    secrets: bool = False


class FileTask(msgspec.Struct, tag=True, kw_only=True):
    """Files to read, by path relative to the root; without `parse` they are hashed and inspected only."""

    paths: list[str]
    parse: bool = True


class TextTask(msgspec.Struct, tag=True, kw_only=True):
    """The text of an open document, in UTF-8, and the path or URI that may tell that it is secret."""

    text: bytes
    language: str | None
    path: str = ""


class Examined(msgspec.Struct):
    """What a worker found at one path.

    `file` is None when no regular file is there any more. `failure` is set when the file could not be read or parsed,
    with the cause for the log.
    """

    path: str
    file: ParsedFile | None = None
    failure: str = ""


class FilesDone(msgspec.Struct, tag=True, kw_only=True):
    """Answer to a `FileTask`, in its order; `memory` is the worker's resident memory in bytes."""

    files: list[Examined]
    memory: int


class TextDone(msgspec.Struct, tag=True, kw_only=True):
    """Answer to a `TextTask`: an encoded `Outline`, `LineTable` and `PackedChunks`, or why there is none.

    A text that is secret has no chunks.
    """

    outline: bytes = b""
    line_table: bytes = b""
    chunks: bytes = b""
    failure: str = ""
    memory: int = 0


ToWorker = Setup | FileTask | TextTask
FromWorker = FilesDone | TextDone

_to_worker: Final = msgspec.msgpack.Decoder(ToWorker)
_from_worker: Final = msgspec.msgpack.Decoder(FromWorker)


def read_task(pipe: BinaryIO) -> ToWorker | None:
    """Block until the next task has arrived; None when the engine is gone."""
    body = read_body(pipe)
    return None if body is None else _to_worker.decode(body)


def decode_answer(body: bytes) -> FromWorker:
    """Decode the body of a worker's frame."""
    return _from_worker.decode(body)
