"""Markdown of the repository as an editor may render it: nothing in it is a link, a picture or HTML.

The indexed repository is not trusted. What its comments say is shown, and what would become active is shown as what it
is: an address as code, the text of a link without the link, a tag with its brackets. Only blocks that this module
writes itself stand in the result (fences, lists, quotes, headings as bold lines, tables), so that a renderer cannot
see code where this module saw text, or text where it saw code.

Rules of CommonMark 0.31 and of GFM (its autolinks, chapter 6.9).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pilotfish.visible_text import fenced, visible

LONGEST: Final = 6_000
"""So many characters of prose are shown."""
_LONGEST_CODE: Final = 40
"""So many lines of one piece of code are shown."""
_CUT: Final = "…"

_FENCE: Final = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$")
_RULE: Final = re.compile(r"^[ \t]*(?:[-=*_~+#.][ \t]*){3,}$")
_ITEM: Final = re.compile(r"^([ \t]*)([-*+•]|\d{1,4}[.)])[ \t]+(\S.*)$")
_QUOTE: Final = re.compile(r"^ {0,3}>[ \t]?(.*)$")
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+.*$")
_ROW: Final = re.compile(r"^[ \t]*\|.*\|[ \t]*$")
_DELIMITERS: Final = re.compile(r"^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")

_ADDRESS: Final = r"(?:(?:https?|ftp)://|mailto:|xmpp:|www\.)[^\s<>`\"']*[^\s<>`\"'.,;:!?)\]}*_~]"
_INLINE: Final = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>(?<!`)`+(?!`))(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|<(?P<auto>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+\.\w+)>"
    r"|!?\[(?P<text>(?:\\.|`[^`\n]*`|[^\[\]\\]|\[(?:[^\[\]\\]|\\.)*\])*)\]"
    r"(?:\([ \t]*(?P<target><[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t]*\)"
    r"|\[(?P<label>[^\[\]]*)\])?"
    rf"|(?P<address>{_ADDRESS})"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|&(?P<entity>lt|gt|amp|quot|apos|nbsp);"
    r"|(?P<mark>[<\[\]`]|&(?=#|\w+;)|\\)",
    re.DOTALL | re.IGNORECASE,
)
_NAME: Final = re.compile(r"~?[\w$@#:.]+(?:[.:#/!?]+[\w$]+)*(?:[!?])?(?:\(\)|\(\w*\)|/\d+)?")
# What the plainest entities stand for, so that it is no markup either. Others stay as they are written: they could
# hide what `visible` shows.
_ENTITIES: Final = {"lt": "\\<", "gt": ">", "amp": "\\&", "quot": '"', "apos": "'", "nbsp": "\u00a0"}
_TICKS: Final = re.compile("`+")
_WEB: Final = re.compile(r"(?i)(?:https?|ftp)://")


def safe_markdown(prose: str, limit: int = LONGEST) -> str:
    """Return Markdown without anything that a renderer would make active; long prose ends with `…` at a block's end.

    Args:
        prose: Markdown that anybody may have written.
        limit: most characters of what is returned, about.

    """
    shown: list[str] = []
    room = limit
    for block in _blocks(visible(prose[: 4 * limit]).split("\n")):
        if room < len(block):
            if not shown:
                shown.append(_shortened(block, limit))
            shown.append(_CUT)
            break
        shown.append(block)
        room -= len(block)
    return "\n\n".join(shown)


def code_span(text: str) -> str:
    """Return text as code within a line, between more backticks than any run inside has."""
    text = " ".join(visible(text).split())
    if not text:
        return ""
    runs = {len(run) for run in _TICKS.findall(text)}
    ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def as_plain_text(markdown: str) -> str:
    """Return what this module and its callers wrote for a reader who sees it as it is: without fences and escapes."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        if fence:
            if line == fence:
                fence = ""
            else:
                lines.append(line)
        elif opening := re.match("`{3,}", line):
            fence = opening[0]
        else:
            lines.append(_ESCAPED.sub(lambda found: found[2] or found[0], line))
    return "\n".join(lines)


_ESCAPED: Final = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\\([!-/:-@\[-`{-~])")


def _blocks(lines: list[str]) -> Iterator[str]:
    """The blocks of a text, each written anew."""
    waiting: list[str] = []  # lines of a paragraph, a quote, a list or a table
    place = 0
    while place < len(lines):
        line = lines[place]
        if opening := _FENCE.match(line):
            yield from _text_blocks(waiting)
            waiting = []
            code, place = _fence(lines, place + 1, opening)
            yield _code(code, opening[3].split("{")[0].split(",")[0].strip())
            continue
        is_apart = not waiting or not waiting[-1].strip()
        if is_apart and line.startswith(("    ", "\t")) and line.strip() and not _in_list(waiting):
            yield from _text_blocks(waiting)
            waiting = []
            code, place = _indented(lines, place)
            yield _code(code, "")
            continue
        waiting.append(line)
        place += 1
    yield from _text_blocks(waiting)


def _in_list(lines: list[str]) -> bool:
    """Whether an indented line goes on with an item of a list."""
    for line in reversed(lines):
        if _ITEM.match(line):
            return True
        if line.strip() and not line.startswith((" ", "\t")):
            return False
    return False


def _fence(lines: list[str], place: int, opening: re.Match[str]) -> tuple[list[str], int]:
    """The lines of a piece of code between fences, without its indentation, and the place behind it."""
    code: list[str] = []
    indent = len(opening[1])
    while place < len(lines):
        line = lines[place]
        place += 1
        closing = line.strip()
        if len(closing) >= len(opening[2]) and set(closing) == {opening[2][0]}:
            break
        code.append(line[indent:] if not line[:indent].strip() else line.lstrip())
    return code, place


def _indented(lines: list[str], place: int) -> tuple[list[str], int]:
    code: list[str] = []
    while place < len(lines) and (not lines[place].strip() or lines[place].startswith(("    ", "\t"))):
        code.append(lines[place][1:] if lines[place].startswith("\t") else lines[place][4:])
        place += 1
    return code, place


def _code(lines: list[str], language: str) -> str:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if len(lines) > _LONGEST_CODE:
        lines = [*lines[: _LONGEST_CODE - 1], _CUT]
    return fenced("\n".join(lines), language)


def _text_blocks(lines: list[str]) -> Iterator[str]:
    """Paragraphs, lists, quotes, headings and tables."""
    block: list[str] = []
    kind = before = ""
    for line in lines:
        found = _kind_of(line, kind, before)
        before = found
        if found == "blank" and kind == "item":
            continue
        if block and found not in (kind, "more"):
            yield _written(block, kind)
            block, kind = [], ""
        if found == "heading":
            yield f"**{_inline(_heading_text(line))}**"
        elif found not in ("blank", "dropped"):
            kind = kind if found == "more" else found
            block.append(line)
    if block:
        yield _written(block, kind)


def _heading_text(line: str) -> str:
    found = _HEADING.match(line)
    return (found[1] if found else line).replace("*", "")


def _kind_of(line: str, kind: str, before: str) -> str:
    """What a line is: "more" of a block, "dropped" if it is not shown; `before` is what the last one is."""
    if not line.strip():
        return "blank"
    if _RULE.match(line) or _DEFINITION.match(line):
        return "dropped"
    if _HEADING.match(line):
        return "heading" if _heading_text(line).strip() else "dropped"
    if _ITEM.match(line):
        return "item"
    if _ROW.match(line):
        return "row"
    if _QUOTE.match(line):
        return "quote"
    if kind == "item":
        return "more" if before != "blank" or line.startswith((" ", "\t")) else "text"
    return "more" if kind == "quote" else "text"


def _written(block: list[str], kind: str) -> str:
    if kind == "item":
        return "\n".join(_items(block))
    if kind == "row":
        return "\n".join(line.strip() if _DELIMITERS.match(line) else _inline(line.strip()) for line in block)
    if kind == "quote":
        lines = [quoted[1] if (quoted := _QUOTE.match(line)) else line for line in block]
        return "> " + _paragraph(lines)
    return _paragraph(block)


def _items(block: list[str]) -> Iterator[str]:
    """The items of a list, a line each; nested ones two blanks deeper than what they are in."""
    depths: list[int] = []
    item: list[str] = []
    head = ""
    for line in block:
        found = _ITEM.match(line)
        if found is None:
            item.append(line)
            continue
        if head:
            yield head + _paragraph(item)
        indent = len(found[1].expandtabs(4))
        while depths and depths[-1] > indent:
            depths.pop()
        if not depths or indent > depths[-1]:
            depths.append(indent)
        mark = found[2] if found[2][0].isdigit() else "-"
        head, item = "   " * (min(len(depths), 4) - 1) + f"{mark} ", [found[3]]
    if head:
        yield head + _paragraph(item)


_LINE_START: Final = re.compile(r"^(?:[#>+=|:~-]|\d+[.)](?=\s|$))")


def _paragraph(lines: list[str]) -> str:
    """Lines as one, which begins no block of another kind."""
    text = _inline(" ".join(line.strip() for line in lines))
    start = _LINE_START.match(text)
    if start is None:
        return text
    return f"{text[: start.end() - 1]}\\{text[start.end() - 1 :]}"


def _inline(text: str) -> str:
    return _INLINE.sub(_span, text)


def _span(found: re.Match[str]) -> str:
    if found["escape"]:
        return found[0]
    if found["code"] is not None:
        return code_span(found["code"]) or "\\`"
    if address := found["auto"] or found["address"] or found["mail"]:
        return code_span(address)
    if found["text"] is not None:
        return _linked(found)
    return _ENTITIES[found["entity"]] if found["entity"] else f"\\{found['mark']}"


def _linked(found: re.Match[str]) -> str:
    """The text of a link or a picture and its address if it leads out; a name in brackets as code."""
    text, target = found["text"], found["target"]
    if target is None and found["label"] is None:
        if found[0].startswith("!") or not _NAME.fullmatch(text) or text.strip(".").isdigit():
            inner = _inline(text)
            if inner.startswith("`") and inner.endswith("`"):
                return inner
            return f"{'!' if found[0].startswith('!') else ''}\\[{inner}\\]"
        return code_span(text)
    shown = _inline(text)
    target = (target or "").strip("<>")
    if _WEB.match(target) and code_span(target) != shown:
        return f"{shown} ({code_span(target)})" if shown else code_span(target)
    return shown or code_span(target)


def _shortened(block: str, limit: int) -> str:
    """The beginning of a block that is longer than all that may be shown; code stays between its fences."""
    lines = block.split("\n")
    if not lines[0].startswith("```"):
        return _inline_end(block[:limit])
    kept: list[str] = []
    for line in lines[:-1]:
        limit -= len(line)
        if limit < 0:
            break
        kept.append(line)
    return "\n".join([*(kept or lines[:1]), lines[-1]])


def _inline_end(text: str) -> str:
    """A text that was cut anywhere, up to a word's end at which no code is open."""
    text = text[: max(text.rfind(" "), 1)]
    while text:
        open_ticks = ""
        for run in re.findall(r"\\`|`+", text):
            if not run.startswith("\\"):
                open_ticks = run if not open_ticks else "" if run == open_ticks else open_ticks
        if not open_ticks:
            break
        text = text[: text.rfind(open_ticks)].rstrip()
    return text.rstrip("\\")
