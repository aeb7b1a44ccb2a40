"""Questions in words that ask for exactly what another kind of answer gives: who uses a name, what it calls, how one
leads to another, what is like it.

Only a question that says nothing else is read so, from its first word to its last: "who calls Store.save?" is about
the callers, "fix what calls Store.save" is not. Whether there is a definition of the name, its caller finds out.
"""

from __future__ import annotations

import enum
import re
from typing import Final, NamedTuple

from pilotfish.retrieval.intent import Intent


class Asked(enum.Enum):
    """What a question asks for."""

    USAGES = enum.auto()
    CALLEES = enum.auto()
    WAY = enum.auto()
    SIMILAR = enum.auto()


class Ask(NamedTuple):
    """A question taken apart: what it asks for, the name that it is about, and for a way the name that it leads to."""

    asked: Asked
    name: str
    to: str = ""

    @property
    def intent(self) -> Intent:
        """What the asker wants to do with the answer."""
        return _INTENTS[self.asked]


MOST_LETTERS: Final = 300
"""A longer question says more."""

_INTENTS: Final = {
    Asked.USAGES: Intent.FIND_USAGE,
    Asked.CALLEES: Intent.TRACE_FLOW,
    Asked.WAY: Intent.TRACE_FLOW,
    Asked.SIMILAR: Intent.FIND_SIMILAR,
}

_PLAIN: Final = r"[^\W\d][\w$]*(?:(?:\.|::|\#)[^\W\d][\w$]*)*"
_THING: Final = r"(?:(?:the|a)\ )?(?:(?:function|method|class|type|interface|struct|constant|variable)\ )?"
_ITS: Final = r"(?:\ (?:function|method|class|type))?"
_ASKING: Final = (
    r"(?:(?:please|can\ you|could\ you)\ )?(?:(?:find|show|list|give)\ (?:me\ )?|what\ are\ |where\ are\ )?"
    r"(?:all\ )?(?:(?:the|other)\ )?"
)
_WORDINGS: Final = {
    Asked.WAY: r"""
        {asking}(?:path|way|route|trace|flow|calls?|call\ (?:path|chain|stack))\ (?:of\ calls\ )?from\ {name}\ to\ {to}
        | how\ does\ {name}\ (?:reach|call|get\ to|lead\ to|end\ up\ in)\ {to}""",
    Asked.CALLEES: r"""
        what\ (?:(?:functions?|methods?|else)\ )?(?:does|do)\ {name}\ (?:call|invoke|use)
        | {asking}(?:callees|calls\ made)\ (?:of|from|by|in)\ {name}
        | trace\ (?:(?:the\ )?(?:execution|flow|calls?|call\ (?:chain|graph|tree))\ (?:of|from|through|in)\ )?{name}
        | {asking}(?:call|execution|control)\ (?:flow|chain|graph|tree|path)\ (?:of|for|from|in)\ {name}
        | what\ happens\ (?:when|if)\ {name}\ (?:is|gets)\ (?:called|invoked|run|executed)""",
    Asked.USAGES: r"""
        (?:who|what|which\ (?:\w+\ )?\w+)\ (?:calls?|uses?|invokes?|references?|imports?)\ {name}
        | {asking}(?:usages?|uses|users|callers?|call\ ?sites?|references?)\ (?:of|to|for)\ {name}
        | {asking}(?:code|places|functions|methods|files)\ that\ (?:calls?|uses?)\ {name}
        | where\ (?:is|are|do\ we|does\ anything|is\ it\ that)\ {name}\ (?:being\ )?
          (?:used|called|referenced|invoked|imported|instantiated)
        | where\ do\ we\ (?:use|call|import)\ {name}
        | {name}\ (?:usages?|callers?|call\ ?sites?|references)""",
    Asked.SIMILAR: r"""
        {asking}(?:code|functions?|methods?|classes|something|anything|implementations?)\ like\ {name}
        | {asking}(?:(?:code|functions?|methods?|classes|something|anything|implementations?)\ (?:that\ (?:is|are)\ )?)?
          (?:(?:similar|alike|analogous|equivalent)\ to|duplicates?\ of|copies\ of)\ {name}""",
}


def _named(group: str) -> str:
    return rf"{_THING}(?P<{group}_quote>[`'\"]?)(?P<{group}>{_PLAIN})(?:\(\))?(?P={group}_quote){_ITS}"


_ASKS: Final = [
    (
        asked,
        re.compile(
            rf"(?:{alternative.strip()})\s*[?.!]*".format(asking=_ASKING, name=_named("name"), to=_named("to")),
            re.IGNORECASE | re.VERBOSE,
        ),
    )
    for asked, wording in _WORDINGS.items()
    for alternative in re.split(r"\n\s+\|", wording)
]
_NO_NAMES: Final = frozenset("it this that these those them they us me you i what which who".split())  # noqa: SIM905


def ask_in(question: str) -> Ask | None:
    """Return what a question asks for, and of which name; None where it says anything else."""
    text = " ".join(question[: MOST_LETTERS + 1].split())
    if len(text) > MOST_LETTERS:
        return None
    for asked, wording in _ASKS:
        found = wording.fullmatch(text)
        if found is not None:
            names = found.groupdict()
            name, to = names["name"], names.get("to") or ""
            return None if {name.lower(), to.lower()} & _NO_NAMES else Ask(asked, name, to)
    return None
