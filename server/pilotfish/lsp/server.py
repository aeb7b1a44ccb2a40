"""The LSP front of one client: what pygls's handlers share, and the life of the connection.

Nothing but pygls, the declarations of operations and the settings is imported before `initialize` is answered; the way
to the engines (`engine.client`) is imported behind it.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import pilotfish
from pilotfish import config
from pilotfish.lsp import capabilities, commands, converters
from pilotfish.lsp.configuration import SECTION, Configuration
from pilotfish.lsp.cursor import Cursor
from pilotfish.lsp.documents import Documents
from pilotfish.lsp.endpoint import Endpoint
from pilotfish.lsp.parent import ParentWatch
from pilotfish.lsp.progress import ProgressRelay
from pilotfish.lsp.protocol import PilotfishProtocol, RequestFailed
from pilotfish.lsp.roots import OpenRoot, Roots
from pilotfish.lsp.shown import Shown
from pilotfish.lsp.status import StatusRelay
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from pilotfish.engine import wire
    from pilotfish.engine.client import EngineClient, State
    from pilotfish.operations.answer import Answer
    from pilotfish.operations.registry import Parameters

log = logging.getLogger(__name__)

REQUEST_TIMEOUT_S: Final = 30.0

_MESSAGE_TYPES: Final = {
    "error": types.MessageType.Error,
    "warning": types.MessageType.Warning,
    "info": types.MessageType.Info,
    "debug": types.MessageType.Log,
}


class PilotfishServer(LanguageServer):
    """One client's server; to be made on a running event loop."""

    protocol: PilotfishProtocol

    def __init__(self, describe: Callable[[Answer], str]) -> None:
        """`describe` gives an answer as text for people, for editors that show none by themselves."""
        super().__init__("pilotfish", pilotfish.__version__, protocol_cls=PilotfishProtocol, max_workers=1)
        self.stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.flags: capabilities.ClientFlags
        self.encoding: capabilities.Encoding = "utf-16"
        self.configuration = Configuration(lambda problem: self.tell("warning", problem))
        self.progress_relay = ProgressRelay(self.protocol)
        self.status = StatusRelay(self.protocol)
        self.roots = Roots(self._connect, _choose_root, self._refuse_root)
        self.shown = Shown(describe, self.ask, self.protocol.notify)
        self.cursor = Cursor(self.shown.owns)
        self.documents = Documents(self.roots, self.cursor)
        self.roots.documents = self.documents
        self.endpoint = Endpoint()
        self.parent = ParentWatch(lambda: self.stop(1))
        self._offered = config.FeatureSettings()
        self._registered: dict[str, types.Registration] = {}
        self._first_folders: list[str] = []
        self._is_ready = False
        self._unsent: list[tuple[str, str]] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    # --- life cycle -----------------------------------------------------------------------------------------------

    def initialize(self, params: types.InitializeParams) -> types.InitializeResult:
        """Resolve what the client can do and answer with what we offer."""
        self.process_id = params.process_id
        if params.process_id is not None:
            self.parent.watch(params.process_id)
        self.flags = capabilities.ClientFlags.resolve(params)
        self.configuration.set_session(params.initialization_options)
        settings = self.configuration.settings()
        self._offered = settings.features
        self.encoding = self.flags.choose_encoding(settings.lsp.position_encoding)
        self.documents.encoding = self.encoding
        self.status.is_wanted = self.flags.has_server_status
        self._first_folders = _folders_of(params)
        if params.trace is None:
            self.protocol.trace = types.TraceValue(settings.lsp.trace)
        return types.InitializeResult(
            capabilities=capabilities.server_capabilities(
                settings.features, self.flags, self.encoding, commands.BY_COMMAND
            ),
            server_info=types.ServerInfo(self.name, self.version),
        )

    async def initialized(self) -> None:
        """Open the roots, and ask the client for what it may tell from now on."""
        self._is_ready = True
        for level, message in self._unsent:
            self._send_log(level, message)
        self._unsent.clear()
        for folder in self._first_folders:
            self.roots.add(folder)
        self.in_background(self.offer_features())
        await self.pull_configuration()

    def stop(self, code: int) -> None:
        """End the connection; `serve` leaves with this exit code."""
        if not self.stopped.done():
            self.stopped.set_result(code)

    async def offer_features(self) -> None:
        """Register what the settings now turn on beyond `initialize`, and take back what they turned off."""
        roots: list[Path | None] = [None, *(Path(opened.root) for opened in self.roots)]
        features = capabilities.combined([self.configuration.settings(root).features for root in roots])
        wanted = {item.id: item for item in capabilities.dynamic_registrations(features, self._offered, self.flags)}
        before, self._registered = self._registered, wanted
        gone = [types.Unregistration(item.id, item.method) for item in before.values() if wanted.get(item.id) != item]
        new = [item for item in wanted.values() if before.get(item.id) != item]
        if gone:
            await self.ask(types.CLIENT_UNREGISTER_CAPABILITY, types.UnregistrationParams(gone))
        if new:
            await self.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(new))

    def in_background(self, work: Any) -> None:
        """Run a coroutine beside everything else; its failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            log.error("work in the background failed", exc_info=failure)

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request to the client; return None when it refuses."""
        try:
            return await self.protocol.ask(method, params)
        except Exception as error:
            log.info("the client refused %s: %s", method, error)
            return None

    # --- roots and settings -----------------------------------------------------------------------------------------

    async def folders_changed(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Open and close roots as the user does."""
        for folder in event.added:
            self.roots.add(folder.uri)
        for folder in event.removed:
            await self.roots.remove(folder.uri)
        if event.added:
            await self.pull_configuration()

    async def pull_configuration(self) -> None:
        """Ask the client for the settings of each root."""
        if not self.flags.has_configuration:
            return
        roots = await self.roots.all()
        scopes = [(opened, next(iter(opened.folders), None)) for opened in roots]
        items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for _, uri in scopes]
        if not items:
            return
        answers = await self.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items))
        if not isinstance(answers, list):
            return
        for (opened, _), options in zip(scopes, answers, strict=False):
            self.configuration.set_folder(Path(opened.root), options)
        self.settings_changed()

    def settings_changed(self) -> None:
        """Let every engine know the settings that now hold for this session, and the client what is on."""
        self.in_background(self.offer_features())
        for opened in self.roots:
            opened.engine.configure(self._session_settings(Path(opened.root)))

    def settings_of(self, opened: OpenRoot | None) -> config.Settings:
        """Return the settings that hold in a root."""
        return self.configuration.settings(Path(opened.root) if opened is not None else None)

    def _session_settings(self, root: Path) -> wire.SessionSettings:
        from pilotfish.engine.wire import SearchDefaults, SessionSettings

        settings = self.configuration.settings(root)
        return SessionSettings(
            encoding=self.encoding,
            max_symbols=settings.search.max_symbols,
            map_tokens=settings.map.max_tokens,
            search=SearchDefaults.of(settings),
            trace=self.protocol.trace.value,
        )

    def _connect(self, choice: paths.RootChoice) -> EngineClient:
        from pilotfish.engine.client import Callbacks, EngineClient

        root = Path(choice.root)
        engine = EngineClient(
            root,
            kind="lsp",
            client=self.flags.name or "an editor",
            settings=self._session_settings(root),
            watches=self.flags.watches and self.configuration.settings(root).features.watched_files,
            callbacks=Callbacks(
                progress=lambda progress: self._progress(choice.root, progress, engine),
                health=lambda health: self.status.receive(choice.root, health),
                log=lambda line: self.tell(line.level, line.message),
                state=lambda state: self._attachment_changed(choice.root, state, engine),
            ),
        )
        engine.start()
        self.tell("info", f"Index of {paths.display(choice.root)} ({choice.reason})")
        return engine

    def _attachment_changed(self, root: str, state: State, engine: EngineClient) -> None:
        """Let the client see that there is no engine, and why."""
        from pilotfish.engine.client import State
        from pilotfish.engine.wire import Health

        if state in (State.FAILED, State.CLOSED):
            self.progress_relay.lost(root)
        if state is State.FAILED:
            self.status.receive(root, Health(health="error", quiescent=True, message=engine.reason))
        elif state is State.ATTACHING:
            self.status.receive(root, Health(health="ok", quiescent=False, message=engine.reason))
        elif state is State.CLOSED:
            self.status.closed(root)

    def _progress(self, root: str, progress: wire.Progress, engine: EngineClient) -> None:
        if self.flags.has_work_done_progress:
            self.progress_relay.receive(root, progress, lambda: engine.cancel_work(progress.token))

    def _refuse_root(self, folder: str, reason: str) -> None:
        message = f"Pilotfish does not index {folder}: {reason}. Open a project folder to use it."
        self.protocol.notify(
            types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=types.MessageType.Info, message=message)
        )

    # --- requests ---------------------------------------------------------------------------------------------------

    async def request(
        self, opened: OpenRoot, operation: str, parameters: Parameters, timeout: float | None = REQUEST_TIMEOUT_S
    ) -> Answer:
        """Ask an engine, for at most `timeout` seconds; raise RequestFailed with what happened and what to do."""
        from pilotfish.engine.wire import OperationError

        try:
            return await opened.engine.request(operation, parameters, timeout)
        except OperationError as error:
            raise RequestFailed(commands.sentence(error), error.code) from error

    async def look_up(self, opened: OpenRoot, operation: str, parameters: Parameters) -> Answer | None:
        """Ask an engine on behalf of an editor's own request; None when it fails.

        Editors show a popup for each failed request, and ask at every move of the mouse: the log and the server's
        status have said already that there is no engine.
        """
        try:
            return await self.request(opened, operation, parameters)
        except RequestFailed as error:
            log.warning("%s: %s", operation, error.message)
            return None

    async def document_root(self, uri: str, method: str) -> OpenRoot | None:
        """Return the root that answers `method` for a document; None where the feature is off for its language."""
        opened = await self.roots.of(uri)
        if opened is None:
            return None
        features = self.settings_of(opened).features
        return opened if capabilities.is_on(features, method) or self.is_full_for(features, uri) else None

    def is_full_for(self, features: config.FeatureSettings, uri: str) -> bool:
        """Whether every feature is on in a document, by its language."""
        return bool(features.full_for) and self.language_of(uri) in features.full_for

    def language_of(self, uri: str) -> str:
        """Return our name of an open document's language."""
        document = self.documents.get(uri)
        return converters.language(document.language_id) if document is not None else ""

    def known_uri(self, uri: str) -> str:
        """Return the spelling of a document's URI under which it was opened."""
        document = self.documents.get(uri)
        return document.uri if document is not None else uri

    async def execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Run an operation that the client names by its LSP command."""
        return await commands.execute(self, params)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what pygls would show in a popup."""
        log.error("%s", error, exc_info=error)

    # --- telling ----------------------------------------------------------------------------------------------------

    def tell(self, level: str, message: str) -> None:
        """Write a line to the client's log of this server; before `initialized` it is kept."""
        if self._is_ready:
            self._send_log(level, message)
        else:
            self._unsent.append((level, message))

    def tell_cut(self, method: str, shown: int, *, truncated: bool) -> None:
        """Write to that log that an answer is cut, where it is."""
        if truncated:
            self.tell("info", f"{method}: the nearest {shown:,} are shown, there are more")

    def _send_log(self, level: str, message: str) -> None:
        params = types.LogMessageParams(type=_MESSAGE_TYPES.get(level, types.MessageType.Info), message=message)
        self.protocol.notify(types.WINDOW_LOG_MESSAGE, params)

    def trace_request(self, method: str, request_id: int | str, seconds: float) -> None:
        """Tell the client's trace that a request was answered, in milliseconds."""
        is_verbose = self.protocol.trace == types.TraceValue.Verbose
        self.protocol.notify(
            types.LOG_TRACE,
            types.LogTraceParams(
                message=f"{method} answered in {seconds * 1000:.1f} ms",
                verbose=f"request {request_id}, {len(list(self.documents))} documents open" if is_verbose else None,
            ),
        )


def _folders_of(params: types.InitializeParams) -> list[str]:
    """The folders that `initialize` names, by the newest of its three ways that is used."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [paths.uri_from_path(params.root_path)] if params.root_path else []


def _choose_root(folder: str, open_roots: list[str]) -> paths.RootChoice:
    """Find the root of a folder; blocks on the disk and on git.

    An engine of a folder below does not count: the editor shows the whole folder, so the whole folder is answered. What
    it takes to talk to an engine is imported here, on a thread: somebody may be typing already.
    """
    from pilotfish.engine import client as _  # noqa: F401
    from pilotfish.engine import rendezvous
    from pilotfish.workspace import git

    here = paths.canonical(folder)
    running = [str(endpoint.root) for endpoint in rendezvous.live_engines()]
    around = [root for root in (*running, *open_roots) if paths.relative(root, here) is not None]
    return paths.choose_root(folder, around, git.toplevel)
