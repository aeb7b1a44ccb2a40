"""Changes on disk, as hints: which paths below a root may have changed since the last call.

Native events come from watchfiles' notifier. On Linux every folder costs a watch, so only folders that can hold files
of the index are watched, each by itself; elsewhere the system watches the whole tree at no cost and foreign events are
dropped here. What the notifier cannot do is done here too: a folder that appears is watched
before it is reported, so that nothing inside is missed; a root that vanishes is waited for; at the watch limit, after
repeated errors, and on file systems without events the whole tree is looked through slowly instead, said once.

A watcher reports paths and nothing about them: renames come as two paths, a folder without its children. Whoever
listens looks at the disk.
"""

# ruff: noqa: PTH116 - paths are plain strings here
from __future__ import annotations

import os
import queue
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from watchfiles import Change
from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from pilotfish.workspace.content import changed_at
from pilotfish.workspace.git import Git
from pilotfish.workspace.paths import RelPath, display, join, relative
from pilotfish.workspace.scan import OWN_FOLDER, Decider, is_rules_file

STEP_MS = 100
"""How often a notifier wakes, and how long the disk must be quiet before its events are handed over."""
GATHER_MS = 1000
"""The longest that events are gathered before they are handed over."""
ROOT_CHECK_S = 2.0
"""How often the root's existence is checked; its removal may come without an event."""
LARGE_BATCH = 2000
"""From this many events without a pause of `ROOT_CHECK_S` on, the system's queue may have overflowed untold."""
ERRORS_PER_MINUTE = 5
"""How many errors of the notifier are mended before polling takes over."""
POLL_SHARE = 20
"""Polling rests this many times as long as a pass took, so that it takes at most a twentieth of a core."""

_RETIRE_S = 2 * GATHER_MS / 1000
_SILENT_FILE_SYSTEMS = frozenset(
    {"9p", "drvfs", "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "glusterfs", "lustre", "vboxsf"}
    | {"prl_fs", "virtiofs", "fuse.sshfs", "fuse.grpcfuse", "fuse.rclone", "fuse.glusterfs", "fuse.vmhgfs-fuse"}
)


@dataclass(frozen=True)
class Listener:
    """What a watcher calls, on its own thread: each callback only enqueues and returns at once.

    `on_change` gets paths that may have changed, files and folders; a new folder is to be walked. `on_lost` asks for a
    reconciling scan and says why. `on_head` says that HEAD may have moved, `on_index` that files may be tracked that
    were not, or no longer. `on_notice` is one message for the user.
    """

    on_change: Callable[[set[RelPath]], None]
    on_lost: Callable[[str], None]
    on_head: Callable[[], None] = lambda: None
    on_notice: Callable[[str], None] = lambda _message: None
    on_index: Callable[[], None] = lambda: None


class Watcher:
    """Watches one root from `start` to `stop` on threads of its own.

    `decider` must not be used elsewhere, since the watcher's thread asks it. `budget` is the most folders that are
    watched natively; `poll_s` the shortest rest between two passes of polling, in seconds. `force_polling` and
    `recursive` override what the file system and the platform call for.
    """

    def __init__(
        self,
        root: str,
        decider: Decider,
        budget: int,
        listener: Listener,
        *,
        poll_s: float = 10.0,
        force_polling: str | None = None,
        recursive: bool = sys.platform != "linux",
    ) -> None:
        self._root = root
        self._decider = decider
        self._budget = budget
        self._listener = listener
        self._poll_s = poll_s
        self._polling_reason = force_polling or silent_file_system(root)
        self._recursive = recursive
        self._stop = threading.Event()
        self._inbox: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._directories: set[RelPath] = set()
        self._later: set[RelPath] = set()
        self._git_folders: dict[str, frozenset[str]] = {}
        self._sources: list[_Source] = []
        self._retiring: list[tuple[float, _Source]] = []
        self._errors: list[float] = []
        self._identity: tuple[int, int] | None = None
        self._burst = 0
        self._noticed = False
        self._ready = threading.Event()

    @property
    def state(self) -> str:
        """How changes are noticed at the moment, in words for `status`."""
        if self._stop.is_set() or not self._thread.is_alive():
            return "not watching"
        if self._identity is None:
            return "waiting for the workspace folder" if self._ready.is_set() else "starting"
        if self._polling_reason is not None:
            return (
                f"polling {_folders(len(self._directories))} every {self._poll_s:g} s or slower: {self._polling_reason}"
            )
        return f"watching {_folders(len(self._directories))}"

    def start(self, files: Iterable[RelPath] = ()) -> None:
        """Begin; `files` are those of a scan, whose folders then need no decision."""
        self._known_files = list(files)
        self._thread.start()

    def wait_ready(self, timeout: float) -> bool:
        """Wait until changes are noticed (seconds); what changed before is for the scan that follows the start."""
        return self._ready.wait(timeout)

    def stop(self) -> None:
        """End all threads; returns within two steps."""
        self._stop.set()
        self._inbox.put(_Message(None, set()))
        if self._thread.is_alive():
            self._thread.join(timeout=2 * STEP_MS / 1000)

    # --- the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                if not self._enter_root():
                    self._stop.wait(ROOT_CHECK_S)
                elif self._polling_reason is None:
                    self._watch()
                else:
                    self._poll()
            except Exception as error:  # a watcher that died unseen would leave a stale index
                self._count_error(str(error))
                self._listener.on_lost(f"the watcher failed ({error})")
                self._stop.wait(1)
            finally:
                self._retire_all()

    def _enter_root(self) -> bool:
        """Learn what to watch in a root that is there; False when it is not."""
        self._identity = _identity(self._root)
        if self._identity is None:
            self._ready.set()
            return False
        self._learn(self._known_files)
        self._known_files = []
        return True

    def _learn(self, files: Iterable[RelPath] = ()) -> None:
        """Find out which folders to watch, whatever was believed before."""
        self._decider.invalidate()
        self._directories = set(self._decider.directories(files))
        self._git_folders = self._find_git_folders()

    def _find_git_folders(self) -> dict[str, frozenset[str]]:
        """Git's folders whose entries matter, with the names that do: HEAD, its log, index and the exclude file."""
        git = Git(self._root)
        own, common = git.git_dir(), git.common_dir()
        wanted: dict[str, frozenset[str]] = {}
        if own is not None:
            wanted[own] = frozenset({"HEAD", "index"})
            wanted[os.path.join(own, "logs")] = frozenset({"HEAD"})  # noqa: PTH118
        if common is not None:
            wanted[os.path.join(common, "info")] = frozenset({"exclude"})  # noqa: PTH118
        return {folder: names for folder, names in wanted.items() if os.path.isdir(folder)}  # noqa: PTH112

    def _root_is_same(self) -> bool:
        """Whether the root is still the folder that is watched; says so once when it is not."""
        if self._identity is not None and _identity(self._root) == self._identity:
            return True
        self._listener.on_lost("the workspace folder was removed or replaced")
        return False

    def _notice(self, message: str) -> None:
        if not self._noticed:
            self._noticed = True
            self._listener.on_notice(message)

    def _fall_to_polling(self, reason: str) -> None:
        self._polling_reason = reason
        self._notice(f"{reason}; changes outside the editor are looked for every {self._poll_s:g} s or slower instead")

    # --- native events ---------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Handle native events until the root changes, polling takes over or the end."""
        if not self._renew():
            return
        first = not self._ready.is_set()
        self._ready.set()
        if not first:
            self._listener.on_lost("the workspace folder is watched anew")
        while not self._stop.is_set() and self._polling_reason is None:
            message = self._next_message()
            if self._stop.is_set():
                return
            if not self._root_is_same():
                break
            if message.error is not None and message.source in self._sources:
                self._mend(message.error)
            elif message.events:
                self._handle(message.events)
            elif message.source is None:
                self._burst = 0

    def _renew(self) -> bool:
        """Watch all folders by one fresh notifier, and let the old ones go once they have handed over."""
        folders = [self._root] if self._recursive else [join(self._root, path) for path in sorted(self._directories)]
        if not self._recursive and len(folders) + len(self._git_folders) > self._budget:
            self._fall_to_polling(f"the workspace has {len(folders):,} folders and limits.watches is {self._budget:,}")
            return False
        source = self._open(folders, recursive=self._recursive)
        if source is None:
            return False
        self._retire_soon(self._sources)
        self._sources = [source]
        extra = [] if self._recursive and self._git_inside() else sorted(self._git_folders)
        if extra and (git_source := self._open(extra, recursive=False)) is not None:
            self._sources.append(git_source)
        self._later = set()
        return self._polling_reason is None

    def _git_inside(self) -> bool:
        return all(relative(self._root, folder) is not None for folder in self._git_folders)

    def _open(self, folders: list[str], *, recursive: bool) -> _Source | None:
        """A notifier on these folders, or None after falling to polling; folders that vanish meanwhile are left out."""
        for _attempt in range(5):
            there = [folder for folder in folders if os.access(folder, os.R_OK | os.X_OK)]
            try:
                return _Source(there, self._inbox, recursive=recursive)
            except FileNotFoundError:
                continue
            except (OSError, WatchfilesRustInternalError) as error:
                limit = "limit reached" in str(error) or "Too many open files" in str(error)
                self._fall_to_polling(
                    "the system's limit of watched folders is reached (fs.inotify.max_user_watches, max_user_instances)"
                    if limit
                    else f"the system cannot watch the workspace ({error})"
                )
                return None
        self._fall_to_polling("folders vanish faster than they can be watched")
        return None

    def _next_message(self) -> _Message:
        """What a notifier says next; an empty message when the root is to be looked at."""
        try:
            return self._inbox.get(timeout=ROOT_CHECK_S)
        except queue.Empty:
            return _Message(None, set())
        finally:
            while self._retiring and self._retiring[0][0] <= time.monotonic():
                self._retiring.pop(0)[1].stop()

    def _retire_soon(self, sources: list[_Source]) -> None:
        """Let notifiers go whose folders others watch by now, after they have handed over what they gather."""
        self._retiring += [(time.monotonic() + _RETIRE_S, source) for source in sources]

    def _retire_all(self) -> None:
        for source in [*self._sources, *(source for _when, source in self._retiring)]:
            source.stop()
        self._sources = []
        self._retiring = []

    def _mend(self, error: str) -> None:
        """Begin anew with all folders: what the broken notifier had gathered is lost, new folders among it."""
        self._count_error(error)
        self._learn()
        if self._polling_reason is None:
            self._renew()
        self._listener.on_lost(f"the watcher failed ({error})")

    def _count_error(self, error: str) -> None:
        now = time.monotonic()
        self._errors = [moment for moment in self._errors if now - moment < 60] + [now]
        if len(self._errors) > ERRORS_PER_MINUTE and self._polling_reason is None:
            self._fall_to_polling(f"the system's events keep failing ({error})")

    def _handle(self, events: set[tuple[int, str]]) -> None:
        batch = _Batch()
        appeared = {path for kind, path in events if kind == Change.added}
        for path in sorted({path for _kind, path in events}):
            self._sort_in(path, batch, appeared=path in appeared)
        self._burst += len(events)
        is_flood = self._burst >= LARGE_BATCH
        batch.rules = batch.rules or is_flood  # folders may have appeared unseen
        self._settle(batch)
        if is_flood:
            self._burst = 0
            self._listener.on_lost(f"{LARGE_BATCH:,} changes at once")

    def _sort_in(self, absolute: str, batch: _Batch, *, appeared: bool) -> None:
        folder, _, name = absolute.rpartition(os.sep)
        if folder in self._git_folders:
            if name in self._git_folders[folder]:
                batch.head = batch.head or name == "HEAD"
                batch.index = batch.index or name == "index"
                batch.rules = batch.rules or name == "exclude"
                if name == "exclude":
                    batch.changed.add(".git/info/exclude")
            return
        path = relative(self._root, absolute)
        if not path or path == OWN_FOLDER or path.startswith(OWN_FOLDER + "/"):
            return
        parent = path.rpartition("/")[0]
        if parent not in self._directories and parent not in batch.new_folders:
            return  # in an ignored folder, or in one that has moved away
        is_folder = _is_folder(absolute)
        if is_folder and not appeared:
            return  # its own time or mode; what happens to its entries is reported for them
        batch.changed.add(path)
        batch.rules = batch.rules or is_rules_file(path)
        if is_folder:
            batch.new_folders.add(path)
        elif path in self._directories:
            self._forget(path)

    def _settle(self, batch: _Batch) -> None:
        """Watch what appeared, then report: in this order nothing can happen unseen in a new folder."""
        if batch.head:
            self._listener.on_head()
        if batch.index:
            self._listener.on_index()
        if batch.rules:
            self._learn()
            # Also when the set of folders is the same: one of them may have been replaced.
            if self._polling_reason is None:
                self._renew()
        elif batch.new_folders:
            self._add_folders(batch.new_folders)
        changed = {path for path in batch.changed if _is_utf8(path)}
        if changed:
            self._listener.on_change(changed)

    def _add_folders(self, folders: set[RelPath]) -> None:
        for path in folders:
            self._forget(path)  # a folder that was replaced under the same name needs a new watch
        decisions = self._decider.decide_all(folders)
        entered = [path for path in sorted(folders) if decisions[path].enters]
        pending = {below for path in entered for below in self._decider.directories(below=path)}
        while pending:
            self._directories |= pending
            self._later |= pending
            if not self._watch_later():
                return
            # Folders made between the listing and the watching.
            pending = {below for path in entered for below in self._decider.directories(below=path)} - self._directories

    def _watch_later(self) -> bool:
        """Watch the folders that came since the last renewal; they have a notifier of their own while they are few."""
        if self._polling_reason is not None or self._recursive:
            return self._polling_reason is None
        if len(self._directories) + len(self._git_folders) > self._budget or len(self._later) > max(
            200, len(self._directories) // 10
        ):
            return self._renew()
        source = self._open([join(self._root, path) for path in sorted(self._later)], recursive=False)
        if source is None:
            return False
        source.is_later = True
        self._retire_soon([old for old in self._sources if old.is_later])
        self._sources = [*(kept for kept in self._sources if not kept.is_later), source]
        return True

    def _forget(self, folder: RelPath) -> None:
        prefix = f"{folder}/"
        gone = {path for path in self._directories if path == folder or path.startswith(prefix)}
        self._directories -= gone
        self._later -= gone

    # --- polling ---------------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        """Compare passes over all folders until the root changes or the end."""
        self._notice_polling()
        started = time.monotonic()
        before = self._pass()
        first = not self._ready.is_set()
        self._ready.set()
        if not first:
            self._listener.on_lost("the workspace folder is looked through from now on")
        while not self._stop.wait(max(self._poll_s, POLL_SHARE * (time.monotonic() - started))):
            if not self._root_is_same():
                return
            started = time.monotonic()
            after = self._pass()
            self._compare(before, after)
            before = after

    def _notice_polling(self) -> None:
        self._notice(
            f"{self._polling_reason}; changes outside the editor are looked for every {self._poll_s:g} s or slower"
        )

    def _pass(self) -> dict[str, _Stamp]:
        """The stamp of every entry of every watched folder, by absolute path."""
        stamps: dict[str, _Stamp] = {}
        for folder in [*(join(self._root, path) for path in sorted(self._directories)), *self._git_folders]:
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        stamps[entry.path] = _stamp(entry)
            except OSError:
                continue
            if self._stop.is_set():
                break
        return stamps

    def _compare(self, before: dict[str, _Stamp], after: dict[str, _Stamp]) -> None:
        if self._stop.is_set():
            return
        changed = {path for path, stamp in after.items() if before.get(path) != stamp}
        changed |= before.keys() - after.keys()
        batch = _Batch()
        for path in sorted(changed):
            stays = path in before and path in after and after[path].is_same_folder(before[path])
            self._sort_in(path, batch, appeared=not stays)
        self._settle(batch)


class _Message(NamedTuple):
    source: _Source | None
    events: set[tuple[int, str]]
    error: str | None = None


class _Stamp(NamedTuple):
    mode: int
    inode: int
    size: int
    changed_at: int

    def is_same_folder(self, other: _Stamp) -> bool:
        return stat.S_ISDIR(self.mode) and self.mode == other.mode and self.inode == other.inode


@dataclass
class _Batch:
    """Events sorted into what follows from them."""

    changed: set[RelPath] = field(default_factory=set)
    new_folders: set[RelPath] = field(default_factory=set)
    head: bool = False
    index: bool = False
    rules: bool = False


class _Source:
    """One notifier on a fixed set of folders, with the thread that empties it into the inbox."""

    def __init__(self, folders: list[str], inbox: queue.SimpleQueue[_Message], *, recursive: bool) -> None:
        self.is_later = False
        self._inbox = inbox
        self._stop = threading.Event()
        # ignore_permission_denied would also hide that the watch limit is reached.
        self._notifier = RustNotify(folders, False, False, 0, recursive, False)
        self._thread = threading.Thread(target=self._drain, name="watch-events", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end and free its watches, which takes at most a step."""
        self._stop.set()

    def _drain(self) -> None:
        try:
            while not self._stop.is_set():
                answer = self._notifier.watch(GATHER_MS, STEP_MS, 0, self._stop)
                if isinstance(answer, set):
                    self._inbox.put(_Message(self, answer))
                elif answer == "signal":
                    return
        except (OSError, RuntimeError) as error:  # the same error comes again for ever: the notifier is of no use
            self._inbox.put(_Message(self, set(), display(str(error))))
        finally:
            self._notifier.close()


def silent_file_system(root: str, mounts: str = "/proc/self/mountinfo") -> str | None:
    """Why changes below `root` come without events: a network or host file system; None where events are expected."""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as lines:
            fields = [line.split(" ") for line in lines]
    except OSError:
        return None
    best, kind = "", ""
    for line in fields:
        if "-" not in line[6:] or len(line) < 9:
            continue
        place = line[4].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(place) >= len(best) and relative(place, root) is not None:
            best, kind = place, line[line.index("-", 6) + 1]
    return f"the file system ({kind}) sends no events" if kind in _SILENT_FILE_SYSTEMS else None


def _identity(root: str) -> tuple[int, int] | None:
    try:
        status = os.stat(root)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _folders(count: int) -> str:
    return f"{count:,} folder" if count == 1 else f"{count:,} folders"


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _is_utf8(path: str) -> bool:
    return path.isascii() or display(path) == path


def _stamp(entry: os.DirEntry[str]) -> _Stamp:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return _Stamp(0, 0, 0, 0)
    return _Stamp(status.st_mode, status.st_ino, status.st_size, changed_at(status))
