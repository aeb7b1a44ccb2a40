"""Git, asked so that a hostile repository cannot make it run or read anything of its choosing (DESIGN invariant 8).

Only commands that need no filter, diff driver or network are used, and even so every setting of the repository that
names a program is overridden on the command line, which wins over its `.git/config` and whatever that includes. The
user's own configuration stays in force, since it names the global excludes file. Nothing here raises because of what a
repository contains: a question that git cannot answer is answered with None or nothing, and the caller does without.
"""

# ruff: noqa: PTH116, PTH117, PTH118 - paths are plain strings here
from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pilotfish.workspace import changes, git_folders
from pilotfish.workspace.git_folders import GitFolders
from pilotfish.workspace.paths import RelPath, canonical, relative

ANSWER_S = 15.0
"""How long a short question may take, in seconds."""
LISTING_S = 180.0
"""How long a listing of the working tree may take, in seconds; cold disks and 500,000 files were considered."""
HISTORY_S = 30.0
"""How long reading the history may take, in seconds; what was read until then counts."""
RECENT_COMMITS = 2_000
"""How many commits are looked at for what changed recently."""
HISTORY_BYTES = 64 << 20
"""How much of the history is read, at most."""
MAX_QUESTIONS = 64
"""How many processes one batch of paths may cost when git gives up on some of them."""

_OVERRIDES: tuple[tuple[str, str], ...] = (
    # Programs that git would start by itself.
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.alternateRefsCommand", ""),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("gpg.program", "false"),
    ("log.showSignature", "false"),
    # Transports, which a partial clone would use to fetch a missing object.
    ("protocol.allow", "never"),
    ("protocol.ext.allow", "never"),
    ("protocol.file.allow", "never"),
    # Detours to other repositories.
    ("safe.bareRepository", "explicit"),
    ("submodule.recurse", "false"),
    # Output that does not depend on anybody's taste.
    ("core.quotePath", "false"),
    ("color.ui", "false"),
    ("gc.auto", "0"),
)

_LOG = (
    "-z",
    "--format=format:%x00%H%x00%ct%x00%s%x00",
    "--encoding=UTF-8",
    "--name-only",
    "--relative",
    "--root",
    "--no-renames",
    "--ignore-submodules=all",
    # Programs, and files that a repository may name or place.
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-mailmap",
    "--no-notes",
    "--no-decorate",
    "--no-color",
    "--no-follow",
    f"-O{os.devnull}",
)
"""How the history is listed: with every option that a repository's settings could choose otherwise."""

_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)

_ENVIRONMENT: Mapping[str, str] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_SSH_COMMAND": "false",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
    "GIT_EXTERNAL_DIFF": "",
    "LC_ALL": "C",
}

# The user's own choices, which come from his environment and not from a repository.
_KEPT = frozenset(
    {
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",
    }
)


@dataclass(frozen=True)
class Listing:
    """What `git ls-files -co --exclude-standard` says below a folder; all paths relative to that folder.

    `paths` are tracked and untracked files, each once, unsorted, existing or not. `submodules` are gitlinks,
    `repositories` untracked folders that are repositories or worktrees of their own.
    """

    paths: list[RelPath] = field(default_factory=list)
    submodules: list[RelPath] = field(default_factory=list)
    repositories: list[RelPath] = field(default_factory=list)


@dataclass(frozen=True)
class Head:
    """What is checked out: the branch (None when detached) and the commit (None before the first one)."""

    branch: str | None
    commit: str | None


@dataclass(frozen=True)
class Commit:
    """One commit: its id, when it was committed in seconds since 1970, the first paragraph of its message as one line,
    and the files that it changed, relative to the folder that was asked about; none for a merge."""

    id: str
    time: int
    subject: str
    paths: tuple[RelPath, ...]


@dataclass(frozen=True)
class IgnoreRule:
    """The last rule of git that matches a path; `ignored` is False where that rule is a negation."""

    source: str
    line: int
    pattern: str

    @property
    def ignored(self) -> bool:
        """Whether the rule excludes."""
        return not self.pattern.startswith("!")

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.pattern}"


class Git:
    """Questions to git about one folder, which is a working tree's top level or lies in one.

    One object is cheap and holds no process; every answer is read anew, but for where the repository is. One that is
    not the folder's own (`workspace.git_folders`) counts as none.
    """

    def __init__(self, root: str, *, executable: str | None = None) -> None:
        self.root = root
        self._executable = executable if executable is not None else find_git(root)
        self._trusted: tuple[str, ...] = ()
        self._own: GitFolders | None = None

    def toplevel(self) -> str | None:
        """The top of the working tree that holds the folder, or None: no repository, a bare one, or no git.

        A repository whose settings place the working tree elsewhere than around the folder counts as none.
        """
        folders = self._folders()
        return None if folders is None else folders.top

    def common_dir(self) -> str | None:
        """The folder that all worktrees of the repository share (its `.git`), or None."""
        folders = self._folders()
        return None if folders is None else folders.common

    def git_dir(self) -> str | None:
        """The folder of this worktree's own `HEAD` and index, or None."""
        folders = self._folders()
        return None if folders is None else folders.own

    def foreign(self) -> str | None:
        """Return the git folder that the folder's `.git` leads to although it belongs to another one; else None."""
        found = None if self._own else self._find()
        return found.own if found is not None and not self._belongs(found) else None

    def _folders(self) -> GitFolders | None:
        """Return where the repository is; only what is found is kept."""
        if self._own is None:
            found = self._find()
            self._own = found if found is not None and self._belongs(found) else None
        return self._own

    def _find(self) -> GitFolders | None:
        output = self._ask("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir")
        lines = [] if output is None else os.fsdecode(output).splitlines()
        if len(lines) != 3:
            return None
        top, own, common = (canonical(os.path.join(self.root, line)) for line in lines)
        return GitFolders(top, own, common) if relative(top, self.root) is not None else None

    def _belongs(self, found: GitFolders) -> bool:
        if not git_folders.are_closed(found):
            return False
        if git_folders.lie_inside(found) or git_folders.names_worktree(found):
            return True
        for name in ("config", "config.worktree"):
            answer = self._ask("config", "--file", os.path.join(found.own, name), "--get", "core.worktree")
            place = "" if answer is None else os.fsdecode(answer).rstrip("\r\n")
            if place and canonical(os.path.join(found.own, place)) == found.top:
                return True
        return False

    def head(self) -> Head | None:
        """What is checked out, or None outside a repository."""
        if self._folders() is None:
            return None
        branch = self.line("symbolic-ref", "--quiet", "--short", "HEAD")
        commit = self.line("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
        return Head(branch=branch, commit=commit)

    def ls_files(self, *below: RelPath) -> Listing | None:
        """The files in the folder that git tracks or does not ignore; None when git cannot tell.

        With `below`, only those files and what lies in those folders; paths are relative to `root` either way.
        """
        limited = ("--", *(f":(literal){path}" for path in below)) if below else ()
        output = self._run("ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard", *limited, timeout=LISTING_S)
        return None if output is None else _parse_listing(output)

    def tracked_ignored(self) -> list[RelPath]:
        """The files in the folder that git tracks although its rules exclude them, sorted; none when it cannot tell."""
        output = self._run("ls-files", "-z", "-c", "-i", "--exclude-standard", timeout=LISTING_S)
        return [] if output is None else sorted(set(_decode(output)))

    def changed_files(self) -> frozenset[RelPath]:
        """The files in the folder that differ from `HEAD`, staged or not, and the untracked ones that are not ignored.

        Deleted files are among them. Before the first commit all files are; none when git cannot tell. What counts as a
        difference, see `workspace.changes`.
        """
        git_dir = self.git_dir() if self.toplevel() is not None else None
        if git_dir is None:
            return frozenset()
        head = self.line("rev-parse", "--quiet", "--verify", "HEAD")
        questions = [
            ("ls-files", "-s", "-z", "--debug"),
            ("ls-files", "-z", "-o", "--exclude-standard"),
            *([] if head is None else [("ls-tree", "-r", "-z", head)]),
        ]
        with ThreadPoolExecutor(len(questions)) as threads:
            index, untracked, *trees = threads.map(lambda question: self._run(*question, timeout=LISTING_S), questions)
        tree = trees[0] if trees else b""
        if tree is None or index is None or untracked is None:
            return frozenset()
        try:
            written = os.stat(os.path.join(git_dir, "index")).st_mtime_ns
        except OSError:
            written = 0  # no file: nothing is tracked
        tracked = changes.changed(self.root, changes.parse_tree(tree), changes.parse_index(index), written)
        return frozenset(tracked.union(path for path in _decode(untracked) if not path.endswith("/")))

    def recent_commits(self, number: int) -> list[Commit]:
        """The last commits before and with `HEAD`, newest first, at most `number`; none when git cannot tell.

        A folder below the working tree's top has only the commits that changed something in it. A shallow clone ends
        where its history does, an endless history at `HISTORY_BYTES` and `HISTORY_S`.
        """
        top = self.toplevel()
        if top is None or number <= 0:
            return []
        below = () if top == self.root else (".",)
        asked = ("log", f"--max-count={number}", *_LOG, "HEAD", "--", *below)
        output, _is_whole = self.stream(*asked, most_bytes=HISTORY_BYTES, timeout=HISTORY_S)
        return _parse_log(output)

    def recently_changed(self, days: int) -> frozenset[RelPath]:
        """Files that commits changed in the last `days` before HEAD's own date, not today's: the same tree has the same
        answer (DESIGN invariant 10)."""
        commits = self.recent_commits(RECENT_COMMITS)
        return frozenset(
            path for commit in commits if commit.time >= commits[0].time - days * 86_400 for path in commit.paths
        )

    def check_ignore(self, paths: Iterable[RelPath]) -> dict[RelPath, IgnoreRule | None]:
        """The last rule that matches each path, None where there is no such rule or the file is tracked.

        One process answers any number of paths. Git gives up on the whole batch because of one path (behind a link, in
        another repository, too deep), so a failed batch is halved, a bounded number of times; paths without an answer
        are absent.
        """
        rules: dict[RelPath, IgnoreRule | None] = {}
        batches = [list(paths)]
        for _question in range(MAX_QUESTIONS):
            batch = batches.pop() if batches else []
            if not batch:
                break
            answers = self._check_ignore(batch)
            if answers is not None:
                rules.update(answers)
            elif len(batch) > 1:
                half = len(batch) // 2
                batches += [batch[half:], batch[:half]]
        return rules

    def _check_ignore(self, paths: list[RelPath]) -> dict[RelPath, IgnoreRule | None] | None:
        # "./" keeps a leading ":" from being read as pathspec magic, which this command cannot switch off.
        request = b"".join(b"./%s\0" % os.fsencode(path) for path in paths)
        output = self._run("check-ignore", "-z", "-v", "--stdin", data=request, accept=(0, 1))
        if output is None:
            return None
        fields = _decode(output)
        quads = zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
        rules: dict[RelPath, IgnoreRule | None] = dict.fromkeys(paths)
        rules |= {path.removeprefix("./"): IgnoreRule(source, int(line), text) for source, line, text, path in quads}
        return rules

    def line(self, *arguments: str, variables: Mapping[str, str] | None = None) -> str | None:
        """Return the one line that git answers a short question with, `variables` added to its environment; None where
        it cannot answer or says nothing."""
        output = self._run(*arguments, variables=variables)
        return None if output is None else os.fsdecode(output).rstrip("\r\n") or None

    def _run(
        self,
        *arguments: str,
        data: bytes = b"",
        timeout: float = ANSWER_S,
        accept: tuple[int, ...] = (0,),
        variables: Mapping[str, str] | None = None,
    ) -> bytes | None:
        if self._folders() is None:
            return None
        return self._ask(*arguments, data=data, timeout=timeout, accept=accept, variables=variables)

    def _ask(
        self,
        *arguments: str,
        data: bytes = b"",
        timeout: float = ANSWER_S,
        accept: tuple[int, ...] = (0,),
        variables: Mapping[str, str] | None = None,
    ) -> bytes | None:
        """Ask whatever repository git finds."""
        if self._executable is None:
            return None
        done = self._start(arguments, data, timeout, variables or {})
        if done is not None and done.returncode == 128 and b"safe.directory" in done.stderr and not self._trusted:
            # Another user owns the repository. Nothing of it can run here, so reading it is safe.
            self._trusted = ("-c", "safe.directory=*")
            done = self._start(arguments, data, timeout, variables or {})
        return done.stdout if done is not None and done.returncode in accept else None

    def _start(
        self, arguments: tuple[str, ...], data: bytes, timeout: float, variables: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes] | None:
        try:
            return subprocess.run(
                self.command(*arguments),
                capture_output=True,
                timeout=timeout,
                check=False,
                env={**environment(os.environ, search_path(self.root)), **variables},
                creationflags=_NO_WINDOW,
                input=data,
            )
        except (OSError, subprocess.TimeoutExpired, ValueError):
            return None

    def stream(
        self,
        *arguments: str,
        most_bytes: int,
        timeout: float,
        data: bytes = b"",
        variables: Mapping[str, str] | None = None,
        niceness: int = 0,
    ) -> tuple[bytes, bool]:
        """Run a question whose answer may be long, of a repository that has answered before.

        Args:
            arguments: the command and its arguments.
            most_bytes: how much of the answer is read.
            timeout: how long it may take, in seconds.
            data: what git reads from its standard input.
            variables: more of its environment.
            niceness: how far it steps back behind other processes, as `nice` counts; not on Windows.

        Returns:
            What git said until it met a limit or a fault, and whether that is the whole answer.

        """
        if self._folders() is None:
            return b"", False
        with tempfile.TemporaryFile() as given:  # a pipe would have to be filled while the answer is read
            given.write(data)
            given.seek(0)
            try:
                process = subprocess.Popen(
                    self.command(*arguments),
                    stdin=given,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**environment(os.environ, search_path(self.root)), **(variables or {})},
                    creationflags=_NO_WINDOW,
                )
            except (OSError, ValueError):
                return b"", False
        if niceness and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
        alarm = threading.Timer(timeout, process.kill)
        alarm.daemon = True
        alarm.start()
        with process:
            try:
                output = process.stdout.read(most_bytes) if process.stdout is not None else b""
                if len(output) < most_bytes:
                    process.wait()
                return output, process.returncode == 0
            finally:
                alarm.cancel()
                process.kill()

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of a question to git, with everything that keeps a repository from running anything;
        it is to be run in `environment`."""
        start = [self._executable or "git", "--no-pager", "-C", self.root]
        return [*start, *override_arguments(), *self._trusted, *arguments]


def toplevel(folder: str) -> str | None:
    """The top of the working tree that holds `folder`, or None; for `paths.choose_root`."""
    return Git(canonical(folder)).toplevel()


def find_git(root: str) -> str | None:
    """The git program on the path, never one that lies inside `root` or in a folder named relatively."""
    folders = search_path(root)
    return shutil.which("git", path=folders) if folders else None


def search_path(root: str) -> str:
    """`PATH` without folders inside `root` (an activated virtual environment, say) and without relative ones."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(
        folder for folder in folders if os.path.isabs(folder) and relative(root, canonical(folder)) is None
    )


def environment(outer: Mapping[str, str], path: str) -> dict[str, str]:
    """The environment for git: the outer one with `path` to search, without variables that point git elsewhere."""
    kept = {name: value for name, value in outer.items() if not name.startswith("GIT_") or name in _KEPT}
    return {**kept, **_ENVIRONMENT, "PATH": path}


def override_arguments(overrides: Iterable[tuple[str, str]] = _OVERRIDES) -> list[str]:
    """Return settings as options of git; by default those that no repository may choose."""
    return [argument for name, value in overrides for argument in ("-c", f"{name}={value}")]


def _parse_listing(output: bytes) -> Listing:
    listing = Listing()
    paths: dict[RelPath, None] = {}
    for entry in _decode(output):
        if entry.startswith("? "):
            path = entry[2:]
            if path.endswith("/"):
                listing.repositories.append(path[:-1])
            else:
                paths[path] = None
            continue
        status, _, path = entry.partition("\t")
        if status.startswith("160000", 2):
            listing.submodules.append(path)
        else:
            paths[path] = None  # unmerged paths come once for each stage
    listing.paths.extend(paths)
    return listing


def _parse_log(output: bytes) -> list[Commit]:
    r"""Read what `_LOG` asks for: `\0 id \0 time \0 subject \0`, then `\n` and paths, and `\0` before the next commit.

    A commit that was cut off is left out, unless only its last paths are missing.
    """
    commits: list[Commit] = []
    fields = iter(output.split(b"\0")[1:-1])
    for name in fields:
        time, subject = next(fields, b""), next(fields, None)
        if subject is None:
            break
        paths: list[bytes] = []
        for path in fields:
            if not path:
                break
            paths.append(path)
        if paths:
            paths[0] = paths[0].removeprefix(b"\n")
        commits.append(
            Commit(
                id=name.decode("ascii"),
                time=int(time) if time.isdigit() else 0,
                subject=subject.decode("utf-8", "replace"),
                paths=tuple(path.decode("utf-8", "surrogateescape") for path in paths),
            )
        )
        next(fields, None)
    return commits


def _decode(output: bytes) -> list[str]:
    """The fields of `-z` output; os.fsdecode would do, but one decoding of the whole is several times faster."""
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError:
        text = output.decode("utf-8", "surrogateescape")
    return text.split("\0")[:-1]
