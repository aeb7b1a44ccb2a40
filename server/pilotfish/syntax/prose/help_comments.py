"""Comment-based help of PowerShell."""

from __future__ import annotations

import re

from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.sections import Entry, with_sections

_KEYWORD = re.compile(r"^[ \t]*\.([A-Za-z]{4,})(?:[ \t]+(\S.*?))?[ \t]*$")
_SECTIONS = {
    "PARAMETER": "Parameters",
    "OUTPUTS": "Returns",
    "INPUTS": "Inputs",
    "NOTES": "Note",
    "LINK": "See also",
    "COMPONENT": "Component",
}
_PROMPT = re.compile(r"^[ \t]*(?:PS[^>\n]*>|C:\\[^>\n]*>)[ \t]?", re.MULTILINE)


def read_help(written: str, language: str) -> str:
    """Make Markdown of the keywords of a help comment; one without keywords is plain text."""
    draft = Draft(written)
    draft.finish(re.compile(r"(?<!`)`([^`\s][^`\n]*)`(?!`)"), lambda found: code(found[1]))
    body: list[str] = []
    entries: list[Entry] = []
    for keyword, argument, lines in _parts(draft.text.split("\n")):
        text = "\n".join(line.strip() for line in lines).strip("\n")
        if keyword in ("", "SYNOPSIS", "DESCRIPTION"):
            body = [part for part in body if not part or not text.startswith(part)]  # said at length
            body.append(text)
        elif keyword == "EXAMPLE":
            entries.append(Entry("Example", _example(draft, lines, language)))
        elif keyword in _SECTIONS and (text or argument):
            entries.append(Entry(_SECTIONS[keyword], text, argument))
    return with_sections(draft, "\n\n".join(part for part in body if part.strip()), entries)


def _parts(lines: list[str]) -> list[tuple[str, str, list[str]]]:
    found: list[tuple[str, str, list[str]]] = [("", "", [])]
    for line in lines:
        keyword = _KEYWORD.match(line)
        if keyword is not None and (keyword[1].isupper() or keyword[1].upper() in _KNOWN):
            found.append((keyword[1].upper(), keyword[2] or "", []))
        else:
            found[-1][2].append(line)
    return found


_KNOWN = frozenset(
    (*_SECTIONS, "SYNOPSIS", "DESCRIPTION", "EXAMPLE", "ROLE", "FUNCTIONALITY", "EXTERNALHELP", "FORWARDHELPTARGETNAME")
)


def _example(draft: Draft, lines: list[str], language: str) -> str:
    """The first paragraph of an example is code, what follows says what it does."""
    text = "\n".join(lines).strip("\n")
    shown, _, said = text.partition("\n\n")
    said = "\n".join(line.strip() for line in said.split("\n")).strip()
    block = draft.keep(code_block(_PROMPT.sub("", draft.restored(shown)), language))
    return f"{block}\n{said}" if said else block
