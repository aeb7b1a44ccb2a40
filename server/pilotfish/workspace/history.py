"""The commits of a repository: their messages, and the files and definitions that each of them changed.

What git says of one commit depends on that commit alone, so a history can be read in any order and in any number of
parts. Everything is asked as `workspace.git` asks, by plumbing commands that no setting of a repository can make run
anything; the working tree and its index take no part. Objects that are missing (a partial clone) cost what only they
could tell.
"""

# ruff: noqa: PTH118, PTH120 - paths are plain strings here
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pilotfish.workspace.git import HISTORY_BYTES, HISTORY_S, Git
from pilotfish.workspace.paths import RelPath, canonical
from pilotfish.workspace.secrets import redact, redact_line

MOST_FILES: Final = 20
"""A commit that changed more files says little about each of them; it keeps its renames only."""

MOST_DEFINITIONS: Final = 100
"""So many definitions of one commit are kept; what changed more says little about each."""

READING: Final = "3"
"""Grows with every change of what is read of a commit."""

MESSAGE_CHARACTERS: Final = 1_000
"""How much of a message is read."""

LONGEST_NAME: Final = 100
"""Longest name of a definition that is taken from a changed line, in characters."""

LATEST: Final = 4_102_444_800
"""A commit from after the year 2100 counts as from then, in seconds since 1970."""

PATCH_BYTES: Final = 32 << 20
"""How much of the changes of one commit is looked at."""

BIG_FILE: Final = "1m"
"""Changes within larger files are not looked at, as git writes sizes."""

PATCH_S: Final = 60.0
"""How long the changes of one batch of commits may take, in seconds."""

_NICENESS: Final = 10

_FAULTS: Final = 8
"""After so many commits of a batch whose changes git cannot read, the rest does without."""

_FOLDER: Final = os.path.dirname(canonical(__file__))
_ATTRIBUTES: Final = os.path.join(_FOLDER, "definitions.gitattributes")

_APART: Final = {"GIT_INDEX_FILE": os.path.join(_FOLDER, "no.index")}
"""Keeps the index out, by one that is not there: git would read files of the working tree instead of objects."""

_DRIVERS: Final = (
    ("core.attributesFile", _ATTRIBUTES),
    ("core.bigFileThreshold", BIG_FILE),
    (
        "diff.pilotfish-keyword.xfuncname",
        r"^[ \t]*([A-Za-z() \t]*(fun|func|function|class|object|trait|struct)[ \t].*)$",
    ),
    (
        "diff.pilotfish-ecmascript.xfuncname",
        r"!^[ \t]*(if|for|while|switch|return|else|catch|await|throw|new)([^A-Za-z0-9_$]|$)" + "\n"
        r"^[ \t]*((export|default|async|abstract|declare|static|public|private|protected|get|set)[ \t]+)*"
        r"((class|interface|enum|namespace|function|type)[ \t*]+[A-Za-z_$].*)$" + "\n"
        r"^[ \t]*((export[ \t]+)?(const|let|var)[ \t]+[A-Za-z_$][A-Za-z0-9_$]*[^=]*="
        r"[ \t]*(async[ \t]*)?(function|\().*)$" + "\n"
        r"^[ \t]*([A-Za-z_$][A-Za-z0-9_$.]*[ \t]*[=:][ \t]*(async[ \t]+)?function.*)$" + "\n"
        r"^[ \t]*(((async|static|public|private|protected|readonly|get|set|override)[ \t]+)*[#A-Za-z_$][A-Za-z0-9_$]*"
        r"[ \t]*(<[^>]*>)?\([^;]*\{)[ \t]*$",
    ),
)
"""Where git finds which rule goes with which file, and the rules that it does not have itself."""

_COMMITS = (
    "diff-tree",
    "--stdin",
    "-r",
    "--root",
    "--relative",
    "--always",
    "--encoding=UTF-8",
    "--ignore-submodules=all",
    # Programs, and files that a repository may name or place.
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-notes",
    "--no-color",
    f"-O{os.devnull}",
)

_FILES = (*_COMMITS, "-z", "--raw", "--no-abbrev", "--format=format:%x00%H%x00%ct%x00%B%x00")
_PATCHES = (*_COMMITS, "-p", "-U0", "-M", "-l200", "--inter-hunk-context=0", "--format=commit %H")

_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")

_WORD = r"[^\W\d]\w*"
_KEYWORDS = (
    "class|def|func|fun|fn|function|struct|enum|trait|interface|impl|module|mod|type|union|namespace|object"
    "|macro_rules!"
)
_DEFINED = re.compile(
    # Go's receiver, generics after Rust's `impl`, the star of generators; `self.` of Ruby.
    rf"(?:^|[\s(])(?:{_KEYWORDS})(?!\w)(?:\s+\([^)]*\))?(?:<[^>]*>)?[\s*]+(?:self\.)?((?:{_WORD}(?:::|\.|\$))*{_WORD}\$?)"
)
_ASSIGNED = re.compile(rf"({_WORD}|\$)\s*(?:=|:)\s*(?:async\b\s*)?(?:function\b|\(|{_WORD}\s*=>)")
_CALLABLE = re.compile(rf"({_WORD}[?!]?)\s*(?:<[^>()]*>)?\(")

_NO_NAMES: Final = frozenset("if for while switch catch return sizeof await func fun function fn".split())  # noqa: SIM905
"""Words before parentheses that are no names."""

_LANDMARK: Final = re.compile(
    rb"^(?:commit (?P<commit>[0-9a-f]{40,64})$"
    rb"|(?P<file>diff --git )"
    rb"|@@ [-+,0-9 ]{3,60} @@(?P<hunk>.{0,200})"
    rb"|[-+][ \t]{0,60}(?P<line>(?:[a-z]{2,12}(?:\([a-z]{1,12}\))?[ \t]+){0,5}(?:"
    + _KEYWORDS.encode()
    + rb")[ \t*(<].{1,200}))",
    re.MULTILINE,
)
"""The lines of a patch that matter; lines of files have a sign before them, so that none can be taken for another."""


@dataclass(frozen=True)
class TouchedFile:
    """A file that a commit changed: its path after it, and the names of the definitions in which lines changed."""

    path: RelPath
    definitions: tuple[str, ...] = ()


@dataclass(frozen=True)
class PastCommit:
    """One commit as evidence: what it says, what it changed, and what it renamed (old path, new path).

    `files` is empty where there are more than `MOST_FILES`; `time` is when it was committed, in seconds since 1970.
    """

    id: str
    time: int
    subject: str
    body: str
    files: tuple[TouchedFile, ...]
    renames: tuple[tuple[RelPath, RelPath], ...]


def commit_ids(git: Git, most: int) -> list[str] | None:
    """Return the last `most` commits before and with `HEAD`, without merges, newest first.

    A folder below the working tree's top has only the commits that changed something in it. None where there is no
    repository or no commit, or git cannot tell in time.
    """
    top = git.toplevel()
    if top is None or most <= 0:
        return None
    below = () if top == git.root else (".",)
    asked = ("rev-list", "--no-merges", f"--max-count={most}", "HEAD", "--", *below)
    output, is_whole = git.stream(*asked, most_bytes=HISTORY_BYTES, timeout=HISTORY_S, niceness=_NICENESS)
    return output.decode("ascii", "replace").split() if is_whole else None


def read_commits(git: Git, ids: Sequence[str], *, definitions: bool = True) -> list[PastCommit]:
    """Return what there is to know about some commits, in their order; a commit that git cannot read is empty.

    Without `definitions` the texts of files are not looked at, which is nine tenths of the work.
    """
    known = _read_files(git, ids, "-M", "-l200")
    if lost := [commit for commit in ids if commit not in known]:
        # Renames with edits need the text of files, which a partial clone may not have; the others need only trees.
        known |= _read_files(git, lost, "-M100%")
    looked_at = [commit for commit in ids if commit in known and known[commit].files] if definitions else []
    told = _read_definitions(git, looked_at)
    return [_with_definitions(known.get(commit) or _unknown(commit), told.get(commit, [])) for commit in ids]


# --- messages and files ----------------------------------------------------------------------------------------------


def _read_files(git: Git, ids: Sequence[str], *options: str) -> dict[str, PastCommit]:
    asked = (*_FILES, *options)
    output, _is_whole = git.stream(
        *asked, most_bytes=HISTORY_BYTES, timeout=HISTORY_S, data=_lines(ids), variables=_APART, niceness=_NICENESS
    )
    return {commit.id: commit for commit in _parse_files(output)}


def _parse_files(output: bytes) -> Iterable[PastCommit]:
    r"""Read `\0 id \0 time \0 message \0`, then `\n` and entries: `:modes ids status \0 path \0`, renames two paths."""
    fields = iter(output.split(b"\0"))
    head: tuple[bytes, bytes, bytes] | None = None
    files: list[RelPath] = []
    renames: list[tuple[RelPath, RelPath]] = []
    for field in fields:
        if field.lstrip(b"\n").startswith(b":"):
            path = _path(next(fields, b""))
            if field.rpartition(b" ")[2].startswith(b"R"):
                old, path = path, _path(next(fields, b""))
                renames.append((old, path))
            files.append(path)
        elif _ID.fullmatch(field):
            if head is not None:
                yield _commit(head, files, renames)
            head, files, renames = (field, next(fields, b""), next(fields, b"")), [], []
    if head is not None:
        yield _commit(head, files, renames)


def _commit(
    head: tuple[bytes, bytes, bytes], files: list[RelPath], renames: list[tuple[RelPath, RelPath]]
) -> PastCommit:
    name, time, message = head
    # Before it is cut: half a secret looks like none.
    text = redact(message[: 4 * MESSAGE_CHARACTERS]).decode("utf-8", "replace")[:MESSAGE_CHARACTERS].strip()
    subject, _, body = text.partition("\n")
    touched = tuple(map(TouchedFile, dict.fromkeys(files))) if len(files) <= MOST_FILES else ()
    return PastCommit(
        id=name.decode("ascii"),
        time=min(int(time), LATEST) if time.isdigit() else 0,
        subject=subject.strip(),
        body=body.strip(),
        files=touched,
        renames=tuple(renames),
    )


def _unknown(commit: str) -> PastCommit:
    return PastCommit(commit, 0, "", "", (), ())


def _path(field: bytes) -> RelPath:
    return field.decode("utf-8", "surrogateescape")


# --- definitions -----------------------------------------------------------------------------------------------------


def _read_definitions(git: Git, ids: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return for each commit, in the order of its files, the names of the definitions that it changed."""
    found: dict[str, list[list[str]]] = {}
    left = list(ids)
    faults = 0
    while left and faults < _FAULTS:
        output, is_whole = git.stream(
            *_overrides(),
            *_PATCHES,
            data=_lines(left),
            variables=_APART,
            most_bytes=PATCH_BYTES,
            timeout=PATCH_S,
            niceness=_NICENESS,
        )
        told = _parse_patches(output)
        found |= told
        if is_whole:
            break
        # The last one may lack something: it is asked first in the next round, and passed over when it was already.
        last = list(told)[-1:] or left[:1]
        place = left.index(last[0]) if last[0] in left else 0
        faults += place == 0
        left = left[max(place, 1) :]
    return found


def _parse_patches(output: bytes) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    files: list[list[str]] = []
    names: dict[str, None] = {}
    header, header_end = b"", -1

    for match in _LANDMARK.finditer(output):
        kind = match.lastgroup
        if kind == "line":
            if match.start() != header_end + 1:
                _add(names, header)
            header = b""
            _add(names, match["line"])
            continue
        _add(names, header)
        header = b""
        if kind == "hunk":
            header, header_end = match["hunk"], match.end()
            continue
        if files:
            files[-1].extend(names)
        names = {}
        if kind == "file":
            files.append([])
        else:
            files = found.setdefault(match["commit"].decode("ascii"), [])
    _add(names, header)
    if files:
        files[-1].extend(names)
    return found


def _add(names: dict[str, None], line: bytes) -> None:
    if len(names) <= MOST_DEFINITIONS and (name := defined_in(line.decode("utf-8", "replace"))):
        names[name] = None


@lru_cache(maxsize=10_000)
def defined_in(line: str) -> str | None:
    """Return the name of what a line of code begins to define, as far as its shape tells; the last part of a path.

    What looks like a secret is no name."""
    if match := _DEFINED.search(line):
        name = re.split(r"::|\.", match[1])[-1]
    elif match := _ASSIGNED.search(line) or _CALLABLE.search(line):
        name = match[1]
    else:
        return None
    is_name = len(name) <= LONGEST_NAME and name not in _NO_NAMES and redact_line(name) is name
    return name if is_name else None


def _with_definitions(commit: PastCommit, told: list[list[str]]) -> PastCommit:
    # Where git tells of a file twice (a link that became a file) nobody knows which is which.
    if len(told) != len(commit.files) or not 0 < sum(map(len, told)) <= MOST_DEFINITIONS:
        return commit
    files = tuple(TouchedFile(file.path, tuple(names)) for file, names in zip(commit.files, told, strict=True))
    return PastCommit(commit.id, commit.time, commit.subject, commit.body, files, commit.renames)


# --- asking ----------------------------------------------------------------------------------------------------------


def _lines(ids: Sequence[str]) -> bytes:
    return "".join(f"{commit}\n" for commit in ids).encode("ascii")


def _overrides() -> list[str]:
    return [argument for name, value in _DRIVERS for argument in ("-c", f"{name}={value}")]
