"""What each command does: operations are asked of the root's engine, the rest is done here.

A one-shot command attaches to the live engine or starts one that ends with it. Questions wait for the first index (an
engine that ended before it would never have one), with progress on a terminal; `--no-wait` answers from what is there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from pilotfish import config
from pilotfish.cli import batch, caches, logs
from pilotfish.cli.arguments import given, parameters_of
from pilotfish.cli.progress import ProgressBar
from pilotfish.cli.render import outline_lines, render, to_json
from pilotfish.cli.terminal import Terminal
from pilotfish.engine.client import Callbacks, EngineClient
from pilotfish.engine.rendezvous import LOG_NAME, live_engines, root_around
from pilotfish.engine.wire import WITHOUT_VECTORS, LogLine
from pilotfish.operations.answer import Answer, IndexState
from pilotfish.operations.index import ControlParameters, SyncParameters
from pilotfish.operations.registry import Operation, Parameters
from pilotfish.operations.symbols import OutlineParameters, OutlineResult
from pilotfish.store.locations import index_folder
from pilotfish.workspace.paths import canonical, display, relative, why_no_root

FOUND, NO_MATCH, FAILED, NOT_INDEXED = range(4)
"""Exit codes (DESIGN invariant 7)."""

_CODES = {"found": FOUND, "no_match": NO_MATCH, "not_indexed": NOT_INDEXED}

A_MOMENT_S = 2.0
"""How long `status` and `why` wait for an engine that has just started to look around."""

_PATH_PARAMETERS = frozenset({"files", "path", "file_path", "focus_area"})
"""Parameters that name files: a person names them from the folder that the shell is in."""


_NOTHING_SAID = {
    "query": "say what to find",
    "symbol_name": "say the name of a definition",
    "entry_point": "say the name of a definition",
    "task": "say what is to be done or understood",
    "path": "say the path of a file or folder",
}
"""What is asked for where the parameter that a command takes by place is empty."""


class CommandError(Exception):
    """A command that cannot be done: what happened, on what, and what to do, in one line."""


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Do what the command line asks and return the exit code.

    Raises:
        CommandError: it cannot be done as asked.
        OperationError: the engine failed.
        OSError: a file cannot be read or written.

    """
    as_json = getattr(options, "json", False)
    root = root_of(getattr(options, "root", None))
    match options.command:
        case "cache":
            return caches.run(root, options.action, terminal, everything=options.all, as_json=as_json)
        case "doctor":
            return _doctor(root, terminal, as_json=as_json)
        case "logs":
            log = asyncio.run(_log_of(root))
            return logs.show(log, options.lines, terminal, follow=options.follow, as_json=as_json)
        case "index" if options.dry_run:
            from pilotfish.cli import dry_run

            return dry_run.show(root, terminal, as_json=as_json)
        case "index":
            return asyncio.run(_index(root, options, terminal, as_json=as_json))
        case _:
            return asyncio.run(_operation(root, options, terminal, as_json=as_json))


def root_of(folder: str | None) -> str:
    """Return the canonical root that a command works on (DESIGN §2, "Which engine").

    Raises:
        CommandError: there is no such folder, or it must not be indexed.

    """
    root = root_around(Path.cwd()).root if folder is None else canonical(Path(folder).expanduser())
    if (refusal := why_no_root(root)) is not None:
        raise CommandError(f"{refusal} with --root")
    return root


async def _operation(root: str, options: argparse.Namespace, terminal: Terminal, *, as_json: bool) -> int:
    operation: Operation = options.operation
    if options.batch:
        if said := next((name for name in operation.positional if getattr(options, name, None)), None):
            raise CommandError(f"{options.command}: give the {said} in the lines of --batch, not beside it")
        return await _batch(root, options, terminal)
    try:
        parameters = _located(root, parameters_of(operation, options))
    except msgspec.ValidationError as error:
        raise CommandError(f"{options.command}: {_in_words(error)}") from error
    _refuse_what_says_nothing(operation, parameters)
    if isinstance(parameters, OutlineParameters) and not parameters.files and not parameters.all:
        raise CommandError("outline: name files, or --all for every indexed file")

    async def ask(client: EngineClient) -> int:
        if options.wait_for_index:
            await _wait_for_index(client, A_MOMENT_S if options.soon else None, semantic=options.semantic)
        if isinstance(parameters, OutlineParameters) and parameters.all:
            return await _outline_all(client, terminal)
        return _show(await client.request(operation.name, parameters, timeout=None), terminal, as_json=as_json)

    return await _attached(root, terminal, ask, tells_of_vectors=options.tells_of_vectors)


def _refuse_what_says_nothing(operation: Operation, parameters: Parameters) -> None:
    """Raise CommandError where what is asked about is empty, or is no text."""
    for name in parameters.__struct_fields__:
        value = getattr(parameters, name)
        if name in operation.positional and isinstance(value, str) and not value.strip():
            raise CommandError(f"{operation.cli}: {_NOTHING_SAID[name]}")
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and not _is_text(each):
                raise CommandError(f"{operation.cli}: the {name.replace('_', ' ')} is not in UTF-8")


def _is_text(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def _in_words(error: msgspec.ValidationError) -> str:
    """Say which option is wrong as the person wrote it: `--max-results: expected >= 1`."""
    what, _, field = str(error).partition(" - at `$.")
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", what):
        return f"{_NOTHING_SAID[missing[1]]}, or read many with --batch"
    if not field:
        return what
    return f"--{field.strip('`').replace('_', '-')}: {what[:1].lower()}{what[1:]}"


async def _batch(root: str, options: argparse.Namespace, terminal: Terminal) -> int:
    """Answer the questions on standard input, line by line."""
    operation: Operation = options.operation

    async def ask(client: EngineClient) -> int:
        if options.wait_for_index:
            await _wait_for_index(client, None, semantic=options.semantic)
        found = await batch.run(client, operation, given(operation, options), terminal)
        if found.failed:
            return FAILED
        if found.not_indexed:
            return NOT_INDEXED
        return FOUND if found.found else NO_MATCH

    return await _attached(root, terminal, ask, tells_of_vectors=True)


async def _wait_for_index(client: EngineClient, patience_s: float | None, *, semantic: bool) -> IndexState | None:
    """Wait until nothing is pending, with `semantic` in neither phase, or until the patience is at its end; return how
    far the index is then."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            answer = await client.request("control", ControlParameters(action="wait", semantic=semantic), timeout=None)
            return answer.index
    return None


async def _index(root: str, options: argparse.Namespace, terminal: Terminal, *, as_json: bool) -> int:
    async def bring_up_to_date(client: EngineClient) -> int:
        if options.rebuild:
            await client.request("control", ControlParameters(action="rebuild"), timeout=None)
        answer = await client.request("sync_repository", SyncParameters(), timeout=None)
        if not options.structural:
            answer.index = await _wait_for_index(client, None, semantic=True) or answer.index
        _show(answer, terminal, as_json=as_json)
        if not answer.index.files:
            terminal.note("No file was indexed; `pilotfish index --dry-run` tells why.")
        return FOUND

    return await _attached(root, terminal, bring_up_to_date)


async def _attached(
    root: str, terminal: Terminal, work: Callable[[EngineClient], Awaitable[int]], *, tells_of_vectors: bool = False
) -> int:
    """Do `work` with a client of the root's engine, showing what the engine reports meanwhile; with `tells_of_vectors`
    the answer says what is wrong with these."""
    said: dict[str, None] = {}
    errors: dict[str, None] = {}

    def tell(line: LogLine) -> None:
        if line.level == "error":
            errors[line.message] = None  # most often the very error that the work then raises
        elif tells_of_vectors and line.message.startswith(WITHOUT_VECTORS):
            return
        elif line.level == "warning" and line.message not in said:
            said[line.message] = None
            bar.close()
            terminal.note(f"warning: {line.message}")

    with ProgressBar(terminal) as bar:
        callbacks = Callbacks(progress=bar.update, log=tell)
        async with EngineClient(Path(root), kind="cli", client="shell", one_shot=True, callbacks=callbacks) as client:
            code = await work(client)
    for message in errors:
        terminal.error(message)
    return code


async def _outline_all(client: EngineClient, terminal: Terminal) -> int:
    """Write the outline of every file as JSON lines, page by page; the last line is the state of the index."""
    after: str | None = None
    code = NO_MATCH
    while True:
        answer = await client.request("outline", OutlineParameters(all=True, after=after))
        assert isinstance(answer, OutlineResult)
        for file in answer.files:
            for line in outline_lines(file):
                code = FOUND
                terminal.data(line)
        after = answer.next
        if after is None:
            terminal.data(msgspec.json.encode({"index": answer.index}))
            return NOT_INDEXED if answer.outcome == "not_indexed" else code


async def _log_of(root: str) -> Path:
    """Ask the live engine where its log is; without one it lies in the index folder. Starts none."""
    if root in {os.fspath(engine.root) for engine in live_engines()}:
        async with EngineClient(Path(root), kind="cli", client="shell", one_shot=True) as client:
            return Path((await client.attached()).log_path)
    return index_folder(root, config.load(root).settings.index.location) / LOG_NAME


def _doctor(root: str, terminal: Terminal, *, as_json: bool) -> int:
    from pilotfish.doctor import examine

    report = examine(root)
    if as_json:
        terminal.data(msgspec.json.encode(report))
    else:
        terminal.table(
            [(finding.level, finding.subject, finding.detail) for finding in report.findings], [(), ("bold",), ()]
        )
        for finding in report.findings:
            if finding.advice:
                terminal.note(f"{finding.subject}: {finding.advice}")
    return FOUND if report.is_healthy else FAILED


def _show(answer: Answer, terminal: Terminal, *, as_json: bool) -> int:
    if as_json:
        terminal.data(to_json(answer))
        return _CODES[answer.outcome]
    render(answer, terminal)
    if answer.outcome == "not_indexed":
        # Where it is ready by now, it was not when the question was answered.
        phase = "" if answer.index.phase == "ready" else f" ({answer.index.phase})"
        terminal.note(f"Not indexed yet{phase}: `pilotfish index` brings the index up to date.")
    return _CODES[answer.outcome]


def _located(root: str, parameters: Parameters) -> Parameters:
    """Name files from the root where the person named them from the shell's folder."""
    changes = {
        name: _from_root(root, value) if isinstance(value, str) else [_from_root(root, path) for path in value]
        for name in _PATH_PARAMETERS.intersection(parameters.__struct_fields__)
        if (value := getattr(parameters, name))
    }
    return msgspec.structs.replace(parameters, **changes)


def _from_root(root: str, path: str) -> str:
    """Return `path` relative to the root if it exists seen from here, and as it was otherwise; one that is not UTF-8 as
    it is shown."""
    # Links on the way to the file are resolved, the file itself is not: a link is judged as a link.
    here = Path(path)
    inside = relative(root, os.fspath(Path(canonical(here.parent), here.name)))
    if inside == "" and os.path.lexists(here):
        return "."
    return display(inside if inside and os.path.lexists(here) else path)
