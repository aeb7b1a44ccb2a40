"""Scopes inside one text, and the names that get a value in them: parameters, variables, attributes of objects.

The outline holds what others can name. What a function keeps to itself, and what the text says that a value is (its
annotation, the expression that makes it), is read from the syntax tree when somebody asks about a place, by
`queries/<language>.locals.scm`:

- `@scope` is a function, `@scope.block` a block of it, `@scope.type` a type, in whose methods its names are not bare,
  `@scope.closed` a function that does not see the locals around it. Several nodes of one match are one scope.
- `@local` is a name that gets a value in the scope around it, `@assigned` one in the function around it,
  `@local.around` one in the scope around that (a function that is called by it); beside it `@type` annotates it,
  `@value` makes it, it is one of what `@iterated` holds, or what is `@entered` (with … as).
- `@generic` is a parameter of a type or function that stands for a type, bare in all of it; its `@type` bounds it.
- `@attribute` is a member of the object around, `@member` one of the type around, `@function` one that gives a `@type`.
- `@taken` is a pattern that takes members out of a `@value` or something of a `@type`.
- `@returned` is what the function around gives. `@outer` is a name that does not belong to the function around.
- `@variable` is a local's name where the language declares none: where it first stands it belongs to the scope around.
- `@label` is a name that looks bare and is no local: a key, a named argument, a member.

Where a language lets a scope declare a name again (`Language.redeclares`), each declaration holds from where its value
ends up to the next.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.syntax.injections import Injections
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.notebooks import notebook_of, plain
from pilotfish.syntax.patterns import query_source
from pilotfish.syntax.spellings import key_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

MOST_BYTES: Final = 1 << 19
"""Of a longer text nothing local is known: it takes too long to read while somebody waits."""

_MOST_DEEP: Final = 200
"""Texts that nest deeper are not looked at: each pattern is tried at each level."""

_BARE: Final = frozenset({"local", "generic"})
_KINDS: Final = ("local", "generic", "attribute", "member", "function")
_SCOPES: Final = {"scope": "function", "scope.block": "block", "scope.type": "type", "scope.closed": "closed"}
_NUMBERS: Final = {"block": 0, "closed": 1, "function": 2, "type": 3}
_BLANK: Final = bytes(byte if byte == 0x0A else 0x20 for byte in range(256))
_TOLD: Final = ("annotation", "value", "iterated", "entered")
_KEY_BEFORE: Final = re.compile(rb"([\w$]+)\s*:\s*$")


class Stretch(NamedTuple):
    """A half-open stretch of bytes."""

    start: int
    end: int


class Scope(NamedTuple):
    """A stretch of text with names of its own; `kind` is `function`, `block` or `type`, `outer` the number of the scope
    around it, -1 for the text. One that `is_closed` does not see the locals around it.

    A scope's number tells where it stands, so that it has the same one however much of the text is read."""

    number: int
    start: int
    end: int
    kind: str
    outer: int
    is_closed: bool = False


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
        labels: Collection[int] = (),
        language: str | None = None,
    ) -> None:
        """Scopes in the order of their starts, outer ones first; bindings in the order of the text; where labels
        start."""
        self._scopes = scopes
        self._bindings = bindings
        self._patterns = patterns
        self._labels = labels
        self._language = language
        self._redeclares = language is not None and REGISTRY[language].redeclares
        self._starts = [scope.start for scope in scopes]
        self._by_number = {scope.number: scope for scope in scopes}
        self._by_name: dict[str, list[Binding]] = defaultdict(list)
        self._by_start: dict[int, Binding] = {}
        for each in bindings:
            self._by_name[key_of(each.name, language)].append(each)
            known = self._by_start.get(each.start)
            if known is None or _tells_more(each, known):
                self._by_start[each.start] = each
        self._returned: dict[int, list[Stretch]] = defaultdict(list)
        for stretch in returned:
            # What is returned may be a function itself, which begins there.
            self._returned[self.function_at(stretch.start - 1)].append(stretch)

    def scope(self, number: int) -> Scope:
        """Return the scope of a number."""
        return self._by_number[number]

    def around(self, offset: int) -> int:
        """Return the number of the innermost scope around a place, -1 where there is none."""
        place = bisect_right(self._starts, offset) - 1
        scope = self._scopes[place] if place >= 0 else None
        while scope is not None and scope.end <= offset:
            scope = self._by_number.get(scope.outer)
        return -1 if scope is None else scope.number

    def function_at(self, offset: int) -> int:
        """Return the number of the innermost function around a place, -1 where there is none."""
        number = self.around(offset)
        while number >= 0 and self._by_number[number].kind != "function":
            number = self._by_number[number].outer
        return number

    def function_from(self, start: int, end: int) -> int:
        """Return the number of the outermost function that begins within a stretch, -1 where none does."""
        for place in range(bisect_right(self._starts, start - 1), len(self._scopes)):
            scope = self._scopes[place]
            if scope.start >= end:
                break
            if scope.kind == "function":
                return scope.number
        return -1

    def named(self, name: str) -> Sequence[Binding]:
        """Return all bindings of a name, of any kind."""
        return self._by_name.get(key_of(name, self._language), ())

    def attributes(self, name: str) -> list[Binding]:
        """Return the bindings of a name as a member of the object around."""
        return [each for each in self.named(name) if each.kind == "attribute"]

    def variables(self, name: str) -> list[Binding]:
        """Return the bindings of a name as a variable outside of all scopes."""
        return [each for each in self.named(name) if each.kind == "local" and each.scope < 0]

    def beside(self, binding: Binding) -> list[Binding]:
        """Return the other bindings of a name in the same scope."""
        named = self.named(binding.name)
        return [each for each in named if each.scope == binding.scope and each.start != binding.start]

    def annotated(self, offset: int) -> list[tuple[Binding, Stretch]]:
        """Return the bindings that have an annotation, with this, as far as a place can see them."""
        return [(each, each.annotation) for each in self._bindings if each.annotation is not None]

    def at(self, start: int) -> Binding | None:
        """Return the binding of the name that stands at a place."""
        return self._by_start.get(start)

    def annotation_at(self, offset: int) -> Stretch | None:
        """Return the annotation that a place lies in."""
        said = (each.annotation for each in self._bindings)
        return next((each for each in said if each is not None and each.start <= offset < each.end), None)

    def pattern_at(self, offset: int) -> Pattern | None:
        """Return the pattern that a place lies in."""
        return next((each for each in self._patterns if each.start <= offset < each.end), None)

    def local(self, name: str, offset: int) -> list[Binding]:
        """Return the bindings that a bare name at a place means: those of the innermost scope around it that has any,
        functions and blocks; none where that is the text's or a type's own affair."""
        found = [each for each in self.named(name) if each.kind in _BARE and each.scope >= 0]
        number = self.around(offset) if found and offset not in self._labels else -1
        while number >= 0:
            is_type = self._by_number[number].kind == "type"
            here = [each for each in found if each.scope == number and (each.kind == "generic" or not is_type)]
            if self._redeclares:
                here = _declared_before(here, offset)
            if here:
                return here
            number = -1 if self._by_number[number].is_closed else self._by_number[number].outer
        return []

    def is_closed(self, offset: int) -> bool:
        """Return whether a place lies in a scope that does not see the locals of the text."""
        number = self.around(offset)
        while number >= 0 and not self._by_number[number].is_closed:
            number = self._by_number[number].outer
        return number >= 0

    def scope_of(self, binding: Binding) -> Stretch:
        """Return the stretch in which a local can be named."""
        scope = self._by_number[binding.scope]
        return Stretch(scope.start, scope.end)

    def returned(self, function: int) -> Sequence[Stretch]:
        """Return the expressions that a function gives."""
        return self._returned.get(function, ())

    def parameters(self, function: int) -> list[Binding]:
        """Return the locals of a function's own scope, its parameters first."""
        return [each for each in self._bindings if each.kind == "local" and each.scope == function]


def _declared_before(bindings: Sequence[Binding], offset: int) -> list[Binding]:
    """Return the last of some bindings that are declared before a place, which is not in its own value."""
    before = [
        each
        for each in bindings
        if each.kind == "generic"
        or (each.start <= offset and not (each.value is not None and each.value.start <= offset < each.value.end))
    ]
    return before[-1:]


def _tells_more(one: Binding, other: Binding) -> bool:
    return (one.annotation is not None, one.value is not None) > (other.annotation is not None, other.value is not None)


def has_sigil(text: bytes, offset: int, language: str | None) -> bool | None:
    """Return whether a name is that of a variable since a sigil stands before it; None in a language without them."""
    known = REGISTRY.get(language) if language is not None else None
    sigils = b"" if known is None else known.sigils
    if not sigils:
        return None
    before = offset - 1 if text[offset - 1 : offset] == b"{" else offset
    return before > 0 and text[before - 1] in sigils


def taken_name(text: bytes, binding: Binding) -> str:
    """Return the name of the member that a pattern takes for a binding in it: `name` of `{ name: local }`."""
    before = b"" if binding.taken is None else text[binding.taken.start : binding.start]
    match = _KEY_BEFORE.search(before)
    return match.group(1).decode() if match is not None else binding.name


class ScopeReader:
    """Reads scopes; makes each language's parser and query when it is first needed."""

    def __init__(self) -> None:
        self._readers: dict[str, tuple[Parser, Query]] = {}
        self._injections: dict[str, Injections] = {}

    def read(self, text: bytes, language: str | None) -> Scopes | None:
        """Return the scopes of a text; None in a language that has no query for them, and for a text that is too
        long."""
        if language is None or not has_scopes(text, language):
            return None
        if language not in languages_with_scopes():
            embedded = self._embedded(text, language)
            return None if embedded is None else self.read(*embedded)
        from tree_sitter import QueryCursor

        if language not in self._readers:
            self._readers[language] = _reader(language)
        parser, query = self._readers[language]
        prepared = REGISTRY[language].prepared
        tree = parser.parse(text if prepared is None else prepared(text))
        if _is_too_deep(tree.root_node):
            return None
        matches = [found for _, found in QueryCursor(query).matches(tree.root_node)]
        return _scopes_of(text, language, matches)

    def _embedded(self, text: bytes, language: str) -> tuple[bytes, str] | None:
        """Return a text as long as another, in which all is blank but the code in its first embedded language that has
        scopes, and that language; None without one."""
        from tree_sitter import Parser
        from tree_sitter_language_pack import get_language

        known = REGISTRY[language]
        grammar = get_language(known.grammar)  # type: ignore[arg-type]
        root = Parser(grammar).parse(text).root_node
        if known.is_notebook:
            notebook = notebook_of(root, text)
            is_known = notebook.language in languages_with_scopes()
            return (plain(text, notebook.code, is_code=True), notebook.language) if is_known else None
        if language not in self._injections:
            self._injections[language] = Injections(known, grammar)
        found = [each for each in self._injections[language].found(root, text) if not each.is_local]
        inner = next((each.language for each in found if each.language in languages_with_scopes()), None)
        if inner is None:
            return None
        made = bytearray(text.translate(_BLANK))
        for stretch in (stretch for each in found if each.language == inner for stretch in each.ranges):
            made[stretch.start_byte : stretch.end_byte] = text[stretch.start_byte : stretch.end_byte]
        return bytes(made), inner


def has_scopes(text: bytes, language: str) -> bool:
    """Whether scopes are read of a text in a language, or of what is embedded in it."""
    known = REGISTRY[language]
    is_embedding = known.is_notebook or (bool(known.injected) and not known.form)
    return (is_embedding or language in languages_with_scopes()) and len(text) <= MOST_BYTES


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


def _scopes_of(text: bytes, language: str, matches: Sequence[dict[str, list[Node]]]) -> Scopes:
    stretches: set[tuple[int, int, str]] = set()
    others: list[dict[str, list[Node]]] = []
    for found in matches:
        for key, nodes in found.items():
            kind = _SCOPES.get(key)
            if kind is not None:
                stretches.add((nodes[0].start_byte, -nodes[-1].end_byte, kind))
        if not found.keys() <= _SCOPES.keys():
            others.append(found)
    scopes = _nested(stretches)
    by_number = {scope.number: scope for scope in scopes}
    places = Scopes(scopes)
    bindings: list[Binding] = []
    returned: list[Stretch] = []
    taken: list[Pattern] = []
    outer: set[tuple[str, int]] = set()
    labels: set[int] = set()
    sigils = f"{REGISTRY[language].sigils.decode()}{{" if REGISTRY[language].sigils else ""
    variables: list[Binding] = []
    for found in others:
        variables += [_binding(text, sigils, node, "local", {}, places) for node in found.get("variable", ())]
        labels.update(node.start_byte for node in found.get("label", ()))
        spans = {key: Stretch(nodes[0].start_byte, nodes[0].end_byte) for key, nodes in found.items()}
        if "returned" in spans:
            returned.append(spans["returned"])
        if "taken" in spans:
            taken.append(Pattern(*spans["taken"], spans.get("type"), spans.get("value")))
        for node in found.get("outer", ()):
            outer.add((_text(text, node), places.function_at(node.start_byte)))
        for node in found.get("assigned", ()):
            binding = _binding(text, sigils, node, "local", spans, places)
            bindings.append(binding._replace(scope=places.function_at(node.start_byte)))
        for node in found.get("local.around", ()):
            binding = _binding(text, sigils, node, "local", spans, places)
            bindings.append(binding._replace(scope=by_number[binding.scope].outer if binding.scope >= 0 else -1))
        for kind in _KINDS:
            bindings += [_binding(text, sigils, node, kind, spans, places) for node in found.get(kind, ())]
    bindings = [each for each in bindings if (each.name, each.scope) not in outer]
    bindings = _taken_out(_together(bindings), taken)
    bindings += _first_ones(variables, bindings, by_number)
    bindings.sort(key=lambda each: each.start)
    labels.difference_update(each.start for each in bindings)
    return Scopes(scopes, bindings, returned, taken, labels, language)


def _nested(stretches: Iterable[tuple[int, int, str]]) -> list[Scope]:
    """Return scopes in the order of their starts; an end is given below zero, so that outer ones come first."""
    scopes: list[Scope] = []
    open_scopes: list[Scope] = []
    for start, end, kind in sorted(stretches):
        while open_scopes and open_scopes[-1].end <= start:
            open_scopes.pop()
        number = (start * 2 * MOST_BYTES - end) * len(_NUMBERS) + _NUMBERS[kind]
        outer = open_scopes[-1].number if open_scopes else -1
        is_closed = kind == "closed"
        scope = Scope(number, start, -end, "function" if is_closed else kind, outer, is_closed)
        scopes.append(scope)
        open_scopes.append(scope)
    return scopes


def _binding(text: bytes, sigils: str, node: Node, kind: str, spans: dict[str, Stretch], places: Scopes) -> Binding:
    scope = places.around(node.start_byte)
    name = _text(text, node)
    own = name.lstrip(sigils)
    return Binding(
        name=own.rstrip("}"),
        start=node.start_byte + len(name) - len(own),
        scope=scope,
        kind=kind,
        annotation=spans.get("type"),
        value=spans.get("value"),
        iterated=spans.get("iterated"),
        entered=spans.get("entered"),
    )


def _first_ones(
    variables: Sequence[Binding], declared: Sequence[Binding], scopes: Mapping[int, Scope]
) -> list[Binding]:
    """Return those of some variables that no scope around knows where they stand."""
    known = {(each.name, each.scope) for each in declared if each.kind == "local"}
    found = []
    for each in sorted(variables, key=lambda variable: variable.start):
        number = each.scope
        while number >= 0 and (each.name, number) not in known:
            number = -1 if scopes[number].is_closed else scopes[number].outer
        if number < 0 <= each.scope:
            known.add((each.name, each.scope))
            found.append(each)
    return found


def _together(bindings: Sequence[Binding]) -> list[Binding]:
    """Tell of each name at its place all that several matches tell; it belongs to the outermost of their scopes."""
    found: dict[tuple[int, str], Binding] = {}
    for each in bindings:
        known = found.setdefault((each.start, each.kind), each)
        if known is not each:
            one, other = (known, each) if _tells_more(known, each) else (each, known)
            told = {name: getattr(other, name) for name in _TOLD if getattr(one, name) is None}
            found[each.start, each.kind] = one._replace(scope=min(one.scope, other.scope), **told)
    return [*found.values()]


def _taken_out(bindings: Sequence[Binding], patterns: Sequence[Pattern]) -> list[Binding]:
    """Tell what stands in a pattern what it is taken out of."""
    if not patterns:
        return [*bindings]
    ordered = sorted(range(len(patterns)), key=lambda each: patterns[each].start)
    starts = [patterns[each].start for each in ordered]
    reaches = [*accumulate((patterns[each].end for each in ordered), max)]
    found = []
    for each in bindings:
        around: list[int] = []
        place = bisect_right(starts, each.start) - 1 if each.kind == "local" else -1
        while place >= 0 and reaches[place] > each.start:
            if each.start < patterns[ordered[place]].end:
                around.append(ordered[place])
            place -= 1
        for number in sorted(around):
            if each.annotation is None:
                pattern = patterns[number]
                taken = Stretch(pattern.start, pattern.end)
                each = each._replace(annotation=pattern.annotation, value=pattern.value, taken=taken)
        found.append(each)
    return found


def _text(text: bytes, node: Node) -> str:
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")
