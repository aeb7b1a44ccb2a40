"""Many questions in one run: JSON lines on standard input, a JSON line for each on standard output, in their order.

A line of input is one object: `id`, which is given back as it is, and the parameters of the operation. A line of output
has the `id`, the operation's list (`results`), `outcome`, and the state of the index, as every answer has; there is no
further line, so that a reader can pair lines. A question that cannot be answered has `error` instead, and the next one
is asked all the same. The answers to what was read so far are written at once: a program may ask one by one. Advice in
them names commands of the shell, and parameters as lines have them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from pilotfish.cli.render import plain
from pilotfish.cli.terminal import Terminal
from pilotfish.cli.wording import error_in_shell_words, put_in_shell_words
from pilotfish.engine.client import EngineClient
from pilotfish.engine.wire import OperationError
from pilotfish.operations.registry import Operation, Parameters

IN_FLIGHT: Final = 8
"""Questions that are asked at a time: what keeps the engine's threads busy."""

MAX_LINE: Final = 1024 * 1024
"""Longest line of input, in bytes."""

_TOO_LONG: Final = None
_MARK: Final = b"\xef\xbb\xbf"
"""What some editors begin a file in UTF-8 with."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_READ: Final = 64 * 1024


@dataclass(slots=True)
class Tally:
    """How many questions found something, failed, or came before the index was there."""

    found: int = 0
    failed: int = 0
    not_indexed: int = 0


async def run(client: EngineClient, operation: Operation, defaults: Mapping[str, Any], terminal: Terminal) -> Tally:
    """Answer line by line until the input ends; `defaults` hold where a line does not say otherwise.

    Raises:
        OSError: the input cannot be read.

    """
    tally = Tally()
    asked: asyncio.Queue[asyncio.Task[dict[str, Any]] | OSError | None] = asyncio.Queue(IN_FLIGHT)

    async def ask() -> None:
        end: OSError | None = None
        try:
            async for line in _input():
                # The queue's bound is the number of questions in flight: the next line waits for a place.
                await asked.put(asyncio.create_task(_answered(client, operation, defaults, line, tally)))
        except OSError as error:
            end = error
        await asked.put(end)

    asking = asyncio.create_task(ask())
    try:
        while isinstance(task := await asked.get(), asyncio.Task):
            terminal.data(msgspec.json.encode(await task))
            terminal.flush()  # whoever asks may wait for it
        if task is not None:
            raise task
    finally:
        asking.cancel()
        while not asked.empty():
            if isinstance(left := asked.get_nowait(), asyncio.Task):
                left.cancel()
    return tally


async def _answered(
    client: EngineClient, operation: Operation, defaults: Mapping[str, Any], line: bytes | None, tally: Tally
) -> dict[str, Any]:
    """Return the line of output for one line of input."""
    number: msgspec.Raw | None = None
    try:
        number, fields = _fields(line)
        plain_fields = {name: msgspec.json.decode(value) for name, value in fields.items()}
        parameters: Parameters = msgspec.convert({**defaults, **plain_fields}, operation.parameters)
        answer = await client.request(operation.name, parameters, timeout=None)
    except (msgspec.MsgspecError, RecursionError, ValueError, OperationError) as error:
        tally.failed += 1
        return {"id": number or _id_of(line), "error": _in_words(error, operation)}
    tally.found += answer.outcome == "found"
    tally.not_indexed += answer.outcome == "not_indexed"
    said: dict[str, Any] = plain(answer)
    put_in_shell_words(said, in_lines=True)
    return {"id": number} | said


def _fields(line: bytes | None) -> tuple[msgspec.Raw | None, dict[str, msgspec.Raw]]:
    """Return the `id` of a line, and what else it says, unread: an `id` is given back byte by byte."""
    if line is _TOO_LONG:
        raise ValueError(f"the line is longer than {MAX_LINE:,} bytes")
    line.decode("utf-8")  # what is not read here must not leave as it came either
    fields = msgspec.json.decode(line.removeprefix(_MARK), type=dict[str, msgspec.Raw])
    return fields.pop("id", None), fields


def _id_of(line: bytes | None) -> msgspec.Raw | None:
    """Return the `id` of a line that could not be taken, where it can be told all the same: a reader pairs by it."""
    if line is _TOO_LONG:
        return None
    try:
        # Takes what ours does not: lone surrogates, and in other places bytes that are not UTF-8.
        fields = json.loads(line.removeprefix(_MARK).decode("utf-8", "surrogateescape"))
        number = fields.get("id") if isinstance(fields, dict) else None
        return msgspec.Raw(json.dumps(number, allow_nan=False).encode("ascii")) if _is_sent_back(number) else None
    except (ValueError, RecursionError):
        return None


def _is_sent_back(number: object) -> bool:
    """Whether an `id` is text as UTF-8 has it, and no number that would lose digits."""
    return isinstance(number, str | int) and not (isinstance(number, str) and _SURROGATE.search(number))


def _in_words(error: Exception, operation: Operation) -> str:
    if isinstance(error, OperationError):
        return error_in_shell_words(error, in_lines=True)
    if isinstance(error, UnicodeDecodeError):
        return f"the line is not UTF-8 at byte {error.start + 1:,}"
    names = ", ".join(["id", *operation.parameters.__struct_fields__])
    return f"{error}; send one object a line with {names}"


async def _input() -> AsyncIterator[bytes | None]:
    """Yield the lines of standard input as they come, empty ones left out; None for one that is too long.

    They are read by a thread of their own from the descriptor itself: it may wait for ever without keeping the process
    from its end, and holds no lock of `sys.stdin` meanwhile.
    """
    if sys.stdin is None:
        return
    descriptor = sys.stdin.fileno()
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | Exception | type[StopAsyncIteration] | None] = asyncio.Queue()
    room = threading.Semaphore(IN_FLIGHT)

    def read() -> None:
        end: Exception | type[StopAsyncIteration] = StopAsyncIteration
        try:
            for line in _lines(descriptor):
                room.acquire()
                loop.call_soon_threadsafe(lines.put_nowait, line)
        except OSError as error:
            end = error
        except RuntimeError:
            return
        with contextlib.suppress(RuntimeError):  # the loop has ended before the input
            loop.call_soon_threadsafe(lines.put_nowait, end)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while True:
        line = await lines.get()
        if isinstance(line, Exception):
            raise line
        if isinstance(line, type):
            return
        room.release()
        yield line


def _lines(descriptor: int) -> Iterator[bytes | None]:
    """Yield the lines that come from a descriptor; of one that is too long nothing is kept but that it was."""
    waiting = bytearray()
    is_too_long = False
    while data := os.read(descriptor, _READ):
        *ended, rest = data.split(b"\n")
        for part in ended:
            waiting += part
            if is_too_long or len(waiting) > MAX_LINE:
                yield _TOO_LONG
            elif waiting.strip():
                yield bytes(waiting)
            waiting.clear()
            is_too_long = False
        waiting += rest
        if len(waiting) > MAX_LINE:
            waiting.clear()
            is_too_long = True
    if is_too_long:
        yield _TOO_LONG
    elif waiting.strip():
        yield bytes(waiting)
