"""What documentation says of the parts of a definition: parameters, results, errors; as lists under their titles."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from pilotfish.syntax.prose.draft import Draft, code

FIRST = "Deprecated"
ORDER = (
    "Class",
    "Type parameters",
    "Parameters",
    "Options",
    "Fields",
    "Yields",
    "Returns",
    "Throws",
)
"""The sections that come first, in this order; others follow as they are written."""


class Entry(NamedTuple):
    """One thing said of a definition: in which section, of what, of which type, and what, with a draft's marks."""

    section: str
    text: str = ""
    name: str = ""
    type: str = ""


def with_sections(draft: Draft, body: str, entries: Sequence[Entry]) -> str:
    """The Markdown of a text and what is said in sections behind it; a deprecation stands before all."""
    titles = list(dict.fromkeys(entry.section for entry in entries if entry.section != FIRST))
    titles.sort(key=lambda title: ORDER.index(title) if title in ORDER else len(ORDER))
    parts = [_section(draft, FIRST, [entry for entry in entries if entry.section == FIRST])]
    parts.append(draft.plain(body).strip("\n"))
    parts += [_section(draft, title, [entry for entry in entries if entry.section == title]) for title in titles]
    return draft.restored("\n\n".join(part for part in parts if part.strip()))


def _section(draft: Draft, title: str, entries: Sequence[Entry]) -> str:
    if not entries:
        return ""
    if len(entries) == 1 and not entries[0].name and (title != "Throws" or not entries[0].type):
        (entry,) = entries
        text = draft.plain(_dedented(entry.text))
        kind = code(entry.type)
        if not text and not kind:
            return f"**{title}**"
        if not kind and draft.restored(text).startswith(("\n", "- ", "* ")):
            return f"**{title}**\n\n{text}"
        return f"**{title}** — {' — '.join(part for part in (kind, text) if part)}"
    return f"**{title}**\n\n" + "\n".join(_item(draft, entry) for entry in entries)


def _item(draft: Draft, entry: Entry) -> str:
    head = code(entry.name)
    if entry.type:
        head = f"{head} ({code(entry.type)})" if head else code(entry.type)
    text = draft.plain(_dedented(entry.text))
    if not head and draft.restored(text).startswith("\n"):
        return text  # code
    text = text.replace("\n", "\n   ")
    return "- " + " — ".join(part for part in (head, text) if part)


def _dedented(text: str) -> str:
    first, newline, rest = text.partition("\n")
    return (first.strip() + newline + textwrap.dedent(rest)).strip()
