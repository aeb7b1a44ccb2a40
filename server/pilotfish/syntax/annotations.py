"""Annotations as text: which types one admits, and the form of each, as the first-class languages write them."""

from __future__ import annotations

import enum
import re
from typing import Final, NamedTuple

from pilotfish.syntax import brackets

_LEAD: Final = re.compile(rb"^\s*(?::|extends\b|->|implements\b)\s*")
_QUOTED: Final = re.compile(rb"""^\s*(["'])([\w.\[\], |]+)\1\s*$""")
_NAMES: Final = re.compile(rb"[^\W\d][\w$]*(?:\s*(?:\.|::)\s*[^\W\d][\w$]*)*")
_BETWEEN: Final = re.compile(rb"\s*(?:\.|::)\s*")
_TYPE_OF: Final = b"typeof "
_WORDS: Final = (b"readonly ", b"new ", b"dyn ", b"impl ", b"mut ", b"const ", b"struct ")
"""What stands before a type without making it another one, as far as its members are concerned."""

_OWN: Final = frozenset(("Self", "this"))
_KINDS: Final = frozenset(("Type", "type"))
_SAME_TEXT: Final = (
    "Optional Union Annotated ClassVar Final Required NotRequired ReadOnly Readonly Partial NonNullable InitVar "
    "Omit Pick Extract Exclude NoInfer"
)
_SAME: Final = frozenset(_SAME_TEXT.split())
_HOLDING_TEXT: Final = (
    "List list Sequence MutableSequence Iterable Iterator AsyncIterator AsyncIterable AsyncGenerator Generator "
    "Collection Set set FrozenSet frozenset Tuple tuple Deque deque Array ReadonlyArray IterableIterator "
    "AsyncIterableIterator Vec ArrayList LinkedList Stream HashSet TreeSet Queue "
    "Promise PromiseLike Awaitable Coroutine Future Option Result Box Rc Arc Optional CompletableFuture"
)
_HOLDING: Final = frozenset(_HOLDING_TEXT.split())
_KEYED_TEXT: Final = (
    "Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict Map WeakMap ReadonlyMap Record HashMap "
    "BTreeMap TreeMap LinkedHashMap ConcurrentHashMap ConcurrentMap SortedMap"
)
_KEYED: Final = frozenset(_KEYED_TEXT.split())
_HELD_AT: Final = {**dict.fromkeys(_KEYED, 1), "Coroutine": 2}
"""Which of the type arguments of a container is what it gives; of all others the first."""


class Form(enum.Enum):
    """How a type is written."""

    NAMED = enum.auto()
    OWN = enum.auto()  # the type around: `Self`
    SAME = enum.auto()  # as good as one of its parts: `Optional[…]`, `readonly …`
    HOLDING = enum.auto()  # a container of what its part says
    KIND = enum.auto()  # a type itself, not an object of it: `type[…]`
    VALUE = enum.auto()  # what the expression is that is its part: `typeof …`


class Written(NamedTuple):
    """One type: the stretches that it is made of, and its name; where a container has one, it may be a type of the
    repository of which nothing is known but that."""

    form: Form
    parts: tuple[tuple[int, int], ...] = ()
    name: tuple[int, int] | None = None


def types_in(text: bytes, start: int, end: int, language: str | None) -> list[tuple[int, int]]:
    """Return the stretches of the types that an annotation admits, what introduces it and quotes around it apart."""
    lead = _LEAD.match(text[start:end])
    start += lead.end() if lead is not None else 0
    quoted = _QUOTED.match(text[start:end]) if language == "python" else None
    if quoted is not None:
        start, end = start + quoted.start(2), start + quoted.end(2)
    return brackets.alternatives(text, start, end, (b"|", b"&"))


def read_type(text: bytes, start: int, end: int) -> Written | None:
    """Return one type as it is written; None where it is nothing that has members."""
    written = text[start:end]
    start += len(written) - len(written.lstrip(b" \t\r\n*&?"))
    written = text[start:end].rstrip()
    end = start + len(written)
    if written.endswith(b"[]"):
        return Written(Form.HOLDING, ((start, end - 2),))
    if written.startswith(b"[]"):
        return Written(Form.HOLDING, ((start + 2, end),))
    if written.startswith(b"map["):
        close = text.find(b"]", start)
        return None if close < 0 else Written(Form.HOLDING, ((close + 1, end),))
    if written.startswith(_TYPE_OF):
        return Written(Form.VALUE, ((start + len(_TYPE_OF), end),))
    word = next((each for each in _WORDS if written.startswith(each)), b"")
    if word:
        return Written(Form.SAME, ((start + len(word), end),))
    if written.startswith(b"[") and written.endswith(b"]"):
        return Written(Form.HOLDING, tuple(brackets.arguments(text, start, end)))
    if written.startswith(b"(") and written.endswith(b")"):
        return Written(Form.SAME, tuple(brackets.arguments(text, start, end))[:1])
    return _named(text, start, end)


def _named(text: bytes, start: int, end: int) -> Written | None:
    match = _NAMES.match(text, start, end)
    if match is None:
        return None
    names = _BETWEEN.split(match.group())
    name = names[-1].decode("utf-8", "replace")
    if name in _OWN and len(names) == 1:
        return Written(Form.OWN)
    parts = _arguments(text, match.end(), end)
    if parts is not None and name in _SAME:
        return Written(Form.SAME, parts if name == "Union" else parts[:1])
    if parts is not None and name in _KINDS:
        return Written(Form.KIND, parts[:1])
    if parts and name in _HOLDING | _KEYED:
        place = _HELD_AT.get(name, 0)
        held = parts[place] if place < len(parts) else parts[0]
        return Written(Form.HOLDING, (held,), None if name in _KEYED else match.span())
    return Written(Form.NAMED, (), match.span())


def _arguments(text: bytes, at: int, end: int) -> tuple[tuple[int, int], ...] | None:
    """Return the type arguments behind a name; None where it has none."""
    opening = text[at : at + 1]
    if opening not in (b"[", b"<"):
        return None
    close = (brackets.matching if opening == b"[" else brackets.angle)(text, at, end)
    return tuple(brackets.arguments(text, at, close + 1)) if close > 0 else None
