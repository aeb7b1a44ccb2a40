"""The roots that one server answers for, an engine for each, and which of them a question is about.

Roots come from the first of these that names any: `--root`, `PILOTFISH_ROOT`, the client's own roots (clients of the
handshake era have them), the folder that the server was started in. An unsafe one is refused in words that each tool
gives, and the server stays.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from pilotfish.engine.client import Callbacks, EngineClient
from pilotfish.engine.rendezvous import root_around
from pilotfish.engine.wire import Progress
from pilotfish.mcp.text import quoted
from pilotfish.workspace import paths

log = logging.getLogger(__name__)

ASK_S: Final = 2.0
"""How long a client may take to name its roots, in seconds; then the folder counts."""

_NAMED: Final = 8
"""Of several roots so many are named."""

_CLIENTS_NAMED: Final = 3
"""Of the clients of one server so many are named to an engine."""

Listener = Callable[[Progress], None]
Connect = Callable[[Path, Callbacks], EngineClient]


def as_agent(root: Path, callbacks: Callbacks) -> EngineClient:
    """Return the client of a root's engine, on behalf of an agent."""
    return EngineClient(root, kind="mcp", client="an agent", callbacks=callbacks)


class RootError(Exception):
    """A question about a folder that is not served: which, why, and what to do."""


class Client(Protocol):
    """What is asked of a client: its name, and its roots as URIs; none where it has none to name."""

    @property
    def name(self) -> str:
        """Return what it calls itself; empty where it does not say."""

    async def root_uris(self) -> list[str]:
        """Return the folders that the client works in."""


class OpenRoot:
    """One root with its engine; `listeners` hear of its progress."""

    def __init__(self, choice: paths.RootChoice, connect: Connect) -> None:
        self.root = choice.root
        self.reason = choice.reason
        self.listeners: set[Listener] = set()
        callbacks = Callbacks(progress=self._tell, log=lambda line: log.info("%s: %s", self.root, line.message))
        self.engine = connect(Path(self.root), callbacks)

    @property
    def name(self) -> str:
        """Its folder's name."""
        return Path(self.root).name

    @property
    def log_path(self) -> str:
        """Where its engine writes its log; empty before there was one."""
        return self.engine.welcome.log_path if self.engine.welcome is not None else ""

    def _tell(self, progress: Progress) -> None:
        for listener in tuple(self.listeners):
            listener(progress)


class Roots:
    """All roots of one server.

    `named` are folders from the command line or the environment. Without any, `folder` is what the server was started
    in; with `asks_client` a client's own roots come before it. `connect` makes the client of a root's engine.
    """

    def __init__(
        self, named: Sequence[str], *, folder: Path, asks_client: bool = True, connect: Connect = as_agent
    ) -> None:
        self._named = list(named)
        self._folder = folder
        self._connect = connect
        self._asks_client = asks_client and not named
        self._open: dict[str, OpenRoot] = {}
        self._refusals: list[str] = []
        self._clients: list[str] = []
        self._settling: asyncio.Lock = asyncio.Lock()
        self._is_settled = False

    def __iter__(self) -> Iterator[OpenRoot]:
        return iter(list(self._open.values()))

    def begin(self) -> None:
        """Start the engines that are certain to be asked, before anybody asks. Blocks on the disk and on git.

        Without a named root that is the one of a repository around the folder; a client that names others costs it
        a few seconds of an engine.
        """
        if self._named:
            self._settle_on([_named(name) for name in self._named])
        else:
            choice = root_around(self._folder)
            if (Path(choice.root) / ".git").exists() and paths.why_no_root(choice.root) is None:
                self._open_root(choice)

    @property
    def is_several(self) -> bool:
        """Whether a question has to say which root it means."""
        return len(self._open) > 1 or len(self._named) > 1

    def label(self, opened: OpenRoot) -> str:
        """Return what a root is called where there are several: its folder's name, or its path where others have that
        name too; empty where it is the only one."""
        if not self.is_several:
            return ""
        return opened.name if sum(each.name == opened.name for each in self) == 1 else opened.root

    def labels(self) -> str:
        """Name all roots in one line, as far as they are known; empty where there is one."""
        names = [quoted(label) for opened in self if (label := self.label(opened))]
        more = len(names) - _NAMED
        return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")

    async def settle(self, client: Client | None) -> None:
        """Decide on the roots, once: ask the client for its own where that counts. The engines hear who it is."""
        async with self._settling:
            if client is not None:
                self._introduce(client.name)
            if self._is_settled:
                return
            uris: list[str] = []
            if self._asks_client and client is not None:
                uris = await _asked(client)
            folders = list(_folders(uris))
            if folders:
                choices = [await asyncio.to_thread(root_around, folder) for folder in folders]
            else:
                choices = [await asyncio.to_thread(root_around, self._folder)]
            self._settle_on(choices)
            for opened in list(self._open.values()):
                if opened.root not in {choice.root for choice in choices}:
                    del self._open[opened.root]
                    await opened.engine.close()

    async def changed(self, client: Client) -> None:
        """The client has other roots now."""
        if self._asks_client:
            self._is_settled = False
            self._refusals.clear()
            await self.settle(client)

    def of(self, name: str | None) -> OpenRoot:
        """Return the root with this path, or name of its folder, or around this path; by default the first.

        Raises:
            RootError: there is none.
        """
        if not self._open:
            why = " ".join(self._refusals) or "no folder is served"
            raise RootError(f"There is no index to ask: {why}. Start the server with --root FOLDER.")
        if name is None:
            return next(iter(self._open.values()))
        called = [opened for opened in self._open.values() if name in (opened.name, opened.root)]
        if not called and Path(name).is_absolute():
            called = [opened for opened in self._open.values() if paths.contained(opened.root, name) is not None]
        if not called:
            raise RootError(f"{name} is not served. Send root as one of {', '.join(self._open)}.")
        return max(called, key=lambda opened: len(opened.root))

    async def close(self) -> None:
        """Leave all engines."""
        await asyncio.gather(*(opened.engine.close() for opened in self._open.values()), return_exceptions=True)

    def _settle_on(self, choices: Sequence[paths.RootChoice]) -> None:
        for choice in choices:
            if (refusal := paths.why_no_root(choice.root)) is not None:
                self._refusals.append(refusal)
                log.info("%s", refusal)
            else:
                self._open_root(choice)
        self._is_settled = True

    def _open_root(self, choice: paths.RootChoice) -> None:
        if choice.root not in self._open:
            opened = self._open[choice.root] = OpenRoot(choice, self._connect)
            if self._clients:
                opened.engine.introduce(", ".join(self._clients))
            opened.engine.start()

    def _introduce(self, name: str) -> None:
        """Tell the engines who asks. Over HTTP several clients share one session with them: the last few are named."""
        if name and name not in self._clients:
            self._clients = [*self._clients, name][-_CLIENTS_NAMED:]
            for opened in self:
                opened.engine.introduce(", ".join(self._clients))


def _named(folder: str) -> paths.RootChoice:
    return paths.RootChoice(paths.canonical(Path(folder).expanduser()), "named when the server was started")


def _folders(uris: Sequence[str]) -> Iterator[str]:
    """Yield the paths that URIs of a client's roots name; what names none is told in the log, and costs no other."""
    for uri in uris:
        try:
            path = paths.path_from_uri(uri)
        except ValueError:
            path = None
        if path is None:
            log.warning("a root that the client names is passed over, for it is no folder here: %s", ascii(uri[:200]))
        else:
            yield path


async def _asked(client: Client) -> list[str]:
    try:
        async with asyncio.timeout(ASK_S):
            return await client.root_uris()
    except Exception as error:  # whatever a client does instead of naming its roots
        log.info("the client named no roots: %s", error)
        return []
