"""Lines of standard input that are no message the SDK understands: each that waits for an answer gets one.

The SDK passes them on as exceptions, which a server drops, so that a client that has asked waits for ever.
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pilotfish.visible_text import visible

if TYPE_CHECKING:
    from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream

_NO_JSON: Final = "json_invalid"
_NO_FIELD: Final = "missing"

_PARSE: Final = "This line is not JSON; send one JSON-RPC message a line, in UTF-8"
_BATCH: Final = "Batches are not taken; send each message on a line of its own"
_REQUEST: Final = 'This is no request of JSON-RPC 2.0; send {"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}'
_PARAMS: Final = "params has to be one object"
_STRANGE: Final = "The message holds half a character (a lone surrogate), or is nested too deeply; send neither"


class Answering:
    """The stream of what a client sends, in which lines that are no message are answered and passed over."""

    def __init__(
        self, incoming: ContextReceiveStream[SessionMessage | Exception], outgoing: ContextSendStream[SessionMessage]
    ) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @property
    def last_context(self) -> Any:
        """The context of the last message, which the SDK answers it in."""
        return self._incoming.last_context

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        while isinstance(item := await self._incoming.receive(), ValidationError):
            if (answer := refusal(item)) is not None:
                await self._outgoing.send(SessionMessage(answer))
        return item

    async def aclose(self) -> None:
        """Close the stream."""
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message, until there is none."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the stream."""
        await self.aclose()


def refusal(error: ValidationError) -> types.JSONRPCError | None:
    """Return the answer to a line that is no message, or None where nobody waits for one: an empty line, a broken
    notification, and a broken answer, which must not be answered in turn."""
    faults = error.errors(include_url=False, include_context=False)
    if faults[0]["type"] == _NO_JSON:
        line = faults[0]["input"]
        line = line.decode("utf-8", "replace") if isinstance(line, bytes) else str(line)
        if not line.strip():
            return None
        try:
            sent = json.loads(line)  # which takes what the SDK does not
        except (ValueError, RecursionError):
            return _error(None, types.PARSE_ERROR, _PARSE)
        return _answer_to(sent, types.INVALID_PARAMS, _STRANGE)
    # Each kind of message that it might be lacks a field of the object that was sent, or it is none.
    sent = next((fault["input"] for fault in faults if fault["type"] == _NO_FIELD), faults[0]["input"])
    if _is_request(sent) and not isinstance(sent.get("params"), dict | None):
        return _answer_to(sent, types.INVALID_PARAMS, _PARAMS)
    return _answer_to(sent, types.INVALID_REQUEST, _REQUEST)


def _answer_to(sent: Any, code: int, words: str) -> types.JSONRPCError | None:
    if not isinstance(sent, dict):
        return _error(None, types.INVALID_REQUEST, _BATCH if isinstance(sent, list) else _REQUEST)
    if "method" not in sent and ("result" in sent or "error" in sent):
        return None
    if "id" not in sent and isinstance(sent.get("method"), str):
        return None
    return _error(sent.get("id"), code, words)


def _is_request(sent: Any) -> bool:
    return isinstance(sent, dict) and isinstance(sent.get("method"), str) and sent.get("jsonrpc") == "2.0"


def _error(number: Any, code: int, words: str) -> types.JSONRPCError:
    is_known = type(number) is int or (isinstance(number, str) and number == visible(number))
    known = number if is_known else None
    return types.JSONRPCError(jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=words))
