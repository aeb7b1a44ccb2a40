"""Where the index of a root lies, and what indexes there are on this machine.

A root's folder is named by the hash of its canonical path and holds one folder for each version of the catalog, so that
installations of different versions never meet in one. `index.json` in it names the root. By default it lies in the
user's cache; `PILOTFISH_HOME` names another place; `index.location = "workspace"` puts it into the root.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

import platformdirs

from pilotfish.store.errors import CatalogError
from pilotfish.store.migrations import folder_name
from pilotfish.store.schema import SCHEMA_VERSION

Location = Literal["cache", "workspace"]

WORKSPACE_FOLDER: Final = ".pilotfish"

GONE_KEPT_S: Final = 30 * 86_400.0
"""How long the index of a root that is gone is kept, in seconds."""

SPARE_KEPT_S: Final = 86_400.0
"""How long a cache in the temporary folder is kept that nobody uses, in seconds."""

CEILING_BYTES: Final = 5 * 1024**3
"""How much all indexes together may take before those unused for longest go."""

_VECTORS: Final = "vectors-1"
_RECORD: Final = "index.json"
_KEY_DIGITS: Final = 16
_LABEL: Final = re.compile(r"[^A-Za-z0-9._-]+")

IsHeld = Callable[[str], bool]
"""Tells whether an engine is at work on a root, given its path."""


class IndexPlace(NamedTuple):
    """Where an index lies; `warning` says in one line why not where it should."""

    folder: Path
    warning: str = ""


class IndexEntry(NamedTuple):
    """One root's index. `used_at` is when an engine last opened it, in seconds UTC; `gone_since` is set while its root
    is missing, from the first time that this was seen."""

    folder: Path
    root: str
    size_bytes: int
    used_at: float
    gone_since: float | None


def index_folder(
    root: str | os.PathLike[str], location: Location = "cache", environment: Mapping[str, str] = os.environ
) -> Path:
    """Return the folder of the index of a root, given by its canonical path; makes nothing."""
    if location == "workspace" and not environment.get("PILOTFISH_HOME"):
        return Path(root) / WORKSPACE_FOLDER / folder_name(SCHEMA_VERSION)
    return _root_folder(indexes_folder(environment), root) / folder_name(SCHEMA_VERSION)


def indexes_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that holds the indexes of all roots, those in workspaces apart."""
    home = environment.get("PILOTFISH_HOME", "")
    if Path(home).is_absolute():  # a relative one would mean another place to every process
        return Path(home) / "indexes"
    return Path(platformdirs.user_cache_dir("pilotfish", appauthor=False)) / "indexes"


def vectors_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that holds the vector caches of all repositories, laid out like `indexes_folder`."""
    return indexes_folder(environment).with_name("vectors")


def models_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for models that are fetched, where the user allows it; makes nothing."""
    return indexes_folder(environment).with_name("models")


def spare_folders() -> tuple[Path, ...]:
    """Return the folders of indexes and vector caches whose own places could not be written; makes nothing."""
    folder = _temporary()
    return (folder / "indexes", folder / "vectors") if _is_private(folder) else ()


def claim_vectors(
    repository: str | os.PathLike[str], environment: Mapping[str, str] = os.environ, *, now: float | None = None
) -> IndexPlace:
    """Make the folder of a repository's vector caches, ready to be used, and note when.

    Where it cannot be made or written, a private temporary folder takes its place, with a warning.

    Args:
        repository: canonical path of the folder that all worktrees of the repository share (`Git.common_dir`), so that
            they share their vectors; of the root where there is no repository.

    Raises:
        CatalogError: no place can be written at all.

    """
    wanted = _root_folder(vectors_folder(environment), repository) / _VECTORS
    return _claim(wanted, repository, "vectors", time.time() if now is None else now)


def claim(
    root: str | os.PathLike[str],
    location: Location = "cache",
    environment: Mapping[str, str] = os.environ,
    *,
    now: float | None = None,
) -> IndexPlace:
    """Make the folder of a root's index, ready to be used, and note when.

    Where it cannot be made or written, a private temporary folder takes its place, with a warning: the index then lasts
    until the machine is restarted.

    Raises:
        CatalogError: no place can be written at all.

    """
    wanted = index_folder(root, location, environment)
    return _claim(wanted, root, "indexes", time.time() if now is None else now)


def list_indexes(*bases: Path, now: float | None = None) -> list[IndexEntry]:
    """Return what lies in folders of indexes or of vector caches, the most recently used first."""
    entries = [entry for base in bases for entry in _entries(base, time.time() if now is None else now)]
    return sorted(entries, key=lambda entry: (-entry.used_at, entry.root, str(entry.folder)))


def prune(
    *bases: Path,
    is_held: IsHeld,
    now: float | None = None,
    ceiling_bytes: int = CEILING_BYTES,
    unused_s: float = math.inf,
) -> list[IndexEntry]:
    """Delete indexes and vector caches of roots gone for 30 days or that nobody has used for `unused_s` seconds, then
    the longest unused until all fit under the ceiling.

    Never touches what an engine is at work with. Returns what was deleted.
    """
    now = time.time() if now is None else now
    entries = list_indexes(*bases, now=now)
    for entry in entries:
        _note_absence(entry)
    free = [entry for entry in entries if not is_held(entry.root)]
    doomed = [entry for entry in free if _has_had_its_day(entry, now, unused_s)]
    total = sum(entry.size_bytes for entry in entries) - sum(entry.size_bytes for entry in doomed)
    for entry in reversed(free):
        if total <= ceiling_bytes:
            break
        if entry not in doomed:
            doomed.append(entry)
            total -= entry.size_bytes
    return [entry for entry in doomed if _delete(entry.folder)]


def _has_had_its_day(entry: IndexEntry, now: float, unused_s: float) -> bool:
    is_long_gone = entry.gone_since is not None and now - entry.gone_since >= GONE_KEPT_S
    return is_long_gone or now - entry.used_at >= unused_s


def clear(*bases: Path, is_held: IsHeld, root: str | None = None) -> tuple[list[IndexEntry], list[IndexEntry]]:
    """Delete what there is of one root, or all; return what was deleted, and what is left because an engine is at work
    with it."""
    chosen = [entry for entry in list_indexes(*bases) if root is None or root in (entry.root, owner_of(entry.root))]
    held = [entry for entry in chosen if is_held(entry.root)]
    return [entry for entry in chosen if entry not in held and _delete(entry.folder)], held


def owner_of(repository: str) -> str:
    """Return the root that a vector cache belongs to first: the working tree whose `.git` all worktrees share."""
    return repository.removesuffix(f"{os.sep}.git")


# --- folders ---------------------------------------------------------------------------------------------------------


def _root_folder(base: Path, root: str | os.PathLike[str]) -> Path:
    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:_KEY_DIGITS]
    label = _LABEL.sub("-", Path(root).name)[:40].strip("-.")
    return base / (f"{label}-{key}" if label else key)


def _claim(wanted: Path, root: str | os.PathLike[str], kind: str, now: float) -> IndexPlace:
    """Make `wanted`, or a folder for the same root among the temporary ones of its kind."""
    try:
        _make(wanted, root, now)
    except OSError as error:
        reason = f"{wanted} cannot be used: {error.strerror or error}"
    else:
        return IndexPlace(wanted)
    try:
        spare = _root_folder(_private_temporary() / kind, root) / wanted.name
        _make(spare, root, now)
    except OSError as error:
        raise CatalogError(
            f"no place for the index: {reason}; nor {tempfile.gettempdir()}: {error.strerror or error}. "
            "Name one with PILOTFISH_HOME"
        ) from error
    return IndexPlace(spare, f"{reason}; the index lies in {spare} for now. Name a place with PILOTFISH_HOME")


def _make(folder: Path, root: str | os.PathLike[str], now: float) -> None:
    """Make the folder and the record beside it; raises OSError where it cannot be written."""
    parent = folder.parent
    if parent.name == WORKSPACE_FOLDER:
        _refuse_link(parent)
    _make_private(parent)
    _refuse_link(folder)
    folder.mkdir(exist_ok=True, mode=0o700)
    if parent.name == WORKSPACE_FOLDER:
        _write(parent / ".gitignore", "# Made by Pilotfish: an index that can be rebuilt at any time.\n*\n")
    _write(parent / _RECORD, _record(os.fspath(root), now, None))
    with tempfile.TemporaryFile(dir=folder):
        pass


def _make_private(folder: Path) -> None:
    """Make a folder and those around it for this user alone; those that are there stay as they are."""
    if not folder.parent.is_dir():
        _make_private(folder.parent)
    folder.mkdir(exist_ok=True, mode=0o700)


def _refuse_link(folder: Path) -> None:
    """A repository may bring a link along to lead our writing elsewhere."""
    if folder.is_symlink():
        raise OSError(f"{folder.name} is a link")


def _private_temporary() -> Path:
    """Return a folder of this user in the temporary folder that nobody else can write to."""
    folder = _temporary()
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder if _is_private(folder) else Path(tempfile.mkdtemp(prefix="pilotfish-"))


def _temporary() -> Path:
    name = f"pilotfish-{os.getuid()}" if hasattr(os, "getuid") else "pilotfish"
    return Path(tempfile.gettempdir()) / name


def _is_private(folder: Path) -> bool:
    """Tell whether a folder is there, and nobody but this user can look into it or write to it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


# --- records ---------------------------------------------------------------------------------------------------------


def _record(root: str, used_at: float, gone_since: float | None) -> str:
    record = {"root": root, "used_at": used_at, "gone_since": gone_since}
    return json.dumps(record, indent=1) + "\n"  # ASCII, so that a path that is no UTF-8 survives


def _write(path: Path, text: str) -> None:
    """Replace a file whole; one that says so already is left alone."""
    with contextlib.suppress(OSError, ValueError):
        if path.read_text("utf-8") == text:
            return
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)


def _entries(base: Path, now: float) -> Iterator[IndexEntry]:
    folders = sorted(base.iterdir()) if base.is_dir() else []
    for folder in folders:
        try:
            record = json.loads((folder / _RECORD).read_text("utf-8"))
            root, used_at, gone_since = str(record["root"]), float(record["used_at"]), record["gone_since"]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        gone_since = None if Path(root).is_dir() else now if gone_since is None else float(gone_since)
        yield IndexEntry(folder, root, _size(folder), used_at, gone_since)


def _note_absence(entry: IndexEntry) -> None:
    with contextlib.suppress(OSError):
        _write(entry.folder / _RECORD, _record(entry.root, entry.used_at, entry.gone_since))


def _size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            size += path.lstat().st_size
    return size


def _delete(folder: Path) -> bool:
    """Delete a folder of ours; first out of the way, so that nobody finds half of it."""
    doomed = folder.with_name(f".deleted-{os.getpid()}-{folder.name}")
    try:
        folder.replace(doomed)
        shutil.rmtree(doomed)
    except OSError:
        return False
    return True
