"""The engine as a process of its own: `python -I -m pilotfish.engine.process --root ROOT`.

A candidate takes the root's lock or ends; then it listens before anything heavy is imported, publishes its endpoint,
opens the index, and serves until its fronts are gone, it is told to leave, or its own code changed on disk. Its
endpoint stands until the lock is free again, so that a front that meets a leaving engine knows to wait.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import importlib
import logging
import logging.handlers
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final

from pilotfish.engine import election
from pilotfish.engine.build import PACKAGE, build_id
from pilotfish.engine.connections import Connections, EngineLike, Identity, Opened
from pilotfish.engine.launch import EXIT_BROKEN, EXIT_INCOMPATIBLE, EXIT_LOST
from pilotfish.engine.rendezvous import (
    LOG_NAME,
    Endpoint,
    Place,
    RuntimeFolderError,
    live_engines,
    process_identity,
    read_endpoint,
    runtime_folder,
    write_endpoint,
)
from pilotfish.engine.wire import OPEN_FAILED, WIRE_VERSION, Hello, OperationError
from pilotfish.lean_imports import uncollected
from pilotfish.store.errors import CatalogError

_log = logging.getLogger("pilotfish.engine")

_LOG_BYTES: Final = 1024 * 1024
_LOG_FILES: Final = 2
_TOUCH_S: Final = 3600.0

OpenEngine = Callable[[Path, Path, str], Awaitable[EngineLike[Any]]]
"""Opens the engine of a root (first) in an index folder (second), with a note for its users or an empty string."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How long an engine waits for what, in seconds."""

    join: float = 5.0
    """For its first front: a candidate that lost can win later, when nobody wants it any more."""
    linger: float = 10.0
    """After its last front; nothing after the one-shot command that started it."""
    failure: float = 2.0
    """To tell fronts why the index could not be opened."""
    inspection: float = 30.0
    """Between looks at its own code on disk."""
    presence: float = 2.0
    """Between looks at the few files by which it is found and owns its index."""
    drain: float = 3.0
    """For requests under way when it leaves."""
    close: float = 6.0
    """For the index to close; then it ends anyway, and the next start repairs."""
    hang: float = 60.0
    """For its event loop to answer the watchdog: an engine that hangs with no front there must not stay for ever."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The command line. `folder` is the runtime folder where the front looks for the engine; `index_folder` overrides
    where `store.locations` would put the index."""

    root: Path
    wire: int = WIRE_VERSION
    variant: str = ""
    one_shot: bool = False
    folder: Path | None = None
    index_folder: Path | None = None


def parse(arguments: Sequence[str] | None) -> Options:
    """Parse the command line of an engine process."""
    parser = argparse.ArgumentParser(prog="pilotfish engine", description="The engine of one root; started by fronts.")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--wire", type=int, default=WIRE_VERSION)
    parser.add_argument("--variant", default="")
    parser.add_argument("--one-shot", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--index-folder", type=Path)
    return Options(**vars(parser.parse_args(arguments)))


async def open_engine(root: Path, index_folder: Path, note: str) -> EngineLike[Any]:
    """Import and open the real engine; the import runs beside the event loop, which already answers pings."""
    module = await asyncio.to_thread(_import_engine)
    engine = await module.Engine.open(root, index_folder=index_folder, environment=dict(os.environ))
    if note:
        engine.report("warning", note)
    result: EngineLike[Any] = engine
    return result


def _import_engine() -> ModuleType:
    with uncollected():
        return importlib.import_module("pilotfish.engine.engine")


def main(
    arguments: Sequence[str] | None = None,
    *,
    open_engine: OpenEngine = open_engine,
    timing: Timing | None = None,
    package: Path = PACKAGE,
) -> int:
    """Run a candidate; return its exit code (`engine.launch`). `package` is the code whose update makes it leave."""
    faulthandler.enable()
    options = parse(arguments)
    if options.wire != WIRE_VERSION:
        sys.stderr.write(f"this installation speaks version {WIRE_VERSION}, not {options.wire}\n")
        return EXIT_INCOMPATIBLE
    try:
        place = Place(options.root, options.folder or runtime_folder(), options.variant)
        lock = election.take(place.lock)
    except (RuntimeFolderError, election.ElectionError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_BROKEN
    if lock is None:
        return EXIT_LOST
    try:
        return asyncio.run(EngineProcess(options, place, open_engine, timing or Timing(), package).run())
    finally:
        lock.release()


@dataclass
class EngineProcess:
    """One elected process, from its first to its last breath."""

    options: Options
    place: Place
    open_engine: OpenEngine
    timing: Timing
    package: Path
    token: str = field(default_factory=lambda: secrets.token_hex(32))

    def __post_init__(self) -> None:
        self.build = build_id(self.package)
        self._joined = False
        self._short_lived = self.options.one_shot
        self._failed = False
        self._departure: asyncio.TimerHandle | None = None
        self._claim: election.Claim | None = None

    async def run(self) -> int:
        """Serve the root; return the exit code."""
        self._loop = asyncio.get_running_loop()
        self._leave: asyncio.Future[str] = self._loop.create_future()
        self._catch_signals()
        opened: asyncio.Future[Opened[Any]] = self._loop.create_future()
        opened.add_done_callback(_retrieve)
        identity = Identity(
            token=self.token,
            root=os.fsencode(self.options.root).decode("utf-8", "replace"),
            pid=os.getpid(),
            build=self.build,
        )
        self._connections = Connections(identity, opened, on_join=self._on_join, on_leave=self._reconsider)
        try:
            server = await self._listen()
        except OSError as error:
            sys.stderr.write(f"cannot listen at {self.place.socket}: {error}\n")
            return EXIT_BROKEN
        opening = asyncio.create_task(self._open(opened))
        tending = asyncio.create_task(self._tend())
        self._reconsider()
        try:
            reason = await self._leave
            return await self._depart(reason, server, opening)
        finally:
            tending.cancel()
            self._withdraw()

    # --- beginning -----------------------------------------------------------------------------------------------

    async def _listen(self) -> asyncio.Server:
        listening = election.listening_socket(self.place)
        start = asyncio.start_server if sys.platform == "win32" else asyncio.start_unix_server
        server = await start(self._connections.accept, sock=listening, backlog=64)
        self._endpoint = Endpoint(
            pid=os.getpid(),
            started=process_identity(os.getpid()) or "",
            address=election.address_of(listening),
            wire=WIRE_VERSION,
            build=self.build,
            token=self.token,
            root_bytes=os.fsencode(self.options.root),
            variant=self.options.variant,
            host=socket.gethostname(),
        )
        write_endpoint(self.place.endpoint, self._endpoint)
        return server

    async def _open(self, opened: asyncio.Future[Opened[Any]]) -> None:
        """Claim the index folder, begin the log and open the engine; a failure is what fronts are told instead."""
        try:
            given = self.options.index_folder
            folder, warning = (given, "") if given else await asyncio.to_thread(_index_place, self.options)
            claim = await asyncio.to_thread(election.claim_index, folder)
            self._claim = claim
            log_path = claim.folder / LOG_NAME
            _begin_log(log_path)
            _log.info("engine %d, build %s, begins", os.getpid(), self.build)
            note = " ".join(filter(None, (warning, claim.note)))
            engine = await self.open_engine(self.options.root, claim.folder, note)
        except asyncio.CancelledError:
            opened.cancel()
            raise
        except Exception as error:
            _log.exception("the index could not be opened")
            self._failed = True
            is_told = isinstance(error, election.ElectionError | CatalogError)  # in words for people
            message = str(error) if is_told else f"{type(error).__name__}: {error}"
            opened.set_exception(OperationError(OPEN_FAILED, message, f"details: {self._log_hint()}"))
            self._loop.call_later(self.timing.failure, self._leave_for, "the index could not be opened")
            return
        opened.set_result(Opened(engine=engine, index_folder=os.fspath(claim.folder), log_path=os.fspath(log_path)))
        await asyncio.to_thread(_prune_indexes, self.options.root)

    def _log_hint(self) -> Path:
        return self._claim.folder / LOG_NAME if self._claim else self.place.last_words

    def _catch_signals(self) -> None:
        if sys.platform == "win32":
            return
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self._loop.add_signal_handler(number, self._leave_for, f"told to by {number.name}")

    # --- while it lives ------------------------------------------------------------------------------------------

    def _on_join(self, hello: Hello) -> None:
        self._joined = True
        self._short_lived = self._short_lived and hello.one_shot
        self._reconsider()
        if hello.build != self.build:
            self._inspect_code()

    def _reconsider(self) -> None:
        """Set or clear the timer of departure, whenever a front came or went."""
        if self._departure is not None:
            self._departure.cancel()
            self._departure = None
        if self._connections.fronts:
            return
        if not self._joined:
            delay, reason = self.timing.join, "nobody joined"
        else:
            delay, reason = 0.0 if self._short_lived else self.timing.linger, "the last front has left"
        self._departure = self._loop.call_later(delay, self._leave_for, reason)

    def _leave_for(self, reason: str) -> None:
        if not self._leave.done():
            self._leave.set_result(reason)

    async def _tend(self) -> None:
        """Watch over this process's own code and files, and arm the watchdog of the event loop."""
        touched = inspected = time.monotonic()
        while True:
            # In C, so that it sees a loop that holds the interpreter; it writes the stack and ends the process.
            faulthandler.dump_traceback_later(self.timing.hang, exit=True)
            await asyncio.sleep(min(self.timing.presence, self.timing.inspection, self.timing.hang / 3))
            self._inspect_files()
            if time.monotonic() - inspected < self.timing.inspection:
                continue
            inspected = time.monotonic()
            self._inspect_code()
            if inspected - touched > _TOUCH_S:  # cleaners of temporary folders go by age
                touched = inspected
                for path in (self.place.lock, self.place.endpoint, self.place.socket):
                    with contextlib.suppress(OSError):
                        os.utime(path)

    def _inspect_files(self) -> None:
        """Leave when another engine can be elected beside this one, or can claim the same index."""
        if not self.place.socket.exists() and sys.platform != "win32":
            self._leave_for("its socket was removed")
        if read_endpoint(self.place.endpoint) != self._endpoint:
            self._leave_for("its endpoint file was removed or replaced")
        if self._claim is not None and not self._claim.stands:
            self._leave_for("its index folder was removed")

    def _inspect_code(self) -> None:
        if build_id(self.package) != self.build:
            self._leave_for("Pilotfish was updated")

    # --- leaving -------------------------------------------------------------------------------------------------

    async def _depart(self, reason: str, server: asyncio.Server, opening: asyncio.Task[None]) -> int:
        _log.info("engine %d leaves: %s", os.getpid(), reason)
        # It stands to the very end: no thread that does not come back may keep the locks.
        limit = threading.Timer(self.timing.drain + self.timing.close, os._exit, (EXIT_BROKEN,))
        limit.daemon = True
        limit.start()
        server.close()
        await self._connections.drain(reason, self.timing.drain)
        opening.cancel()
        await asyncio.wait([opening])
        opened = self._connections.opened
        if opened.done() and not opened.cancelled() and opened.exception() is None:
            try:
                await opened.result().engine.close()
            except Exception:
                _log.exception("the index did not close")
        return EXIT_BROKEN if self._failed else 0

    def _withdraw(self) -> None:
        """Take back what was published; the locks come free after it."""
        faulthandler.cancel_dump_traceback_later()
        if read_endpoint(self.place.endpoint) == self._endpoint:
            self.place.endpoint.unlink(missing_ok=True)
            self.place.socket.unlink(missing_ok=True)
        if self._claim is not None:
            self._claim.lock.release()


def _retrieve(opened: asyncio.Future[Opened[Any]]) -> None:
    """Look at the outcome, or the loop complains when no front ever asked."""
    if not opened.cancelled():
        opened.exception()


def _index_place(options: Options) -> tuple[Path, str]:
    """Claim the place where the settings put the index, or another with a warning why. Imported here, for a candidate
    that loses needs nothing of it."""
    from pilotfish import config
    from pilotfish.store import locations

    location = config.load(options.root, environment=os.environ).settings.index.location
    folder, warning = locations.claim(options.root, location)
    return (folder.with_name(f"{folder.name}-{options.variant}") if options.variant else folder), warning


def _prune_indexes(root: Path) -> None:
    """Delete indexes that nobody needs any more; whoever starts an engine tidies for all."""
    from pilotfish.store import locations

    live = {os.fspath(root), *(os.fspath(engine.root) for engine in live_engines())}

    def is_held(root: str) -> bool:
        return locations.owner_of(root) in live

    try:
        gone = locations.prune(
            locations.indexes_folder(),
            locations.vectors_folder(),
            is_held=is_held,
        )
        gone += locations.prune(*locations.spare_folders(), is_held=is_held, unused_s=locations.SPARE_KEPT_S)
    except OSError as error:
        _log.warning("old indexes could not be looked through: %s", error)
        return
    for entry in gone:
        _log.info("deleted the cache of %s, %d bytes", entry.root, entry.size_bytes)


class _LogFile(logging.handlers.RotatingFileHandler):
    """A rotating file that is never opened through a link: an index folder may lie inside an untrusted root."""

    def _open(self) -> IO[Any]:  # type: ignore[override]
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        return os.fdopen(os.open(self.baseFilename, flags, 0o600), "a", encoding="utf-8", errors="backslashreplace")


def _begin_log(path: Path) -> None:
    handler = _LogFile(path, maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)


if __name__ == "__main__":
    sys.exit(main())
