"""An engine process that serves an engine of a few lines, in memory: what is tested is everything around it.

python -I engine_host.py --root ROOT ...
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from pilotfish.engine import process, wire
from pilotfish.operations import OPERATIONS
from pilotfish.operations.answer import Answer
from pilotfish.operations.editor import HoverParameters, HoverResult
from pilotfish.operations.index import ControlResult, StatusResult, SyncResult, WhyParameters, WhyResult


@dataclass
class MemorySession:
    id: int
    hello: wire.Hello
    notify: Callable[[str, msgspec.Struct], None]
    documents: dict[str, wire.DocumentText] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)


class MemoryEngine:
    """Keeps what sessions say, and answers with it."""

    busy = False

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sessions: dict[int, MemorySession] = {}
        self.counters: dict[str, int] = {"cancelled": 0, "begun": 0}
        self._ids = itertools.count(1)

    def connect(self, hello: wire.Hello, notify: Callable[[str, msgspec.Struct], None]) -> MemorySession:
        session = MemorySession(next(self._ids), hello, notify)
        self.sessions[session.id] = session
        notify("status", wire.Health(health="ok", quiescent=True))
        return session

    def disconnect(self, session: MemorySession) -> None:
        del self.sessions[session.id]

    def receive(self, session: MemorySession, method: str, params: msgspec.Raw) -> None:
        session.heard.append(method)
        if method in ("document/open", "document/change"):
            document = msgspec.json.decode(params, type=wire.DocumentText)
            session.documents[document.uri] = document
        elif method == "document/close":
            session.documents.pop(msgspec.json.decode(params, type=wire.DocumentName).uri)
        elif method == "files/changed":
            msgspec.json.decode(params, type=wire.FilesChanged)

    async def call(self, session: MemorySession, operation: str, params: msgspec.Raw) -> Answer:
        if operation not in OPERATIONS:
            raise wire.OperationError(wire.METHOD_NOT_FOUND, f"no operation {operation!r}")
        self.counters["begun"] += 1
        match operation:
            case "hover":
                uri = msgspec.json.decode(params, type=HoverParameters).uri
                return HoverResult(markdown=session.documents[uri].text)
            case "get_repo_status":
                return StatusResult(
                    root=os.fsencode(self.root).decode("utf-8", "replace"),
                    engine_pid=os.getpid(),
                    sessions=[
                        f"{other.hello.client}:{other.hello.settings.encoding}" for other in self.sessions.values()
                    ],
                    unsaved_documents=len(session.documents),
                    counters=self.counters,
                    warnings=[*sys.path, *os.environ],
                )
            case "sync_repository" | "control":
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    self.counters["cancelled"] += 1
                    raise
                return SyncResult() if operation == "sync_repository" else ControlResult()
            case "why":
                return self._why(session, msgspec.json.decode(params, type=WhyParameters).path)
        raise ValueError(operation)

    def _why(self, session: MemorySession, path: str) -> WhyResult:
        if path.startswith("hang "):
            time.sleep(float(path.removeprefix("hang ")))
        elif path == "flood":
            for number in range(64):
                session.notify("log", wire.LogLine(level="info", message=f"{number} " + "x" * 1024 * 1024))
        return WhyResult(path=path, detail=",".join(session.heard))

    async def close(self) -> None:
        assert not self.sessions


async def open_memory_engine(root: Path, index_folder: Path, note: str) -> MemoryEngine:
    if (root / "broken").exists():
        raise OSError(28, "No space left on device", str(index_folder))
    return MemoryEngine(root)


def main() -> int:
    timing = process.Timing(linger=float(os.environ.get("PILOTFISH_TEST_LINGER", "1")), drain=0.5, inspection=0.2)
    # The real package may be edited while the tests run.
    package = Path(os.environ["PILOTFISH_TEST_PACKAGE"])
    open_engine: Any = open_memory_engine
    return process.main(open_engine=open_engine, timing=timing, package=package)


if __name__ == "__main__":
    sys.exit(main())
