"""What a front sends to an engine that does not read: later texts take the place of earlier ones, nothing else does."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import msgspec

from pilotfish.engine import framing
from pilotfish.engine.channel import Channel
from pilotfish.engine.rendezvous import Endpoint
from pilotfish.engine.wire import Message

ENDPOINT = Endpoint(pid=1, started="", address="", wire=0, build="", token="", root_bytes=b"/")
LONG = "x" * 300_000


async def both_ends() -> tuple[Channel, asyncio.StreamReader, asyncio.StreamWriter]:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    their_reader, their_writer = await asyncio.open_connection(sock=theirs)
    return Channel(ENDPOINT, reader, writer, lambda method, params: None), their_reader, their_writer


def text(uri: str, version: int) -> Any:
    return framing.raw({"uri": uri, "version": version, "text": LONG})


async def read(reader: asyncio.StreamReader, count: int) -> list[tuple[str | None, Any]]:
    """The next messages: their method, and of a text which one."""
    found: list[tuple[str | None, Any]] = []
    for _ in range(count):
        message: Message = await asyncio.wait_for(framing.read(reader), 20)
        params = msgspec.json.decode(message.params) if message.params else None
        found.append((message.method, (params["uri"], params["version"]) if params and "uri" in params else params))
    return found


async def test_an_engine_that_does_not_read_gets_the_latest_of_each_text() -> None:
    channel, reader, writer = await both_ends()
    for version in range(1, 101):
        for uri in ("a", "b"):
            channel.notify_latest(uri, "change", text(uri, version))
        await asyncio.sleep(0)
    received = await read(reader, 3)
    while received[-1][1] != ("b", 100):
        received += await read(reader, 1)
    assert ("change", ("a", 100)) in received
    assert len(received) < 12, "what the socket takes, and the latest"
    versions = [version for _, (uri, version) in received if uri == "a"]
    assert versions == sorted(versions)
    channel.close()
    writer.close()


async def test_what_is_sent_next_does_not_overtake_a_text_that_waits() -> None:
    channel, reader, writer = await both_ends()
    for version in range(1, 31):
        channel.notify_latest("a", "change", text("a", version))
    channel.request("hover", framing.raw({}), lambda result, error: None)
    for version in range(31, 61):
        channel.notify_latest("a", "change", text("a", version))
    channel.notify("close", framing.raw({}))
    received = await read(reader, 1)
    while received[-1][0] != "close":
        received += await read(reader, 1)
    received = [item for item in received if item[0] != "ping"]
    hover = [method for method, _ in received].index("hover")
    assert received[hover - 1] == ("change", ("a", 30))
    assert received[-2] == ("change", ("a", 60))
    assert len(received) < 12
    channel.close()
    writer.close()


async def test_an_engine_that_reads_gets_every_text() -> None:
    channel, reader, writer = await both_ends()
    for version in range(1, 11):
        channel.notify_latest("a", "change", text("a", version))
        assert await read(reader, 1) == [("change", ("a", version))]
    channel.close()
    writer.close()
