"""Which files belong to the index: one scan of the whole root, and decisions about single paths by the same rules.

In a git working tree the answer is `git ls-files -co --exclude-standard`, reduced to regular files that exist;
elsewhere a walk reads the same ignore files. `.pilotfishignore` and the settings are applied on top in both. Links are
never followed, so nothing is found twice or outside the root. Repositories and worktrees inside are roots of their own.
"""

# ruff: noqa: PTH100, PTH116, PTH117, PTH118, SIM905 - plain strings are several times faster than Path here
from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from pilotfish.workspace.content import ContentLimits, SkipReason, changed_at
from pilotfish.workspace.git import Git, IgnoreRule
from pilotfish.workspace.ignore import IgnoreTree, Rule, parse, parse_line, read_text
from pilotfish.workspace.paths import RelPath, display, is_relative_path, join, relative, unknown_steps

OWN_IGNORE_FILE = ".pilotfishignore"
OWN_FOLDER = ".pilotfish"
LISTED_AT_ONCE = 100
"""How many paths one listing by git is limited to, which all have to fit into a command line."""

_VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", "_darcs", "CVS"})
_DEFAULT_SOURCE = "built-in defaults"
# Only names that no source folder has: lists with `target` or `coverage` hide real source.
_DEFAULT_EXCLUDES = tuple(
    ".hg/ .svn/ .bzr/ _darcs/ CVS/ node_modules/ bower_components/ __pycache__/ .venv/ .tox/ .nox/ .mypy_cache/ "
    ".pytest_cache/ .ruff_cache/ .hypothesis/ .eggs/ *.egg-info/ .gradle/ .terraform/ .next/ .nuxt/ .svelte-kit/ "
    ".parcel-cache/ .turbo/ .pnpm-store/ .bundle/ .stack-work/ .dart_tool/ .ccls-cache/ .clangd/ .DS_Store "
    "*.pyc".split()
)
# A folder that holds one of these says itself that a program made it.
_CACHE_MARKERS = ("CACHEDIR.TAG", "pyvenv.cfg")
_RULES_FILES = frozenset({".gitignore", OWN_IGNORE_FILE, ".gitmodules", ".git", *_CACHE_MARKERS})


@dataclass(frozen=True)
class ScanRules:
    """The settings that decide what is indexed; patterns have gitignore's syntax and are relative to the root.

    `paths` are the folders and files taken in. `include`, when set, leaves out what no pattern matches; `exclude` wins
    over it. `submodules` takes checked-out submodules in, each with its own ignore files. `limits` are for `content`.
    """

    paths: tuple[str, ...] = (".",)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    submodules: bool = False
    limits: ContentLimits = field(default_factory=ContentLimits)


class Found(msgspec.Struct, frozen=True, gc=False):
    """A file that belongs to the index: its size in bytes and the time of its last change (`content.changed_at`)."""

    path: RelPath
    size: int
    mtime_ns: int


class SkippedFile(msgspec.Struct, frozen=True, gc=False):
    """A path that does not: printable (see `paths.display`), folders end in `/`; `rule` names what decided."""

    path: str
    reason: SkipReason
    rule: str = ""


@dataclass(frozen=True)
class Scan:
    """One scan. Both lists are sorted by path, whatever the order on disk.

    `skipped` names what the rules left out, except what git ignores, which only a scan with `explain` lists.
    `uses_git` tells which of the two ways was taken.
    """

    files: list[Found]
    skipped: list[SkippedFile]
    uses_git: bool


@dataclass(frozen=True)
class Decision:
    """Whether one path belongs to the index. `found` is set exactly when it does.

    A folder that the rules let in has the reason `FOLDER`. `rule` names the deciding rule with its source, `detail` is
    a sentence for people.
    """

    path: RelPath
    reason: SkipReason | None
    rule: str = ""
    found: Found | None = None

    @property
    def accepted(self) -> bool:
        """Whether the path is a file of the index."""
        return self.reason is None

    @property
    def enters(self) -> bool:
        """Whether the path is a folder whose files may belong to the index, so that it is worth watching."""
        return self.reason is SkipReason.FOLDER

    @property
    def detail(self) -> str:
        """Why, in a sentence."""
        return "The file is indexed." if self.reason is None else self.reason.explanation


def is_rules_file(path: RelPath) -> bool:
    """Whether a change of this path can change the decision about others, so that the whole root is scanned again."""
    return path.rpartition("/")[2] in _RULES_FILES or path == ".git/info/exclude"


def scan(root: str, rules: ScanRules | None = None, *, explain: bool = False) -> Scan:
    """All files below `root`, a canonical path, that belong to the index.

    `explain` also lists what git ignores, each with its rule, which costs a second listing. Nothing is raised for what
    the tree contains; a root that is gone or cannot be read gives an empty scan that says so.
    """
    rules = rules or ScanRules()
    git = usable_git(root)
    collector = _Collector(root, rules, uses_git=git is not None)
    if git is None or not _collect_listing(git, "", "", collector):
        collector = _Collector(root, rules, uses_git=False)
        _Walk(root, rules).collect("", collector)
    elif explain:
        _explain(Decider(root, rules), collector)
    return collector.scan()


def usable_git(root: str) -> Git | None:
    """Git for a root in a working tree; None without one, and where the tree around it ignores the root as a whole."""
    git = Git(root)
    top = git.toplevel()
    if top is None:
        return None
    if top != root:
        inner = relative(top, root) or ""
        rule = Git(top).check_ignore([inner]).get(inner)
        if rule is not None and rule.ignored:
            return None
    return git


# --- what the tree itself says ---------------------------------------------------------------------------------------


class _Folders:
    """What stands between the root and a file: links, other repositories, folders that are gone. Cached."""

    def __init__(self, root: str, *, submodules: bool) -> None:
        self._root = root
        self._submodules = submodules
        self._barriers: dict[RelPath, tuple[RelPath, SkipReason] | None] = {"": None}

    def barrier(self, folder: RelPath) -> tuple[RelPath, SkipReason] | None:
        """The outermost folder at or above `folder` that is not entered, and why; None when the way is free."""
        for step in unknown_steps(folder, self._barriers):
            self._barriers[step] = self._barriers[step.rpartition("/")[0]] or self._own(step)
        return self._barriers[folder]

    def _own(self, folder: RelPath) -> tuple[RelPath, SkipReason] | None:
        absolute = join(self._root, folder)
        try:
            mode = os.lstat(absolute).st_mode
        except OSError as error:
            return (folder, SkipReason.UNREADABLE_FOLDER if isinstance(error, PermissionError) else SkipReason.MISSING)
        if stat.S_ISLNK(mode) or _is_junction(absolute):
            return (folder, SkipReason.SYMLINK)
        if not stat.S_ISDIR(mode):
            return (folder, SkipReason.MISSING)
        reason = nested_repository(absolute)
        if reason is None or (reason is SkipReason.SUBMODULE and self._submodules):
            return None
        return (folder, reason)


def _is_junction(path: str) -> bool:
    """Whether a Windows junction stands there, which leads elsewhere although `lstat` calls it a folder."""
    return os.name == "nt" and os.path.realpath(path) != os.path.abspath(path)


def nested_repository(folder: str) -> SkipReason | None:
    """Whether `folder` is a repository or worktree (NESTED_ROOT) or a submodule (SUBMODULE), by git's own test.

    A `.git` that is no repository does not count (`is_nonbare_repository_dir` in git's setup.c).
    """
    entry = f"{folder}{os.sep}.git"
    try:
        mode = os.stat(entry).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return SkipReason.NESTED_ROOT if _is_git_dir(entry) else None
    text = read_text(entry)
    if text is None or not text.startswith("gitdir: "):
        return None
    target = os.path.join(folder, text[len("gitdir: ") :].rstrip("\r\n"))
    if not _is_git_dir(target):
        return None
    return SkipReason.SUBMODULE if "/modules/" in target.replace("\\", "/") else SkipReason.NESTED_ROOT


def _is_git_dir(path: str) -> bool:
    exists = os.path.exists
    try:
        if not os.path.lexists(f"{path}/HEAD"):
            return False
        return exists(f"{path}/commondir") or (exists(f"{path}/objects") and exists(f"{path}/refs"))
    except ValueError:
        return False


# --- what the settings and our own ignore files say ------------------------------------------------------------------


class _Settings:
    """The rules that hold with and without git: `index.paths`, `exclude`, `.pilotfishignore`, `include`."""

    def __init__(self, root: str, rules: ScanRules, *, uses_git: bool) -> None:
        self._paths = _normalised(rules.paths)
        self._exclude = IgnoreTree(root, None, defaults=_patterns(rules.exclude, "index.exclude"))
        self._has_exclude = bool(rules.exclude)
        self._include = IgnoreTree(root, None, defaults=_patterns(rules.include, "index.include"))
        self._has_include = bool(rules.include)
        defaults = () if uses_git else _patterns(_DEFAULT_EXCLUDES, _DEFAULT_SOURCE)
        self._own = IgnoreTree(root, OWN_IGNORE_FILE, defaults=defaults)

    def verdict(self, path: RelPath, *, is_folder: bool = False) -> tuple[SkipReason, str] | None:
        """The first rule that leaves the path out, or None. Folders are let through to a path below them."""
        if path == OWN_FOLDER or path.startswith(OWN_FOLDER + "/"):
            return (SkipReason.OWN_DATA, "")
        if self._paths is not None and not self._among_paths(path, is_folder):
            return (SkipReason.OUTSIDE_PATHS, "index.paths")
        if self._has_exclude and (rule := self._exclude.match(path, is_folder=is_folder)) is not None:
            return (SkipReason.EXCLUDED, str(rule))
        rule = self._own.match(path, is_folder=is_folder)
        if rule is not None:
            default = rule.source == _DEFAULT_SOURCE
            return (SkipReason.IGNORED_BY_DEFAULT if default else SkipReason.IGNORED_BY_PILOTFISH, str(rule))
        if self._has_include and not is_folder and self._include.match(path, is_folder=False) is None:
            return (SkipReason.NOT_INCLUDED, "index.include")
        return None

    def lets_all_in(self, folder: RelPath) -> bool:
        """Whether every file right in a folder passes, so that they need not be asked about one by one."""
        restricted = self._has_exclude or self._has_include or self._paths is not None
        return not restricted and self._own.is_silent(folder) and self.verdict(f"{folder}/x" if folder else "x") is None

    def _among_paths(self, path: RelPath, is_folder: bool) -> bool:
        for taken in self._paths or ():
            if path == taken or path.startswith(taken + "/") or (is_folder and taken.startswith(path + "/")):
                return True
        return False


def _normalised(paths: Iterable[str]) -> tuple[RelPath, ...] | None:
    """`index.paths` as relative paths; None for the whole root. Paths that lead out of the root name nothing."""
    taken = []
    for path in paths:
        plain = "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))
        if not plain and not path.startswith("/"):
            return None
        if is_relative_path(plain) and not path.startswith("/"):
            taken.append(plain)
    return tuple(taken)


def _patterns(patterns: Iterable[str], source: str) -> tuple[Rule, ...]:
    return tuple(rule for pattern in patterns if (rule := parse_line(pattern, source)) is not None)


# --- collecting ------------------------------------------------------------------------------------------------------


class _Collector:
    """Judges candidates one by one and keeps both sides."""

    def __init__(self, root: str, rules: ScanRules, *, uses_git: bool) -> None:
        self.root = root
        self.rules = rules
        self.folders = _Folders(root, submodules=rules.submodules)
        self.settings = _Settings(root, rules, uses_git=uses_git)
        self._uses_git = uses_git
        self._prefix = join(root, "x")[:-1]
        self._files: list[Found] = []
        self._skipped: dict[str, SkippedFile] = {}
        self._open: dict[RelPath, bool] = {}

    def candidate(self, path: RelPath) -> None:
        """Take a path that the ignore files let in."""
        barrier = self.folders.barrier(path.rpartition("/")[0])
        if barrier is not None:
            self.skip(barrier[0] + ("" if barrier[1] is SkipReason.SYMLINK else "/"), barrier[1])
            return
        try:
            status = os.lstat(self._prefix + path)
        except PermissionError:
            self.skip(path, SkipReason.UNREADABLE_FOLDER)
            return
        except (OSError, ValueError):
            return  # tracked, but not in the working tree
        self.regular(path, status)

    def regular(self, path: RelPath, status: os.stat_result) -> None:
        """Take a path whose folders are known to be free, with its `lstat`."""
        if not stat.S_ISREG(status.st_mode):
            if not stat.S_ISDIR(status.st_mode):
                self.skip(path, SkipReason.SYMLINK if stat.S_ISLNK(status.st_mode) else SkipReason.SPECIAL_FILE)
            return
        if not path.isascii() and _is_not_utf8(path):
            self.skip(path, SkipReason.NAME_NOT_UTF8)
            return
        verdict = None if self._is_open(path.rpartition("/")[0]) else self.settings.verdict(path)
        if verdict is not None:
            self.skip(path, *verdict)
            return
        self._files.append(Found(path, status.st_size, changed_at(status)))

    def _is_open(self, folder: RelPath) -> bool:
        known = self._open.get(folder)
        if known is None:
            known = self._open[folder] = self.settings.lets_all_in(folder)
        return known

    def skip(self, path: str, reason: SkipReason, rule: str = "") -> None:
        """Note a path that is left out; what is simply gone is not worth a word."""
        if reason is not SkipReason.MISSING:
            shown = display(path)
            self._skipped.setdefault(shown, SkippedFile(shown, reason, rule))

    def scan(self) -> Scan:
        """What was collected, sorted."""
        files = sorted(self._files, key=lambda found: found.path)
        return Scan(files, [self._skipped[path] for path in sorted(self._skipped)], self._uses_git)


def _is_not_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _collect_listing(git: Git, prefix: str, below: RelPath, collector: _Collector) -> bool:
    """Collect what git lists, and its submodules where the settings say so; False when git cannot tell."""
    listing = git.ls_files(below) if below else git.ls_files()
    if listing is None:
        return False
    for path in listing.paths:
        collector.candidate(prefix + path)
    for path in listing.repositories:
        collector.skip(f"{prefix}{path}/", SkipReason.NESTED_ROOT)
    for path in listing.submodules:
        whole = prefix + path
        checked_out = nested_repository(join(collector.root, whole)) is not None
        free = collector.folders.barrier(whole.rpartition("/")[0]) is None
        if not (collector.rules.submodules and checked_out and free and collector.folders.barrier(whole) is None):
            collector.skip(f"{whole}/", SkipReason.SUBMODULE)
            continue
        inner = Git(join(collector.root, whole))
        if inner.toplevel() != inner.root or not _collect_listing(inner, f"{whole}/", "", collector):
            collector.skip(f"{whole}/", SkipReason.UNREADABLE_FOLDER, "git cannot list the submodule")
    return True


def _explain(decider: Decider, collector: _Collector) -> None:
    """Add what git ignores, each file or whole folder with its rule, to what was collected."""
    files = {found.path for found in collector.scan().files}
    folders = set(decider.directories(files))
    entries = {path: is_folder for folder in folders for path, is_folder in decider.entries(folder)}
    others = decider.decide_all(entries.keys() - files - folders)
    for path, decision in others.items():
        if decision.reason is SkipReason.IGNORED_BY_GIT:
            collector.skip(f"{path}/" if entries[path] else path, decision.reason, decision.rule)


def _shown_rule(rule: IgnoreRule, root: str) -> str:
    """A rule of git for people; an ignore file outside the root is named by what it is, not by where it lies."""
    if not os.path.isabs(rule.source):
        return str(rule)
    inside = relative(root, rule.source)
    if inside is not None:
        return f"{inside}:{rule.line}: {rule.pattern}"
    kind = "info/exclude" if rule.source.endswith("info/exclude") else "git's global excludes file"
    return f"{kind}:{rule.line}: {rule.pattern}"


class _Walk:
    """A walk with git's rules, for roots without git: never through links, each folder once, in sorted order."""

    def __init__(self, root: str, rules: ScanRules) -> None:
        self._root = root
        self._rules = rules
        self.ignores = walk_ignores(root)

    def collect(self, below: RelPath, collector: _Collector) -> None:
        """Collect everything in a folder and below it."""
        pending = [below]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(join(self._root, folder)) as entries:
                    children = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                collector.skip(f"{folder}/" if folder else ".", SkipReason.UNREADABLE_FOLDER)
                continue
            if folder and (marker := cache_marker(child.name for child in children)):
                collector.skip(f"{folder}/", SkipReason.IGNORED_BY_DEFAULT, f"it holds {marker}")
                continue
            prefix = f"{folder}/" if folder else ""
            paths = ((entry, prefix + entry.name) for entry in children)
            pending.extend(path for entry, path in paths if self._takes(entry, path, collector))

    def _takes(self, entry: os.DirEntry[str], path: RelPath, collector: _Collector) -> bool:
        """Whether the entry is a folder to walk; files are collected at once."""
        if entry.name == ".git":
            return False
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return False
        rule = self.ignores.match(path, is_folder=is_folder)
        if rule is not None:
            collector.skip(f"{path}/" if is_folder else path, SkipReason.IGNORED_BY_GIT, str(rule))
            return False
        if not is_folder:
            collector.regular(path, status)
            return False
        barrier = collector.folders.barrier(path)
        verdict = (barrier[1], "") if barrier is not None else collector.settings.verdict(path, is_folder=True)
        if verdict is not None:
            collector.skip(f"{path}/", *verdict)
        return verdict is None


def walk_ignores(root: str) -> IgnoreTree:
    """The `.gitignore` files below a root that git cannot answer for, with the repository's own exclude file if any."""
    exclude = read_text(join(root, ".git/info/exclude")) or ""
    return IgnoreTree(root, ".gitignore", defaults=parse(exclude, ".git/info/exclude"))


def cache_marker(names: Iterable[str]) -> str | None:
    """The file by which a folder says that it is a cache or a virtual environment, if one is among `names`."""
    return next((name for name in names if name in _CACHE_MARKERS), None)


# --- single paths ----------------------------------------------------------------------------------------------------


class Decider:
    """Decisions about single paths, equal to what a scan would say, without scanning.

    Git is asked once for each batch of paths it has not answered for. What it ignores is remembered while its index
    stays the same, so that a log file that grows does not start a process each time. Call `invalidate` when a file
    changes that `is_rules_file` names.
    Not thread-safe: one object for each thread.
    """

    REMEMBERED = 50_000

    def __init__(self, root: str, rules: ScanRules | None = None) -> None:
        self.root = root
        self.rules = rules or ScanRules()
        self.invalidate()

    def invalidate(self) -> None:
        """Forget everything that was read from ignore files and about repositories."""
        self._git = usable_git(self.root)
        self._settings = _Settings(self.root, self.rules, uses_git=self._git is not None)
        self._ignores = walk_ignores(self.root) if self._git is None else None
        folder = self._git.git_dir() if self._git is not None else None
        self._index = None if folder is None else os.path.join(folder, "index")
        self._index_stamp: tuple[int, int, int] | None = None
        self._remembered: dict[RelPath, str] = {}

    @property
    def uses_git(self) -> bool:
        """Whether git answers for this root."""
        return self._git is not None

    def decide(self, path: RelPath) -> Decision:
        """Whether one path belongs to the index, and by which rule."""
        return self.decide_all([path])[path]

    def decide_all(self, paths: Iterable[RelPath]) -> dict[RelPath, Decision]:
        """The same for many, with at most one question to git for each repository concerned."""
        folders = _Folders(self.root, submodules=self.rules.submodules)
        decisions: dict[RelPath, Decision] = {}
        open_questions: dict[RelPath, Decision] = {}
        for path in sorted(set(paths)):
            decision = self._by_tree(path, folders)
            (open_questions if decision.accepted or decision.enters else decisions)[path] = decision
        for path, rule in self._ignored(open_questions, folders).items():
            decisions[path] = Decision(path, SkipReason.IGNORED_BY_GIT, rule)
        for path, decision in open_questions.items():
            if path not in decisions:
                decisions[path] = self._by_settings(decision)
        return decisions

    def below(self, folder: RelPath) -> Scan:
        """A scan of one folder, for a folder that appeared; empty when the rules leave the folder out."""
        collector = _Collector(self.root, self.rules, uses_git=self.uses_git)
        if folder and not self.decide(folder).enters:
            return collector.scan()
        if self._git is None:
            _Walk(self.root, self.rules).collect(folder, collector)
        else:
            owner = self._owner(folder)
            inner = relative(owner, folder) if owner else folder
            git = Git(join(self.root, owner)) if owner else self._git
            _collect_listing(git, f"{owner}/" if owner else "", inner or "", collector)
        return collector.scan()

    def directories(self, files: Iterable[RelPath] = (), *, below: RelPath = "") -> list[RelPath]:
        """Every folder at or below `below` that may get files of the index, to be watched; sorted, `""` for the root.

        Empty folders count, ignored ones and what is below them do not. Folders of `files` (a scan's) are known to be
        let in, which saves questions to git.
        """
        known = _ancestors(files)
        result = [below]
        level = [below]
        while level:
            candidates = [path for folder in level for path, is_folder in self.entries(folder) if is_folder]
            unknown = [path for path in candidates if path not in known]
            decisions = self.decide_all(unknown) if unknown else {}
            level = [path for path in candidates if path in known or decisions[path].enters]
            result.extend(level)
        return sorted(result)

    def entries(self, folder: RelPath) -> Iterator[tuple[RelPath, bool]]:
        """What lies right in a folder, and whether it is a folder itself; git's own folder and links are left out."""
        prefix = f"{folder}/" if folder else ""
        try:
            with os.scandir(join(self.root, folder)) as entries:
                for entry in entries:
                    if entry.name != ".git" and not entry.is_symlink():
                        yield prefix + entry.name, entry.is_dir(follow_symlinks=False)
        except OSError:
            return

    def _by_tree(self, path: RelPath, folders: _Folders) -> Decision:
        """What the tree says by itself: accepted or FOLDER mean that the other rules must still be asked."""
        if path == "":
            return Decision(path, SkipReason.FOLDER)
        if not is_relative_path(path):
            return Decision(path, SkipReason.OUTSIDE_ROOT)
        parts = path.split("/")
        if ".git" in parts:
            return Decision(path, SkipReason.GIT_DATA)
        barrier = folders.barrier("/".join(parts[:-1]))
        if barrier is not None:
            return Decision(path, barrier[1], display(barrier[0]))
        try:
            status = os.lstat(join(self.root, path))
        except OSError:
            return Decision(path, SkipReason.MISSING)
        if not path.isascii() and _is_not_utf8(path):
            return Decision(path, SkipReason.NAME_NOT_UTF8)
        if stat.S_ISDIR(status.st_mode):
            own = folders.barrier(path)
            return Decision(path, own[1] if own is not None else SkipReason.FOLDER)
        if not stat.S_ISREG(status.st_mode):
            return Decision(path, SkipReason.SYMLINK if stat.S_ISLNK(status.st_mode) else SkipReason.SPECIAL_FILE)
        return Decision(path, None, found=Found(path, status.st_size, changed_at(status)))

    def _by_settings(self, decision: Decision) -> Decision:
        if decision.path == "":
            return decision
        verdict = self._settings.verdict(decision.path, is_folder=decision.enters)
        if verdict is None and self._git is None and (marked := self._marked(decision)):
            verdict = (SkipReason.IGNORED_BY_DEFAULT, marked)
        return decision if verdict is None else Decision(decision.path, *verdict)

    def _marked(self, decision: Decision) -> str:
        folder = decision.path if decision.enters else decision.path.rpartition("/")[0]
        while folder:
            for marker in _CACHE_MARKERS:
                if os.path.lexists(join(self.root, f"{folder}/{marker}")):
                    return f"{display(folder)} holds {marker}"
            folder = folder.rpartition("/")[0]
        return ""

    def _ignored(self, questions: dict[RelPath, Decision], folders: _Folders) -> dict[RelPath, str]:
        """Of these paths, those that git's rules exclude, each with its rule."""
        if self._ignores is not None:
            matches = {
                path: self._ignores.match(path, is_folder=decision.enters)
                for path, decision in questions.items()
                if path
            }
            return {path: str(rule) for path, rule in matches.items() if rule is not None}
        self._forget_if_index_changed()
        answers = {path: self._remembered[path] for path in questions if path in self._remembered}
        by_owner: dict[RelPath, list[RelPath]] = {}
        for path in questions:
            if path and path not in answers:
                by_owner.setdefault(self._owner(path.rpartition("/")[0]), []).append(path)
        for owner, paths in by_owner.items():
            answers.update(self._ask(owner, paths))
        return answers

    def _ask(self, owner: RelPath, paths: list[RelPath]) -> dict[RelPath, str]:
        git = Git(join(self.root, owner)) if owner else self._git
        if git is None:
            return {}
        prefix = f"{owner}/" if owner else ""
        inner = [path[len(prefix) :] for path in paths]
        rules = git.check_ignore(inner)
        answers = {
            prefix + path: prefix + _shown_rule(rule, git.root)
            for path, rule in rules.items()
            if rule is not None and rule.ignored
        }
        unanswered = [path for path in inner if path not in rules]
        answers |= dict.fromkeys((prefix + path for path in _not_listed(git, unanswered)), "git does not list it")
        if not owner:
            if len(self._remembered) + len(answers) > self.REMEMBERED:
                self._remembered.clear()
            self._remembered.update(answers)
        return answers

    def _forget_if_index_changed(self) -> None:
        """A file that was ignored is not any more once it is tracked."""
        try:
            status = os.stat(self._index) if self._index is not None else None
        except OSError:
            status = None
        stamp = None if status is None else (status.st_ino, status.st_size, status.st_mtime_ns)
        if stamp != self._index_stamp:
            self._index_stamp = stamp
            self._remembered.clear()

    def _owner(self, folder: RelPath) -> RelPath:
        """The innermost submodule that holds the folder, or "" for the root's own repository."""
        while folder and self.rules.submodules:
            if nested_repository(join(self.root, folder)) is SkipReason.SUBMODULE:
                return folder
            folder = folder.rpartition("/")[0]
        return ""


def _not_listed(git: Git, paths: list[RelPath]) -> set[RelPath]:
    """Of paths for which git names no rule, those that its listing, which decides in a scan, leaves out as well."""
    left_out: set[RelPath] = set()
    for start in range(0, len(paths), LISTED_AT_ONCE):
        asked = paths[start : start + LISTED_AT_ONCE]
        listing = git.ls_files(*asked)
        if listing is None:
            break
        left_out |= set(asked) - set(listing.paths) - _ancestors(listing.paths)
    return left_out


def _ancestors(files: Iterable[RelPath]) -> set[RelPath]:
    folders: set[RelPath] = set()
    for path in files:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
