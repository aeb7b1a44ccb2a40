"""What a question asks for, read from its text alone.

Three readings, each a pure function of the question: the intent (what the asker wants to do with the answer), the route
(which kind of evidence may answer), and the style (how it is worded, which decides what the evidence weighs).
"""

# ruff: noqa: SIM905 - lists of words read better as one string
from __future__ import annotations

import enum
import re
from typing import Final

import msgspec

from pilotfish.retrieval.function_words import foreign_words


class Intent(enum.StrEnum):
    """What the asker wants to do with the answer (DESIGN §8)."""

    FIND_DEFINITION = "find_definition"
    FIND_USAGE = "find_usage"
    EXPLAIN_FUNCTION = "explain_function"
    TRACE_FLOW = "trace_flow"
    FIND_SIMILAR = "find_similar"
    ARCHITECTURAL = "architectural"


class Route(enum.StrEnum):
    """Which kind of evidence may answer: the text as it stands, or all that is known of names, words, vectors and
    history; `SEMANTIC` is a hybrid question that names nothing as code does, so that names promise little."""

    TEXT = "text"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


class Style(enum.StrEnum):
    """How a question is worded: a name or a few words that may be one; a wish to change something, as a commit's or an
    issue's first line has it; anything else in words."""

    NAME = "name"
    CHANGE = "change"
    WORDS = "words"


class Reading(msgspec.Struct, frozen=True):
    """What was read from a question.

    `identifier` is the name that the whole question is, or ""; `subject` is the one that it is about, as far as its
    wording tells. `quoted` are the texts that stand in quotes. Where the
    route is `TEXT`, exactly one of `literal` and `pattern` says what to look for: a text, or a regular expression that
    compiles.
    """

    intent: Intent
    route: Route
    style: Style
    identifier: str = ""
    subject: str = ""
    quoted: tuple[str, ...] = ()
    literal: str = ""
    pattern: str = ""


MOST_READ: Final = 2_000
"""Characters of a question that are read for its intent."""

_NAME_WORDS: Final = 4
"""More words than these are no name of something."""

_NEVER_IN_NAMES: Final = frozenset(
    "a an the of are was were it its this that these those i we you he they my our your their what which who where how "
    "why when does did can could should would will please about".split()
)
_IDENTIFIER: Final = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*(?:\(\))?[?!]?")
_NAMES: Final = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*(?:\(\))?")
_USED: Final = re.compile(
    r"\b(?:calls|uses|(?:usages?|callers?|uses|call\ sites?)\ (?:of|for)|references?\ (?:to|of)|similar\ to|like"
    r"|duplicates?\ of)\ (?:the\ |a\ )?(?:function\ |method\ |class\ )?`?([^\W\d][\w.:#$]*\b)"
    r"|\bwhere\ (?:is|are|do\ we)\ (?:the\ )?(?:function\ |method\ |class\ )?`?([^\W\d][\w.:#$]*)`?"
    r"\ (?:used|called|referenced|invoked|imported)\b",
    re.IGNORECASE,
)
"""A word of a sentence that stands where the name of what is used would."""
_PLAIN: Final = re.compile(r"[\w$]+")
_CODE_WORD: Final = re.compile(r"\w_\w|[a-z0-9][A-Z]|\w(?:\.|::)\w|\w\(|`")
_QUOTED: Final = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")
_SLASHED: Final = re.compile(r"/(.+)/", re.DOTALL)
_EXPRESSION: Final = re.compile(
    r"\\[wWdDsSb.()\[\]{}*+?|$^]|[.\])\w][*+](?:$|[^+\w\s])|\.[*+]|\[\^|\[\w-\w|\(\?[:=!]|^\^|\S\$$|\w\|\w"
)

_WORDINGS: Final = {
    Intent.FIND_SIMILAR: r"""
        (similar|alike|analogous|equivalent)\ (to|code|functions?|methods?|implementations?)\b
        | (code|functions?|something)\ like\b | duplicates?\ of\b""",
    Intent.FIND_USAGE: r"""
        usages?\b | references?\ (to|of)\b | callers?\b | call\ sites?\b | all\ uses\b
        | (who|what|which\ \w+)\ (calls|uses)\b
        | where\b.*\b(is|are|do\ we|gets?)\b.*\b(used|called|referenced|invoked|imported)\b""",
    Intent.TRACE_FLOW: r"""
        trace\b | flows?\b | call\ (chain|graph|stack)\b | step\ by\ step\b | life\ ?cycle\b | path\ of\b
        | what\ happens\ (when|after|before|if)\b | from\ \S+\ to\ \S+""",
    Intent.ARCHITECTURAL: r"""
        architectur\w*\b | overview\b | components?\b | layers?\b | entry\ points?\b
        | (project|code|module|package|folder|directory|repo(sitory)?)\ (structure|layout|organi[sz]ation)\b
        | how\ is\ (the|this)\ \w+\ (organi[sz]ed|structured)\b
        | (main|major)\ (modules?|parts|packages)\b""",
    Intent.FIND_DEFINITION: r"""
        where\ (is|are|do|does|can)\b | definition\b | defined?\b | declared?\b | implement(ed|ation|s)?\b
        | find\ (the|a)\b | which\ (file|class|function|module)\b""",
    Intent.EXPLAIN_FUNCTION: r"""
        how\ (do|does|is|are|can|to)\b | what\ (does|is|are|do)\b | why\b | explain\b | describe\b | understand\b
        | (purpose|meaning)\ of\b""",
}
"""How each intent is worded; the first that fits is taken."""

_READ_AS: Final = tuple(
    (intent, re.compile(rf"\b(?:{wording})", re.IGNORECASE | re.VERBOSE)) for intent, wording in _WORDINGS.items()
)

_CHANGES: Final = frozenset(
    "add added adding adds allow allows avoid avoids better bump change changed changes check chore clean cleanup "
    "convert correct create delete deprecate disable docs document don drop drops enable ensure expose feat feature "
    "fix fixed fixes fixing handle handles implement implements improve improved improves introduce let make makes "
    "merge minor move optimise optimize perf prevent prevents reduce refactor refactors remove removed removes "
    "removing rename replace restore revert reverts set simplify skip stop support supports switch test tweak update "
    "updated updates use".split()
)
"""First words of commits and issues."""

_FIRST_WORD: Final = re.compile(r"\W*(\w+)")
_SCOPED: Final = re.compile(r"[\w./\-]{1,40}(?:\([^()]{1,40}\))?!?:\s")
"""The part of a program before a commit's subject: `cors: `, `fix(router): `."""


def read(question: str) -> Reading:
    """Read what a question asks for; anything can be asked, and nothing raises."""
    text = question[:MOST_READ].strip()
    quoted = tuple(filter(None, ("".join(match.groups(default="")).strip() for match in _QUOTED.finditer(text))))
    literal, pattern = _as_text(text, quoted)
    identifier = text.removesuffix("()") if _IDENTIFIER.fullmatch(text) else ""
    style = style_of(text)
    return Reading(
        intent=intent_of(text, style),
        route=_route(text, literal or pattern, style),
        style=style,
        identifier="" if literal or pattern else identifier,
        subject="" if literal or pattern else identifier or _subject_in(text),
        quoted=quoted,
        literal=literal,
        pattern=pattern,
    )


def intent_of(text: str, style: Style) -> Intent:
    """Return what the asker wants to do; a bare name wants its definition."""
    for intent, wording in _READ_AS:
        if wording.search(text):
            return intent
    return Intent.EXPLAIN_FUNCTION if style is Style.WORDS else Intent.FIND_DEFINITION


def _subject_in(text: str) -> str:
    """Return the name that a sentence is about: one that is written as in code, else what is called or used."""
    for name in _NAMES.findall(text):
        if _CODE_WORD.search(name):
            return str(name).removesuffix("()")
    used = _USED.search(text)
    return "" if used is None else used[1] or used[2]


def style_of(text: str) -> Style:
    """Return how a question is worded."""
    words = text.split()
    if len(words) == 1 or (1 < len(words) <= _NAME_WORDS and _may_be_name(words)):
        return Style.NAME
    first = _FIRST_WORD.match(text)
    if _SCOPED.match(text) or (first and first[1].lower() in _CHANGES):
        return Style.CHANGE
    return Style.WORDS


def _may_be_name(words: list[str]) -> bool:
    """Tell whether each word is one of a name: letters and digits, and none that names leave out."""
    if foreign_words(" ".join(words)):
        return False
    return all(_PLAIN.fullmatch(word) and word.lower() not in _NEVER_IN_NAMES for word in words)


def _as_text(text: str, quoted: tuple[str, ...]) -> tuple[str, str]:
    """Return the text or the regular expression that the whole question is, both "" where it is neither."""
    if len(quoted) == 1 and len(text) == len(quoted[0]) + 2 and text[0] in "\"'`":
        return quoted[0], ""
    slashed = _SLASHED.fullmatch(text)
    pattern = slashed[1] if slashed else text
    if (slashed or _EXPRESSION.search(text)) and not _is_sentence(text) and _compiles(pattern):
        return "", pattern
    return "", ""


def _is_sentence(text: str) -> bool:
    """Tell whether a text has more plain words than a regular expression would."""
    return sum(word.isalpha() for word in text.split()) > 3


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _route(text: str, exact: str, style: Style) -> Route:
    if exact:
        return Route.TEXT
    return Route.HYBRID if style is Style.NAME or _CODE_WORD.search(text) else Route.SEMANTIC
