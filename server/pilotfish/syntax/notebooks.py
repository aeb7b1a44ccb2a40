"""Jupyter notebooks: the code and the prose of their cells, read at the places where they lie in the file.

A notebook is JSON; a cell's source is a string, or one string a line (https://nbformat.readthedocs.io). From its text
another one of the same length is made, in which everything but the sources is blank and every escape is as long as it
was. So what is read from that text lies at the same offset in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.syntax.languages import REGISTRY, named

if TYPE_CHECKING:
    from tree_sitter import Node

PROSE: Final = "markdown"
_MOST_CELLS: Final = 2_000

_BLANK: Final = bytes(byte if byte == 0x0A else 0x20 for byte in range(256))
_KERNEL: Final = re.compile(
    rb'"kernelspec"\s*:\s*\{[^{}]*?"language"\s*:\s*"([\w+#-]{1,40})"'
    rb'|"language_info"\s*:\s*\{(?:[^{}]|\{[^{}]*\})*?"name"\s*:\s*"([\w+#-]{1,40})"'
)
# A backslash before the end of a line continues it, so the two stay together; so do quotes, which make triple ones.
_ESCAPE: Final = re.compile(rb'(?:\\")+|\\\\\\n|\\u[0-9A-Fa-f]{4}|\\.', re.DOTALL)
# Before a source, and between two lines of it.
_JOINT: Final = re.compile(rb'(?:\\n)?",\s*"|"(?:source|input)":\s*\[?\s*"')
_CLOSING: Final = re.compile(rb'(?<!\\)"(?=\s*[]}])')
_CONTROLS: Final = {b"\\n": b" \n", b"\\t": b" \t", b"\\r": b"  ", b"\\b": b"  ", b"\\f": b"  "}
_COMMAND: Final = re.compile(rb"^[ \t]*([%!])(?=[\w%!])", re.MULTILINE)
_FOREIGN: Final = re.compile(rb"\s*%%(?!time|timeit|capture|prun)\w")


class Notebook(NamedTuple):
    """The sources of a notebook's cells, as the strings that hold them.

    `language` is the registry's name of what its code cells are written in, "" for one that it lacks.
    """

    language: str
    code: Sequence[Node]
    prose: Sequence[Node]


def notebook_of(root: Node, text: bytes) -> Notebook:
    """Return what the syntax tree of a notebook's JSON says of its cells; a damaged one has those that can be read."""
    code: list[Node] = []
    prose: list[Node] = []
    for cell in _cells(root, text):
        kind, source = cell.get(b'"cell_type"'), cell.get(b'"source"', cell.get(b'"input"'))
        if kind is None or source is None:
            continue
        strings = [each for each in ([source] if source.type == "string" else source.children) if each.type == "string"]
        written = text[kind.start_byte : kind.end_byte]
        if written == b'"markdown"':
            prose += strings
        elif written == b'"code"' and not (strings and _FOREIGN.match(text, strings[0].start_byte + 1)):
            code += strings
    return Notebook(_language(text), code, prose)


def plain(text: bytes, strings: Sequence[Node], *, is_code: bool) -> bytes:
    """Return a text as long as that of a notebook, in which all is blank but what some of its strings hold.

    Args:
        text: the notebook, or what of it may be shown.
        strings: nodes of its syntax tree.
        is_code: whether lines that IPython itself reads (`%matplotlib`, `!ls`) become comments.

    """
    made = bytearray(text.translate(_BLANK))
    for string in strings:
        start, end = string.start_byte, string.end_byte
        written = b"\n" + _ESCAPE.sub(_unescaped, text[start + 1 : end - 1]) + b" "
        made[start:end] = _COMMAND.sub(_comment, written) if is_code else written
    return bytes(made)


def as_code(text: bytes) -> bytes:
    """Return a text as long as a notebook's in which what lies in a cell reads as code, and so does all else: a place
    in a cell is known already, and there is no need to parse for what stands around it."""
    text = _CLOSING.sub(b" ", text)
    return _ESCAPE.sub(_unescaped, _JOINT.sub(lambda joint: b"\n".rjust(len(joint[0])), text))


def _language(text: bytes) -> str:
    kernel = _KERNEL.search(text)
    name = named((kernel[1] or kernel[2]).decode("latin-1")) if kernel is not None else "python"
    return name if name is not None and name in REGISTRY else ""


def _cells(root: Node, text: bytes) -> Iterator[Mapping[bytes, Node]]:
    """The objects in the list of cells, by key with its quotes.

    The old format has the list in its only worksheet; where the text breaks off the objects stand by themselves.
    """
    document = root.children[0] if root.type == "document" and root.children else root
    if document.type == "ERROR":
        cells: Node | None = document
    else:
        fields = _fields(document, text)
        if (sheets := fields.get(b'"worksheets"')) is not None and sheets.named_child_count:
            fields = _fields(sheets.named_children[0], text)
        cells = fields.get(b'"cells"')
    for cell in cells.named_children[:_MOST_CELLS] if cells is not None else ():
        yield _fields(cell, text)


def _fields(node: Node, text: bytes) -> dict[bytes, Node]:
    found = {}
    for pair in node.named_children:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None:
            found[text[key.start_byte : key.end_byte]] = value
    return found


def _unescaped(escape: re.Match[bytes]) -> bytes:
    """What an escape stands for, with blanks up to its own length."""
    written = escape[0]
    if written.startswith(b'\\"'):
        quotes = written[1::2]
        return quotes + b" " * len(quotes)
    if written == b"\\\\\\n":
        return b"  \\\n"
    if written.startswith(b"\\u"):
        character = chr(int(written[2:], 16))
        return character.encode("utf-8", "replace").ljust(len(written))
    return _CONTROLS.get(written) or written[1:].ljust(2)


def _comment(command: re.Match[bytes]) -> bytes:
    return command[0][:-1] + b"#"
