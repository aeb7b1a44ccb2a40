"""What a C# file teaches. The product has no outlines of C# yet, so it is read by its documentation comments alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.passages import passage_of
from training.examples import Example, decoded, first_sentence, remarks_in, words_of_name

_DOCUMENTED = re.compile(
    rb"(?P<prose>(?:^[ \t]*///[^\n]*\n)+)(?:^[ \t]*\[[^\n]*\][ \t]*\n)*"
    rb"[ \t]*(?P<head>[^;{}=/]+?)\s*(?P<opening>\{|=>)",
    re.MULTILINE,
)
_MARKER = re.compile(rb"^[ \t]*///[ \t]?", re.MULTILINE)
_SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_REFERENCE = re.compile(r"<(?:see|paramref|typeparamref)\s+\w+=[\"'](?:\w:)?(?:[\w.]*\.)?(\w+)[^\"']*[\"']\s*/>")
_PROSE_LINE = re.compile(rb"^[ \t]*///[^\n]*$", re.MULTILINE)
_TYPE = re.compile(rb"^[ \t]*(?:[a-z]+[ \t]+)*(?:class|struct|interface|record|enum)\s+(\w+)", re.MULTILINE)
_DELEGATED = re.compile(rb":\s*(?:base|this)\s*\(.*", re.DOTALL)
_NAME = re.compile(rb"(\w+)\s*(?:<[^<>]*>)?\s*(?:\([^()]*\)[^()]*)?$|(\w+)\s*(?:<[^<>]*>)?\s*:")
_LONGEST = 6_000


def csharp_examples(text: bytes) -> Iterator[Example]:
    """Yield what the documented members with a body teach."""
    for found in _DOCUMENTED.finditer(text):
        declared = _TYPE.search(found["head"])
        named = declared or _NAME.search(_DELEGATED.sub(b"", found["head"]).rstrip())
        end = _end_of(text, found.end(), found["opening"])
        if named is None or end is None:
            continue
        name = (named[1] or named[named.lastindex or 1]).decode("utf-8", "replace")
        scope = "" if declared else _type_before(text, found.start())
        code = _PROSE_LINE.sub(b"", text[found.start("head") : end])
        prose = _prose(found["prose"])
        if sentence := first_sentence(prose, name):
            yield Example("documentation", sentence, prose, passage_of(decoded(code), name, scope))
        if not declared:
            yield from remarks_in(code, name, scope, "java")
            yield from words_of_name(code, name, scope)


def _prose(comment: bytes) -> str:
    plain = _MARKER.sub(b"", comment).decode("utf-8", "replace")
    summary = _SUMMARY.search(plain)
    return " ".join(_REFERENCE.sub(r"\1", summary[1] if summary else plain).split())


def _type_before(text: bytes, place: int) -> str:
    names = _TYPE.findall(text, max(0, place - 20_000), place)
    return names[-1].decode("utf-8", "replace") if names else ""


def _end_of(text: bytes, place: int, opening: bytes) -> int | None:
    """Where the body ends that opens before `place`: braces are counted, strings are not looked into."""
    if opening == b"=>":
        end = text.find(b";", place, place + _LONGEST)
        return end + 1 if end >= 0 else None
    depth = 1
    for mark in re.finditer(rb"[{}]", text[place : place + _LONGEST]):
        depth += 1 if mark[0] == b"{" else -1
        if depth == 0:
            return place + mark.end()
    return None
