"""What the engine and its semantic worker say to each other: msgpack messages in frames of a four-byte length.

The pipes are private to one engine and one worker, which are the same build, so nothing is negotiated. Every message
but the first bears the number of the question that it is about: several are at work at a time.
"""

from __future__ import annotations

from typing import BinaryIO, Final

import msgspec

from pilotfish.children.frames import read_body
from pilotfish.semantic.models import Model, ModelSettings
from pilotfish.store.vector_rows import VectorFilters, VectorHit


class Setup(msgspec.Struct, tag=True, kw_only=True):
    """The first frame: what holds for the whole life of a worker.

    Args:
        catalog: the file to read chunks from.
        vectors: the folder of the repository's vector caches.
        tables: the folder for the vector tables of this root, one folder in it for each model.
        model: which one embeds.
        cache_mb: how much disk a vector cache may take, in MiB.
        niceness: of the thread that embeds files; questions are answered at the engine's own.
        threads: processor cores for embedding while nobody types.

    """

    catalog: str
    vectors: str
    tables: str
    model: ModelSettings
    cache_mb: int = 512
    niceness: int = 10
    threads: int = 1


class Open(msgspec.Struct, tag=True):
    """Load the model, open cache and table, making what is missing. `known` is the table that the catalog goes with;
    the rows of any other are of no use."""

    id: int
    known: str = ""


class Refresh(msgspec.Struct, tag=True, kw_only=True):
    """Make the rows of files as their chunks are in the catalog; those of `gone` are removed. `quiet` tells that nobody
    types, so that more than one core may be used."""

    id: int
    paths: list[str]
    gone: list[str]
    quiet: bool = False


class Embed(msgspec.Struct, tag=True, kw_only=True):
    """Give the vectors of texts."""

    id: int
    texts: list[str]
    as_passages: bool = False


class Search(msgspec.Struct, tag=True, kw_only=True):
    """Find the rows nearest to a text."""

    id: int
    text: str
    as_passage: bool = False
    limit: int
    filters: VectorFilters = VectorFilters()


class Maintain(msgspec.Struct, tag=True, kw_only=True):
    """Do the upkeep of the table that is due; `idle` where nothing has happened for long: see that it is whole, too."""

    id: int
    idle: bool = False


class Cancel(msgspec.Struct, tag=True):
    """Stop what question `id` is about, at the next step; it is answered with what was done until then."""

    id: int


class Opened(msgspec.Struct, tag=True, kw_only=True):
    """Answer to `Open`: `table` names this very table, another one made anew bears another name; `memory` is what the
    worker has to itself, in bytes."""

    id: int
    model: Model
    table: str
    rows: int
    cached: int
    memory: int


class Step(msgspec.Struct, tag=True, kw_only=True):
    """Told while a `Refresh` is at work: how many of its chunks have their vectors."""

    id: int
    chunks: int
    total: int


class Refreshed(msgspec.Struct, tag=True, kw_only=True):
    """Answer to `Refresh`.

    Args:
        paths: those that are done; all, unless it was cancelled.
        embedded: texts that went through the model.
        from_cache: chunks whose vectors were known.
        written: rows that were written.
        left_out: chunks in which there is nothing to compare.
        rows: of the whole table.
        memory: the worker's resident memory in bytes.

    """

    id: int
    paths: list[str]
    embedded: int
    from_cache: int
    written: int
    left_out: int
    rows: int
    memory: int


class Embedded(msgspec.Struct, tag=True, kw_only=True):
    """Answer to `Embed`: rows of float32 in little endian, one after the other."""

    id: int
    vectors: bytes


class Found(msgspec.Struct, tag=True, kw_only=True):
    """Answer to `Search`: the nearest first, nothing for a text in which there is nothing to compare; and the vector of
    the text, as `Embedded` has them."""

    id: int
    hits: list[VectorHit]
    vector: bytes


class Maintained(msgspec.Struct, tag=True, kw_only=True):
    """Answer to `Maintain`."""

    id: int
    done: list[str]
    rows: int
    memory: int


class Failed(msgspec.Struct, tag=True, kw_only=True):
    """Answer to anything that could not be done; the message is for the user. `passing` where it may be another time:
    there was no room on the disk, or too little memory."""

    id: int
    message: str
    passing: bool = False


ToWorker = Setup | Open | Refresh | Embed | Search | Maintain | Cancel
FromWorker = Opened | Step | Refreshed | Embedded | Found | Maintained | Failed

_to_worker: Final = msgspec.msgpack.Decoder(ToWorker)
_from_worker: Final = msgspec.msgpack.Decoder(FromWorker)


def read_message(pipe: BinaryIO) -> ToWorker | None:
    """Block until the next message has arrived; None when the engine is gone."""
    body = read_body(pipe)
    return None if body is None else _to_worker.decode(body)


def decode_answer(body: bytes) -> FromWorker:
    """Decode the body of a worker's frame."""
    return _from_worker.decode(body)
