"""What a name at a place means, as far as the text says it: by scopes, imports, and the type of what is before a dot.

A name written bare is looked for in the scopes around it (`syntax.scopes`), in the definitions of its text, then in
what this imports, through modules that hand names on (`graph.resolve`). Behind a dot it is a member of what the chain
before it gives: a module, a type, or an object whose type its annotation says, or the expression that makes it. Where
the text does not say it, nothing is returned, and others judge by names (`graph.links`, `engine.certainty`).
"""

from __future__ import annotations

import enum
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from pilotfish.engine.outlined import File
from pilotfish.engine.view import Definition, Text, View, definition_in
from pilotfish.graph.access import MEMBERS_BARE
from pilotfish.syntax import brackets, expressions
from pilotfish.syntax.facts import related_languages
from pilotfish.syntax.outline import BODIES, MEMBERS, TYPES, Import, Role, Symbol, SymbolKind, Visibility

if TYPE_CHECKING:
    from pilotfish.graph.resolve import Binding
    from pilotfish.syntax.expressions import Chain, Link
    from pilotfish.syntax.scopes import Binding as Local
    from pilotfish.syntax.scopes import Scopes, Stretch


class Sort(enum.Enum):
    """What a value is, as far as it matters for what is behind its dot."""

    MODULE = enum.auto()
    TYPE = enum.auto()
    OBJECT = enum.auto()
    FUNCTION = enum.auto()
    MANY = enum.auto()  # a container: iterated, indexed or awaited it gives one of what it holds


class Thing(NamedTuple):
    """A value: the files of a module; the definition of a type, of an object's type, or of a function with the object
    that it is a member of; what a container holds."""

    sort: Sort
    definition: Definition | None = None
    files: tuple[str, ...] = ()
    held: tuple[Thing, ...] = ()


_DEEP: Final = 12
"""So many steps from one expression to the next are followed."""

_EFFORT: Final = 400
"""So many expressions are read for one question."""

_HANDED_ON: Final = 8
_BASES_DEEP: Final = 12

_SELVES: Final = frozenset({"self", "this", "cls", "Self"})
_TYPES_SAID: Final = frozenset({"cls", "Self"})
_OWN_TYPE: Final = frozenset({"Self", "this"})
_ECMA: Final = frozenset({"javascript", "typescript", "tsx"})

_HOLDERS: Final = frozenset(
    [
        "List",
        "list",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "AsyncIterator",
        "AsyncIterable",
        "AsyncGenerator",
        "Generator",
        "Collection",
        "Set",
        "set",
        "FrozenSet",
        "frozenset",
        "Tuple",
        "tuple",
        "Deque",
        "deque",
        "Array",
        "ReadonlyArray",
        "Promise",
        "PromiseLike",
        "Awaitable",
        "Coroutine",
        "Future",
        "IterableIterator",
        "AsyncIterableIterator",
        "Vec",
        "Option",
        "Result",
        "Box",
        "Rc",
        "Arc",
        "Optional",
        "ArrayList",
        "LinkedList",
        "Stream",
        "CompletableFuture",
        "HashSet",
        "TreeSet",
        "Queue",
    ]
)
_KEYED: Final = frozenset(
    [
        "Dict",
        "dict",
        "Mapping",
        "MutableMapping",
        "DefaultDict",
        "defaultdict",
        "OrderedDict",
        "Map",
        "WeakMap",
        "ReadonlyMap",
        "Record",
        "HashMap",
        "BTreeMap",
        "TreeMap",
        "LinkedHashMap",
        "ConcurrentHashMap",
        "ConcurrentMap",
        "SortedMap",
    ]
)
_SEE_THROUGH: Final = frozenset(
    [
        "Optional",
        "Union",
        "Annotated",
        "ClassVar",
        "Final",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Readonly",
        "Partial",
        "NonNullable",
        "InitVar",
    ]
)
_GIVERS: Final = frozenset(
    ["get", "pop", "shift", "first", "last", "at", "find", "popitem", "setdefault", "values", "items", "copy"]
)
_PROPERTY: Final = re.compile(rb"@(?:[\w.]*property|[\w.]+\.setter|reify|hybrid_property)\b")
_GETTER: Final = re.compile(rb"\bget\s+$")
_STRING: Final = re.compile(rb"""^\s*(["'])([\w.\[\], |]+)\1\s*$""")
_BOUND: Final = re.compile(rb"""\bTypeVar\(.*?\bbound\s*=\s*["']?([\w.]+)""", re.DOTALL)
_DEFAULT: Final = re.compile(
    rb"\bexport\s+default\s+(?:async\s+)?(?:(?:abstract\s+)?class|function\s*\*?|interface|enum)?\s*([\w$]+)"
)
_RENAMED: Final = rb"\bexport\s*(?:type\s*)?\{[^}]*?\b([\w$]+)\s+as\s+%s\s*[,}]"
_MODULE_NEXT: Final = re.compile(rb"\s*[\"']")
_ALIASED: Final = re.compile(rb"\s*(?:<[^=]*>)?\s*=\s*")
_EXTENDS: Final = re.compile(rb"^\s*(?::|extends\b|->|implements\b)\s*")
_OVERLOADING: Final = frozenset({"typescript", "tsx", "java", "cpp"})
_MAY_MISS: Final = re.compile(rb"^\s*\.\.\.|^\s*[\w$]+\s*\?|[^=]=[^=>]|^\s*this\s*:")
_THIS: Final = re.compile(rb"\s*this\s*:")
_KEY: Final = re.compile(rb"\s*\??\s*([:,}])")
_KEY_BEFORE: Final = re.compile(rb"([\w$]+)\s*:\s*$")
_CAST: Final = re.compile(rb"\s+(?:as|satisfies)\s+([\w$.]+)")
_ARGUMENT: Final = re.compile(rb"\s*=(?![=>])")


class Source:
    """One text with what is read from it for several questions."""

    def __init__(self, view: View, text: Text) -> None:
        self._view = view
        self.text = text
        self.bytes = text.text
        self.file = File(text, self.bytes)
        self.language = text.language

    @cached_property
    def scopes(self) -> Scopes | None:
        """Its scopes; None where nothing is known of them."""
        return self._view.scopes(self.text)

    @cached_property
    def bindings(self) -> list[Binding]:
        """What its imports bind."""
        return self._view.bindings(self.text)

    def chain_before(self, offset: int) -> Chain | None:
        """Return what a name at a place is reached through."""
        return expressions.chain_before(self.bytes, offset, self.language)

    def definitions(self, ordinals: Iterable[int]) -> list[Definition]:
        """Return some of its definitions of one name, the one that holds first: the last in a language in which each
        takes the place of those before."""
        found = [self.definition(each) for each in ordinals]
        return found[::-1] if self.language == "python" else found

    def definition(self, ordinal: int) -> Definition:
        """Return one of its definitions."""
        return definition_in(self.text, ordinal, self.file.symbols[ordinal], self.file.containers[ordinal])

    def unlisted(self, name: str, start: int, kind: SymbolKind, container: str = "") -> Definition:
        """Return a definition that its outline does not have."""
        return Definition(
            path=self.text.path,
            uri=self.text.uri,
            language=self.language,
            ordinal=-2 - start,
            name=name,
            kind=kind,
            container=container,
            visibility=Visibility.PRIVATE,
            start=self.text.lines.position(start),
            end=self.text.lines.position(start + len(name.encode())),
        )


class Resolution:
    """Answers within one view; the same question is answered once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._sources: dict[str, Source | None] = {}
        self._left = _EFFORT
        self._depth = 0
        self._given: dict[tuple[str, str], list[Definition]] = {}
        self._valued: dict[tuple[str, int], list[Thing]] = {}
        self._bases: dict[tuple[str, int], list[Definition]] = {}

    # --- texts -------------------------------------------------------------------------------------------------------

    def source(self, address: str) -> Source | None:
        """Return a text by its path or URI; None where it is not to be had."""
        if address not in self._sources:
            text = self._view.file(address) or self._view.document(address)
            self._sources[address] = None if text is None or not text.text else Source(self._view, text)
        return self._sources[address]

    def of(self, text: Text) -> Source:
        """Return a text that is at hand."""
        known = self._sources.get(text.address)
        if known is None:
            known = self._sources[text.address] = Source(self._view, text)
        return known

    # --- a name at a place -------------------------------------------------------------------------------------------

    def meaning(self, text: Text, name: str, offset: int) -> list[Definition] | None:
        """Return the definitions that a name at a byte offset means, the best first; none where what it means is not in
        the root; None where the text does not say it."""
        self._left, self._depth = _EFFORT, 0
        source = self.of(text)
        own = self._own(source, name, offset)
        if own:
            return own
        imported = self._in_import(source, name, offset)
        if imported is not None:
            return imported
        found = self._used(source, name, offset)
        return found if found is None or len(found) < 2 else self._overload(source, offset + len(name.encode()), found)

    def _used(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name means where it is used."""
        before = source.chain_before(offset)
        if before is not None:
            return self._behind(source, before, name)
        if expressions.is_behind_dot(source.bytes, offset, source.language):
            return None
        label = self._label(source, name, offset)
        return self._bare(source, name, offset) if label is None else label

    def _overload(self, source: Source, end: int, found: Sequence[Definition]) -> list[Definition]:
        """Put those of some overloads first that take as many arguments as the call that follows their name has."""
        if source.language not in _OVERLOADING:
            return list(found)
        opened = brackets.call_behind(source.bytes, end)
        close = -1 if opened < 0 else brackets.matching(source.bytes, opened, len(source.bytes))
        if close < 0:
            return list(found)
        number = sum(1 for _ in brackets.arguments(source.bytes, opened, close + 1))
        return sorted(found, key=lambda each: not self._takes(each, number))

    def _takes(self, definition: Definition, number: int) -> bool:
        """Whether a function can be called with so many arguments, as far as its head tells."""
        source = self.source(definition.address)
        if source is None or definition.ordinal < 0 or definition.kind not in BODIES:
            return False
        symbol = source.file.symbols[definition.ordinal]
        opened = brackets.call_behind(source.bytes, symbol.name_end)
        close = -1 if opened < 0 else brackets.matching(source.bytes, opened, symbol.end)
        if close < 0:
            return False
        parameters = [source.bytes[first:last] for first, last in brackets.arguments(source.bytes, opened, close + 1)]
        least = sum(not _MAY_MISS.search(each) for each in parameters)
        return least <= number and (number <= len(parameters) or any(b"..." in each for each in parameters))

    def _own(self, source: Source, name: str, offset: int) -> list[Definition]:
        """Return the definition whose name stands at the place."""
        for ordinal in source.file.by_name.get(name, ()):
            if source.file.symbols[ordinal].name_start == offset:
                return [source.definition(ordinal)]
        scopes = source.scopes
        binding = None if scopes is None else scopes.at(offset)
        if binding is None or scopes is None:
            return []
        if binding.kind in ("local", "generic"):
            local = (
                self._locals(source, [binding])
                if binding.scope < 0
                else self._locals(source, scopes.local(name, offset))
            )
            if binding.taken is None or _taken_name(source.bytes, binding) != name:
                return local if binding.scope >= 0 else []
            return [*self._members(self._taken_from(source, binding.annotation, binding.value), name), *local]
        if binding.kind == "attribute":
            kind = self._type_around(source, offset)
            return [] if kind is None else self._member(Thing(Sort.OBJECT, kind), name)
        return []

    def _locals(self, source: Source, found: Sequence[Local]) -> list[Definition]:
        return [
            source.unlisted(each.name, each.start, SymbolKind.VARIABLE if each.scope >= 0 else SymbolKind.CONSTANT)
            for each in found[:1]
        ]

    # --- imports -----------------------------------------------------------------------------------------------------

    def _in_import(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name in an import means: a module, or what a module gives under it; None outside of imports."""
        around = next((each for each in source.text.imports if each.start <= offset < each.end), None)
        if around is None:
            return None
        if name == "from" and _MODULE_NEXT.match(source.bytes, offset + 4):
            return []
        if source.language == "python":
            module = self._module_named(source, around, name, offset)
            if module is not None:
                return module
        end = offset + len(name.encode())
        found: list[Definition] = []
        for binding in self._view.bound_by(source.text, around):
            if name in (binding.alias, binding.name):
                found += self._bound(binding)
        is_named = any(name in (each.alias, each.name) for each in around.names)
        if found or not is_named or end > around.end:
            return _distinct(found)
        return None if self._may_be_inside(around) else []

    def _may_be_inside(self, imported: Import) -> bool:
        """Whether an import that leads to no file may yet be meant to: a path from here."""
        return imported.module.startswith(".")

    def _module_named(self, source: Source, around: Import, name: str, offset: int) -> list[Definition] | None:
        """Return the module that a part of a dotted path in an import of Python names; None where it is none."""
        text, end = source.bytes, offset + len(name.encode())
        first = offset
        while first > around.start and (
            text[first - 1] == ord(".") or chr(text[first - 1]).isidentifier() or chr(text[first - 1]).isdigit()
        ):
            first -= 1
        path = text[first:end].decode("utf-8", "replace")
        if not (around.module == path or around.module.startswith(f"{path}.")):
            return None
        lead = text[max(around.start, first - 8) : first].split()
        if (
            not lead
            or lead[-1] not in (b"from", b"import")
            or (lead[-1] == b"import" and b"from" in text[around.start : first].split()[:1])
        ):
            return None
        files = {file: None for each in self._view.bound_by(source.text, Import(path, [], 0, 0)) for file in each.files}
        return [self._module(file) for file in files]

    def _module(self, path: str) -> Definition:
        """Return a file as a definition: where it begins."""
        name = posixpath.splitext(posixpath.basename(path))[0]
        zero = (0, 0, 0, 0)
        return Definition(
            path, None, self._view.language(path), -1, name, SymbolKind.MODULE, "", Visibility.PUBLIC, zero, zero
        )

    def _bound(self, binding: Binding) -> list[Definition]:
        """Return what one binding of an import leads to."""
        if binding.name == "*":
            return [self._module(each) for each in binding.files]
        return [found for each in binding.files for found in self.given(each, binding.name)]

    def given(self, path: str, name: str) -> list[Definition]:
        """Return the definitions that a file gives under a name, its own or handed on."""
        key = (path, name)
        if key not in self._given:
            self._given[key] = []  # files may hand on in a circle
            self._given[key] = self._given_by(path, name)
        return self._given[key]

    def _given_by(self, path: str, name: str) -> list[Definition]:
        source = self.source(path)
        if source is None:
            return []
        if name == "default" and source.language in _ECMA:
            match = _DEFAULT.search(source.bytes)
            if match is not None and (found := self.given(path, match.group(1).decode())):
                return found
        tops = [
            ordinal
            for ordinal in source.file.by_name.get(name, ())
            if source.file.symbols[ordinal].parent < 0 and not source.file.symbols[ordinal].container
        ]
        if tops:
            return source.definitions(tops)
        named = [each for each in source.bindings if each.alias == name]
        found = [each for one in named for each in self._bound(one) if each.kind is not SymbolKind.MODULE]
        found = found or [each for one in named if one.name == "*" for each in self._bound(one)]
        if not found and source.language in _ECMA:
            renamed = re.search(_RENAMED % re.escape(name.encode()), source.bytes)
            if renamed is not None and (inner := renamed.group(1).decode()) != name:
                found = self.given(path, inner)
        if not found:
            wild = [each for each in source.bindings if each.alias == each.name == "*"]
            found = [each for one in wild for file in one.files if file != path for each in self.given(file, name)]
        if not found and source.scopes is not None:
            variables = [each for each in source.scopes.named(name) if each.kind == "local" and each.scope < 0]
            found = self._locals(source, variables)
        return _distinct(found)

    def _submodule(self, path: str, name: str) -> list[Definition]:
        """Return the module in a package of Python."""
        folder, file = posixpath.split(path)
        if posixpath.splitext(file)[0] != "__init__":
            return []
        places = (f"{name}/__init__.py", f"{name}.py", f"{name}.pyi")
        found = next((each for each in (posixpath.join(folder, one) for one in places) if self._view.file(each)), None)
        return [] if found is None else [self._module(found)]

    # --- bare names --------------------------------------------------------------------------------------------------

    def _bare(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name means that is written bare at a place."""
        scopes = source.scopes
        local = [] if scopes is None else scopes.local(name, offset)
        around = self._symbols_around(source, offset)
        nested = self._nested(source, name, around)
        if local and scopes is not None:
            start = scopes.scope_of(local[0]).start
            if (
                not nested
                or source.file.symbols[nested[0]].parent < 0
                or source.file.symbols[source.file.symbols[nested[0]].parent].start <= start
            ):
                return self._locals(source, local)
        if nested:
            return source.definitions(nested)
        if name in ("self", "this", "cls") and (kind := self._type_around(source, offset)) is not None:
            return [kind]
        if source.language in MEMBERS_BARE:
            kind = self._type_around(source, offset)
            found = [] if kind is None else self._member(Thing(Sort.OBJECT, kind), name)
            if found:
                return found
        named = [each for each in source.bindings if each.alias == name]
        found = [each for one in named for each in self._bound(one)]
        if source.language == "python":
            for each in source.text.imports:
                if not each.names and each.module.partition(".")[0] == name:
                    bound = self._view.bound_by(
                        source.text, each._replace(module=name) if hasattr(each, "_replace") else Import(name, [], 0, 0)
                    )
                    modules = [found for one in bound for found in self._bound(one)]
                    if modules:
                        return _distinct(modules)
        if found:
            return _distinct(_without_modules(found))
        return self._unbound(source, name)

    def _unbound(self, source: Source, name: str) -> list[Definition] | None:
        """Return what a bare name means that neither its text defines nor an import names."""
        wild = [each for each in source.bindings if each.name == "*" and each.alias in ("*", "")]
        if source.language not in _ECMA:
            found = [each for one in wild for file in one.files for each in self.given(file, name)]
            if found:
                return _distinct(found)
        if source.scopes is not None:
            variables = [each for each in source.scopes.named(name) if each.kind == "local" and each.scope < 0]
            if variables:
                return self._locals(source, variables)
        if source.language in ("go", "java"):
            folder = posixpath.dirname(source.text.address)
            same = [
                each
                for each in self._view.definitions(name, related_languages(source.language))
                if posixpath.dirname(each.address) == folder and not each.container
            ]
            if same:
                return same
        if source.language in ("python", "go", "java", "rust", *_ECMA) and any(
            name in (one.alias, one.name) for each in source.text.imports for one in each.names
        ):
            claims = [each for each in source.text.imports if any(one.alias == name for one in each.names)]
            return None if any(self._may_be_inside(each) for each in claims) else []
        return None

    def _symbols_around(self, source: Source, offset: int) -> list[int]:
        """Return the definitions around a place, innermost first, ending with -1: the text."""
        found = [source.file.around(offset)]
        while found[-1] >= 0:
            found.append(source.file.symbols[found[-1]].parent)
        return found

    def _nested(self, source: Source, name: str, around: Sequence[int]) -> list[int]:
        """Return the definitions of a name in the innermost of the definitions around that has any."""
        symbols = source.file.symbols
        by_parent: dict[int, list[int]] = {}
        for ordinal in source.file.by_name.get(name, ()):
            symbol = symbols[ordinal]
            if symbol.container and symbol.parent < 0:
                continue
            is_member = symbol.parent >= 0 and symbols[symbol.parent].kind in TYPES
            if is_member and source.language not in MEMBERS_BARE and around[0] not in (symbol.parent, ordinal):
                continue
            if symbol.kind in MEMBERS and source.language in _ECMA:
                continue
            by_parent.setdefault(symbol.parent, []).append(ordinal)
        return next((by_parent[each] for each in around if each in by_parent), [])

    def _type_around(self, source: Source, offset: int) -> Definition | None:
        """Return the type that a place lies in."""
        for ordinal in self._symbols_around(source, offset)[:-1]:
            symbol = source.file.symbols[ordinal]
            if symbol.kind in TYPES:
                return source.definition(ordinal)
            if symbol.container and (named := self._types_called(source, symbol.container.rpartition(".")[2])):
                return named[0]
        return None

    def _types_called(self, source: Source, name: str) -> list[Definition]:
        """Return the types of a name that a text can mean by what it defines, imports or has beside it."""
        own = [each for each in source.file.by_name.get(name, ()) if source.file.symbols[each].kind in TYPES]
        if own:
            return [source.definition(each) for each in own]
        folder = posixpath.dirname(source.text.address)
        known = self._view.definitions(name, related_languages(source.language))
        types = [each for each in known if each.kind in TYPES]
        near = [each for each in types if posixpath.dirname(each.address) == folder]
        return near or (types if len(types) == 1 else [])

    # --- arguments and fields by name --------------------------------------------------------------------------------

    def _label(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the parameter or field that a named argument means (`f(name=…)`, `{name: …}`); None where the place is
        none."""
        if source.language in _ECMA:
            return self._key(source, name, offset)
        if source.language != "python" or not _ARGUMENT.match(source.bytes, offset + len(name.encode())):
            return None
        opened = brackets.opened_before(source.bytes, offset)
        if opened < 0 or source.bytes[opened] != ord("("):
            return None
        called = self._value_before(source, opened)
        found = [each for thing in called for each in self._parameter(thing, name)]
        return _distinct(found) or None

    def _key(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return the member that a key of an object or of a pattern means, by the type that is wanted there."""
        end = offset + len(name.encode())
        behind = _KEY.match(source.bytes, end)
        before = source.bytes[:offset].rstrip()[-1:] if behind is not None else b""
        if behind is None or before not in (b"{", b","):
            return None
        opened = brackets.opened_before(source.bytes, offset)
        if opened < 0 or source.bytes[opened] != ord("{"):
            return None
        pattern = None if source.scopes is None else source.scopes.pattern_at(offset)
        if pattern is not None:
            things = self._taken_from(source, pattern.annotation, pattern.value)
        else:
            things = self._wanted(source, opened)
        found = self._members(things, name)
        if behind.group(1) in (b",", b"}"):  # `{ name }` is the member and what the name means beside it
            return [*(self._bare(source, name, offset) or ()), *found] if found else None
        return found or [source.unlisted(name, offset, SymbolKind.KEY)]

    def _wanted(self, source: Source, opened: int) -> list[Thing]:
        """Return what an object that is written out is wanted to be, by the place of its bracket."""
        text = source.bytes
        close = brackets.matching(text, opened, len(text))
        said = None if close < 0 else _CAST.match(text, close + 1)
        if said is not None:
            return self._annotated(source, said.start(1), said.end(1))
        before = text[max(0, opened - 200) : opened].rstrip()
        if before.endswith((b"=", b"return", b"=>", b"=> (")):
            return self._declared(source, opened, before)
        outer = brackets.opened_before(text, opened)
        if outer < 0:
            return []
        if text[outer] == ord("("):
            end = brackets.matching(text, outer, len(text))
            parts = [*brackets.arguments(text, outer, end + 1)] if end > 0 else []
            place = next((number for number, (first, last) in enumerate(parts) if first <= opened < last), -1)
            if place < 0 or text[parts[place][0] : opened].strip():
                return []
            called = self._value_before(source, outer)
            return next((things for each in called if (things := self._asked(each, place))), [])
        if text[outer] == ord("{"):
            key = _KEY_BEFORE.search(text, max(outer, opened - 100), opened)
            found = self._key(source, key.group(1).decode(), key.start(1)) if key is not None else None
            return [thing for each in found or () for thing in self._value(each)]
        if text[outer] == ord("["):
            return [held for each in self._wanted(source, outer) for held in _held(each)]
        return []

    def _declared(self, source: Source, opened: int, before: bytes) -> list[Thing]:
        """Return what the variable is said to be that is given an object, or the function to give that returns it."""
        scopes = source.scopes
        if scopes is None:
            return []
        if before.endswith(b"=") and not before.endswith(b"=="):
            left = [
                each
                for each in scopes.bindings
                if each.annotation is not None
                and each.annotation.end <= opened
                and source.bytes[each.annotation.end : opened].strip() == b"="
            ]
            return self._annotated(source, *left[0].annotation) if left and left[0].annotation is not None else []
        function = scopes.function_at(opened)
        if function < 0:
            return []
        scope = scopes.scopes[function]
        said = [
            each
            for each in scopes.bindings
            if each.kind == "function"
            and each.annotation is not None
            and scope.start <= each.annotation.start < opened
            and each.start < scope.end
            and scopes.function_at(each.annotation.start) == function
        ]
        return self._annotated(source, *said[0].annotation) if said and said[0].annotation is not None else []

    def _asked(self, thing: Thing, place: int) -> list[Thing]:
        """Return what a function wants as its argument at a place."""
        definition = thing.definition
        source = None if definition is None else self.source(definition.address)
        if thing.sort is Sort.TYPE and definition is not None:
            makers = self._member(thing, "constructor")
            return [found for each in makers[:1] for found in self._asked(Thing(Sort.FUNCTION, each), place)]
        if definition is None or source is None or definition.ordinal < 0 or definition.kind not in BODIES:
            return []
        symbol = source.file.symbols[definition.ordinal]
        opened = brackets.call_behind(source.bytes, symbol.name_end)
        close = -1 if opened < 0 else brackets.matching(source.bytes, opened, symbol.end)
        parts = [*brackets.arguments(source.bytes, opened, close + 1)] if close > 0 else []
        if place >= len(parts):
            return []
        start, end = parts[place]
        colon = source.bytes.find(b":", start, end)
        if colon < 0 or source.bytes[start:colon].strip().startswith(b"{"):
            pattern = brackets.matching(source.bytes, source.bytes.find(b"{", start, end), end) if colon >= 0 else -1
            colon = source.bytes.find(b":", pattern, end) if pattern > 0 else -1
        if colon < 0:
            return []
        parts = brackets.alternatives(source.bytes, colon + 1, end, (b" = ",))
        return self._annotated(source, *parts[0], thing.held)

    def _value_before(self, source: Source, opened: int) -> list[Thing]:
        """Return what is called by the bracket that opens at a place."""
        end = opened
        while end > 0 and source.bytes[end - 1] in b" \t":
            end -= 1
        if source.bytes[end - 1 : end] == b">":
            end = max(brackets.angle_back(source.bytes, end - 1), 0)
        start = end
        while start > 0 and (source.bytes[start - 1 : start].isalnum() or source.bytes[start - 1 : start] == b"_"):
            start -= 1
        name = source.bytes[start:end].decode("utf-8", "replace")
        if not name:
            return []
        before = source.chain_before(start)
        if name == "super" and before is None:
            return []
        things = self._chain(source, before) if before is not None else None
        defined = self._bare(source, name, start) if things is None else self._members(things, name)
        return [thing for each in defined or () for thing in self._value(each)]

    def _parameter(self, thing: Thing, name: str) -> list[Definition]:
        if thing.definition is None:
            return []
        if thing.sort is Sort.TYPE:
            makers = self._member(thing, "__init__") or self._member(thing, "__new__")
            found = [each for maker in makers for each in self._parameter(Thing(Sort.FUNCTION, maker), name)]
            return found or [each for each in self._member(thing, name) if each.kind is SymbolKind.FIELD]
        source = self.source(thing.definition.address)
        if thing.sort is not Sort.FUNCTION or source is None or source.scopes is None or thing.definition.ordinal < 0:
            return []
        symbol = source.file.symbols[thing.definition.ordinal]
        function = source.scopes.function_from(symbol.start, symbol.end)
        body = symbol.start + symbol.body if symbol.body >= 0 else symbol.end
        return [
            source.unlisted(name, each.start, SymbolKind.VARIABLE)
            for each in source.scopes.parameters(function)
            if each.name == name and each.start < body
        ][:1]

    # --- chains ------------------------------------------------------------------------------------------------------

    def _behind(self, source: Source, before: Chain, name: str) -> list[Definition] | None:
        """Return what a name means that is reached through a chain."""
        things = self._chain(source, before)
        if not things:
            return None
        found = self._members(things, name)
        return found or None

    def _members(self, things: Iterable[Thing], name: str) -> list[Definition]:
        return _distinct(each for thing in things for each in self._member(thing, name))

    def _chain(self, source: Source, chain: Chain) -> list[Thing]:
        """Return the values that a chain may give."""
        self._left -= 1
        if self._left < 0 or self._depth >= _DEEP:
            return []
        self._depth += 1
        try:
            return self._followed(source, chain)
        finally:
            self._depth -= 1

    def _followed(self, source: Source, chain: Chain) -> list[Thing]:
        first, *rest = chain.links
        things = self._first(source, first, rest)
        if first.name == "super":
            rest = rest[1:] if rest and rest[0].kind == "call" else rest
        is_made = chain.is_made
        for link in rest:
            if link.kind == "call":
                things = [each for thing in things for each in self._called(thing)]
                is_made = False
            elif link.kind in ("index", "await"):
                things = [each for thing in things for each in _held(thing)]
            else:
                things = self._stepped(things, link.name)
            if not things:
                return []
        if is_made:  # `new Type` without brackets
            things = [each for thing in things for each in self._called(thing)]
        if chain.is_awaited:
            things = [each for thing in things for each in _held(thing)]
        return things

    def _first(self, source: Source, link: Link, rest: Sequence[Link]) -> list[Thing]:
        name, offset = link.name, link.start
        if name == "super":
            kind = self._type_around(source, offset)
            return [] if kind is None else [Thing(Sort.OBJECT, each) for each in self.bases(kind)]
        if name in _SELVES and not self._is_rebound(source, name, offset):
            kind = self._type_around(source, offset)
            if kind is not None:
                return [Thing(Sort.TYPE if name in _TYPES_SAID else Sort.OBJECT, kind)]
        return [thing for each in self._bare(source, name, offset) or () for thing in self._value(each)]

    @staticmethod
    def _is_rebound(source: Source, name: str, offset: int) -> bool:
        """Whether a function around gives its own value to what is usually the object around."""
        scopes = source.scopes
        return scopes is not None and any(each.annotation for each in scopes.local(name, offset))

    def _stepped(self, things: Sequence[Thing], name: str) -> list[Thing]:
        found = [each for thing in things for one in self._member(thing, name) for each in self._value(one, thing)]
        if found:
            return found
        # Methods of containers that give what these hold: `.get(…)`, `.pop()`.
        return [
            Thing(Sort.FUNCTION, None, (), thing.held)
            for thing in things
            if thing.sort is Sort.MANY and name in _GIVERS
        ]

    def _called(self, thing: Thing) -> list[Thing]:
        """Return what a call gives."""
        if thing.sort is Sort.TYPE:
            return [thing._replace(sort=Sort.OBJECT)]
        if thing.sort is Sort.FUNCTION:
            return list(thing.held) if thing.definition is None else self._result(thing)
        if thing.sort is Sort.OBJECT:
            called = self._member(thing, "__call__")
            return [each for one in called for each in self._result(Thing(Sort.FUNCTION, one, (), (thing,)))]
        return []

    def _result(self, thing: Thing) -> list[Thing]:
        """Return what a function gives: what its annotation says, else what it returns."""
        definition = thing.definition
        source = None if definition is None else self.source(definition.address)
        if definition is None or source is None or source.scopes is None or definition.ordinal < 0:
            return []
        symbol = source.file.symbols[definition.ordinal]
        binding = source.scopes.at(symbol.name_start)
        if binding is not None and binding.kind == "function" and binding.annotation is not None:
            return self._annotated(source, *binding.annotation, thing.held)
        function = source.scopes.function_from(symbol.start, symbol.end)
        if function < 0:
            return []
        found = [each for one in source.scopes.returned(function)[:4] for each in self._expression(source, *one)]
        return [*dict.fromkeys(found)]

    # --- values ------------------------------------------------------------------------------------------------------

    def _value(self, definition: Definition, owner: Thing | None = None) -> list[Thing]:
        """Return what the name of a definition stands for; `owner` is the object that it is a member of."""
        if definition.kind is SymbolKind.MODULE and definition.ordinal == -1 and definition.path is not None:
            return [Thing(Sort.MODULE, None, (definition.path,))]
        if definition.kind in TYPES and definition.ordinal >= 0:
            return [Thing(Sort.TYPE, definition)]
        if definition.kind in (SymbolKind.NAMESPACE, SymbolKind.MODULE):
            return [Thing(Sort.TYPE, definition)]
        source = self.source(definition.address)
        if source is None:
            return []
        held = () if owner is None else (owner,)
        if definition.kind in BODIES or (definition.kind is SymbolKind.PROPERTY and definition.ordinal >= 0):
            function = Thing(Sort.FUNCTION, definition, (), held)
            is_read = self._is_read(source, definition)
            return (
                self._result(function)
                if is_read
                else [function]
                if definition.kind in BODIES
                else self._of_name(source, definition)
            )
        return self._of_name(source, definition)

    @staticmethod
    def _is_read(source: Source, definition: Definition) -> bool:
        """Whether a method is called by reading it: a property, a getter."""
        symbol = source.file.symbols[definition.ordinal]
        if source.language == "python":
            return _PROPERTY.search(source.bytes, symbol.start, symbol.start + symbol.head) is not None
        return _GETTER.search(source.bytes, max(0, symbol.name_start - 12), symbol.name_start) is not None

    def _of_name(self, source: Source, definition: Definition) -> list[Thing]:
        """Return what a variable, parameter, field or attribute holds."""
        start = (
            -2 - definition.ordinal if definition.ordinal < 0 else source.file.symbols[definition.ordinal].name_start
        )
        key = (definition.address, start)
        if key not in self._valued:
            self._valued[key] = []  # a value may be made of itself
            found = self._valued[key] = self._held_by(source, definition, start)
            if not found and (self._left < 0 or self._depth >= _DEEP - 1):
                del self._valued[key]  # it was not looked for to the end
            return found
        return self._valued[key]

    def _held_by(self, source: Source, definition: Definition, start: int) -> list[Thing]:
        binding = None if source.scopes is None else source.scopes.at(start)
        if binding is None or source.scopes is None:
            return self._object_literal(source, definition)
        found = self._bound_value(source, binding)
        if not found and binding.kind == "local":
            # A variable that is declared first and gets its value later.
            others = [
                each
                for each in source.scopes.named(binding.name)
                if each.scope == binding.scope and each.start != start
            ]
            found = next((things for each in others[:4] if (things := self._bound_value(source, each))), [])
        return found or self._object_literal(source, definition)

    def _object_literal(self, source: Source, definition: Definition) -> list[Thing]:
        """A constant with members of its own is like a type of which there is one."""
        if definition.ordinal < 0 or not source.file.members(definition.ordinal):
            return []
        return [Thing(Sort.OBJECT, definition)]

    def _bound_value(self, source: Source, binding: Local) -> list[Thing]:
        if binding.annotation is not None or binding.value is not None:
            things = self._taken_from(source, binding.annotation, binding.value)
        elif binding.iterated is not None:
            return [held for each in self._expression(source, *binding.iterated) for held in _held(each)]
        elif binding.entered is not None:
            return [each for thing in self._expression(source, *binding.entered) for each in self._entered(thing)]
        else:
            things = self._handed(source, binding)
        if binding.taken is None:
            return things
        return self._stepped(things, _taken_name(source.bytes, binding))

    def _taken_from(self, source: Source, annotation: Stretch | None, value: Stretch | None) -> list[Thing]:
        """Return the values that an annotation admits, or where there is none, an expression may have."""
        if annotation is not None:
            return self._annotated(source, *annotation)
        return [] if value is None else self._expression(source, *value)

    def _handed(self, source: Source, binding: Local) -> list[Thing]:
        """Return what a parameter of a function is that is itself the argument of a call: what the called function says
        that it hands to it."""
        scopes = source.scopes
        if source.language not in _ECMA or scopes is None or binding.scope < 0:
            return []
        scope = scopes.scopes[binding.scope]
        if scope.kind != "function" or self._left < 0:
            return []
        opened = brackets.opened_before(source.bytes, scope.start)
        if opened < 0 or source.bytes[opened] != ord("("):
            return []
        close = brackets.matching(source.bytes, opened, len(source.bytes))
        written = [*brackets.arguments(source.bytes, opened, close + 1)] if close > 0 else []
        place = next((number for number, (first, last) in enumerate(written) if first <= scope.start < last), -1)
        position = self._position(source, scope.start, binding.start)
        if place < 0 or position < 0 or source.bytes[written[place][0] : scope.start].strip():
            return []
        for thing in self._value_before(source, opened):
            found = self._taken_by(thing, place, position)
            if found:
                return found
        return []

    @staticmethod
    def _position(source: Source, start: int, offset: int) -> int:
        """Return which parameter of a function stands at a place."""
        text = source.bytes
        opened = text.find(b"(", start, offset)
        if opened < 0:
            return 0
        close = brackets.matching(text, opened, len(text))
        parts = [*brackets.arguments(text, opened, close + 1)] if close > offset else []
        return next((number for number, (first, last) in enumerate(parts) if first <= offset < last), -1)

    def _taken_by(self, thing: Thing, place: int, position: int) -> list[Thing]:
        """Return what a function hands to the function that it takes at a place, by the position there."""
        definition = thing.definition
        source = None if definition is None else self.source(definition.address)
        if thing.sort is Sort.TYPE and definition is not None:
            makers = self._member(thing, "constructor")
            return [
                found for each in makers[:1] for found in self._taken_by(Thing(Sort.FUNCTION, each), place, position)
            ]
        if definition is None or source is None or definition.ordinal < 0 or definition.kind not in BODIES:
            return []
        symbol = source.file.symbols[definition.ordinal]
        opened = brackets.call_behind(source.bytes, symbol.name_end)
        close = -1 if opened < 0 else brackets.matching(source.bytes, opened, symbol.end)
        parts = [*brackets.arguments(source.bytes, opened, close + 1)] if close > 0 else []
        if place >= len(parts):
            return []
        first, last = parts[place]
        taken = source.bytes.find(b"(", first, last)
        end = -1 if taken < 0 else brackets.matching(source.bytes, taken, last)
        inner = [
            part
            for part in (brackets.arguments(source.bytes, taken, end + 1) if end > 0 else ())
            if not _THIS.match(source.bytes, *part)
        ]
        if end > 0 and not source.bytes[end + 1 : last].lstrip().startswith(b"=>"):
            return []
        if position >= len(inner):
            return []
        start, end = inner[position]
        colon = source.bytes.find(b":", start, end)
        return [] if colon < 0 else self._annotated(source, colon + 1, end, thing.held)

    def _entered(self, thing: Thing) -> list[Thing]:
        """Return what `with … as` gives: of a type that is caught, an object."""
        if thing.sort is Sort.TYPE:
            return [thing._replace(sort=Sort.OBJECT)]
        if thing.sort is Sort.MANY:
            return list(thing.held)
        found = [
            each
            for name in ("__enter__", "__aenter__")
            for one in self._member(thing, name)
            for each in self._result(Thing(Sort.FUNCTION, one, (), (thing,)))
        ]
        return found or [thing]

    def _expression(self, source: Source, start: int, end: int) -> list[Thing]:
        """Return the values that an expression may have."""
        self._left -= 1
        if self._left < 0 or self._depth >= _DEEP or end - start > expressions.MOST_BYTES:
            return self._long(source, start)
        self._depth += 1
        try:
            said = expressions.cast(source.bytes, start, end) if source.language in _ECMA else None
            if said is not None:
                return self._annotated(source, *said)
            found: dict[Thing, None] = {}
            for first, last in self._branches(source, start, end):
                chain = expressions.chain(source.bytes, first, last)
                if chain is not None:
                    found.update(dict.fromkeys(self._chain(source, chain)))
                elif source.bytes[first:last].strip().startswith(b"["):
                    found.update(dict.fromkeys(self._literal(source, first, last)))
            return [*found]
        finally:
            self._depth -= 1

    def _long(self, source: Source, start: int) -> list[Thing]:
        return []

    @staticmethod
    def _branches(source: Source, start: int, end: int) -> list[tuple[int, int]]:
        if source.language == "python":
            signs: tuple[bytes, ...] = (b" or ", b" and ", b" if ", b" else ")
        else:
            signs = (b"||", b"&&", b"??", b" ? ", b" : ")
        return brackets.alternatives(source.bytes, start, end, signs)

    def _literal(self, source: Source, start: int, end: int) -> list[Thing]:
        """A list of values holds them."""
        opened = source.bytes.index(b"[", start)
        close = brackets.matching(source.bytes, opened, end)
        if close < 0:
            return []
        held: dict[Thing, None] = {}
        for first, last in [*brackets.arguments(source.bytes, opened, close + 1)][:3]:
            if b" for " in source.bytes[first:last]:
                last = source.bytes.index(b" for ", first)
            held.update(dict.fromkeys(self._expression(source, first, last)))
        return [Thing(Sort.MANY, None, (), tuple(held))] if held else []

    # --- annotations -------------------------------------------------------------------------------------------------

    def _annotated(self, source: Source, start: int, end: int, owner: Sequence[Thing] = ()) -> list[Thing]:
        """Return the values that an annotation admits."""
        self._left -= 1
        if self._left < 0 or self._depth >= _DEEP or end - start > expressions.MOST_BYTES:
            return []
        lead = _EXTENDS.match(source.bytes[start:end])
        start += lead.end() if lead is not None else 0
        quoted = _STRING.match(source.bytes[start:end]) if source.language == "python" else None
        if quoted is not None:
            start, end = start + quoted.start(2), start + quoted.end(2)
        self._depth += 1
        try:
            found: dict[Thing, None] = {}
            for first, last in brackets.alternatives(source.bytes, start, end, (b"|", b"&")):
                found.update(dict.fromkeys(self._type(source, first, last, owner)))
            return [*found]
        finally:
            self._depth -= 1

    def _type(self, source: Source, start: int, end: int, owner: Sequence[Thing]) -> list[Thing]:
        text = source.bytes
        written = text[start:end]
        start += len(written) - len(written.lstrip(b" \t\r\n*&?"))
        written = text[start:end].rstrip()
        end = start + len(written)
        if written.endswith(b"[]"):
            return _many(self._annotated(source, start, end - 2, owner))
        if written.startswith(b"[]"):
            return _many(self._annotated(source, start + 2, end, owner))
        if written.startswith(b"map["):
            return _many(self._annotated(source, text.index(b"]", start) + 1, end, owner))
        for word in (b"readonly ", b"typeof ", b"new ", b"dyn ", b"impl ", b"mut ", b"const ", b"struct "):
            if written.startswith(word):
                if word == b"typeof ":
                    return self._expression(source, start + len(word), end)
                return self._annotated(source, start + len(word), end, owner)
        if written.startswith(b"(") and written.endswith(b")"):
            parts = [*brackets.arguments(text, start, end)]
            return self._annotated(source, *parts[0], owner) if parts else []
        match = re.compile(rb"[^\W\d][\w$]*(?:\s*(?:\.|::)\s*[^\W\d][\w$]*)*").match(text, start, end)
        if match is None:
            return []
        names = re.split(rb"\s*(?:\.|::)\s*", match.group())
        name, at = names[-1].decode("utf-8", "replace"), match.end()
        inner = text[at : at + 1] in (b"[", b"<")
        close = 0
        if inner:
            close = (brackets.matching if text[at : at + 1] == b"[" else brackets.angle)(text, at, end)
            inner = close > 0
        if name in _OWN_TYPE and len(names) == 1:
            return [each._replace(sort=Sort.OBJECT) for each in owner]
        if inner:
            parts = [*brackets.arguments(text, at, close + 1)]
            if name in _SEE_THROUGH:
                used = parts[:1] if name != "Union" else parts
                return [each for part in used for each in self._annotated(source, *part, owner)]
            if name in ("Type", "type"):
                return [
                    each._replace(sort=Sort.TYPE)
                    for part in parts[:1]
                    for each in self._annotated(source, *part, owner)
                ]
            if name in _HOLDERS | _KEYED and parts:
                part = (
                    parts[1]
                    if name in _KEYED and len(parts) > 1
                    else parts[2]
                    if name == "Coroutine" and len(parts) > 2
                    else parts[0]
                )
                known = _many(self._annotated(source, *part, owner))
                if known or name in _KEYED:
                    return known
        chain = expressions.chain(text, start, match.end())
        if chain is None:
            return []
        return self._instances(source, chain)

    def _instances(self, source: Source, chain: Chain) -> list[Thing]:
        """Return an object of the type that a chain of names means."""
        *before, last = chain.links
        if before:
            defined = self._members(self._chain(source, chain._replace(links=tuple(before))), last.name)
        else:
            defined = self._bare(source, last.name, last.start) or []
        found: list[Thing] = []
        for each in defined:
            if each.kind in TYPES and each.ordinal >= 0:
                found.append(Thing(Sort.OBJECT, each))
            else:
                found += self._bounded(each)
        return found

    def _bounded(self, definition: Definition) -> list[Thing]:
        """Return what a variable that stands for a type is bound by."""
        source = self.source(definition.address)
        if source is None or source.scopes is None:
            return []
        start = (
            -2 - definition.ordinal if definition.ordinal < 0 else source.file.symbols[definition.ordinal].name_start
        )
        binding = source.scopes.at(start)
        if binding is None:
            return []
        if binding.kind == "generic":
            return [] if binding.annotation is None else self._annotated(source, *binding.annotation)
        if binding.value is None:
            return []
        bound = _BOUND.search(source.bytes, *binding.value)
        if bound is not None:
            return self._annotated(source, *bound.span(1))
        return self._annotated(source, *binding.value) if source.language == "python" else []

    # --- members -----------------------------------------------------------------------------------------------------

    def _member(self, thing: Thing, name: str) -> list[Definition]:
        """Return what a value has under a name."""
        if thing.sort is Sort.MODULE:
            found = [each for file in thing.files for each in self.given(file, name)]
            return found or [each for file in thing.files for each in self._submodule(file, name)]
        if thing.definition is None or thing.sort is Sort.MANY or thing.sort is Sort.FUNCTION:
            return []
        seen: set[tuple[str, int]] = set()
        front, weak = [thing.definition], list[Definition]()
        for _ in range(_BASES_DEEP):
            fresh: list[Definition] = []
            for each in front:
                key = (each.address, each.ordinal)
                if key in seen:
                    continue
                seen.add(key)
                found = self._own_member(each, name)
                if found and not self._is_only_assigned(found[0]):
                    return found
                weak = weak or found
                fresh += self.bases(each)
            front = fresh
            if not front:
                break
        return weak

    def _is_only_assigned(self, definition: Definition) -> bool:
        """Whether an attribute is not declared, but given a value by a method: a base may declare it."""
        source = self.source(definition.address) if definition.ordinal < -1 else None
        binding = None if source is None or source.scopes is None else source.scopes.at(-2 - definition.ordinal)
        return binding is not None and binding.annotation is None

    def _own_member(self, kind: Definition, name: str) -> list[Definition]:
        source = self.source(kind.address)
        if source is None:
            return []
        symbols = source.file.symbols
        inside = f"{kind.container}.{kind.name}" if kind.container else kind.name
        own = [
            each
            for each in source.file.by_name.get(name, ())
            if symbols[each].parent == kind.ordinal
            or (symbols[each].container and source.file.containers[each] == inside)
        ]
        if own:
            return source.definitions(own)
        if source.language in ("go", "rust", "cpp", "c"):
            others = [
                each
                for each in self._view.definitions(name, related_languages(source.language))
                if each.container.rpartition(".")[2] == kind.name
            ]
            folder = posixpath.dirname(kind.address)
            near = [each for each in others if posixpath.dirname(each.address) == folder]
            if near or (source.language != "go" and others):
                return near or others
        if source.scopes is None or kind.ordinal < 0:
            return []
        symbol = symbols[kind.ordinal]
        given = [
            each
            for each in source.scopes.named(name)
            if each.kind == "attribute"
            and symbol.start <= each.start < symbol.end
            and self._is_of(source, each.start, kind.ordinal)
        ]
        given.sort(key=lambda each: (each.annotation is None, each.start))
        return [source.unlisted(name, each.start, SymbolKind.FIELD, inside) for each in given[:1]]

    @staticmethod
    def _is_of(source: Source, offset: int, ordinal: int) -> bool:
        return source.file.above(source.file.around(offset), TYPES) == ordinal

    def bases(self, kind: Definition) -> list[Definition]:
        """Return the types that a type says it inherits, in the order of its text; of one that is another's name, that
        other."""
        key = (kind.address, kind.ordinal)
        if key not in self._bases:
            self._bases[key] = []  # a type may name itself
            source = self.source(kind.address)
            if source is not None and 0 <= kind.ordinal < len(source.file.symbols):
                symbol = source.file.symbols[kind.ordinal]
                self._bases[key] = self._aliased(source, symbol) or self._said_bases(source, kind.ordinal, symbol)
        return self._bases[key]

    def _aliased(self, source: Source, symbol: Symbol) -> list[Definition]:
        """Return the types that a type alias stands for."""
        if source.language not in ("typescript", "tsx", "go", "rust"):
            return []
        match = _ALIASED.match(source.bytes, symbol.name_end, symbol.end)
        if match is None:
            return []
        end = symbol.end - (source.bytes[symbol.end - 1 : symbol.end] == b";")
        things = self._annotated(source, match.end(), end)
        return [each.definition for each in things if each.definition is not None and each.sort is Sort.OBJECT]

    def _said_bases(self, source: Source, ordinal: int, symbol: Symbol) -> list[Definition]:
        found: list[Definition] = []
        for each in source.file.within(symbol.start, symbol.end):
            if each.role is Role.INHERIT and source.file.above(source.file.around(each.offset), TYPES) == ordinal:
                before = source.chain_before(each.offset)
                defined = (
                    self._members(self._chain(source, before), each.name)
                    if before is not None
                    else self._bare(source, each.name, each.offset)
                )
                found += [one for one in defined or () if one.kind in TYPES or one.kind is SymbolKind.MODULE][:1]
        return _distinct(found)


def is_local(definition: Definition) -> bool:
    """Whether a definition is a name of one scope alone, which nobody else can use."""
    return definition.ordinal < -1 and definition.kind is SymbolKind.VARIABLE


def _distinct(definitions: Iterable[Definition]) -> list[Definition]:
    return [*{(each.address, each.ordinal): each for each in definitions}.values()]


def _without_modules(definitions: Sequence[Definition]) -> list[Definition]:
    """Drop the modules where something else of the name is given: a package's own name goes before its module."""
    others = [each for each in definitions if each.kind is not SymbolKind.MODULE or each.ordinal != -1]
    return others or list(definitions)


def _many(things: Sequence[Thing]) -> list[Thing]:
    return [Thing(Sort.MANY, None, (), tuple(things))] if things else []


def _held(thing: Thing) -> Iterator[Thing]:
    """Yield what a container gives; anything else is awaited or indexed for what is not known."""
    if thing.sort is Sort.MANY:
        yield from thing.held


def _taken_name(text: bytes, binding: Local) -> str:
    """Return the name of the member that a pattern takes: `name` of `{ name: local }`."""
    assert binding.taken is not None
    before = text[binding.taken.start : binding.start]
    match = re.search(rb"([\w$]+)\s*:\s*$", before)
    return match.group(1).decode() if match is not None else binding.name
