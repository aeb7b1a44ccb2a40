"""Frames: what is written is read, however the stream is cut; what is no frame is refused at once."""

from __future__ import annotations

import asyncio
import contextlib
import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.engine import framing
from pilotfish.engine.wire import DocumentText, ErrorObject, Message

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PARAMS = st.builds(DocumentText, uri=TEXT, version=st.integers(0, 2**31), text=TEXT, language=TEXT).map(framing.raw)
MESSAGES = st.one_of(
    st.builds(Message, id=st.integers(1, 2**53), method=TEXT, params=PARAMS),
    st.builds(Message, method=TEXT, params=PARAMS),
    st.builds(Message, id=st.integers(1, 2**53), result=PARAMS | st.just(framing.NULL)),
    st.builds(
        Message, id=st.integers(1, 2**53), error=st.builds(ErrorObject, code=st.integers(-40000, 0), message=TEXT)
    ),
)


async def read_all(stream: bytes, cuts: list[int], limit: int = 1024 * 1024) -> list[Message]:
    reader = asyncio.StreamReader()
    messages: list[Message] = []

    async def consume() -> None:
        while True:
            try:
                messages.append(await framing.read(reader, limit))
            except asyncio.IncompleteReadError:
                return

    task = asyncio.create_task(consume())
    places = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    for start, end in itertools.pairwise(places):
        reader.feed_data(stream[start:end])
        await asyncio.sleep(0)
    reader.feed_eof()
    await task
    return messages


@given(st.lists(MESSAGES, max_size=5), st.lists(st.integers(0, 10_000), max_size=8))
def test_messages_survive_any_cutting_of_the_stream(messages: list[Message], cuts: list[int]) -> None:
    stream = b"".join(framing.encode(message) for message in messages)
    read = asyncio.run(read_all(stream, cuts))
    assert [msgspec.json.encode(message) for message in read] == [msgspec.json.encode(message) for message in messages]


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with contextlib.suppress(framing.FrameError):
        asyncio.run(read_all(data, []))


def test_a_long_frame_is_refused_before_it_is_read() -> None:
    with pytest.raises(framing.FrameError, match="over the limit of 100"):
        asyncio.run(read_all((101).to_bytes(4, "big"), [], limit=100))
    with pytest.raises(framing.FrameError, match="over the limit of 10"):
        framing.encode(Message(id=1, result=framing.NULL), limit=10)


def test_deep_nesting_is_refused() -> None:
    body = b'{"params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(framing.FrameError):
        asyncio.run(read_all(len(body).to_bytes(4, "big") + body, []))
