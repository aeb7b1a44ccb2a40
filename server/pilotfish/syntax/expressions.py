"""Expressions and annotations as text: what a chain of names, calls and indices is made of.

`syntax.scopes` tells where the expression stands that makes a value, and the annotation that says what it is. Both are
read here without a tree, in the manner that the first-class languages share: names behind dots, arguments in brackets.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pilotfish.syntax.brackets import CLOSE, angle, angle_back, matching, matching_back

MOST_BYTES: Final = 2_000
"""Longer expressions are not read."""

_MOST_LINKS: Final = 20

_NAME: Final = re.compile(rb"[^\W\d][\w$]*|[$#@][\w$]+")
_SPACE: Final = re.compile(rb"(?:\s|\\\n|/\*.*?\*/|//[^\n]*\n)*", re.DOTALL)
_DOT: Final = re.compile(rb"\?\.|!?\.|::|->|!?\.")
_PREFIX: Final = re.compile(
    rb"(?:await|new|yield\s+from|yield|void|typeof|return|in|of|move|mut|ref|dyn|impl|const|readonly)(?=[\s&*(])\s*|&|\*"
)
_NEW_BEFORE: Final = re.compile(rb"\bnew\s+$")
_CASTS: Final = re.compile(rb"\s+(?:as|satisfies)\s+(?!const\b)")


class Link(NamedTuple):
    """One part of a chain: a `name`, a `call`, an `index`; `start` and `end` are where it stands in the text."""

    kind: str
    name: str
    start: int
    end: int


class Chain(NamedTuple):
    """A name and what is reached through it, in the order of the text; whether it is awaited, and whether an object is
    made of it by a word of its own (`new`)."""

    links: tuple[Link, ...]
    is_awaited: bool = False
    is_made: bool = False


class Notation(NamedTuple):
    """How a language writes chains: the signs between the names, what may begin a name, what begins a comment."""

    dots: tuple[bytes, ...] = (b".",)
    marks: bytes = b""
    comment: bytes = b"//"


_ECMA: Final = Notation((b"?.", b"!.", b"."), b"#")
_C: Final = Notation((b"->", b"::", b"."))
NOTATIONS: Final = {
    "c": _C,
    "cpp": _C,
    "cuda": _C,
    "javascript": _ECMA,
    "typescript": _ECMA,
    "tsx": _ECMA,
    "python": Notation(comment=b"#"),
    "ruby": Notation((b"&.", b"::", b"."), b"@", b"#"),
    "rust": Notation((b"::", b".")),
    "php": Notation((b"?->", b"->", b"::"), b"$"),
    "lua": Notation((b".", b":"), comment=b"--"),
    "perl": Notation((b"->", b"::"), b"$@%", b"#"),
    "r": Notation((b"::", b"$", b"@"), comment=b"#"),
    "objc": _C,
    "erlang": Notation((b":",), comment=b"%"),
    "fortran": Notation((b"%",), comment=b"!"),
    "ocaml": Notation((b".", b"#"), comment=b"(*"),
    "kotlin": Notation((b"?.", b"!!.", b".")),
    "swift": Notation((b"?.", b"!.", b".")),
    "csharp": Notation((b"?.", b"!.", b".")),
    "dart": Notation((b"?.", b"!.", b".")),
}
"""By language; all others write a dot."""

_PLAIN: Final = Notation()


def chain_before(text: bytes, offset: int, language: str | None) -> Chain | None:
    """Return what a name at a place is reached through; None where it is bare, or behind something that is no chain."""
    dots, marks, comment = NOTATIONS.get(language or "", _PLAIN)
    least = max(0, offset - MOST_BYTES)
    links: list[Link] = []
    at = _dot_back(text, _skip_back(text, offset, least, comment), least, dots)
    if at < 0:
        return None
    while len(links) < _MOST_LINKS:
        at = _skip_back(text, at, least, comment)
        if at > least and text[at - 1] in b"!?":
            at -= 1
        last = text[at - 1] if at > least else 0
        if last in CLOSE and last != ord("}"):
            start = matching_back(text, at - 1, least)
            if start < 0:
                return None
            kind = "call" if last == ord(")") else "index"
            before = _skip_back(text, start, least, comment)
            is_postfix = before > least and (_is_word(text[before - 1]) or text[before - 1] in b")]!>")
            if kind == "call" and is_postfix and text[before - 1] == ord(">"):
                opened = angle_back(text, before - 1, least)
                before = opened if opened >= 0 else before
            if not is_postfix or _is_keyword_before(text, before, least):
                # `(expression).name`, `[a, b].name`
                inner = chain(text, start + 1, at - 1) if kind == "call" else None
                if inner is None:
                    return None
                inner = _awaited(inner)
                return inner._replace(links=(*inner.links, *reversed(links)))
            links.append(Link(kind, "", start, at))
            at = before
            continue
        word = at
        while word > least and _is_word(text[word - 1]):
            word -= 1
        if word > least and text[word - 1] in marks and word < at:
            word -= 1
        if word == at:
            return None
        links.append(Link("name", text[word:at].decode("utf-8", "replace"), word, at))
        before = _dot_back(text, _skip_back(text, word, least, comment), least, dots)
        if before < 0:
            is_made = _NEW_BEFORE.search(text, max(least, word - 12), word) is not None
            return Chain(tuple(reversed(links)), is_made=is_made)
        at = before
    return None


def is_made(text: bytes, offset: int) -> bool:
    """Whether an object is made of what a bare name at a place means: `new Name`."""
    return _NEW_BEFORE.search(text, max(0, offset - 12), offset) is not None


def is_behind_dot(text: bytes, offset: int, language: str | None) -> bool:
    """Whether a name at a place is reached through something."""
    dots, _, comment = NOTATIONS.get(language or "", _PLAIN)
    least = max(0, offset - MOST_BYTES)
    return _dot_back(text, _skip_back(text, offset, least, comment), least, dots) >= 0


def chain(text: bytes, start: int, end: int) -> Chain | None:
    """Return the chain that an expression is; None where it is none, or too long."""
    if end - start > MOST_BYTES:
        return None
    at = _space(text, start, end)
    is_awaited = is_made = False
    while (match := _PREFIX.match(text, at, end)) and match.end() > at:
        word = match.group().strip()
        is_awaited |= word == b"await"
        is_made |= word == b"new"
        at = _space(text, match.end(), end)
    links: list[Link] = []
    if at < end and text[at] == ord("("):
        close = matching(text, at, end)
        inner = chain(text, at + 1, close) if close > 0 else None
        if inner is None:
            return None
        links.extend(_awaited(inner).links)
        is_made |= inner.is_made
        at = close + 1
    else:
        name = _NAME.match(text, at, end)
        if name is None:
            return None
        links.append(Link("name", name.group().decode("utf-8", "replace"), name.start(), name.end()))
        at = name.end()
    while len(links) < _MOST_LINKS:
        at = _space(text, at, end)
        while at < end and text[at] in b"!?" and text[at : at + 2] not in (b"!=", b"?.", b"??", b"? "):
            at = _space(text, at + 1, end)
        if at >= end:
            return Chain(tuple(links), is_awaited, is_made)
        if text[at] in b"([":
            close = matching(text, at, end)
            if close < 0:
                return None
            links.append(Link("call" if text[at] == ord("(") else "index", "", at, close + 1))
            at = close + 1
        elif dot := _DOT.match(text, at, end):
            at = _space(text, dot.end(), end)
            name = _NAME.match(text, at, end)
            if name is None:
                if at < end and text[at] in b"([":  # `?.(…)`, `?.[…]`
                    continue
                return None
            links.append(Link("name", name.group().decode("utf-8", "replace"), name.start(), name.end()))
            at = name.end()
        elif (
            text[at] == ord("<")
            and (close := angle(text, at, end)) > 0
            and text[close + 1 : close + 2] in (b"(", b"", b":")
        ):
            at = close + 1
        elif text[at] == ord("{") and links[-1].kind == "name":
            # `Type{…}`: Go and Rust make a value so
            close = matching(text, at, end)
            if close < 0:
                return None
            links.append(Link("call", "", at, close + 1))
            at = close + 1
        else:
            return None
    return None


def _awaited(inner: Chain) -> Chain:
    """Return a chain in brackets as the beginning of a longer one."""
    if not inner.is_awaited:
        return inner
    at = inner.links[-1].end
    return inner._replace(links=(*inner.links, Link("await", "", at, at)), is_awaited=False)


def cast(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the type that an expression is said to have (`x as Type`)."""
    found = None
    for match in _CASTS.finditer(text, start, end):
        found = match
    return None if found is None else (found.end(), end)


def _space(text: bytes, at: int, end: int) -> int:
    match = _SPACE.match(text, at, end)
    return at if match is None else match.end()


def _skip_back(text: bytes, at: int, least: int, comment: bytes) -> int:
    """Return where what stands before blanks and comments ends."""
    while True:
        end = at
        while at > least and text[at - 1] in b" \t\r\n\\":
            at -= 1
        if b"\n" not in text[at:end]:
            return at
        line = text.rfind(b"\n", least, at) + 1
        begins = text.find(comment, max(line, least), at)
        if begins < 0 or (begins > line and text[begins - 1 : begins] not in (b" ", b"\t", b";", b",", b"{", b"(")):
            return at
        at = begins


def _dot_back(text: bytes, at: int, least: int, dots: tuple[bytes, ...]) -> int:
    """Return where the sign between two names begins; -1 where there is none."""
    for sign in dots:
        if at - len(sign) >= least and text.endswith(sign, least, at):
            return -1 if text.endswith(b"..", least, at) else at - len(sign)
    return -1


_KEYWORDS: Final = frozenset(b"in not and or if else return yield await is elif while for of case typeof throw".split())


def _is_keyword_before(text: bytes, at: int, least: int) -> bool:
    word = at
    while word > least and _is_word(text[word - 1]):
        word -= 1
    return text[word:at] in _KEYWORDS


def _is_word(byte: int) -> bool:
    return byte == ord("_") or byte == ord("$") or byte >= 128 or chr(byte).isalnum()
