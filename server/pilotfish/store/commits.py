"""The commits that led to what is checked out, as evidence: those whose message resembles a question vote for what
they changed.

A message resembles a question when it has enough of it: two of its words, and a share of all by their rarity. Else a
single word that both have would speak for whatever was changed under it. The share was measured: with twice as much,
questions in long sentences lose more than others gain.

A commit's own score is BM25 over its message, where the subject counts twice. A file's is a norm over its best commits,
each divided by a root of the number of files that it changed; a definition's the same by the number of definitions. A
path that is not there any more votes for what it was renamed to. The form and its constants were measured: the larger
the exponent, the more a single commit that says the very thing outweighs many that share a word with it.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import log1p, sqrt
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from pilotfish.store.errors import CatalogDamagedError, explained
from pilotfish.store.rows import DAMAGED
from pilotfish.syntax.terms import TERMS_VERSION, terms

MOST_VOTING: Final = 100
"""So many commits vote on one question: the most similar."""

BEST_COMMITS: Final = 30
"""So many commits count for one file or definition."""

EXPONENT: Final = 3.0
"""Of the norm over the scores of commits."""

HALF_LIFE_S: Final = 5 * 365 * 86_400.0
"""A commit that is so much older than the newest one has half its share of the norm, in seconds."""

LEAST_SHARE: Final = 0.15
"""A commit votes when its message has so much of the question, each term by its inverse document frequency among the
messages."""

TOLD_SHARE: Final = 0.3
"""A commit is a reason to tell when its message has so much of the question."""

LEAST_TERMS: Final = 2
"""So many terms of the question it has besides, if the question has as many."""

_REASONS: Final = 3
MOST_RENAMES: Final = 500_000
"""So many renames are kept, about: no repository has more that is not made for it."""

_STEPS: Final = 20
"""How many renames of one file are followed."""

_COMPLETE: Final = "history_complete_for"
_REVISION: Final = "history_revision"
_VERSION: Final = "history_version"

_decoder: Final = msgspec.msgpack.Decoder(list[list[str]])

K = TypeVar("K")


class CommitRow(msgspec.Struct, frozen=True, gc=False):
    """One commit as it is stored: its id, when it was made in seconds since 1970, its message in two parts, for each
    file that it changed the path and then the names of the definitions in it, and renames (old path, new path)."""

    hash: bytes
    time: int
    subject: str
    body: str
    files: list[list[str]]
    renames: list[tuple[str, str]]


class CommitBatch(NamedTuple):
    """Commits to withdraw and to enter in one transaction.

    `version` is that of how commits are read; rows of another one go. `complete_for` says what the history is complete
    for with this batch, in the caller's words; None where it is not.
    """

    version: str
    gone: Sequence[bytes] = ()
    added: Sequence[CommitRow] = ()
    complete_for: str | None = None


class Vote(NamedTuple):
    """A commit that speaks for a file, so that a result can say why it is one; `score` is its BM25."""

    hash: str
    subject: str
    time: int
    score: float


class Evidence(NamedTuple):
    """What past commits say about a question: the scores of files by path and of definitions by path and name, not
    scaled, and for each file the commits that speak for it most plainly, best first."""

    files: dict[str, float]
    definitions: dict[tuple[str, str], float]
    votes: dict[str, list[Vote]]


class FileChanges(NamedTuple):
    """In how many commits a file was changed, and when last, in seconds since 1970."""

    commits: int
    last: int


class FileCommit(NamedTuple):
    """A commit that changed a file; `time` in seconds since 1970."""

    hash: str
    time: int
    subject: str


# --- writing ---------------------------------------------------------------------------------------------------------


def apply(connection: sqlite3.Connection, batch: CommitBatch) -> None:
    """Make the changes of a batch; within a transaction.

    Entering a commit that is there and withdrawing one that is not change nothing.
    """
    version = f"{batch.version} {TERMS_VERSION}"
    if _meta(connection, _VERSION) != version:
        _clear(connection)
        _set_meta(connection, _VERSION, version)
    for hash_ in batch.gone:
        _withdraw(connection, hash_)
    for commit in batch.added:
        _enter(connection, commit)
    _set_meta(connection, _REVISION, str(int(_meta(connection, _REVISION) or 0) + 1))
    if batch.complete_for is None:
        connection.execute("DELETE FROM meta WHERE key = ?", (_COMPLETE,))
    else:
        _set_meta(connection, _COMPLETE, batch.complete_for)


def _enter(connection: sqlite3.Connection, commit: CommitRow) -> None:
    cursor = connection.execute(
        "INSERT OR IGNORE INTO commits (hash, time, subject, body, files) VALUES (?, ?, ?, ?, ?)",
        (commit.hash, commit.time, commit.subject, commit.body, msgspec.msgpack.encode(commit.files)),
    )
    if not cursor.rowcount:
        return
    commit_id = cursor.lastrowid
    if commit.renames and (connection.execute("SELECT max(rowid) FROM renames").fetchone()[0] or 0) < MOST_RENAMES:
        connection.executemany(
            "INSERT INTO renames VALUES (?, ?, ?, ?)", [(commit_id, commit.time, *rename) for rename in commit.renames]
        )
    if commit.files:
        connection.execute(
            "INSERT INTO commit_terms (rowid, message) VALUES (?, ?)", (commit_id, _terms(commit.subject, commit.body))
        )


def _withdraw(connection: sqlite3.Connection, hash_: bytes) -> None:
    row = connection.execute("SELECT id, subject, body, files FROM commits WHERE hash = ?", (hash_,)).fetchone()
    if row is None:
        return
    commit_id, subject, body, files = row
    if _files(files):
        connection.execute(
            "INSERT INTO commit_terms (commit_terms, rowid, message) VALUES ('delete', ?, ?)",
            (commit_id, _terms(subject, body)),
        )
    connection.execute("DELETE FROM renames WHERE commit_id = ?", (commit_id,))
    connection.execute("DELETE FROM commits WHERE id = ?", (commit_id,))


def _terms(subject: str, body: str) -> str:
    words = terms(subject)
    return f"{words} {words} {terms(body)}"


def _clear(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO commit_terms (commit_terms) VALUES ('delete-all')")
    connection.execute("DELETE FROM renames")
    connection.execute("DELETE FROM commits")


def _meta(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


# --- asking ----------------------------------------------------------------------------------------------------------


class Commits:
    """Answers over one connection, in its thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def complete_for(self, version: str) -> str | None:
        """Return what the history is complete for (see `CommitBatch`); None while it is not, or of another version."""
        return self._meta(_COMPLETE) if self._is_of(version) else None

    def revision(self) -> int:
        """Return a number that grows with every change of the history, for what is derived from it."""
        return int(self._meta(_REVISION) or 0)

    def hashes(self, version: str) -> set[bytes]:
        """Return the ids of all commits; none where they are of another version."""
        return {row[0] for row in self._all("SELECT hash FROM commits")} if self._is_of(version) else set()

    def count(self) -> int:
        """Return how many commits there are."""
        return int(self._all("SELECT count(*) FROM commits")[0][0])

    def evidence(self, question: Sequence[str]) -> Evidence:
        """Return what past commits say about a question, given by its terms (`syntax.terms.question_terms`)."""
        rarities = self._rarities(question)
        if not rarities:
            return Evidence({}, {}, {})
        rows = self._all(
            "SELECT c.hash, c.subject, c.body, c.time, c.files, -f.rank FROM commit_terms f "
            "JOIN commits c ON c.id = f.rowid WHERE commit_terms MATCH ? ORDER BY f.rank LIMIT ?",
            " OR ".join(map(_quoted, rarities)),
            MOST_VOTING,
        )
        voting = [
            (hash_, subject, time, packed, score, share)
            for hash_, subject, body, time, packed, score in rows
            if (share := _resemblance(rarities, f"{subject}\n{body}")) >= LEAST_SHARE
        ]
        touched = [_files(row[3]) for row in voting]
        now = self.present({file[0] for files in touched for file in files})
        newest = self._newest()
        files = _Norms[str]()
        definitions = _Norms[tuple[str, str]]()
        votes: dict[str, list[Vote]] = {}
        for (hash_, subject, time, _packed, score, resemblance), changed in zip(voting, touched, strict=True):
            there = {now[path]: names for path, *names in changed if path in now}
            share = score**EXPONENT * 0.5 ** ((newest - time) / HALF_LIFE_S)
            files.add(there, share / sqrt(len(changed)))
            keys = [(path, name) for path, names in there.items() for name in names]
            definitions.add(keys, share / sqrt(len(keys) or 1))
            for path in there if resemblance >= TOLD_SHARE else ():
                known = votes.setdefault(path, [])
                if len(known) < _REASONS:
                    known.append(Vote(hash_.hex(), subject, time, score))
        return Evidence(files.roots(), definitions.roots(), votes)

    def _rarities(self, question: Sequence[str]) -> dict[str, float]:
        """Return the inverse document frequency of each term among the messages."""
        total = int(self._all("SELECT count(*) FROM commits")[0][0])
        rarities: dict[str, float] = {}
        for term in dict.fromkeys(question):
            count = self._all("SELECT count(*) FROM commit_terms WHERE commit_terms MATCH ?", _quoted(term))[0][0]
            rarities[term] = log1p(total / (count + 0.5))
        return rarities

    def changes(self) -> dict[str, FileChanges]:
        """Return for each file that is there how often it was changed, as far back as the commits go.

        Reads all commits: ask again only when `revision` or the files have changed.
        """
        numbers: dict[str, int] = defaultdict(int)
        last: dict[str, int] = defaultdict(int)
        for time, files in self._all("SELECT time, files FROM commits"):
            for path, *_names in _files(files):
                numbers[path] += 1
                last[path] = max(last[path], time)
        found: dict[str, FileChanges] = {}
        for path, place in self.present(numbers).items():
            commits, latest = found.get(place, (0, 0))
            found[place] = FileChanges(commits + numbers[path], max(latest, last[path]))
        return found

    def touching(self, path: str, most: int) -> list[FileCommit]:
        """Return the commits that changed a file last, also under the names that it had before, the latest first."""
        names = {path}
        while len(names) < _STEPS:
            rows = self._all("SELECT old_path FROM json_each(?) j JOIN renames ON new_path = j.value", _json(names))
            earlier = sorted({old for (old,) in rows} - names)
            if not earlier:
                break
            names.update(earlier[:_STEPS])
        # Most files say that they are not meant before they are unpacked.
        holds = " OR ".join("instr(files, CAST(? AS BLOB)) > 0" for _ in names)
        found: list[FileCommit] = []
        commits = self._each(
            f"SELECT hash, time, subject, files FROM commits WHERE {holds} ORDER BY time DESC, hash", *sorted(names)
        )
        for hash_, time, subject, packed in commits:
            if any(changed in names for changed, *_definitions in _files(packed)):
                found.append(FileCommit(hash_.hex(), time, subject))
                if len(found) == most:
                    break
        return found

    def _newest(self) -> int:
        return int(self._all("SELECT max(time) FROM commits")[0][0] or 0)

    def present(self, paths: Collection[str]) -> dict[str, str]:
        """Return for each of these past paths where its file is today, where it is: at this path, or at the one that it
        was renamed to last, and so on."""
        now: dict[str, str] = {}
        places = {path: [path] for path in paths}  # where a file may be today -> the paths that led there
        for _step in range(_STEPS):
            if not places:
                break
            for place in self._there(places):
                now.update(dict.fromkeys(places.pop(place), place))
            renamed = self._renamed(places)
            following: dict[str, list[str]] = defaultdict(list)
            for place, origins in places.items():
                if place in renamed:
                    following[renamed[place]] += origins
            places = dict(following)
        return now

    def _there(self, paths: Collection[str]) -> list[str]:
        rows = self._all(
            "SELECT f.path FROM json_each(?) j JOIN files f ON f.path = j.value AND f.deleted_at IS NULL", _json(paths)
        )
        return [row[0] for row in rows]

    def _renamed(self, paths: Collection[str]) -> dict[str, str]:
        rows = self._all(
            "SELECT old_path, new_path FROM json_each(?) j JOIN renames ON old_path = j.value ORDER BY time, new_path",
            _json(paths),
        )
        return dict(rows)

    def _is_of(self, version: str) -> bool:
        return self._meta(_VERSION) == f"{version} {TERMS_VERSION}"

    def _meta(self, key: str) -> str | None:
        rows = self._all("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def _all(self, sql: str, *parameters: object) -> list[Any]:
        return list(self._each(sql, *parameters))

    def _each(self, sql: str, *parameters: object) -> Iterator[Any]:
        try:
            yield from self._connection.execute(sql, parameters)
        except sqlite3.DatabaseError as error:
            raise explained(error) from error


class _Norms(Generic[K]):
    """For each key the norm of the first votes for it; they come best first."""

    def __init__(self) -> None:
        self._sums: dict[K, float] = {}
        self._votes: dict[K, int] = {}

    def add(self, keys: Iterable[K], share: float) -> None:
        """Count a vote for each key that has not enough."""
        sums, votes = self._sums, self._votes
        for key in keys:
            number = votes.get(key, 0)
            if number < BEST_COMMITS:
                votes[key] = number + 1
                sums[key] = sums.get(key, 0.0) + share

    def roots(self) -> dict[K, float]:
        """Return the norms."""
        return {key: total ** (1 / EXPONENT) for key, total in self._sums.items()}


def _quoted(term: str) -> str:
    """Return a term as FTS5 takes it in a query; it holds no quote (`syntax.terms`)."""
    return f'"{term}"'


def _resemblance(rarities: Mapping[str, float], message: str) -> float:
    """Return which share of a question, given by its terms and their rarity, a message has; 0 where it has too few of
    its terms."""
    shared = rarities.keys() & terms(message).split()
    if len(shared) < min(LEAST_TERMS, len(rarities)):
        return 0.0
    return sum(rarities[term] for term in sorted(shared)) / sum(rarities.values())


def _files(packed: bytes) -> list[list[str]]:
    try:
        return _decoder.decode(packed)
    except DAMAGED as error:
        raise CatalogDamagedError(f"the files of a commit cannot be read: {error}") from error


def _json(texts: Collection[str]) -> str:
    return msgspec.json.encode(list(texts)).decode()
