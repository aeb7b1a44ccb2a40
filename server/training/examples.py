"""What one source file teaches: what people wrote about pieces of its code, each with the code without these words.

Three kinds of words are taken: the documentation of a definition, a remark within its body (which reads much like the
subject of a commit), and the words of its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from pilotfish.syntax.documentation import documentation
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import Outline, Symbol, SymbolKind, qualified_containers
from pilotfish.syntax.passages import passage_of
from pilotfish.syntax.subwords import words

_BODIED = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.ENUM,
        SymbolKind.INTERFACE,
        SymbolKind.FUNCTION,
        SymbolKind.STRUCT,
    }
)
Kind = Literal["documentation", "remark", "name"]

_CALLABLE = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.FUNCTION})
_MAX_CODE = 2_400
_MAX_REMARKED = 6_000
_MIN_WORDS, _MAX_WORDS = 3, 50
_MIN_REMARK = 4
_MIN_NAMED = 200
_MARKER = re.compile(rb"^[ \t]*(?://+|#+|/\*+|\*+)!?|\*/", re.MULTILINE)
_DOCSTRING = re.compile(rb"\s*[rRuUbBfF]{0,2}(\"\"\"|'''|\"|')")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(@])|\s*\n\s*\n")
_MARKUP = re.compile(r"<[^>]{1,40}>|\{@\w+\s+([^}]*)\}|:\w+:`~?([^`]*)`|``?|\[`?([^\]`]*)`?\](\([^)]*\)|\[[^\]]*\])?")
_LEGAL = re.compile(r"\s*(copyright|\(c\)|licen[sc]ed?\b)", re.IGNORECASE)
_TAG = re.compile(r"^\s*[@\\:]\w+\b.*|\s[@\\](param|returns?|throws|see|since|deprecated)\b.*", re.DOTALL)


class Example(NamedTuple):
    """Words about code and the code without them, as it is embedded; `prose` is all that was written there."""

    kind: Kind
    sentence: str
    prose: str
    passage: str


def examples_of(text: bytes, outline: Outline) -> Iterator[Example]:
    """Yield what the definitions with a body teach.

    Args:
        text: UTF-8 without a byte order mark.
        outline: what `text` says structurally.

    """
    scopes = qualified_containers(outline.symbols)
    bare = without_documentation(text, outline)
    for symbol, scope in zip(outline.symbols, scopes, strict=True):
        if symbol.kind in _BODIED and symbol.body >= 0:
            prose = _prose(text, symbol, outline)
            if sentence := first_sentence(prose, symbol.name):
                passage = passage_of(code_of(bare, symbol), symbol.name, scope)
                yield Example("documentation", sentence, prose, passage)
            if symbol.kind in _CALLABLE:
                code = bare[symbol.start : symbol.end]
                yield from remarks_in(code, symbol.name, scope, outline.language)
                yield from words_of_name(code, symbol.name, scope)


def remarks_in(code: bytes, name: str, scope: str, language: str) -> Iterator[Example]:
    """What is said within a definition on lines of its own; commented-out code is not."""
    if len(code) > _MAX_REMARKED:
        return
    for remark in _remark_pattern(language).finditer(code):
        prose = " ".join(_MARKER.sub(b" ", remark[0]).decode("utf-8", "replace").split())
        sentence = first_sentence(prose, "")
        if sentence and _is_prose(sentence):
            rest = code[: remark.start()] + b"\n" + code[remark.end() :]
            yield Example("remark", sentence, prose, passage_of(decoded(rest), name, scope))


def words_of_name(code: bytes, name: str, scope: str) -> Iterator[Example]:
    """The words of a name of several, with the code in which it does not occur."""
    parts = [word.lower() for word in words(name)]
    if len(parts) >= _MIN_WORDS and len(code) >= _MIN_NAMED:
        said = " ".join(parts)
        yield Example("name", said, said, passage_of(decoded(code.replace(name.encode(), b" ")), "", scope))


def _is_prose(sentence: str) -> bool:
    plain = sum(word.strip(".,:'\"!?-").isalpha() for word in sentence.split())
    return plain >= _MIN_REMARK and plain >= 0.8 * len(sentence.split()) and not sentence.endswith((";", "{", "}", ")"))


@cache
def _remark_pattern(language: str) -> re.Pattern[bytes]:
    markers = b"|".join(re.escape(marker.encode()) for marker in REGISTRY[language].line_comments) or rb"\0"
    run = rb"[ \t]*(?:%s)[^\n]*" % markers
    return re.compile(rb"^%s(?:\n%s)*|^[ \t]*/\*[^*]*\*/[ \t]*$" % (run, run), re.MULTILINE)


def code_of(bare: bytes, symbol: Symbol) -> str:
    """The code of a definition, without the tail of one that is longer than a chunk."""
    return decoded(bare[symbol.start : min(symbol.end, symbol.start + 2 * _MAX_CODE)])


def decoded(code: bytes) -> str:
    """Code as text, without the tail of what is longer than a chunk."""
    return code[: 2 * _MAX_CODE].decode("utf-8", "replace")[:_MAX_CODE]


def first_sentence(prose: str, name: str) -> str:
    """The first sentence of documentation as a person might say it: without markup and the definition's own name in
    front; "" where it is too short or too long to say something."""
    plain = _TAG.sub("", _MARKUP.sub(lambda m: m[1] or m[2] or m[3] or " ", prose))
    if _LEGAL.match(plain):
        return ""
    said = _SENTENCE_END.split(plain.strip(), maxsplit=1)[0].split()
    if said and re.sub(r"\W", "", said[0]) == name:
        said = said[1:]
    return " ".join(said) if _MIN_WORDS <= len(said) <= _MAX_WORDS else ""


def without_documentation(text: bytes, outline: Outline) -> bytes:
    """The text with all documentation of its definitions made blank; offsets and lines stay."""
    blank = bytearray(text)
    for symbol in outline.symbols:
        for start, end in _documentation_spans(text, symbol, outline.language):
            blank[start:end] = re.sub(rb"[^\r\n]", b" ", text[start:end])
    return bytes(blank)


def _prose(text: bytes, symbol: Symbol, outline: Outline) -> str:
    outer = outline.symbols[symbol.parent].start if symbol.parent >= 0 else 0
    return documentation(text, symbol, outline.language, outer)


def _documentation_spans(text: bytes, symbol: Symbol, language: str) -> Iterator[tuple[int, int]]:
    body = symbol.start + symbol.body
    if symbol.prose:
        yield body, body + symbol.prose
    if symbol.body >= 0 and REGISTRY[language].docstrings and (quote := _DOCSTRING.match(text, body)):
        end = text.find(quote[1], quote.end(), symbol.end)
        yield quote.start(), (end + len(quote[1]) if end >= 0 else symbol.end)
    start = _comment_above(text, symbol.start, language)
    if start < symbol.start:
        yield start, text.rfind(b"\n", 0, symbol.start) + 1


def _comment_above(text: bytes, start: int, language: str) -> int:
    """Where the comments directly above a definition begin; `start` where there are none."""
    facts = REGISTRY[language]
    lines = tuple(marker.encode() for marker in facts.line_comments)
    blocks = [(opening.encode(), closing.encode()) for opening, closing in facts.block_comments]
    found, below = start, text.rfind(b"\n", 0, start) + 1
    while below:
        above = text.rfind(b"\n", 0, below - 1) + 1
        line = text[above:below].strip()
        if lines and line.startswith(lines):
            found = above
        elif closed := next((opening for opening, closing in blocks if line.endswith(closing)), None):
            above = text.rfind(closed, 0, below)
            if above < 0 or text[text.rfind(b"\n", 0, above) + 1 : above].strip():
                break
            found = above = text.rfind(b"\n", 0, above) + 1
        elif not (facts.attributes and line.startswith(tuple(a.encode() for a in facts.attributes))):
            break
        below = above
    return found
