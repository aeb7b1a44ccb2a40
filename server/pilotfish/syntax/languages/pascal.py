"""Pascal and its kin: Free Pascal, Delphi."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, in_type, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _FIELD, _OPERATOR = SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.OPERATOR
_PROPERTY = SymbolKind.PROPERTY
_PUBLIC = Visibility.PUBLIC

_LOWER_KEYWORDS = words(
    """
    and array as asm begin case class const constructor destructor div do downto else end except exports file
    finalization finally for function generic goto if implementation in inherited initialization inline interface is
    label library mod nil not object of operator or out packed procedure program property raise record repeat
    resourcestring set shl shr string then threadvar to try type unit until uses var while with xor
    """
)
_KEYWORDS = _LOWER_KEYWORDS | frozenset(word.upper() for word in _LOWER_KEYWORDS)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Members by what they lie in or are qualified by; the sections of a class are the query's."""
    if kind is _FUNCTION:
        word = head.strip().lower()
        if word.startswith(b"constructor"):
            kind = _CONSTRUCTOR
        elif word.startswith(b"property"):
            kind = _PROPERTY
        elif in_type(parent, container):
            kind = _METHOD
        elif word.startswith((b"operator", b"class operator")):
            kind = _OPERATOR
    elif kind is _VARIABLE and in_type(parent, container):
        kind = _FIELD
    return kind, _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `Draw` in `TShape.Draw`, without what a template takes."""
    end = written.find(b"<", written.rfind(b".") + 1)
    end = len(written) if end <= 0 else end
    bound = written.rfind(b".", 0, end)
    return (bound, bound + 1, end) if 0 < bound < end - 1 else (0, 0, end)


_STEP = re.compile(
    rb"""
    \{\$(?P<condition>if|ifdef|ifndef|ifopt|elseif|else|endif|ifend)\b[^}]*\}?
    | \(\*\$(?P<other_condition>if|ifdef|ifndef|ifopt|elseif|else|endif|ifend)\b.*?(?:\*\)|\Z)
    | \{[^}]*\}? | \(\*.*?(?:\*\)|\Z) | //[^\r\n]* | '[^'\r\n]*'
    | (?P<raised>\braise)(?=\s{0,200}(?:;|end\b|else\b|until\b))
    | (?P<property>\bproperty)(?=\s{1,200}\w{1,200}\b(?P<more>\s{0,200}(?:(?:default|stored|nodefault)\b[^;]{0,200})?);)
    | \b(?P<set>set)\s{1,200}of\s{1,200}(?:[^;=,()'.]|\.(?!\.)|\([^()]{0,200}\)|'[^'\r\n]'){0,200}\.\.
      (?:[^;=,()]|\([^()]{0,200}\)){0,200}(?=[;=,)])
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_DECLARES = re.compile(
    rb"\s*(?:(?:class\s+)?(?:procedure|function|constructor|destructor|operator)|type|const|var|property|resourcestring)"
    rb"\b.*;\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_SEEN = re.compile(rb"[^\r\n]")


def _prepared(text: bytes) -> bytes:
    """A text of the same length in what the grammar knows: without conditions, of which the first branch is read, and
    others where they declare something; without a bare `raise`, with a name for the set of a range, and with a function
    for a property that a class merely shows again."""
    plain = bytearray(text)
    others: list[int] = []  # of each open condition where its second branch begins, -1 in the first one
    for step in _STEP.finditer(text):
        condition = (step["condition"] or step["other_condition"] or b"").lower()
        if condition:
            _blank(plain, *step.span())
            if condition in (b"else", b"elseif"):
                others[-1:] = [step.end()] if others and others[-1] < 0 else others[-1:]
            elif condition in (b"endif", b"ifend"):
                start = others.pop() if others else -1
                if start >= 0 and not _DECLARES.match(text, start, step.start()):
                    _blank(plain, start, step.start())
            else:
                others.append(-1)
        elif step["raised"]:
            _blank(plain, *step.span())
        elif step["property"]:
            plain[step.start() : step.end()] = b"function"
            _blank(plain, *step.span("more"))
        elif step["set"]:
            _blank(plain, *step.span())
            plain[step.start() : step.end("set")] = b"abc"
    return bytes(plain)


def _blank(text: bytearray, start: int, end: int) -> None:
    text[start:end] = _SEEN.sub(b" ", bytes(text[start:end]))


_LONGEST_COMMENT = 4_000
_ABOVE = re.compile(
    rb"(?:\{(?!\$)(?P<braces>[^{}]*)\}\s*|\(\*(?!\$)(?P<stars>(?:[^*]|\*(?!\)))*)\*\)\s*)?(?P<directives>(?:\{\$[^}]*\}\s*)*)\Z"
)
_LICENCE = re.compile(rb"copyright|this file is part of|licen[cs]ed? under", re.IGNORECASE)


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The comment above directives that stand before a definition, which are written as comments are; a blank where
    there is none, or where it speaks of the whole file. Nothing where the comment stands right above."""
    first = text.rfind(b"{", max(0, symbol.start - _LONGEST_COMMENT), symbol.start)
    if first < 0:
        return b""
    above = _ABOVE.search(text, max(0, symbol.start - _LONGEST_COMMENT), symbol.start)
    comment = b"" if above is None else above["braces"] or above["stars"] or b""
    if _LICENCE.search(comment):
        return b" "
    if above is None or not above["directives"]:
        return b""
    return b"\n".join(line.strip() for line in comment.splitlines()).strip() or b" "


LANGUAGES = (
    Language(
        "pascal",
        "Pascal",
        grammar="pascal",
        name_key=str.lower,
        prepared=_prepared,
        extensions=("pas", "lpr", "dpr", "dpk"),
        interpreters=("instantfpc",),
        ids=("objectpascal", "delphi"),
        line_comments=("//",),
        block_comments=(("{", "}"), ("(*", "*)")),
        own_name=_own_name,
        documented=_documented,
        rule=_verdict,
        builtins=frozenset(
            b"Boolean Byte Cardinal Char Double Integer Real Set Single String Word boolean integer set".split()
        ),
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"\{[^}]*\}?", rb"\(\*.*?(?:\*\)|\Z)", lexemes.LINE_SLASH, rb"'[^'\r\n]*'?"),
    ),
)
