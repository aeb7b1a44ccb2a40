"""Frames of the wire: a four-byte big-endian length, then one JSON message (`engine.wire`)."""

from __future__ import annotations

import asyncio

import msgspec

from pilotfish.engine.wire import MAX_FRAME, Json, Message

NULL = Json(b"null")
"""The result of a request that has nothing to tell."""

_LENGTH_BYTES = 4

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Message)


class FrameError(Exception):
    """A frame that is too long or holds no message; the stream cannot be read on."""


def raw(value: msgspec.Struct | None) -> Json:
    """Encode parameters or a result for a `Message`.

    Raises:
        UnicodeEncodeError: a text in it has lone surrogates.
    """
    return Json(_encoder.encode(value))


def encode(message: Message, limit: int = MAX_FRAME) -> bytearray:
    """Return the frame of a message.

    Raises:
        FrameError: the message is longer than `limit` bytes.
    """
    buffer = bytearray(_LENGTH_BYTES)
    _encoder.encode_into(message, buffer, _LENGTH_BYTES)
    length = len(buffer) - _LENGTH_BYTES
    if length > limit:
        raise FrameError(f"a message of {length} bytes is over the limit of {limit}")
    buffer[:_LENGTH_BYTES] = length.to_bytes(_LENGTH_BYTES, "big")
    return buffer


async def read(reader: asyncio.StreamReader, limit: int = MAX_FRAME) -> Message:
    """Read the next message.

    Raises:
        FrameError: the frame is longer than `limit` bytes (nothing of it is read) or holds no message.
        asyncio.IncompleteReadError: the stream ended.
        OSError: the stream broke.
    """
    length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
    if length > limit:
        raise FrameError(f"a frame of {length} bytes is over the limit of {limit}")
    data = await reader.readexactly(length)
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FrameError(f"a frame holds no message: {error}") from error
