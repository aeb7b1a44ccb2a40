"""What an oracle and we say of the files of a package, to be compared."""

from __future__ import annotations

from typing import NamedTuple

FILE = "file"
"""The kind of a record that says that an oracle has read a file."""

REFUSED = "refused"
"""The kind of one that says that it could not."""

DARK = "dark"
"""The kind of lines that it read nothing of: the branch of a condition that it did not take."""

OTHER = "other"
"""The kind of what an oracle calls neither function nor type: no loss where we lack it, and right where we have it."""


class Record(NamedTuple):
    """One definition as either side sees it."""

    path: str
    name: str
    line: int
    kind: str
    last: int = 0  # the last line of what has several: a definition with clauses, what is dark
