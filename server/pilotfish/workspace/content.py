"""Which files are read for an outline, judged by their name, size and bytes; every other one is listed with its reason.

`SkipReason` is the closed list of reasons why a path has no outline, shared with `scan`. A *listed* file has a row in
the catalog and is found by its name; the rest (ignored, links, special files …) exists only in `index --dry-run` and
`why`.
"""

# ruff: noqa: SIM905 - lists of names read better as one string
from __future__ import annotations

import codecs
import enum
import os
import re
from dataclasses import dataclass
from typing import Final

from pilotfish.syntax.brackets import nest_beyond
from pilotfish.workspace.secrets import is_secret, secret_content

MOST_OPEN: Final = 1_000
"""So many brackets may be open at a place of a text. Twice as many cost some grammars four times the time or more; at
this number the slowest of all takes half a second."""


class SkipReason(enum.StrEnum):
    """Why a path is not indexed. The value is stored and machine-readable; `explanation` is for people."""

    # Listed: the file has a row and is found by name.
    TOO_LARGE = "too large"
    BINARY = "binary"
    LONG_LINES = "long lines"
    MINIFIED = "minified"
    NESTED = "nested too deeply"
    GENERATED = "generated"
    SECRET = "secret"
    UNREADABLE = "unreadable"
    PARSER_CRASHED = "crashed the parser"
    PARSE_TIMED_OUT = "parse timed out"
    # Not listed.
    IGNORED_BY_GIT = "ignored by git"
    IGNORED_BY_PILOTFISH = "ignored by .pilotfishignore"
    IGNORED_BY_DEFAULT = "ignored by default"
    EXCLUDED = "excluded by the settings"
    NOT_INCLUDED = "not among the included patterns"
    OUTSIDE_PATHS = "outside the indexed paths"
    OUTSIDE_ROOT = "outside the workspace folder"
    SYMLINK = "link"
    SPECIAL_FILE = "special file"
    NESTED_ROOT = "a repository of its own"
    SUBMODULE = "submodule"
    GIT_DATA = "version control data"
    OWN_DATA = "data of Pilotfish"
    UNREADABLE_FOLDER = "unreadable folder"
    NAME_NOT_UTF8 = "name is not UTF-8"
    MISSING = "does not exist"
    FOLDER = "folder"

    @property
    def listed(self) -> bool:
        """Whether such a file still has a row in the catalog."""
        return self in _LISTED

    @property
    def explanation(self) -> str:
        """One sentence for people."""
        return _EXPLANATIONS[self]


def changed_at(status: os.stat_result) -> int:
    """When a file was last changed, in nanoseconds: its content, or which file it is and who may read it.

    Archives, package installers and `cp -p` set the time of the content at will, often the same for every file; the
    time of the inode, which renames and permissions move as well, nobody can set. (On Windows it is that of creation.)
    """
    return max(status.st_mtime_ns, status.st_ctime_ns)


_LISTED = frozenset(
    {
        SkipReason.TOO_LARGE,
        SkipReason.BINARY,
        SkipReason.LONG_LINES,
        SkipReason.MINIFIED,
        SkipReason.NESTED,
        SkipReason.GENERATED,
        SkipReason.SECRET,
        SkipReason.UNREADABLE,
        SkipReason.PARSER_CRASHED,
        SkipReason.PARSE_TIMED_OUT,
    }
)

_EXPLANATIONS = {
    SkipReason.TOO_LARGE: "The file is larger than limits.file_kb; it is found by name only.",
    SkipReason.BINARY: "The file holds NUL bytes, so it is no text; it is found by name only.",
    SkipReason.LONG_LINES: "Most of the file lies in lines beyond limits.line_chars; it is found by name only.",
    SkipReason.MINIFIED: "The file is minified; it is found by name only.",
    SkipReason.NESTED: f"More than {MOST_OPEN:,} brackets are open at some place, which can take a parser minutes; "
    "the file is found by name only.",
    SkipReason.GENERATED: "The file says that it is generated; it is found by name only.",
    SkipReason.SECRET: "The file is likely to hold secrets; it is found by name, its content is never returned.",
    SkipReason.UNREADABLE: "The file could not be read; it is found by name only.",
    SkipReason.PARSER_CRASHED: "Parsing the file ended the parse worker; it is found by name until it changes.",
    SkipReason.PARSE_TIMED_OUT: "Parsing took longer than limits.parse_s; the file is found by name until it changes.",
    SkipReason.IGNORED_BY_GIT: "A rule of git's ignore files excludes the path.",
    SkipReason.IGNORED_BY_PILOTFISH: "A rule of a .pilotfishignore file excludes the path.",
    SkipReason.IGNORED_BY_DEFAULT: "Without git, folders of this kind are left out; a line such as `!name` in "
    ".pilotfishignore takes it in.",
    SkipReason.EXCLUDED: "index.exclude matches the path.",
    SkipReason.NOT_INCLUDED: "index.include is set and does not match the path.",
    SkipReason.OUTSIDE_PATHS: "index.paths names other folders.",
    SkipReason.OUTSIDE_ROOT: "The path is not inside the workspace folder.",
    SkipReason.SYMLINK: "The path is or passes a symbolic link; its target is indexed where it really lies.",
    SkipReason.SPECIAL_FILE: "The path is a pipe, socket or device.",
    SkipReason.NESTED_ROOT: "The folder is a repository or worktree of its own; open it as its own workspace folder.",
    SkipReason.SUBMODULE: "The folder is a submodule; index.submodules takes it in.",
    SkipReason.GIT_DATA: "The path belongs to version control itself.",
    SkipReason.OWN_DATA: "The path belongs to Pilotfish's index.",
    SkipReason.UNREADABLE_FOLDER: "The folder could not be read.",
    SkipReason.NAME_NOT_UTF8: "The name is not valid UTF-8, so no client can ask for it; it is shown percent-encoded.",
    SkipReason.MISSING: "There is no such file.",
    SkipReason.FOLDER: "The path is a folder; its files are judged one by one.",
}


@dataclass(frozen=True)
class ContentLimits:
    """How much of a file is taken on: its size in bytes, from how many characters a line is taken for data, and whether
    secrets are."""

    file_bytes: int = 1024 * 1024
    line_chars: int = 2000
    secrets: bool = False


@dataclass(frozen=True)
class Accepted:
    """The file is text worth an outline."""


@dataclass(frozen=True)
class Skipped:
    """The file is listed without an outline; `detail` says what decided, in words for people."""

    reason: SkipReason
    detail: str = ""

    @property
    def secret(self) -> bool:
        """Whether no byte of the content may be returned."""
        return self.reason is SkipReason.SECRET


ACCEPTED = Accepted()


def inspect_name(path: str, size: int, limits: ContentLimits) -> Accepted | Skipped:
    """What the path and the size in bytes already tell, before the file is read."""
    if not limits.secrets and is_secret(path):
        return Skipped(SkipReason.SECRET, f"its name: {path.rpartition('/')[2]}")
    if size > limits.file_bytes:
        return Skipped(SkipReason.TOO_LARGE, f"{size:,} bytes, the limit is {limits.file_bytes:,}")
    name = path.rpartition("/")[2].lower()
    if name in _LOCK_FILES:
        return Skipped(SkipReason.GENERATED, "a lock file of a package manager")
    if _MINIFIED_NAME.search(name):
        return Skipped(SkipReason.MINIFIED, f"its name: {name}")
    return ACCEPTED


def inspect(data: bytes, path: str, limits: ContentLimits) -> Accepted | Skipped:
    """Whether a file with these bytes gets an outline. A pure function; `path` may have any form, its name counts."""
    by_name = inspect_name(path, len(data), limits)
    return by_name if isinstance(by_name, Skipped) else inspect_content(data, path, limits)


def inspect_content(data: bytes, path: str, limits: ContentLimits) -> Accepted | Skipped:
    """What the bytes tell of a file whose name and size `inspect_name` has accepted."""
    text = _as_bytes_of_ascii_superset(data)
    if text is None or b"\0" in text:
        return Skipped(SkipReason.BINARY, "it holds NUL bytes")
    if not limits.secrets and (detail := secret_content(path, text)):
        return Skipped(SkipReason.SECRET, detail)
    marker = generated_marker(text)
    if marker is not None:
        return Skipped(SkipReason.GENERATED, f"its first lines: {marker}")
    by_lines = _inspect_lines(text, path, limits)
    return by_lines if isinstance(by_lines, Skipped) else inspect_nesting(text)


def inspect_nesting(text: bytes) -> Accepted | Skipped:
    """Whether the brackets of a text can be parsed in time, be it a file's or one that is open in an editor."""
    if nest_beyond(text, MOST_OPEN):
        return Skipped(SkipReason.NESTED, f"more than {MOST_OPEN:,} brackets are open at a place")
    return ACCEPTED


def _as_bytes_of_ascii_superset(data: bytes) -> bytes | None:
    """UTF-8 for UTF-16 with a byte order mark, the bytes themselves otherwise; None for broken UTF-16 and UTF-32."""
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError:
        return None


# --- lines -----------------------------------------------------------------------------------------------------------

_PROSE = (".md", ".markdown", ".rst", ".adoc", ".txt", ".tex", ".org")
_PROSE_FACTOR = 10
"""Prose often keeps a paragraph on one line, which costs a parser nothing."""
_MOST_IN_LONG_LINES = 0.5
"""Beyond this share a file is data. Written code has one long line at times: a regular expression, a picture."""
_NOTEBOOK = ".ipynb"
"""A notebook keeps a picture on one line, and of all that only its cells are read."""
_MINIFIED_AVERAGE = 400
"""Average line length in bytes from which a file with an over-long line is called minified; written code has < 60."""
_MINIFIED_NAME = re.compile(r"[.-]min\.(?:js|mjs|cjs|css)$")


def _inspect_lines(text: bytes, path: str, limits: ContentLimits) -> Accepted | Skipped:
    if path.lower().endswith(_NOTEBOOK):
        return ACCEPTED
    limit = limits.line_chars * (_PROSE_FACTOR if path.lower().endswith(_PROSE) else 1)
    if not _has_line_beyond(text, limit):
        return ACCEPTED
    lines = (text.replace(b"\r", b"\n") if b"\r" in text else text).split(b"\n")
    long = [line for line in lines if len(line) > limit and len(line.decode("utf-8", "replace")) > limit]
    share = sum(map(len, long)) / len(text)
    if share <= _MOST_IN_LONG_LINES:
        return ACCEPTED
    characters = max(len(line.decode("utf-8", "replace")) for line in long)
    detail = f"{share:.0%} of it in lines beyond {limit:,} characters, the longest of {characters:,}"
    minified = len(text) / len(lines) > _MINIFIED_AVERAGE and path.lower().endswith((".js", ".mjs", ".cjs", ".css"))
    return Skipped(SkipReason.MINIFIED if minified else SkipReason.LONG_LINES, detail)


def _has_line_beyond(text: bytes, limit: int) -> bool:
    """Whether a line is longer than `limit` bytes: one look back from each place that a line may reach at most."""
    place = 0
    while len(text) - place > limit:
        end = text.rfind(b"\n", place, place + limit + 1)
        if end < 0 and (end := text.rfind(b"\r", place, place + limit + 1)) < 0:
            return True
        place = end + 1
    return False


# --- generated -------------------------------------------------------------------------------------------------------

_HEAD_BYTES = 4096
_HEAD_LINES = 40
_COMMENT = re.compile(
    r"\s*(?://+!?|/\*+!?|\*+|#+!?|--+|;+|%+|<!--+|\(\*|\{-|\"\"\"|'''|rem\b|dnl\b)\s*(.*)", re.IGNORECASE
)
_SUBJECT = r"(?:(?:this|the)(?: \w+)? (?:is|was|has been|were)\s+(?:an? )?)?"
_AT_GENERATED = re.compile(rf"{_SUBJECT}(?:automatically )?@generated(?![\w.(-])", re.IGNORECASE)
_GO_GENERATED = re.compile(r"code generated .*do not edit\b", re.IGNORECASE)
_AUTO_GENERATED = re.compile(r"<auto-?generated\b", re.IGNORECASE)
_SAYS_GENERATED = re.compile(rf"\W*{_SUBJECT}(?:auto(?:matically)?[- ]?)?generated\b", re.IGNORECASE)
_DO_NOT_EDIT = re.compile(r"\b(?:do not|don't) (?:edit|modify|change|alter)\b", re.IGNORECASE)
_NEAR_LINES = 4

_LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock cargo.lock poetry.lock uv.lock "
    "pdm.lock pipfile.lock pylock.toml composer.lock gemfile.lock go.sum go.work.sum flake.lock mix.lock pubspec.lock "
    "podfile.lock package.resolved packages.lock.json gradle.lockfile .terraform.lock.hcl".split()
)


def generated_marker(text: bytes) -> str | None:
    """The comment in the first lines by which a file says that a program wrote it, or None.

    Go's `Code generated … DO NOT EDIT`, `@generated` at the start of a comment, C#'s `<auto-generated>`, and "generated
    by …" with "do not edit" at most four lines away. The words must open a comment: code and prose *about* such markers
    does not count, nor does "generated by" alone (Django's migrations are source).
    """
    head = text[:_HEAD_BYTES]
    if b"enerated" not in head and b"ENERATED" not in head:
        return None
    said_at = edit_at = -_NEAR_LINES - 1
    said = ""
    for number, line in enumerate(head.decode("utf-8", "replace").splitlines()[:_HEAD_LINES]):
        comment = _COMMENT.match(line)
        if comment is None:
            continue
        words = comment[1].strip()
        if _AT_GENERATED.match(words) or _GO_GENERATED.match(words) or _AUTO_GENERATED.match(words):
            return words[:80]
        if _SAYS_GENERATED.match(words):
            said_at, said = number, words
        if _DO_NOT_EDIT.search(words):
            edit_at = number
        if said and abs(said_at - edit_at) <= _NEAR_LINES:
            return said[:80]
    return None
