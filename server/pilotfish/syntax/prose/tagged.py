"""Comments with tags at the heads of lines: Javadoc and JSDoc, KDoc and Scaladoc, PHPDoc, YARD, roxygen, Doxygen,
EDoc, LuaLS and LDoc, NatSpec, ocamldoc."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pilotfish.syntax.languages.language import words
from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.sections import Entry, with_sections

Reader = Callable[[str], tuple[str, str, str]]
"""Takes apart what stands behind a tag: name, type, text."""

BODY, HIDDEN, CODE = "(body)", "(hidden)", "(code)"

_SEPARATOR = re.compile(r"^[ \t]*(?:[-–—:][ \t]+)?")
_NAME = re.compile(r"\s*(\S+)[ \t]*(.*)", re.DOTALL)
_BRACED = re.compile(r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*")
_BRACKETED = re.compile(r"\s*[\[(]((?:[^\[\]()]|\[[^\[\]]*\]|\([^()]*\))*)[\])]\s*")
_LUA_WHOLE_TYPE = re.compile(r"(?:\"[^\"]*\"|\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)|<[^<>]*>|[^\s\"{}()<>\[\]])+")
_LUA_ACCESS = re.compile(r"\s*(?:public|private|protected|package)\s+(?=\S+\s+\S)")
_OPTIONAL = re.compile(r"\[([^\]=\s]+)(?:\s*=\s*[^\]]*)?\]\s*")
_DIRECTION = re.compile(r"\s*\[\s*(?:in|out|in\s*,\s*out|inout|opt)\s*\]\s*")
_PHP_TYPE = re.compile(r"\s*((?:[\w\\|?&\[\]-]|<[^<>]*(?:<[^<>]*>[^<>]*)*>|\([^()]*\)|\{[^{}]*\})+)(?:\s+|$)")
_PHP_NAME = re.compile(r"\s*((?:&|\.\.\.)*\$\w+)\s*")
_LUA_TYPE = re.compile(
    r"\s*((?:(?:string|number|integer|boolean|table|function|any|nil|thread|userdata|self|unknown|void|fun)\b"
    r"|[A-Z][\w.]*(?=[\s|?\[<]|$)|[\w.]+(?=[|?\[<])|[\w.]+\.[\w.]+)"
    r"(?:\[\]|\?|<[^<>]*>|\([^()]*\)(?:\s*:\s*[\w.|]+)?|\|\s?[\w.\"']+)*)(?:\s+|$)"
)


def named(rest: str) -> tuple[str, str, str]:
    """`name text`, `[in] name text`, `name - text`."""
    found = _NAME.match(_DIRECTION.sub("", rest, count=1))
    return (found[1].strip(":"), "", _SEPARATOR.sub("", found[2])) if found else ("", "", rest)


def braced(rest: str) -> tuple[str, str, str]:
    """`{type} text`."""
    found = _BRACED.match(rest)
    return ("", found[1], _SEPARATOR.sub("", rest[found.end() :])) if found else ("", "", rest)


def braced_name(rest: str) -> tuple[str, str, str]:
    """`{type} name - text`, `{type} [name=default] - text`."""
    _, kind, rest = braced(rest)
    if optional := _OPTIONAL.match(rest):
        return f"{optional[1]}?", kind, _SEPARATOR.sub("", rest[optional.end() :])
    name, _, text = named(rest)
    return name, kind, text


def php(rest: str) -> tuple[str, str, str]:
    """`type text`."""
    found = _PHP_TYPE.match(rest)
    return ("", found[1], _SEPARATOR.sub("", rest[found.end() :])) if found else ("", "", rest)


def php_name(rest: str) -> tuple[str, str, str]:
    """`type $name text`, `$name text`."""
    kind = ""
    if not _PHP_NAME.match(rest) and (found := _PHP_TYPE.match(rest)):
        kind, rest = found[1], rest[found.end() :]
    if name := _PHP_NAME.match(rest):
        return name[1], kind, _SEPARATOR.sub("", rest[name.end() :])
    return "", kind, rest


def bracketed(rest: str) -> tuple[str, str, str]:
    """`[type] text`, `(type) text`."""
    found = _BRACKETED.match(rest)
    return ("", found[1], _SEPARATOR.sub("", rest[found.end() :])) if found else ("", "", rest)


def bracketed_name(rest: str) -> tuple[str, str, str]:
    """`name [type] text`, `[type] name text`."""
    _, kind, rest = bracketed(rest)
    name, _, text = named(rest)
    if not kind and (found := _BRACKETED.match(text)):
        kind, text = found[1], text[found.end() :]
    return name, kind, text


def bracketed_option(rest: str) -> tuple[str, str, str]:
    """`options [type] :key (default) text`."""
    return bracketed_name(rest.lstrip().partition(" ")[2])


def lua(rest: str) -> tuple[str, str, str]:
    """`type name text`, `type`, `text`."""
    found = _LUA_TYPE.match(rest)
    return ("", found[1], rest[found.end() :].lstrip("#@ ")) if found else ("", "", rest)


def lua_name(rest: str) -> tuple[str, str, str]:
    """`name type text`, `name text`, `[opt] name text`."""
    name, _, rest = named(rest)
    _, kind, text = lua(rest)
    return name, kind, text.lstrip("#@ ")


def lua_field(rest: str) -> tuple[str, str, str]:
    """`name type text`; the type is any."""
    name, kind, said = lua_name(_LUA_ACCESS.sub("", rest))
    return (name, said.strip(), "") if not kind and _LUA_WHOLE_TYPE.fullmatch(said.strip()) else (name, kind, said)


LUA_TYPES: Mapping[str, str] = {
    "string": "",
    "int": "",
    "number": "",
    "func": "function",
    "bool": "boolean",
    "tab": "table",
}
"""LDoc's tags that are types: `@tab[opt] name text`."""


def lua_of_type(kind: str, rest: str) -> tuple[str, str, str]:
    """What stands behind a tag that is a type: `name text`."""
    name, _, said = named(rest)
    return name, LUA_TYPES[kind] or kind, said


def lua_typed(rest: str) -> tuple[str, str, str]:
    """LDoc's `type name text`."""
    kind, _, rest = _DIRECTION.sub("", rest, count=1).lstrip().partition(" ")
    name, _, text = named(rest)
    return name, kind, text


def text(rest: str) -> tuple[str, str, str]:
    """Text alone."""
    return "", "", rest


def first_as_type(rest: str) -> tuple[str, str, str]:
    """`type text`."""
    name, _, said = named(rest)
    return "", name, said


@dataclass(frozen=True)
class Tags:
    """How one custom uses tags: what each says (its section and what takes it apart) and what else marks a text.

    `marks` are the characters that a tag begins with. Where `ends_at_blank`, an empty line ends what a tag says.
    Where it `has_fences`, code may stand between them as in Markdown.
    """

    known: Mapping[str, tuple[str, Reader]]
    inline: Callable[[Draft], None]
    marks: str = "@"
    ends_at_blank: bool = False
    has_fences: bool = True
    is_markdown: bool = False


_TITLES = {
    "since": "Since",
    "deprecated": "Deprecated",
    "deprecate": "Deprecated",
    "see": "See also",
    "sa": "See also",
    "seealso": "See also",
    "note": "Note",
    "remark": "Remarks",
    "remarks": "Remarks",
    "warning": "Warning",
    "attention": "Warning",
    "todo": "To do",
    "bug": "Bug",
    "pre": "Precondition",
    "post": "Postcondition",
    "invariant": "Invariant",
    "default": "Default",
    "defaultvalue": "Default",
    "type": "Type",
}
_NAMED = {
    "Parameters": "param params parameter arg argument",
    "Type parameters": "tparam typeparam template generic",
    "Fields": "property prop field attr member",
    "Throws": "throws throw exception raise raises error",
}
_BODY = words("brief short summary details description desc notice dev doc par classdesc")
_HIDDEN = words(
    """
    abstract access addtogroup aliases api async augments author authors callback category class classmod const
    constant constructor constructs copyright copydoc date defgroup docType end endif enum export exportClass
    exportMethod exports extends external family file fileoverview final fires fn function generated global group
    headerfile hidden id if ignore implements implementation import importFrom ingroup inherit inheritDoc inheritdoc
    inline instance interface internal keywords kind lends license local mainpage member memberOf memberof method
    methodOf mixes mixin module name namespace ngdoc noRd nodoc noinspection overload override package
    packageDocumentation page private protected public rdname readonly ref requires scope sealed section serial
    serialData serialField static struct subpackage suppress title typedef union usage useDynLib uses version virtual
    visibility weakgroup within
    """
)
_EXAMPLES = frozenset(("example", "examples", "usage", "sample"))

_FENCE = re.compile(
    r"^[ \t]*(`{3,}+|~{3,}+)[ \t]*+(\S*+)[^\n]*+\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)


def read_tagged(tags: Tags, written: str, language: str) -> str:
    """Make Markdown of a comment with tags; examples are code of the language."""
    draft = Draft(written, is_markdown=tags.is_markdown)
    if tags.has_fences:
        draft.finish(_FENCE, lambda found: code_block(found[3], found[2] or language))
    tags.inline(draft)
    body, found = _split(draft.text, tags)
    entries: list[Entry] = []
    for tag, rest in found:
        section, reader = _meaning(tag, tags)
        if section is BODY:
            body += f"\n\n{rest.strip()}"
        elif section is CODE:
            entries.append(Entry("Example", _example(draft, rest, language)))
        elif section is not HIDDEN:
            name, kind, said = reader(rest)
            name, kind = (draft.restored(part).strip("` ") for part in (name, kind))
            if name or kind or said.strip() or section == "Deprecated":
                entries.append(Entry(section, said, name, kind))
    return with_sections(draft, body, entries)


_CAPTION = re.compile(r"\s*<caption>(.*?)</caption>|(?!\s*\n)([^\n]+)(?=(?:\n+[ \t]{2}[^\n]*)+\s*\Z)", re.DOTALL)


def _example(draft: Draft, rest: str, language: str) -> str:
    """Code, with the title that stands on the line of its tag."""
    if rest.strip().startswith("\x00"):
        return rest
    caption = _CAPTION.match(rest)
    shown = draft.keep(code_block(draft.restored(rest[caption.end() if caption else 0 :]), language))
    return f"{(caption[1] or caption[2]).strip()}\n{shown}" if caption else shown


def _split(written: str, tags: Tags) -> tuple[str, list[tuple[str, str]]]:
    """The text before and between tags; each tag with what stands behind it."""
    opening = re.compile(
        rf"[ \t]*[{re.escape(tags.marks)}]([a-zA-Z][\w:-]*)(?![\w.]*[@({{])(?:[ \t]+|(?=\[|\{{)|$)(.*)"
    )
    body: list[str] = []
    found: list[tuple[str, list[str]]] = []
    into = body
    for line in written.split("\n"):
        tag = opening.match(line)
        if tag is not None:
            into = [tag[2]]
            found.append((tag[1], into))
        elif tags.ends_at_blank and into is not body and not line.strip() and not _goes_on(found):
            into = body
            body.append("")
        else:
            into.append(line)
    return "\n".join(body), [(tag, "\n".join(lines)) for tag, lines in found]


def _goes_on(found: list[tuple[str, list[str]]]) -> bool:
    tag, lines = found[-1]
    return tag in _EXAMPLES or not any(line.strip() for line in lines)


def _meaning(tag: str, tags: Tags) -> tuple[str, Reader]:
    if tag in tags.known:
        return tags.known[tag]
    if tag in _BODY:
        return BODY, text
    if tag in _EXAMPLES:
        return CODE, text
    for section, names in _NAMED.items():
        if tag in names.split():
            return section, named
    if tag in ("return", "returns", "result"):
        return "Returns", text
    if tag == "retval":
        return "Returns", named
    if tag in ("yield", "yields"):
        return "Yields", text
    if tag in _TITLES:
        return _TITLES[tag], text
    if tag in _HIDDEN or "-" in tag or ":" in tag:
        return HIDDEN, text
    return tag[0].upper() + tag[1:], text


def spans(*patterns: tuple[str, str]) -> Callable[[Draft], None]:
    """What makes pieces of a draft of markup within lines: expressions and what their first group is shown as."""
    compiled = [(re.compile(pattern, re.DOTALL), shown) for pattern, shown in patterns]

    def mark(draft: Draft) -> None:
        for pattern, shown in compiled:
            draft.finish(pattern, lambda found, shown=shown: _shown(draft, found, shown))  # type: ignore[misc]

    return mark


def _shown(draft: Draft, found: re.Match[str], shown: str) -> str:
    inner = next((group for group in found.groups() if group is not None), "")
    if shown == "code":
        return code(draft.restored(inner))
    if shown == "block":
        return code_block(draft.restored(inner))
    return f"{shown}{draft.plain(' '.join(inner.split()))}{shown}" if inner.strip() else ""
