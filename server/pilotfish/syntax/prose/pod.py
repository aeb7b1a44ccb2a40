"""POD, Perl's plain old documentation."""

from __future__ import annotations

import re

from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.sections import with_sections

_COMMAND = re.compile(r"^=([a-zA-Z]\w*)[ \t]*(.*)$", re.DOTALL)
_SPAN = re.compile(r"\b([A-Z])(?:<<+\s(.*?)\s>>+|<((?:[^<>]|[A-Z]<[^<>]*>|<[^<>]*>|->|=>)*)>)", re.DOTALL)
_INNER = re.compile(r"\b[A-Z]<([^<>]*)>")
_WEB = re.compile(r"(?i)https?://")
_ENTITIES = {"lt": "<", "gt": ">", "sol": "/", "verbar": "|"}
# What is meant for a program that makes something else of it; what follows a colon is POD all the same.
_FOR_ANOTHER = re.compile(
    r"^=begin[ \t]+(?!:|text\b)(\S+)[^\n]*$.*?(?:^=end[ \t]+\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_DROPPED = frozenset(("begin", "end", "for", "encoding", "pod", "cut", "back", "over"))


def read_pod(written: str, language: str) -> str:
    """Make Markdown of paragraphs, headings, lists and code."""
    draft = Draft(_FOR_ANOTHER.sub("", written))
    shown: list[str] = []
    for paragraph in _paragraphs(draft.text):
        command = _COMMAND.match(paragraph)
        if command is None:
            if paragraph.startswith((" ", "\t")):
                shown.append(draft.keep(code_block(paragraph, language)))
            else:
                shown.append(_spans(draft, paragraph))
        elif command[1].startswith("head"):
            shown.append(draft.keep(f"**{draft.restored(_spans(draft, command[2].strip()))}**"))
        elif command[1] in ("item", "method", "func", "attr"):
            text = command[2].strip().lstrip("*").strip()
            shown.append(f"- {_spans(draft, text)}" if text else "")
        elif command[1] not in _DROPPED:
            shown.append(_spans(draft, command[2]))
    return with_sections(draft, re.sub(r"(?m)^(- [^\n]*)\n\n(?=- )", r"\1\n", "\n\n".join(shown)), [])


def _paragraphs(pod: str) -> list[str]:
    """What stands between empty lines; pieces of code that follow each other are one."""
    found: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", pod):
        paragraph = paragraph.strip("\n")
        if found and paragraph.startswith((" ", "\t")) and found[-1].startswith((" ", "\t")):
            found[-1] += f"\n\n{paragraph}"
        elif paragraph.strip():
            found.append(paragraph)
    return found


def _spans(draft: Draft, text: str) -> str:
    before = Draft(text)
    before.text = _SPAN.sub(lambda found: draft.keep(_span(draft, found)), text)
    return before.text


def _span(draft: Draft, found: re.Match[str]) -> str:
    inner = found[2] if found[2] is not None else found[3]
    match found[1]:
        case "C" | "F":
            return code(_text(inner))
        case "B":
            return f"**{draft.plain(_text(inner))}**"
        case "I":
            return f"*{draft.plain(_text(inner))}*"
        case "L":
            shown, bar, target = inner.partition("|")
            if bar:
                return draft.plain(_text(shown)) + (f" ({code(target)})" if _WEB.match(target) else "")
            return code(inner if _WEB.match(inner) else _text(inner).replace('"', "").strip("/").replace("/", " › "))
        case "E":
            return _ENTITIES.get(inner, f"&{inner};")
        case "X" | "Z":
            return ""
        case _:
            return draft.plain(_text(inner))


def _text(inner: str) -> str:
    return _INNER.sub(lambda found: _ENTITIES.get(found[1], found[1]), inner)
