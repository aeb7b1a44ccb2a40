"""Docstrings of Python: reStructuredText with fields, Google's sections, NumPy's sections; Epydoc's fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.languages.language import words
from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.sections import Entry, with_sections

_SECTIONS = {
    "args": "Parameters",
    "arguments": "Parameters",
    "parameters": "Parameters",
    "params": "Parameters",
    "other parameters": "Parameters",
    "keyword args": "Parameters",
    "keyword arguments": "Parameters",
    "attributes": "Fields",
    "methods": "Methods",
    "returns": "Returns",
    "return": "Returns",
    "yields": "Yields",
    "yield": "Yields",
    "receives": "Receives",
    "raises": "Throws",
    "raise": "Throws",
    "except": "Throws",
    "exceptions": "Throws",
    "warns": "Warns",
    "example": "Example",
    "examples": "Example",
    "note": "Note",
    "notes": "Note",
    "warning": "Warning",
    "warnings": "Warning",
    "see also": "See also",
    "references": "References",
    "todo": "To do",
}
_LISTED = frozenset(("Parameters", "Fields", "Methods", "Throws", "Warns"))
_NUMPY_LISTED = _LISTED | {"See also"}
_TYPED = frozenset(("Returns", "Yields", "Receives"))

_GOOGLE = re.compile(r"^([A-Z][A-Za-z ]+):[ \t]*$")
_GOOGLE_ITEM = re.compile(
    r"^(\*{0,2}[\w.]+(?:,[ ]*\*{0,2}\w+)*)[ \t]*(?:\(((?:[^()]|\([^()]*\))*)\))?[ \t]*:(?!:)[ \t]*(.*)$"
)
_GOOGLE_TYPE = re.compile(r"^((?:[\w.]+|\[[^\]]*\]|\([^()]*\)| \| )+):[ \t]+(.*)$", re.DOTALL)
_UNDERLINE = re.compile(r"^[ \t]*([-=~^*\"'+#`])\1{2,}[ \t]*$")
_NUMPY_ITEM = re.compile(r"^(\S[^:]*?)(?:[ \t]*:[ \t]*(.*))?$")
_FIELD = re.compile(
    r"^[ \t]*[:@](param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises?|except|exception|yields?|ytype"
    r"|ivar|cvar|var|vartype|attr|meta|deprecated|since|note|see|todo|version|author|seealso)\b[ \t]*([^:\n]*):"
    r"[ \t]*(.*)$"
)
_FIELDS = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword"), "Parameters"),
    **dict.fromkeys(("return", "returns"), "Returns"),
    **dict.fromkeys(("raise", "raises", "except", "exception"), "Throws"),
    **dict.fromkeys(("yield", "yields"), "Yields"),
    **dict.fromkeys(("ivar", "cvar", "var", "attr"), "Fields"),
    **dict.fromkeys(("see", "seealso"), "See also"),
    "deprecated": "Deprecated",
    "since": "Since",
    "note": "Note",
    "todo": "To do",
}

_FENCE = re.compile(
    r"^[ \t]*(`{3,}+|~{3,}+)[ \t]*+(\w*+)[^\n]*+\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_DOUBLE = re.compile(r"``(.+?)``", re.DOTALL)
_ROLE = re.compile(r":(?:[\w+-]+:)?[\w+-]+:`~?[.!]?([^`<]+?)(?:\s*<[^`>]*>)?`")
_LINK = re.compile(r"`([^`<]+?)\s*<([^`<>]+)>`__?")
_NAMED_LINK = re.compile(r"`([^`\n]+)`__?(?!\w)")
_SINGLE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_STRONG = re.compile(r"(?<![\w*])\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?![\w*])")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_DIRECTIVE = re.compile(r"^([ \t]*)\.\.[ \t]+([\w:-]+?)::[ \t]*(.*)$")
_COMMENT = re.compile(r"^[ \t]*\.\.(?:[ \t]|$)")
_CODE_DIRECTIVES = words("code code-block doctest ipython parsed-literal sourcecode testcode")
_DROPPED = frozenset(
    ("toctree", "autofunction", "autoclass", "automethod", "image", "figure", "index", "testsetup", "plot")
)
_NOTED = {
    "versionadded": "Added in",
    "versionchanged": "Changed in",
    "versionremoved": "Removed in",
    "deprecated": "Deprecated since",
}
_OPTION = re.compile(r"^[ \t]*:[\w-]+:")
_WEB = re.compile(r"(?i)https?://")


def read_docstring(written: str, language: str) -> str:
    """Make Markdown of a docstring in any of the three styles."""
    draft = Draft(written)
    draft.finish(_FENCE, lambda found: code_block(found[3], found[2] or language))
    draft.text = "\n".join(_blocks(draft, draft.text.split("\n"), language))
    draft.finish(_DOUBLE, lambda found: code(found[1]))
    draft.finish(_ROLE, lambda found: code(found[1].rpartition(".")[2] if found[0].count("`~") else found[1]))
    draft.finish(_LINK, lambda found: _linked(draft, found))
    draft.rewrite(_NAMED_LINK, r"\1")
    draft.finish(_SINGLE, lambda found: code(found[1]))
    draft.finish(_STRONG, lambda found: f"**{draft.plain(found[1])}**")
    draft.finish(_EMPHASIS, lambda found: f"*{draft.plain(found[1])}*")
    body, entries = _sections(draft.text.split("\n"))
    return with_sections(draft, body, entries)


def _linked(draft: Draft, found: re.Match[str]) -> str:
    return draft.plain(found[1]) + (f" ({code(found[2])})" if _WEB.match(found[2]) else "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block_below(lines: list[str], place: int, indent: int) -> int:
    """The place behind the lines from one on that are indented deeper, empty ones among them."""
    while place < len(lines) and (not lines[place].strip() or _indent(lines[place]) > indent):
        place += 1
    while place > 0 and not lines[place - 1].strip():
        place -= 1
    return place


def _blocks(draft: Draft, lines: list[str], language: str) -> Iterator[str]:
    """The lines with literal blocks, doctests and directives as finished pieces."""
    place = 0
    while place < len(lines):
        line = lines[place]
        indent = _indent(line)
        pad = " " * indent
        if line.lstrip().startswith(">>> "):
            end = place
            while end < len(lines) and lines[end].strip():
                end += 1
            yield pad + draft.keep(code_block("\n".join(lines[place:end]), language))
            place = end
        elif directive := _DIRECTIVE.match(line):
            end = max(_block_below(lines, place + 1, indent), place + 1)
            yield from _directive(draft, pad, directive[2], directive[3].strip(), lines[place + 1 : end], language)
            place = end
        elif line.rstrip().endswith("::") and not _FIELD.match(line):
            end = max(_block_below(lines, place + 1, indent), place + 1)
            opening = line.rstrip()[:-2].rstrip()
            if end == place + 1:  # nothing is indented below it
                yield line
                place += 1
                continue
            yield f"{opening}:" if opening.strip() else ""
            yield pad + draft.keep(code_block("\n".join(lines[place + 1 : end]), language))
            place = end
        elif _COMMENT.match(line):
            place = max(_block_below(lines, place + 1, indent), place + 1)
        else:
            yield line
            place += 1


def _directive(draft: Draft, pad: str, name: str, argument: str, inner: list[str], language: str) -> Iterator[str]:
    options = [line for line in inner if not _OPTION.match(line)]
    if name in _CODE_DIRECTIVES:
        yield pad + draft.keep(code_block("\n".join(options), argument or language))
    elif name in _NOTED:
        version, _, rest = argument.partition(" ")
        said = " ".join([rest, *(line.strip() for line in inner)]).strip()
        yield ""
        yield pad + draft.keep(f"**{_NOTED[name]} {version}**") + (f" — {said}" if said else "")
        yield ""
    elif name not in _DROPPED:
        title = name.replace("-", " ").capitalize()
        yield ""
        yield pad + draft.keep(f"**{title}**") + (f" — {argument}" if argument else "")
        yield ""
        yield from _blocks(draft, [pad + line.strip() for line in options], language)


def _sections(lines: list[str]) -> tuple[str, list[Entry]]:
    """The text before, between and behind what is said in sections and fields, and that."""
    body: list[str] = []
    entries: list[Entry] = []
    types: dict[str, str] = {}
    place = 0
    while place < len(lines):
        line = lines[place]
        below = lines[place + 1] if place + 1 < len(lines) else ""
        title = _SECTIONS.get(line.strip().lower().rstrip(":"), "")
        google = _GOOGLE.match(line)
        if title and _UNDERLINE.match(below):
            end = _numpy_end(lines, place + 2)
            entries += _numpy(title, lines[place + 2 : end])
            place = end
        elif line.strip() and _UNDERLINE.match(below) and len(below.strip()) >= len(line.strip()) // 2:
            body.append(f"\n**{line.strip()}**\n")
            place += 2
        elif (
            title and google and _indent(below or (lines[place + 2] if place + 2 < len(lines) else "")) > _indent(line)
        ):
            end = _block_below(lines, place + 1, _indent(line))
            entries += _google(title, lines[place + 1 : end])
            place = end
        elif field := _FIELD.match(line):
            end = max(_block_below(lines, place + 1, _indent(line)), place + 1)
            text = "\n".join([field[3], *lines[place + 1 : end]])
            place = end
            _field(field[1], field[2].strip(), text, entries, types)
        else:
            body.append(line)
            place += 1
    typed = [entry._replace(type=entry.type or types.get(entry.name or entry.section, "")) for entry in entries]
    missing = [Entry("Returns", "", "", types["Returns"])] if "Returns" in types and not _has(typed, "Returns") else []
    return "\n".join(body), [*typed, *missing]


def _has(entries: list[Entry], section: str) -> bool:
    return any(entry.section == section for entry in entries)


def _field(name: str, argument: str, text: str, entries: list[Entry], types: dict[str, str]) -> None:
    if name in ("type", "vartype"):
        types[argument] = _bare(text)
    elif name in ("rtype", "ytype"):
        types["Returns" if name == "rtype" else "Yields"] = _bare(text)
    elif section := _FIELDS.get(name):
        kind, _, own = argument.rpartition(" ") if section != "Throws" else ("", "", argument)
        entries.append(Entry(section, text, own, kind))


def _bare(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def _numpy_end(lines: list[str], place: int) -> int:
    while place + 1 < len(lines):
        if lines[place].strip() and _UNDERLINE.match(lines[place + 1]):
            return place
        place += 1
    return len(lines)


def _numpy(title: str, lines: list[str]) -> Iterator[Entry]:
    if title not in _NUMPY_LISTED and title not in _TYPED:
        yield Entry(title, "\n".join(lines))
        return
    item: re.Match[str] | None = None
    text: list[str] = []
    for line in [*lines, "."]:
        if line.strip() and not line.startswith(" "):
            if item is not None:
                yield _numpy_entry(title, item, text)
            item, text = _NUMPY_ITEM.match(line), []
        else:
            text.append(line)


def _numpy_entry(title: str, item: re.Match[str], text: list[str]) -> Entry:
    said = "\n".join(text).strip("\n")
    if item[2] is None and title in _TYPED:
        return Entry(title, said, "", item[1]) if said else Entry(title, item[1])
    if title == "See also":
        return Entry(title, item[2] or said, item[1])
    return Entry(title, said, item[1], item[2] or "")


def _google(title: str, lines: list[str]) -> Iterator[Entry]:
    indent = min((_indent(line) for line in lines if line.strip()), default=0)
    inner = [line[indent:] for line in lines]
    if title in _TYPED:
        text = "\n".join(inner)
        typed = _GOOGLE_TYPE.match(text)
        yield Entry(title, typed[2] if typed else text, "", typed[1] if typed else "")
        return
    if title not in _LISTED:
        yield Entry(title, "\n".join(inner))
        return
    entry: Entry | None = None
    for line in inner:
        item = _GOOGLE_ITEM.match(line)
        if item is not None:
            if entry is not None:
                yield entry
            entry = Entry(title, item[3], item[1], item[2] or "")
        else:
            entry = entry._replace(text=f"{entry.text}\n{line}") if entry else Entry(title, line)
    if entry is not None:
        yield entry
