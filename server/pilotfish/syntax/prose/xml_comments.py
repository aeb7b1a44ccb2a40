"""XML documentation of C#, F# and Visual Basic."""

from __future__ import annotations

import html
import re

from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.hypertext import read_hypertext
from pilotfish.syntax.prose.sections import Entry, with_sections

_CODE = re.compile(r"<code\b([^>]*)>(.*?)</code\s*>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SPAN = re.compile(r"<c\b[^>]*>(.*?)</c\s*>", re.DOTALL)
_REFERENCE = re.compile(
    r"<(?:see|paramref|typeparamref|inheritdoc)\b[^<>]*?\b(?:cref|name|langword|href)\s*=\s*[\"']([^\"'<>]*+)[\"']"
    r"[^<>]*?(?:/>|>(.*?)</(?:see|paramref|typeparamref|inheritdoc)\s*>)",
    re.DOTALL,
)
_ITEM = re.compile(
    r"<item>\s*(?:<term>(.*?)</term>)?\s*(?:<description>)?(.*?)(?:</description>)?\s*</item>\s*", re.DOTALL
)
_LIST = re.compile(r"</?(?:list|listheader|term|description)\b[^>]*>")
_PARAGRAPH = re.compile(r"\s*</?para\b[^>]*>\s*")
_ELEMENT = re.compile(
    r"<(summary|remarks|returns|value|param|typeparam|exception|permission|example|seealso|note|overloads|code|inheritdoc)"
    r"\b([^>]*?)(?:/>|>(.*?)(?:</\1\s*>|\Z))",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\b(?:name|cref)\s*=\s*[\"']([^\"'>]*)[\"']")
_LANGUAGE = re.compile(r"\b(?:lang|language)\s*=\s*[\"']([\w#+]+)[\"']")
_SECTIONS = {
    "returns": "Returns",
    "value": "Value",
    "param": "Parameters",
    "typeparam": "Type parameters",
    "exception": "Throws",
    "permission": "Permission",
    "example": "Example",
    "seealso": "See also",
    "remarks": "Remarks",
}


def read_xml_comment(written: str, language: str) -> str:
    """Make Markdown of the elements of a comment; one without elements is plain text."""
    draft = Draft(written)
    draft.rewrite(_CDATA, lambda found: html.escape(found[1], quote=False))
    draft.finish(_CODE, lambda found: code_block(html.unescape(found[2]), _language(found[1], language)))
    draft.finish(_SPAN, lambda found: code(html.unescape(draft.restored(found[1]))))
    draft.finish(re.compile(r"(?<!`)`([^`\n]+)`(?!`)"), lambda found: code(found[1]))
    has_elements = _ELEMENT.search(draft.text) is not None
    if has_elements:
        draft.text = re.sub(r"<seealso\b[^>]*/>\s*", lambda found: _see_also(found[0]), draft.text)
    draft.finish(_REFERENCE, lambda found: code(draft.restored(found[2] or "").strip() or _referred(found[1])))
    draft.rewrite(
        _ITEM, lambda found: "\n- " + " — ".join(part.strip() for part in found.groups() if part and part.strip())
    )
    draft.rewrite(_LIST, "")
    draft.rewrite(_PARAGRAPH, "\n\n")
    body: list[str] = []
    entries: list[Entry] = []
    place = 0
    for element in _ELEMENT.finditer(draft.text):
        body.append(draft.text[place : element.start()])
        place = element.end()
        name, attributes, inner = element[1], element[2], element[3] or ""
        own = _ATTRIBUTE.search(attributes)
        if name in _SECTIONS and name != "remarks":
            entries.append(Entry(_SECTIONS[name], _apart(inner), _referred(own[1]) if own else ""))
        else:
            body.append(f"\n\n{_apart(inner)}\n\n")
    body.append(draft.text[place:])
    draft.text = "\n".join(body)
    read_hypertext(draft)
    return with_sections(draft, _apart(draft.text), entries)


def _see_also(written: str) -> str:
    own = _ATTRIBUTE.search(written)
    return f'<seealso cref="{own[1]}"></seealso>' if own else ""


def _referred(name: str) -> str:
    """`List<T>.Add` of `M:System.List{T}.Add(…)`: no kind, no parameters."""
    name = re.sub(r"^[A-Z!]:", "", name)
    name = re.sub(r"``?\d+", "", name.partition("(")[0]) if not name.startswith("http") else name
    return name.replace("{", "<").replace("}", ">")


def _language(attributes: str, language: str) -> str:
    found = _LANGUAGE.search(attributes)
    return {"c#": "csharp", "f#": "fsharp", "vb": "vb"}.get(found[1].lower(), found[1]) if found else language


def _apart(text: str) -> str:
    """Paragraphs without the indentation that elements bring."""
    return "\n".join(line.strip() for line in text.split("\n")).strip()
