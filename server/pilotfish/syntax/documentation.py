"""The prose beside a definition: comments above it, a string at the head of its body; and its signature in one line.

All of it is read from the text around the definition's offsets when somebody asks, not from the tree and not when the
file is indexed: few definitions of a workspace are ever looked at, and made for all of them these lines would cost as
much as the rest of an outline.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from functools import cache

from pilotfish.syntax.languages import REGISTRY, Language
from pilotfish.syntax.notebooks import as_code
from pilotfish.syntax.outline import Symbol, SymbolKind

MAX_SIGNATURE = 300
MAX_DOCUMENTATION = 600
_MAX_COMMENT = 16_384  # bytes of a comment that are looked at
_CUT = "…"
_OPENERS = b" \t\r{:=;"

_DOCSTRING = re.compile(rb"""[rRuUbB]{0,2}(\"\"\"|'''|"|')""")
_BLANK_LINE = re.compile(rb"\n[ \t\r\f]*\n")
# What makes a paragraph more than prose: tags (`@brief`, `<p>`, `:return:` at a line's head) and lines of `---`. Each
# expression begins with plain characters: the engine finds these many times faster than alternatives.
_BRIEF = re.compile(rb"[@\\](?:brief|short|summary)\b")
_MARKUP = re.compile(rb"</?(?:p|summary|para|remarks)>")
_TAGGED_LINE = re.compile(rb"\n[^\n\w]*(?:[@:]|\\(?:param|return|see))\w")
_RULES = (b"---", b"===", b"***", b"###", b"~~~", b"___")
_PROSE_TAGS = (b"@brief", b"@short", b"@summary", b"@deprecated")
_RULE_LINE = re.compile(r"[\W_]*")
_TAG = re.compile(r"[@\\](?:brief|short|summary)\b\s*|</?(?:p|summary|para|remarks)/?>")
_FIRST_TAG = re.compile(r"\s*(?:@\w|\\(?:param|return|see|note)\b|:\w+[^:]*:)")


# Comments that speak to programs, of the whole file or of what is before them: what stands behind the marker.
_DIRECTIVE = re.compile(
    rb"#!/|[/*!]<\s"
    rb"|\W*(?:-\*-.*-\*-|vim?:|coding[:=]|encoding: utf|frozen_string_literal:|typed: [a-z]+$|go:\w|\+build "
    rb"|noqa\b|type: ignore|pylint:|mypy:|pyright:|ruff:|fmt: o|isort:|flake8:|pragma: |rubocop:|eslint-|tslint:"
    rb"|jshint |prettier-|@ts-|istanbul ignore|c8 ignore|biome-|clang-format o|NOLINT|IWYU pragma|swiftlint:|ktlint-"
    rb"|phpcs:|@phpstan-|nolint\b|shellcheck \w+=|cspell:|SPDX-|Copyright |\(c\) \d{4})"
)

# What is shown by its first line where no body is marked.
_ONE_LINE = frozenset(
    (
        SymbolKind.VARIABLE,
        SymbolKind.CONSTANT,
        SymbolKind.FIELD,
        SymbolKind.PROPERTY,
        SymbolKind.ENUM_MEMBER,
        SymbolKind.KEY,
        SymbolKind.OBJECT,
        SymbolKind.STRING,
    )
)
_QUOTED = rb"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
# `@Name(…)`, and `[Name(…)]`, `#[Name(…)]` where a definition begins with it, directives around it.
_ANNOTATIONS = re.compile(
    rb"(?:(?:@(?!interface\b)(?:\w+:)?[\w.]+(?:\s*\((?:[^()\"']|%(quoted)s|\([^()]*\))*\))?"
    rb"|#?\[(?:[^][\"']|%(quoted)s|\[(?:[^][]|\[[^][]*\])*\])*\]|#(?:if|endif)\b[^\n]*)\s*)+" % {b"quoted": _QUOTED}
)

# A comment, as NUL, before what stands close to the word before it.
_TAKEN_OUT = re.compile(rb"\s*\0[\s\0]*(?=[,;)\]])")

# What an `end` may belong to within a definition.
_OPENING_WORD = re.compile(rb"\b(?:do|begin|object)\b")

# The comma behind the last of several lines, which says nothing in one.
_LAST_COMMA = re.compile(rb",\s*\n\s*(?=[)\]>}])")


def signature(text: bytes, symbol: Symbol, language: str) -> str:
    """The definition in one line without its body; where the name comes after the body (a typedef), with both.

    `text` is what the outline that holds `symbol` was made from, `language` the registry's name of it.
    """
    if REGISTRY[language].is_notebook:
        text = as_code(text)
    language = symbol.language or language
    start, end, body = symbol.start + symbol.head, symbol.end, symbol.start + symbol.body
    about = REGISTRY[language]
    if about.signed is not None and (signed := about.signed(text, symbol)):
        head = _without_comments(signed, 0, len(signed), language)
        return symbol.lead + _line(head, 0, len(head))
    if about.annotations:
        start = _behind_annotations(text, start, symbol.name_start, language)
    if symbol.body >= 0:
        if symbol.name_start > body:
            behind = text.rfind(b"}", body, symbol.name_start) + 1
            head = _without_comments(text, start, body, language)
            return f"{symbol.lead}{_line(head, 0, len(head))} {{…}} {_line(text, behind, end).strip(' ;')}"
        end = body
    elif symbol.kind in _ONE_LINE or about.nodes is not None:
        line_end = text.find(b"\n", symbol.name_end, end)
        end = line_end if line_end >= 0 else end
    head = _without_comments(text, start, end, language)
    if symbol.body < 0 and symbol.kind not in _ONE_LINE and end == symbol.end and "end" in about.keywords:
        head = _without_end(head)
    return symbol.lead + _line(head, 0, len(head))


def _behind_annotations(text: bytes, start: int, end: int, language: str) -> int:
    """Where a definition's own words begin: behind its annotations and the comments among them."""
    _, comment = _comments_in(language)
    while start < end:
        found = _ANNOTATIONS.match(text, start, end)
        if found is None and comment is not None:
            found = comment.match(text, start, end)
        if found is None:
            return start
        start = found.end()
    return start


def _without_end(head: bytes) -> bytes:
    """A definition without the `end` of a body in which nothing stands."""
    rest = head.rstrip().removesuffix(b"end").removesuffix(b"@")
    is_apart = rest.endswith((b" ", b"\t", b"\n", b";", b")")) and not _OPENING_WORD.search(rest)
    return rest.rstrip(b" \t\r\n;") if is_apart else head


def _without_comments(text: bytes, start: int, end: int, language: str) -> bytes:
    """The first part of `text[start:end]` with a blank for each comment; texts in quotes are kept."""
    near = min(end, start + 4 * MAX_SIGNATURE)
    opaque, comment = _comments_in(language)
    if opaque is None or comment is None or comment.search(text, start, near) is None:
        return text[start:near]
    head = text[start : min(end, start + _MAX_COMMENT)]
    marked = opaque.sub(lambda found: b"\0" if comment.match(found[0]) else found[0], head)
    return _TAKEN_OUT.sub(b"", marked).replace(b"\0", b" ")


@cache
def _comments_in(language: str) -> tuple[re.Pattern[bytes] | None, re.Pattern[bytes] | None]:
    """What holds no code in a language, and what of that is a comment; None where it has no comments."""
    about = REGISTRY[language]
    lines = [rb"%s[^\n]*\s*" % re.escape(mark.encode()) for mark in about.line_comments]
    blocks = [
        rb"%s.*?(?:%s|\Z)\s*" % (re.escape(opening.encode()), re.escape(closing.encode()))
        for opening, closing in about.block_comments
    ]
    if not lines and not blocks:
        return None, None
    comment = b"|".join([*blocks, *lines])
    opaque = about.opaque or (_QUOTED, *blocks, *(rb"(?:(?<=\s)|^)%s" % each for each in lines))
    return re.compile(b"|".join(opaque), re.DOTALL | re.MULTILINE), re.compile(comment, re.DOTALL)


def documentation(text: bytes, symbol: Symbol, language: str, outer: int = 0) -> str:
    """The first paragraph of what documents the definition, comment markers removed; "" where nothing does.

    `text` is what the outline that holds `symbol` was made from, `language` the registry's name of it. A comment above
    the line on which the symbol's container starts, at `outer`, is that container's.
    """
    if REGISTRY[language].is_notebook:
        return " ".join(_prose_of(as_code(text), symbol, symbol.language or language, outer).split())
    return _prose_of(text, symbol, symbol.language or language, outer)


def whole_documentation(text: bytes, symbol: Symbol, language: str, outer: int = 0) -> str:
    """All that documents the definition, line by line as it is written, comment markers removed; "" where nothing does.

    The parameters are those of `documentation`; `syntax.prose` makes Markdown of what is returned.
    """
    if REGISTRY[language].is_notebook:
        text = as_code(text)
    about = REGISTRY[symbol.language or language]
    body = symbol.start + symbol.body
    if symbol.prose:
        return _lines(text[body : body + symbol.prose])
    if symbol.body >= 0 and about.docstrings and (quote := _DOCSTRING.match(text, body)):
        end = text.find(quote[1], quote.end(), quote.end() + _MAX_COMMENT)
        return _lines(text[quote.end() : end if end >= 0 else quote.end() + _MAX_COMMENT])
    if about.documented_whole is not None and (prose := about.documented_whole(text, symbol)):
        return _lines(prose)
    if about.documented is not None and (prose := about.documented(text, symbol)):
        return _lines(prose)
    return _comments(about.name).whole(text, symbol.start, outer)


def _lines(prose: bytes) -> str:
    """The lines of a text without the indentation that all have in common, where its first stands beside a quote."""
    text = prose.decode("utf-8", "replace").expandtabs(4)
    first, newline, rest = text.partition("\n")
    if not first.strip():
        return textwrap.dedent(rest).strip("\n").rstrip()
    return (first.strip() + newline + textwrap.dedent(rest)).rstrip()


def _prose_of(text: bytes, symbol: Symbol, language: str, outer: int) -> str:
    """What documents a definition in a text of the language that it is written in."""
    body = symbol.start + symbol.body
    if symbol.prose:
        return _paragraph(text[body : body + symbol.prose].decode("utf-8", "replace").split("\n"))
    if symbol.body >= 0 and REGISTRY[language].docstrings and (found := _docstring(text, body)):
        return found
    documented = REGISTRY[language].documented
    if documented is not None and (prose := documented(text, symbol)):
        return _paragraph(prose.decode("utf-8", "replace").split("\n"))
    return _comments(language).above(text, symbol.start, outer)


@cache
def _comments(language: str) -> _CommentReader:
    return _CommentReader(REGISTRY[language])


def _is_marked(prose: bytes) -> bool:
    """Whether `prose` needs more than its lines joined. Few do, and looking for single marks is cheap."""
    if (b"@" in prose or b"\\" in prose) and (_BRIEF.search(prose) or _TAGGED_LINE.search(prose)):
        return True
    if (b" :" in prose or b"\n:" in prose) and _TAGGED_LINE.search(prose):
        return True
    if b"<" in prose and _MARKUP.search(prose):
        return True
    return any(rule in prose for rule in _RULES)


def _line(text: bytes, start: int, end: int) -> str:
    """`text[start:end]` as one line of at most `MAX_SIGNATURE` characters, without what opens a body."""
    line = text[start : min(end, start + 4 * MAX_SIGNATURE)]
    if b"\n" in line or b"  " in line or b"\t" in line:
        line = _LAST_COMMA.sub(b"", line)
        line = b" ".join(line.split()).replace(b"( ", b"(").replace(b" )", b")")
    line = line.rstrip(_OPENERS)
    if len(line) > MAX_SIGNATURE:
        return _cut(line.decode("utf-8", "replace"), MAX_SIGNATURE)
    return line.decode("utf-8", "replace")


def _docstring(text: bytes, body: int) -> str:
    """The first paragraph of the string literal at `body`, where a body begins; "" where there is none."""
    quote = _DOCSTRING.match(text, body)
    if quote is None:
        return ""
    start = quote.end()
    end = text.find(quote[1], start, start + _MAX_COMMENT)
    prose = text[start : end if end >= 0 else start + _MAX_COMMENT].strip()
    blank = _BLANK_LINE.search(prose)
    if blank:
        prose = prose[: blank.start()]
    if _is_marked(prose):
        return _paragraph(prose.decode("utf-8", "replace").split("\n"))
    return _cut(b" ".join(prose.split()).decode("utf-8", "replace"), MAX_DOCUMENTATION)


class _CommentReader:
    """Finds the comment directly above a definition, by the comment markers of one language."""

    def __init__(self, language: Language) -> None:
        self._line = tuple(marker.encode() for marker in language.line_comments)
        self._block = tuple((opening.encode(), closing.encode()) for opening, closing in language.block_comments)
        self._attributes = tuple(marker.encode() for marker in language.attributes)
        self._closings = tuple(closing for _, closing in self._block)
        repeated = (b"%s[%s*!#<']*" % (re.escape(each), re.escape(each[-1:])) for each in self._line)
        self._marker = re.compile(rb"\A[ \t]*(?:%s) ?" % b"|".join(repeated))
        markers = sorted([*self._line, *(marker for pair in self._block for marker in pair)], key=len, reverse=True)
        mark = rb"(?:%s)[*/!#<]*|\*+" % b"|".join(re.escape(marker) for marker in markers)
        closing = b"|".join(re.escape(marker) for marker in self._closings) or rb"\0"
        # What comes before the first word, what ends its paragraph, and what stands between two of its lines.
        self._opening = re.compile(rb"(?:\s*(?!\**(?:%s))(?:%s))*\s*" % (closing, mark))
        self._break = re.compile(rb"\n[ \t]*(?:%s)?[ \t\r]*(?=\n|@\w|\\(?:param|return|see)\b|</?p>)" % mark)
        self._joint = re.compile(rb"\n[ \t]*(?:%s)?[ \t]*" % mark)
        self._unseen = re.compile(language.unseen, re.DOTALL | re.MULTILINE) if language.unseen else None

    def above(self, text: bytes, start: int, outer: int = 0) -> str:
        """The first paragraph of the comment that ends on the line above `start` and behind `outer`, or ""."""
        found = self._found(text, start, outer)
        if found is None:
            return ""
        written = self._seen(text[found[0] : found[1]])
        return self._prose(written, 0, len(written))

    def whole(self, text: bytes, start: int, outer: int = 0) -> str:
        """All lines of that comment without what marks them, indented as they are written."""
        found = self._found(text, start, outer)
        if found is None:
            return ""
        written = self._seen(text[found[0] : found[1]].replace(b"\r", b""))
        if not written.lstrip().startswith(self._line):
            return _lines(self._unboxed(written.strip()))
        lines = [self._marker.sub(b"", line) for line in written.split(b"\n")]
        return textwrap.dedent(b"\n".join(lines).decode("utf-8", "replace").expandtabs(4)).strip("\n")

    def _seen(self, written: bytes) -> bytes:
        """A comment without what its author keeps from readers."""
        return written if self._unseen is None else self._unseen.sub(b"", written)

    def _unboxed(self, written: bytes) -> bytes:
        """What stands within a block comment, whose lines may all begin with a star."""
        opening, closing = next(pair for pair in self._block if written.startswith(pair[0]))
        inner = written[len(opening) :].removesuffix(closing).lstrip(b"*!").removeprefix(b"<").rstrip(b"* \t")
        first, *rest = inner.split(b"\n")
        stars = [line.lstrip() for line in rest if line.strip()]
        if stars and all(line.startswith(b"*") for line in stars):
            rest = [line.lstrip()[1:] for line in rest]
        return b"\n".join((first, *rest))

    def _found(self, text: bytes, start: int, outer: int) -> tuple[int, int] | None:
        """The bounds of the comment that ends on the line above `start` and behind `outer`."""
        line_start = text.rfind(b"\n", 0, start) + 1
        if line_start <= outer:
            return None
        previous = text.rfind(b"\n", 0, line_start - 1) + 1
        line = text[previous : line_start - 1].strip()
        while previous and self._says_nothing(line):
            line_start, previous = previous, text.rfind(b"\n", 0, previous - 1) + 1
            line = text[previous : line_start - 1].strip()
        if line_start <= outer:  # the attributes are its container's
            return None
        if line.startswith(self._line) and not self._says_nothing(line):
            return self._run(text, previous, line_start)
        if line.endswith(self._closings):
            return self._block_comment(text, previous + len(text[previous : line_start - 1].rstrip()))
        return None

    def _says_nothing(self, line: bytes) -> bool:
        """Whether a line above a definition is an attribute, or a comment that is no documentation."""
        if self._attributes and line.startswith(self._attributes):
            return True
        return line.startswith(self._line) and _DIRECTIVE.match(line) is not None

    def _run(self, text: bytes, first: int, end: int) -> tuple[int, int]:
        """The run of line comments that ends at `end`, whose last line starts at `first`."""
        lowest = max(0, end - _MAX_COMMENT)
        while first > lowest:
            previous = text.rfind(b"\n", 0, first - 1) + 1
            line = text[previous : first - 1].lstrip()
            if not line.startswith(self._line) or _DIRECTIVE.match(line):
                break
            first = previous
        return first, end

    def _block_comment(self, text: bytes, end: int) -> tuple[int, int] | None:
        """The block comment that ends at `end`, where it begins a line."""
        for opening, closing in self._block:
            if text[end - len(closing) : end] == closing:
                start = text.rfind(opening, max(0, end - _MAX_COMMENT), end)
                if start >= 0 and not text[text.rfind(b"\n", 0, start) + 1 : start].strip():
                    return start, end
        return None

    def _prose(self, text: bytes, start: int, end: int) -> str:
        """The first paragraph of the comment at `text[start:end]`."""
        opening = self._opening.match(text, start, end)
        begin = opening.end() if opening else start
        for closing in self._closings:
            closed = text.find(closing, begin, end)
            end = closed if closed >= 0 else end
        stop = self._break.search(text, begin, end)
        written = text[begin : stop.start() if stop else end].rstrip(b" \t\r\n*")
        if written.startswith(b"@") and not written.startswith(_PROSE_TAGS):
            return ""
        if _is_marked(written):
            return _paragraph(self._joint.sub(b"\n", written).decode("utf-8", "replace").split("\n"))
        return _cut(self._joint.sub(b" ", written).replace(b"\r", b"").decode("utf-8", "replace"), MAX_DOCUMENTATION)


def _paragraph(lines: Iterable[str]) -> str:
    """The first paragraph of `lines` as one line of at most `MAX_DOCUMENTATION` characters, without rules and tags."""
    found: list[str] = []
    for line in lines:
        line = _TAG.sub("", line).strip()
        if not line or _RULE_LINE.fullmatch(line):
            if found:
                break
        elif found and _FIRST_TAG.match(line):
            break
        else:
            found.append(line)
    return _cut(" ".join(found), MAX_DOCUMENTATION)


def _cut(line: str, size: int) -> str:
    return line if len(line) <= size else line[: size - 1].rstrip() + _CUT
