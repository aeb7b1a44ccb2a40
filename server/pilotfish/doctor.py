"""What the installation is made of and what is wrong with it: `pilotfish doctor`.

Grammars are compiled code. One that was built for another version of tree-sitter can end the process that loads it, so
each is loaded, with our query, in a child process; a crash costs that language only, which is then named.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

import pilotfish
from pilotfish import config
from pilotfish.requirements import install_command

if TYPE_CHECKING:
    from pilotfish.semantic.models import Model

Level = Literal["ok", "warning", "error"]

MINIMUM_SQLITE = (3, 34, 0)
"""The first version with the trigram tokenizer."""

PROBE_SECONDS = 60
"""Longest time that loading one grammar may take."""

_PACKAGES = (
    "pygls",
    "lsprotocol",
    "tree-sitter",
    "tree-sitter-language-pack",
    "watchfiles",
    "msgspec",
    "numpy",
    "filelock",
    "pathspec",
    "lancedb",
    "fastembed",
    "onnxruntime",
)

_MINIMUM_OPEN_FILES = 256


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at: what it is, how it is, and what to do when it is not well."""

    subject: str
    level: Level
    detail: str
    advice: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, in the order of the checks."""

    version: str
    findings: list[Finding]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is broken; warnings do not count."""
        return all(finding.level != "error" for finding in self.findings)


def examine(root: str) -> Report:
    """Look at everything that the work on `root` needs; this takes a few seconds."""
    checks: tuple[Callable[[], Iterator[Finding]], ...] = (
        _versions,
        _sqlite,
        _grammars,
        lambda: _model(root),
        lambda: _store(root),
        lambda: _limits(root),
        _watcher,
        _git,
        _engines,
        lambda: _settings(root),
    )
    findings: list[Finding] = []
    for check in checks:
        try:
            findings += check()
        except Exception as error:
            findings.append(Finding(subject="doctor", level="error", detail=f"a check failed: {error!r}"))
    return Report(version=pilotfish.__version__, findings=findings)


def _versions() -> Iterator[Finding]:
    system = f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield Finding(subject="pilotfish", level="ok", detail=f"{pilotfish.__version__} on {system}")
    for package in _PACKAGES:
        try:
            yield Finding(subject=package, level="ok", detail=metadata.version(package))
        except metadata.PackageNotFoundError:
            advice = f"Install it with: {install_command(package)}"
            yield Finding(subject=package, level="error", detail="not installed", advice=advice)


def _sqlite() -> Iterator[Finding]:
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        wanted = ".".join(map(str, MINIMUM_SQLITE))
        advice = f"Use a Python whose sqlite3 has SQLite {wanted} or newer."
        yield Finding(subject="SQLite", level="error", detail=sqlite3.sqlite_version, advice=advice)
        return
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize='trigram')")
    except sqlite3.Error as error:
        advice = "Use a Python whose sqlite3 was built with FTS5."
        yield Finding(subject="SQLite", level="error", detail=f"no full text search: {error}", advice=advice)
    else:
        yield Finding(subject="SQLite", level="ok", detail=f"{sqlite3.sqlite_version} with FTS5 and trigrams")
    finally:
        connection.close()


def _grammars() -> Iterator[Finding]:
    from pilotfish.syntax.languages import REGISTRY

    names = sorted(language for language in REGISTRY)
    failures = probe(names)
    for name, reason in sorted(failures.items()):
        command = install_command("tree-sitter-language-pack", again=True)
        advice = f"Its files are listed without an outline. Install the grammars again with: {command}"
        yield Finding(subject=f"grammar {name}", level="error", detail=reason, advice=advice)
    well = [name for name in names if name not in failures]
    yield Finding(subject="grammars", level="ok" if well else "error", detail=", ".join(well) or "none works")


def _model(root: str) -> Iterator[Finding]:
    """Have a semantic worker load the model and make a table, as engines do: libraries may not suit this processor."""
    from pilotfish.semantic.child import SemanticDiedError, SemanticFailedError
    from pilotfish.store.locations import models_folder

    settings = config.load(root).settings
    if settings.semantic.coverage == "off":
        yield Finding(subject="model", level="ok", detail="not used: semantic.coverage is off")
        return
    try:
        with tempfile.TemporaryDirectory() as folder:
            model, seconds = asyncio.run(_opened_model(settings, Path(folder), models_folder()))
    except (SemanticDiedError, SemanticFailedError, TimeoutError, OSError) as error:
        detail = " ".join(str(error).split())[-500:] or "it did not answer"
        advice = "Until that is done search goes on without vectors; semantic.model names another model."
        yield Finding(subject="model", level="error", detail=detail, advice=advice)
    else:
        detail = f"{model.id}, {model.dims} dimensions, ready in {seconds:.1f} s"
        yield Finding(subject="model", level="ok", detail=detail)


async def _opened_model(settings: config.Settings, folder: Path, fetched: Path) -> tuple[Model, float]:
    """Return the model and how long it took a worker to be ready for questions."""
    from pilotfish.semantic.child import SemanticChild, setup_of

    began = time.monotonic()
    setup = setup_of(settings, folder / "catalog.sqlite", folder, folder / "tables", fetched)
    child = await SemanticChild.start(setup)
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return (await child.open()).model, time.monotonic() - began
    finally:
        await child.end(kill=True)


def probe(languages: Sequence[str], program: Sequence[str] = ()) -> dict[str, str]:
    """Load each language's grammar and query in a child process; return the reason for each that fails.

    One child takes one language after the other and says so before each. When it dies, the language that it had begun
    is the culprit and another child goes on behind it.

    Args:
        languages: names of the registry.
        program: the command of the child; our own probe when empty.

    """
    failures: dict[str, str] = {}
    waiting = list(languages)
    command = list(program) or [sys.executable, "-I", "-X", "utf8", "-m", "pilotfish.doctor"]
    while waiting:
        begun, ending = _run_probe([*command, *waiting], failures, len(waiting))
        if not ending:
            break
        if not begun:
            failures.update(dict.fromkeys(waiting, f"the probe could not start: {ending}"))
            break
        culprit = waiting[begun - 1]
        failures[culprit] = ending
        waiting = waiting[begun:]
    return failures


def _run_probe(command: list[str], failures: dict[str, str], count: int) -> tuple[int, str]:
    """Run one child over its languages; return how many it began, and how it died, or "" when it did not."""
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tempfile.gettempdir()
    )
    try:
        output, _ = child.communicate(timeout=PROBE_SECONDS + count)
        ending = "" if child.returncode == 0 else _death(child.returncode)
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
        ending = "loading it did not end"
    begun = 0
    for line in output.decode(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        if word == "begin":
            begun += 1
        elif word == "failed":
            name, _, reason = rest.partition(" ")
            failures[name] = reason
    return begun, ending


def _death(code: int) -> str:
    if code < 0:
        return f"loading it crashed (signal {-code})"
    return f"loading it ended the process (exit code {code})"


def _store(root: str) -> Iterator[Finding]:
    from pilotfish.store.locations import index_folder

    folder = Path(index_folder(root, config.load(root).settings.index.location))
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            free = shutil.disk_usage(existing).free // (1024 * 1024)
    except OSError as error:
        advice = "Make it writable, or name another place with PILOTFISH_HOME."
        yield Finding(subject="store", level="error", detail=f"{folder}: {error.strerror}", advice=advice)
        return
    level: Level = "ok" if free > 500 else "warning"
    advice = "" if level == "ok" else "Free some space; `pilotfish cache list` shows what we use."
    yield Finding(subject="store", level=level, detail=f"{folder}, {free:,} MiB free", advice=advice)


def _limits(root: str) -> Iterator[Finding]:
    limits = config.load(root).settings.limits
    workers = limits.worker_count()
    yield Finding(subject="workers", level="ok", detail=f"{workers}, memory up to {limits.memory_mb:,} MiB")
    if sys.platform != "win32":
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        few = soft != resource.RLIM_INFINITY and soft < _MINIMUM_OPEN_FILES
        advice = "Raise it with `ulimit -n 1024`." if few else ""
        yield Finding(subject="open files", level="warning" if few else "ok", detail=f"up to {soft:,}", advice=advice)
    try:
        watches = int(Path("/proc/sys/fs/inotify/max_user_watches").read_text())
    except (OSError, ValueError):
        return
    scarce = watches < min(limits.watches, 8192)
    advice = "Raise fs.inotify.max_user_watches; until then big trees are polled." if scarce else ""
    detail = f"the system allows {watches:,}, we use at most {limits.watches:,}"
    yield Finding(subject="watches", level="warning" if scarce else "ok", detail=detail, advice=advice)


def _watcher() -> Iterator[Finding]:
    import watchfiles

    forced = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    if forced and forced.lower() not in ("false", "disable", "disabled"):
        detail = f"polls, because WATCHFILES_FORCE_POLLING is {forced}"
        yield Finding(
            subject="watcher", level="warning", detail=detail, advice="Unset it if the file system reports changes."
        )
    elif "microsoft" in platform.release().lower():
        detail = f"watchfiles {watchfiles.__version__} polls under WSL"
        yield Finding(subject="watcher", level="warning", detail=detail, advice="Changes from outside are seen later.")
    else:
        yield Finding(subject="watcher", level="ok", detail=f"watchfiles {watchfiles.__version__}")


def _git() -> Iterator[Finding]:
    program = shutil.which("git")
    if program is None:
        advice = "Install git; until then ignore files are read by our own rules."
        yield Finding(subject="git", level="warning", detail="not found", advice=advice)
        return
    done = subprocess.run(
        [program, "--version"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=10,
        cwd=tempfile.gettempdir(),
        check=False,
    )
    level: Level = "ok" if done.returncode == 0 else "error"
    yield Finding(subject="git", level=level, detail=f"{done.stdout.strip()} ({program})")


def _engines() -> Iterator[Finding]:
    from pilotfish.engine.rendezvous import RuntimeFolderError, is_stopped, live_engines, runtime_folder

    try:
        yield Finding(subject="sockets", level="ok", detail=str(runtime_folder()))
    except RuntimeFolderError as error:
        yield Finding(subject="sockets", level="error", detail=str(error))
        return
    for engine in live_engines():
        stopped = is_stopped(engine.pid)
        advice = f"Let it go on with `kill -CONT {engine.pid}`." if stopped else ""
        detail = f"process {engine.pid}{', suspended' if stopped else ''}, for {engine.root}"
        yield Finding(subject="engine", level="warning" if stopped else "ok", detail=detail, advice=advice)


def _settings(root: str) -> Iterator[Finding]:
    loaded = config.load(root)
    for problem in loaded.problems:
        yield Finding(subject="settings", level="warning", detail=problem)
    origins = sorted(set(loaded.origins.values()))
    detail = f"{len(loaded.origins)} set, from {', '.join(origins)}" if origins else "all at their defaults"
    yield Finding(subject="settings", level="ok", detail=detail)


def _probe_child(languages: Sequence[str]) -> None:
    """Load one language after the other, saying so before each: what the child process of `probe` does."""
    from pilotfish.syntax.outlines import Outliner

    outliner = Outliner()
    for language in languages:
        sys.stdout.write(f"begin {language}\n")
        sys.stdout.flush()
        try:
            outliner.outline(b"", language)
        except Exception as error:
            sys.stdout.write(f"failed {language} {' '.join(str(error).split()) or type(error).__name__}\n")


if __name__ == "__main__":
    _probe_child(sys.argv[1:])
