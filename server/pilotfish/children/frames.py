"""Frames on a private pipe: a body behind its length in four bytes."""

from __future__ import annotations

import struct
from typing import BinaryIO, Final

import msgspec

_LENGTH: Final = struct.Struct(">I")

HEADER_BYTES: Final = _LENGTH.size


def encode(message: msgspec.Struct) -> bytes:
    """Return a message as one frame of msgpack."""
    body = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(body)) + body


def body_length(header: bytes) -> int:
    """Return the length that a frame's header announces."""
    (length,) = _LENGTH.unpack(header)
    return int(length)


def read_body(pipe: BinaryIO) -> bytes | None:
    """Block until the next frame has arrived and return its body; None when the other side is gone."""
    header = pipe.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return None
    body = pipe.read(body_length(header))
    return body if len(body) == body_length(header) else None
