"""Language servers of others, asked over their standard streams: oracles for navigation."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from pilotfish.workspace.paths import path_from_uri


class Spot(NamedTuple):
    """A place by the path from the root, its line and its UTF-16 column, both from 0."""

    path: str
    line: int
    character: int


class Symbol(NamedTuple):
    """One definition of a document: its name, LSP's kind, the line of its name from 0, and those
    that it lies in."""

    name: str
    kind: int
    line: int
    within: tuple[Symbol, ...]


class LanguageServer:
    """One server in one folder; documents are opened when first asked about."""

    def __init__(self, command: Sequence[str], root: Path, options: Mapping[str, Any] | None = None) -> None:
        """Start it and wait until it is initialized."""
        self._root = root
        self._open: set[str] = set()
        self._last = 0
        self._process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        folder = {"uri": root.as_uri(), "name": root.name}
        capabilities = {"workspace": {"configuration": True}, "general": {"positionEncodings": ["utf-16"]}}
        capabilities["textDocument"] = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        self._request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": capabilities,
                "initializationOptions": options or {},
            },
        )
        self._notify("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def definition(self, spot: Spot, language_id: str) -> list[Spot]:
        """Return where the name at a place is defined, of what lies in the root."""
        uri = self._opened(spot.path, language_id)
        place = {"line": spot.line, "character": spot.character}
        answer = self._request("textDocument/definition", {"textDocument": {"uri": uri}, "position": place})
        found = answer if isinstance(answer, list) else [answer] if answer else []
        return [there for each in found if (there := self._spot(each)) is not None]

    def outline(self, path: str, language_id: str) -> list[Symbol]:
        """Return all that a document defines; it is closed again."""
        uri = self._opened(path, language_id)
        answer = self._request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self._open.discard(path)
        self._notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        left: list[tuple[dict[str, Any], tuple[Symbol, ...]]] = [(each, ()) for each in answer or ()]
        found = []
        while left:
            each, within = left.pop()
            found.append(Symbol(each["name"], each["kind"], each["selectionRange"]["start"]["line"], within))
            left += [(child, (*within, found[-1])) for child in each.get("children") or ()]
        return found

    def _opened(self, path: str, language_id: str) -> str:
        """Have a document open, and return its URI."""
        uri = (self._root / path).as_uri()
        if path not in self._open:
            self._open.add(path)
            text = (self._root / path).read_bytes().decode("utf-8", "replace")
            item = {"uri": uri, "languageId": language_id, "version": 1, "text": text}
            self._notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def _spot(self, location: Mapping[str, Any]) -> Spot | None:
        path = path_from_uri(location.get("uri") or location["targetUri"])
        if path is None or not Path(path).is_relative_to(self._root):
            return None
        start = (location.get("range") or location["targetSelectionRange"])["start"]
        return Spot(Path(path).relative_to(self._root).as_posix(), start["line"], start["character"])

    # --- messages ----------------------------------------------------------------------------------------------------

    def _request(self, method: str, params: Mapping[str, Any]) -> Any:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" in message:
                self._serve(message)
            elif message.get("id") == self._last:
                return message.get("result")

    def _serve(self, message: Mapping[str, Any]) -> None:
        """Answer what the server asks: it gets no settings, and everything else is taken note of."""
        if "id" in message:
            items = message["params"]["items"] if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": None if items is None else [None] * len(items)})

    def _notify(self, method: str, params: Mapping[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return _message(self._process.stdout)


class TypeScriptServer:
    """The TypeScript server by its own protocol, which asks for nothing that is not wanted.

    All sources are opened before the first question: each one that is opened makes a program anew, with all that is
    known of its types. An editor's server in front of it would have all open files checked besides, again and again.
    https://github.com/microsoft/TypeScript/wiki/Standalone-Server-(tsserver)
    """

    def __init__(self, command: Sequence[str], root: Path, paths: Iterable[str]) -> None:
        """Start it and open the sources at some paths from the root."""
        self._root = root
        self._last = 0
        self._process = subprocess.Popen(
            [*command, "--disableAutomaticTypingAcquisition", "--suppressDiagnosticEvents"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        files = [{"file": str(root / each), "projectRootPath": str(root)} for each in paths]
        self._request("updateOpen", {"openFiles": files})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def definition(self, spot: Spot) -> list[Spot]:
        """Return where the name at a place is defined, of what lies in the root."""
        place = {"file": str(self._root / spot.path), "line": spot.line + 1, "offset": spot.character + 1}
        found = []
        for each in self._request("definition", place) or ():
            path, start = Path(each["file"]), each["start"]
            if path.is_relative_to(self._root):
                found.append(Spot(path.relative_to(self._root).as_posix(), start["line"] - 1, start["offset"] - 1))
        return found

    def _request(self, command: str, arguments: Mapping[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._last += 1
        request = {"seq": self._last, "type": "request", "command": command, "arguments": arguments}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            message = _message(self._process.stdout)
            if message["type"] == "response" and message["request_seq"] == self._last:
                return message.get("body") if message["success"] else None


def _message(stream: IO[bytes]) -> dict[str, Any]:
    """Read a message behind its headers."""
    size = 0
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            size = int(value)
    if not size:
        raise RuntimeError("the server has ended")
    message: dict[str, Any] = json.loads(stream.read(size))
    return message
