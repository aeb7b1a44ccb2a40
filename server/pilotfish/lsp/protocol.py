"""pygls's protocol with its faults covered, each of which has a test in `tests/protocol/test_lsp_faults.py`.

pygls 2.1.1 leaves a request with bad parameters without any answer, shows a popup for every broken message, keeps
cancelled commands running, keeps a future for every notification, fails `shutdown` while a command runs, serves
requests before `initialize`, and writes NaN as JSON. This class receives, dispatches and sends by itself, and leaves
to pygls what it does well: LSP's types, the routing by method and the book-keeping of requests.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import time
import uuid
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from pilotfish.lsp.converters import PlainList, PlainObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from cattrs import Converter

    from pilotfish.lsp.server import PilotfishServer
    from pilotfish.lsp.transport import FrameWriter

    MessageId = str | int

log = logging.getLogger(__name__)

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603


class RequestFailed(JsonRpcException):
    """An expected failure of a request: its message is for the user, and no traceback is worth a log line."""


class PilotfishProtocol(LanguageServerProtocol):
    """One client's connection."""

    _server: PilotfishServer

    def __init__(self, server: PilotfishServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.frames: FrameWriter | None = None
        self.is_initialized = False
        self._started: dict[MessageId, tuple[str, float]] = {}

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was received, which decides the exit code."""
        return self._shutdown

    # --- receiving ------------------------------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """Handle one message; never raises, whatever the message is."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, PARSE_ERROR, f"not JSON: {error}")
            return
        if isinstance(message, list):
            self._refuse(None, INVALID_REQUEST, "LSP has no batches: send each message in a frame of its own")
        elif not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self._refuse(
                _usable_id(message), INVALID_REQUEST, 'not a JSON-RPC 2.0 message: "jsonrpc": "2.0" is missing'
            )
        elif "method" not in message:
            self._receive_response(message)
        elif not isinstance(message["method"], str):
            self._refuse(_usable_id(message), INVALID_REQUEST, '"method" is not a string')
        elif "id" in message:
            self._receive_request(message)
        else:
            self._receive_notification(message)

    def refuse_frame(self, reason: str) -> None:
        """Answer a frame that could not be read."""
        self._refuse(None, INVALID_REQUEST, reason)

    def _receive_request(self, message: dict[str, Any]) -> None:
        request_id, method = _usable_id(message), message["method"]
        if request_id is None:
            self._refuse(None, INVALID_REQUEST, f'the id of "{method}" is neither a number nor a string')
        elif self._shutdown:
            self._refuse(request_id, JsonRpcInvalidRequest.CODE, f'"{method}" came after "shutdown"')
        elif method == types.INITIALIZE and self.is_initialized:
            self._refuse(request_id, INVALID_REQUEST, '"initialize" may be sent once only')
        elif method != types.INITIALIZE and not self.is_initialized:
            self._refuse(request_id, JsonRpcServerNotInitialized.CODE, f'"{method}" came before "initialize"')
        elif method not in self.fm.builtin_features and method not in self.fm.features:
            self._refuse(request_id, METHOD_NOT_FOUND, f'no such method: "{method}"')
        else:
            try:
                request = self._structure(message)
            except ValueError as error:
                self._refuse(request_id, INVALID_PARAMS, str(error))
                return
            self._server.cursor.asked(request.params)
            self._started[request_id] = (method, time.perf_counter())
            contextvars.copy_context().run(self._handle_request, request_id, method, request.params)

    def _receive_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method != types.EXIT and (self._shutdown or not self.is_initialized):
            log.debug("dropped %s outside the session", method)
            return
        is_known = method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST
        if not is_known:
            log.debug("ignored the unknown notification %s", method)
            return
        try:
            notification = self._structure(message)
        except ValueError as error:
            log.warning("dropped %s: %s", method, error)
            return
        contextvars.copy_context().run(self._handle_notification, method, notification.params)

    def _receive_response(self, message: dict[str, Any]) -> None:
        request_id = _usable_id(message)
        result_type = self._result_types.pop(request_id, None) if request_id is not None else None
        future = self._request_futures.pop(request_id, None) if request_id is not None else None
        if not isinstance(future, Future):
            log.debug("dropped the answer to a request that nobody waits for: %r", message.get("id"))
            return
        if not future.set_running_or_notify_cancel():
            return
        if (error := message.get("error")) is not None:
            code, text = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, str(error))
            future.set_exception(JsonRpcException(str(text), code if isinstance(code, int) else None))
            return
        try:
            answer = self._converter.structure(message, result_type) if result_type is not None else None
        except Exception as failure:
            future.set_exception(JsonRpcException(f"the client's answer has another shape than asked: {failure}"))
            return
        future.set_result(answer.result if answer is not None else message.get("result"))

    def _structure(self, message: dict[str, Any]) -> Any:
        """Give a message its LSP type; raise ValueError with a text that names the parameter at fault."""
        message_type = self.get_message_type(message["method"])
        if message_type is None:
            raise ValueError(f'"{message["method"]}" has no known shape')
        try:
            return self._converter.structure(message, message_type)
        except Exception as error:
            if message["method"] == types.INITIALIZE and self._drop_unknown_capabilities(message):
                return self._structure(message)
            try:
                reasons = "; ".join(transform_error(error, path=message["method"]))
            except Exception:
                reasons = str(error)
            raise ValueError(reasons or "bad parameters") from error

    def _drop_unknown_capabilities(self, message: dict[str, Any]) -> bool:
        """Remove the client's capabilities that have no shape we know, so that a newer or careless client can still be
        served; return whether there were any."""
        params = message.get("params")
        capabilities = params.get("capabilities") if isinstance(params, dict) else None
        if not isinstance(capabilities, dict):
            return False
        dropped = []
        for section, members in capabilities.items():
            for member in list(members) if isinstance(members, dict) else ():
                try:
                    self._converter.structure({section: {member: members[member]}}, types.ClientCapabilities)
                except Exception:
                    del members[member]
                    dropped.append(f"{section}.{member}")
        if dropped:
            log.warning("capabilities of the client that make no sense are ignored: %s", ", ".join(dropped))
        return bool(dropped)

    def _refuse(self, request_id: MessageId | None, code: int, reason: str) -> None:
        """Answer a message that reached no handler."""
        log.warning("refused a message: %s", reason)
        self._send_data({"jsonrpc": self.VERSION, "id": request_id, "error": {"code": code, "message": reason}})

    # --- running handlers -----------------------------------------------------------------------------------------

    def _execute_handler(
        self,
        msg_id: MessageId,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """As pygls, but forget the future of a notification or command once it is done."""

        def forget(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, forget, args, kwargs)

    def _send_handler_result(self, future: Future[Any], *, msg_id: MessageId) -> None:
        self._request_futures.pop(msg_id, None)
        method, started = self._started.pop(msg_id, ("", time.perf_counter()))
        if future.cancelled():
            error = JsonRpcRequestCancelled("cancelled").to_response_error()
            self._send_response(msg_id, error=error)
        elif (failure := future.exception()) is None:
            result = future.result()
            if isinstance(result, PlainList | PlainObject):
                self._send_plain({"jsonrpc": self.VERSION, "id": msg_id, "result": result})
            else:
                self._send_response(msg_id, result)
        else:
            self._send_response(msg_id, error=self._describe(failure, method))
        if self.trace != types.TraceValue.Off:
            self._server.trace_request(method, msg_id, time.perf_counter() - started)

    def _describe(self, failure: BaseException, method: str) -> types.ResponseError:
        if isinstance(failure, JsonRpcException):
            return failure.to_response_error()
        log.error("%s failed", method, exc_info=failure)
        return types.ResponseError(INTERNAL_ERROR, f"{method} failed: {type(failure).__name__}: {failure}")

    def _check_handler_result(self, future: Future[Any]) -> None:
        if not future.cancelled() and (failure := future.exception()) is not None:
            log.error("a notification could not be handled", exc_info=failure)

    def _handle_cancel_notification(self, msg_id: MessageId) -> None:
        """Cancel the task of a request; its done callback sends the answer."""
        future: Any = self._request_futures.get(msg_id)
        if isinstance(future, asyncio.Future):
            future.cancel()

    # --- sending --------------------------------------------------------------------------------------------------

    def _send_data(self, data: Any) -> None:
        if self.frames is None:
            return
        try:
            body = self._encode(data)
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            log.error("could not be sent as JSON: %s", error)
            request_id = getattr(data, "id", None)
            if request_id is None or hasattr(data, "method"):
                return
            failure = types.ResponseError(INTERNAL_ERROR, f"the answer cannot be written as JSON: {error}")
            body = self._encode(types.ResponseErrorMessage(id=request_id, error=failure))
        self.frames.write(body)

    def _send_plain(self, message: dict[str, Any]) -> None:
        """Send what holds texts and whole numbers only: written several times faster."""
        try:
            body = msgspec.json.encode(message)
        except UnicodeEncodeError:  # half a surrogate pair in a URI
            self._send_data(message)
        else:
            if self.frames is not None:
                self.frames.write(body)

    def _encode(self, data: Any) -> bytes:
        plain = self._converter.unstructure(data) if hasattr(data, "__attrs_attrs__") else data
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")

    # --- life cycle -----------------------------------------------------------------------------------------------

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> types.InitializeResult:  # type: ignore[override]
        """Take the client's capabilities and answer with ours."""
        self.is_initialized = True
        self.client_capabilities = params.capabilities
        self.trace = params.trace or types.TraceValue.Off
        result = self._server.initialize(params)
        self.server_capabilities = result.capabilities
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]
        """Cancel what runs and answer at once; the engines are left when the process exits."""
        self._shutdown = True
        for future in list(self._request_futures.values()):
            future.cancel()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        """Leave; the exit code tells whether `shutdown` came before."""
        self._server.stop(0 if self._shutdown else 1)

    @lsp_method(types.SET_TRACE)
    def lsp_set_trace(self, params: types.SetTraceParams) -> None:  # type: ignore[override]
        """Change how much `$/logTrace` tells."""
        self.trace = params.value

    # --- what pygls would do by itself and the features do here ----------------------------------------------------

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Documents are kept in `lsp.documents`: pygls's own break lines at form feeds."""
        self._server.documents.opened(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """See `lsp_text_document__did_open`."""
        self._server.documents.changed(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """See `lsp_text_document__did_open`."""
        self._server.documents.closed(params)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def lsp_workspace__did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Open and leave engines."""
        await self._server.folders_changed(params.event)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:  # type: ignore[override]
        """Run in the request's own task, so that `$/cancelRequest` reaches the command."""
        return await self._server.execute_command(params)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """The user cancelled a progress."""
        self._server.progress_relay.cancelled(params.token)

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request to the client and wait for its answer; raise JsonRpcException when it refuses."""
        request_id = str(uuid.uuid4())
        try:
            return await asyncio.wrap_future(self.send_request(method, params, msg_id=request_id))
        finally:
            self._request_futures.pop(request_id, None)
            self._result_types.pop(request_id, None)


def _usable_id(message: Any) -> MessageId | None:
    """The id of a message, if it is one that an answer can carry."""
    request_id = message.get("id") if isinstance(message, dict) else None
    is_usable = isinstance(request_id, (int, str)) and not isinstance(request_id, bool)
    return cast("MessageId", request_id) if is_usable else None
