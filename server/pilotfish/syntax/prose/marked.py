"""Comments that are Markdown: Rust, Elixir, Julia, Dart and others; DocC and Go doc, which have marks of their own."""

from __future__ import annotations

import re

from pilotfish.syntax.prose.draft import Draft, code_block
from pilotfish.syntax.prose.sections import Entry, with_sections

_FENCE = re.compile(r"^([ \t]*+)(`{3,}+|~{3,}+)([^\n`]*+)\n(.*?)^[ \t]*\2[ \t]*$", re.MULTILINE | re.DOTALL)
_HIDDEN_LINE = re.compile(r"^[ \t]*#(?: [^\n]*)?\n", re.MULTILINE)
_FLAGS = frozenset(("no_run", "ignore", "should_panic", "compile_fail", "text", "rust", ""))


def read_markdown(written: str, language: str) -> str:
    """Markdown as it is; fences that name no language hold the one around, lines that rustdoc hides are hidden."""

    def fence(found: re.Match[str]) -> str:
        words = re.split(r"[,{}\s]+", found[3].strip())
        named = [word for word in words if word and not word.startswith(("edition", "."))]
        known = named[0] if named and named[0] not in _FLAGS else "text" if "text" in named else language
        shown = _HIDDEN_LINE.sub("", found[4]) if language == "rust" and known == "rust" else found[4]
        return f"{found[1]}{found[2]}{known}\n{shown}{found[1]}{found[2]}"

    return _INDENTED.sub(lambda found: _indented(found, language), _FENCE.sub(fence, written))


_INDENTED = re.compile(r"(^(?=[^\n\S]*+\S)[^\n]*+)\n\n+((?: {4}[^\n]*(?:\n+|\Z))+)", re.MULTILINE)
_LISTED = re.compile(r"\s|[-*+]\s|\d+[.)]\s")


def _indented(found: re.Match[str], language: str) -> str:
    """Indented lines below a paragraph as code of the language; below a list they belong to it."""
    return found[0] if _LISTED.match(found[1]) else f"{found[1]}{code_block(found[2], language)}"


_DOCC_ITEM = re.compile(r"^([ \t]*)[-*+][ \t]+([A-Z]\w+)(?:[ \t]+([^\s:]+))?[ \t]*:[ \t]*(.*)$")
_DOCC_INNER = re.compile(r"^([ \t]+)[-*+][ \t]+([^\s:]+)[ \t]*:[ \t]*(.*)$")
_DOCC_SECTIONS = {
    "Parameter": "Parameters",
    "Returns": "Returns",
    "Throws": "Throws",
    "Note": "Note",
    "Warning": "Warning",
    "Important": "Important",
    "Attention": "Attention",
    "Complexity": "Complexity",
    "Precondition": "Precondition",
    "Postcondition": "Postcondition",
    "SeeAlso": "See also",
    "Remark": "Remarks",
    "Since": "Since",
    "Author": "",
    "Version": "Version",
    "Invariant": "Invariant",
    "Requires": "Requires",
    "Todo": "To do",
    "Tip": "Tip",
    "Experiment": "Experiment",
}


def read_docc(written: str, language: str) -> str:
    """`- Parameter x: …`, `- Parameters:` with a list below it, `- Returns: …`."""
    body: list[str] = []
    entries: list[Entry] = []
    into: list[str] | None = None
    found: list[tuple[str, str, list[str]]] = []
    in_list = False
    fenced = False
    for line in written.replace("\x00", "").split("\n"):  # marks of a draft
        fenced ^= line.lstrip().startswith("```")
        item = None if fenced else _DOCC_ITEM.match(line)
        inner = _DOCC_INNER.match(line) if in_list and not fenced else None
        if item is not None and item[2] == "Parameters" and not item[3]:
            in_list, into = True, None
        elif item is not None and item[2] in _DOCC_SECTIONS and (item[2] == "Parameter") == bool(item[3]):
            in_list, into = False, [item[4]]
            found.append((_DOCC_SECTIONS[item[2]], item[3] or "", into))
        elif inner is not None:
            into = [inner[3]]
            found.append(("Parameters", inner[2], into))
        elif into is not None and (line.startswith((" ", "\t")) or not line.strip()):
            into.append(line)
        else:
            in_list, into = False, None
            body.append(line)
    entries = [Entry(section, "\n".join(lines), name) for section, name, lines in found if section]
    text = "\n".join(body).replace("``", "`")
    return read_markdown(with_sections(Draft(text, is_markdown=True), text, entries), language)


_GO_HEADING = re.compile(r"^# (\S[^\n]*)$", re.MULTILINE)
_GO_CODE = re.compile(
    r"(?:(?<=\n\n)|\A)((?:(?:[ ]{2}|\t)(?![ \t]*(?:[-*•+]|\d+[.)])[ \t])[^\n]*(?:\n+|\Z))+)", re.MULTILINE
)
_GO_LINK = re.compile(r"\[(\*?[A-Za-z_][\w./]*)\](?!:)")
_GO_DIRECTIVE = re.compile(r"^(?:go|lint|nolint|line|export)\b[:\w]*:[^\n]*$|^\+build[^\n]*$", re.MULTILINE)
_GO_DEPRECATED = re.compile(r"(?:(?<=\n\n)|\A)Deprecated:[ \t]*")


def read_godoc(written: str, language: str) -> str:
    """Paragraphs, `# Heading`, indented code and lists, `[Name]`; directives of tools are left out."""
    draft = Draft(_GO_DIRECTIVE.sub("", written))
    draft.rewrite(_GO_CODE, lambda found: draft.keep(code_block(found[1], language)) + "\n\n")
    draft.finish(_GO_HEADING, lambda found: f"\n\n**{draft.plain(found[1])}**\n\n")
    draft.finish(_GO_LINK, lambda found: f"`{found[1]}`")
    draft.finish(re.compile(r"``?([^`'\n]+)''?"), lambda found: f"`{found[1]}`")
    draft.finish(_GO_DEPRECATED, lambda found: "**Deprecated** — ")
    return with_sections(draft, draft.text, [])
