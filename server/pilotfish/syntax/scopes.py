"""Scopes inside one text, and the names that get a value in them: parameters, variables, attributes of objects.

The outline holds what others can name. What a function keeps to itself, and what the text says that a value is (its
annotation, the expression that makes it), is read from the syntax tree when somebody asks about a place, by
`queries/<language>.locals.scm`:

- `@scope` is a function, `@scope.block` a block of it, `@scope.type` a type, in whose methods its names are not bare.
- `@local` is a name that gets a value in the scope around it; beside it `@type` annotates it, `@value` makes it, it is
  one of what `@iterated` holds, or what is `@entered` (with … as).
- `@generic` is a parameter of a type or function that stands for a type, bare in all of it; its `@type` bounds it.
- `@attribute` is a member of the object around, `@member` one of the type around, `@function` one that gives a `@type`.
- `@taken` is a pattern that takes members out of a `@value` or something of a `@type`.
- `@returned` is what the function around gives. `@outer` is a name that does not belong to the function around.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.patterns import query_source

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

MOST_BYTES: Final = 1 << 19
"""Of a longer text nothing local is known: it takes too long to read while somebody waits."""

_MOST_DEEP: Final = 200
"""Texts that nest deeper are not looked at: each pattern is tried at each level."""

_BARE: Final = frozenset({"local", "generic"})
_KINDS: Final = ("local", "generic", "attribute", "member", "function")
_KEY_BEFORE: Final = re.compile(rb"([\w$]+)\s*:\s*$")


class Stretch(NamedTuple):
    """A half-open stretch of bytes."""

    start: int
    end: int


class Scope(NamedTuple):
    """A stretch of text with names of its own; `kind` is `function`, `block` or `type`, `outer` the number of the scope
    around it, -1 for the text."""

    start: int
    end: int
    kind: str
    outer: int


class Binding(NamedTuple):
    """A name that gets a value: where it stands, and in which scope, -1 being the text.

    `kind` is `local`, `generic`, `attribute`, `member` or `function`. `annotation` says what it is, `value` makes it,
    one of `iterated` is it, or `entered` gives it; `taken` is where the pattern stands that takes it out of these.
    """

    name: str
    start: int
    scope: int
    kind: str
    annotation: Stretch | None = None
    value: Stretch | None = None
    iterated: Stretch | None = None
    entered: Stretch | None = None
    taken: Stretch | None = None


class Pattern(NamedTuple):
    """A pattern that takes members out of something: where it stands, what that is said to be, and what makes it."""

    start: int
    end: int
    annotation: Stretch | None
    value: Stretch | None


class Scopes:
    """The scopes and bindings of one text."""

    def __init__(
        self,
        scopes: Sequence[Scope],
        bindings: Sequence[Binding] = (),
        returned: Sequence[Stretch] = (),
        patterns: Sequence[Pattern] = (),
    ) -> None:
        """Scopes in the order of their starts, outer ones first; bindings in the order of the text."""
        self.scopes = scopes
        self.bindings = bindings
        self._patterns = patterns
        self._starts = [scope.start for scope in scopes]
        self._by_name: dict[str, list[Binding]] = defaultdict(list)
        self._by_start: dict[int, Binding] = {}
        for each in bindings:
            self._by_name[each.name].append(each)
            known = self._by_start.get(each.start)
            if known is None or _tells_more(each, known):
                self._by_start[each.start] = each
        self._returned: dict[int, list[Stretch]] = defaultdict(list)
        for stretch in returned:
            self._returned[self.function_at(stretch.start)].append(stretch)

    def around(self, offset: int) -> int:
        """Return the number of the innermost scope around a place, -1 where there is none."""
        number = bisect_right(self._starts, offset) - 1
        while number >= 0 and self.scopes[number].end <= offset:
            number = self.scopes[number].outer
        return number

    def function_at(self, offset: int) -> int:
        """Return the number of the innermost function around a place, -1 where there is none."""
        number = self.around(offset)
        while number >= 0 and self.scopes[number].kind != "function":
            number = self.scopes[number].outer
        return number

    def function_from(self, start: int, end: int) -> int:
        """Return the number of the outermost function that begins within a stretch, -1 where none does."""
        number = bisect_right(self._starts, start - 1)
        while number < len(self.scopes) and self.scopes[number].start < end:
            if self.scopes[number].kind == "function":
                return number
            number += 1
        return -1

    def named(self, name: str) -> Sequence[Binding]:
        """Return all bindings of a name, of any kind."""
        return self._by_name.get(name, ())

    def at(self, start: int) -> Binding | None:
        """Return the binding of the name that stands at a place."""
        return self._by_start.get(start)

    def annotation_at(self, offset: int) -> Stretch | None:
        """Return the annotation that a place lies in."""
        said = (each.annotation for each in self.bindings)
        return next((each for each in said if each is not None and each.start <= offset < each.end), None)

    def pattern_at(self, offset: int) -> Pattern | None:
        """Return the pattern that a place lies in."""
        return next((each for each in self._patterns if each.start <= offset < each.end), None)

    def local(self, name: str, offset: int) -> list[Binding]:
        """Return the bindings that a bare name at a place means: those of the innermost scope around it that has any,
        functions and blocks; none where that is the text's or a type's own affair."""
        found = [each for each in self._by_name.get(name, ()) if each.kind in _BARE and each.scope >= 0]
        number = self.around(offset) if found else -1
        while number >= 0:
            is_type = self.scopes[number].kind == "type"
            here = [each for each in found if each.scope == number and (each.kind == "generic" or not is_type)]
            if here:
                return here
            number = self.scopes[number].outer
        return []

    def scope_of(self, binding: Binding) -> Stretch:
        """Return the stretch in which a local can be named."""
        scope = self.scopes[binding.scope]
        return Stretch(scope.start, scope.end)

    def returned(self, function: int) -> Sequence[Stretch]:
        """Return the expressions that a function gives."""
        return self._returned.get(function, ())

    def parameters(self, function: int) -> list[Binding]:
        """Return the locals of a function's own scope, its parameters first."""
        return [each for each in self.bindings if each.kind == "local" and each.scope == function]


def _tells_more(one: Binding, other: Binding) -> bool:
    return (one.annotation is not None, one.value is not None) > (other.annotation is not None, other.value is not None)


def taken_name(text: bytes, binding: Binding) -> str:
    """Return the name of the member that a pattern takes for a binding in it: `name` of `{ name: local }`."""
    before = b"" if binding.taken is None else text[binding.taken.start : binding.start]
    match = _KEY_BEFORE.search(before)
    return match.group(1).decode() if match is not None else binding.name


class ScopeReader:
    """Reads scopes; makes each language's parser and query when it is first needed."""

    def __init__(self) -> None:
        self._readers: dict[str, tuple[Parser, Query]] = {}

    def read(self, text: bytes, language: str | None) -> Scopes | None:
        """Return the scopes of a text; None in a language that has no query for them, and for a text that is too
        long."""
        if language not in languages_with_scopes() or language is None or len(text) > MOST_BYTES:
            return None
        from tree_sitter import QueryCursor

        if language not in self._readers:
            self._readers[language] = _reader(language)
        parser, query = self._readers[language]
        tree = parser.parse(text)
        if _is_too_deep(tree.root_node):
            return None
        matches = [found for _, found in QueryCursor(query).matches(tree.root_node)]
        return _scopes_of(text, matches)


@cache
def languages_with_scopes() -> frozenset[str]:
    """Return the languages that have a query for locals."""
    folder = resources.files("pilotfish.syntax").joinpath("queries")
    names = (each.name.removesuffix(".locals.scm") for each in folder.iterdir() if each.name.endswith(".locals.scm"))
    return frozenset(names) & REGISTRY.keys()


def _reader(language: str) -> tuple[Parser, Query]:
    from tree_sitter import Parser, Query
    from tree_sitter_language_pack import get_language

    grammar = get_language(REGISTRY[language].grammar)  # type: ignore[arg-type]
    return Parser(grammar), Query(grammar, query_source(f"{language}.locals"))


def _is_too_deep(root: Node) -> bool:
    """Whether the way down through the widest nodes is longer than anything that people write."""
    node, depth = root, 0
    while node.child_count and depth <= _MOST_DEEP:
        node = max(node.children[:50], key=lambda each: each.end_byte - each.start_byte)
        depth += 1
    return depth > _MOST_DEEP


def _scopes_of(text: bytes, matches: Sequence[dict[str, list[Node]]]) -> Scopes:
    stretches: list[tuple[int, int, str]] = []
    for found in matches:
        for key, kind in (("scope", "function"), ("scope.block", "block"), ("scope.type", "type")):
            stretches += [(node.start_byte, -node.end_byte, kind) for node in found.get(key, ())]
    scopes: list[Scope] = []
    open_scopes: list[int] = []
    for start, end, kind in sorted(set(stretches)):
        while open_scopes and scopes[open_scopes[-1]].end <= start:
            open_scopes.pop()
        scopes.append(Scope(start, -end, kind, open_scopes[-1] if open_scopes else -1))
        open_scopes.append(len(scopes) - 1)
    places = Scopes(scopes)
    bindings: list[Binding] = []
    returned: list[Stretch] = []
    taken: list[Pattern] = []
    outer: set[tuple[str, int]] = set()
    for found in matches:
        spans = {key: Stretch(nodes[0].start_byte, nodes[0].end_byte) for key, nodes in found.items()}
        if "returned" in spans:
            returned.append(spans["returned"])
        if "taken" in spans:
            taken.append(Pattern(*spans["taken"], spans.get("type"), spans.get("value")))
        for node in found.get("outer", ()):
            outer.add((_text(text, node), places.function_at(node.start_byte)))
        for kind in _KINDS:
            bindings += [_binding(text, node, kind, spans, places) for node in found.get(kind, ())]
    bindings = [each for each in bindings if (each.name, each.scope) not in outer]
    bindings = _taken_out(bindings, taken)
    bindings.sort(key=lambda each: each.start)
    return Scopes(scopes, bindings, returned, taken)


def _binding(text: bytes, node: Node, kind: str, spans: dict[str, Stretch], places: Scopes) -> Binding:
    scope = places.around(node.start_byte)
    return Binding(
        name=_text(text, node),
        start=node.start_byte,
        scope=scope,
        kind=kind,
        annotation=spans.get("type"),
        value=spans.get("value"),
        iterated=spans.get("iterated"),
        entered=spans.get("entered"),
    )


def _taken_out(bindings: Sequence[Binding], patterns: Sequence[Pattern]) -> list[Binding]:
    """Tell what stands in a pattern what it is taken out of."""
    found = []
    for each in bindings:
        for pattern in patterns:
            if pattern.start <= each.start < pattern.end and each.kind == "local" and each.annotation is None:
                taken = Stretch(pattern.start, pattern.end)
                each = each._replace(annotation=pattern.annotation, value=pattern.value, taken=taken)
        found.append(each)
    return found


def _text(text: bytes, node: Node) -> str:
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")
