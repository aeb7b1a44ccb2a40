"""One text with what is read from it for several questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pilotfish.engine.outlined import File
from pilotfish.engine.view import Definition, Text, View, definition_in
from pilotfish.syntax import brackets, expressions
from pilotfish.syntax.outline import BODIES, Role, SymbolKind, Visibility
from pilotfish.syntax.spellings import key_of, spellings_of

if TYPE_CHECKING:
    from pilotfish.graph.resolve import Binding
    from pilotfish.syntax.expressions import Chain
    from pilotfish.syntax.partial_scopes import PartialScopes
    from pilotfish.syntax.scopes import Binding as Local

ECMASCRIPT: Final = frozenset({"javascript", "typescript", "tsx"})

_TOLD_BY_OUTLINES: Final = frozenset({"c", "cpp", "go", "java", "python", "ruby", "rust"}) | ECMASCRIPT
"""Languages in which nothing is a binding that an outline lists as called, inherited or imported."""

_NEVER_BINDING: Final = frozenset({Role.CALL, Role.INHERIT, Role.IMPORT})
_READ_THROUGH: Final = re.compile(rb"\s*\??\.(?!\.)")
"""Behind a name that is read, since something is reached through it."""

_BEFORE_GENERIC: Final = re.compile(rb"(?:[<,]|\b(?:in|out|const|infer|type))\s*$")
"""Before a name of a type that may be a parameter."""


class Source:
    """One text. A definition that its outline does not have is numbered by its place, below -1."""

    def __init__(self, view: View, text: Text) -> None:
        self._view = view
        self.text = text
        self.bytes = text.text
        self.file = File(text, self.bytes)
        self.language = text.language
        self._may_bind: dict[str, bool] = {}

    @cached_property
    def scopes(self) -> PartialScopes | None:
        """Its scopes; None where nothing is known of them."""
        return self._view.scopes(self.text)

    def may_bind(self, name: str) -> bool:
        """Whether a place may give a name a value that the outline does not list. Only then its scopes, which take a
        parse, can say anything of the name."""
        if name not in self._may_bind:
            self._may_bind[name] = self.language not in _TOLD_BY_OUTLINES or self._is_bound_somewhere(name)
        return self._may_bind[name]

    def _is_bound_somewhere(self, name: str) -> bool:
        mentions = self.text.mentions(name)
        for match in re.finditer(rb"(?<!\w)%s(?!\w)" % re.escape(name.encode()), self.bytes):
            start = match.start()
            role = mentions.references.get(start)
            if start in mentions.definitions or role in _NEVER_BINDING or _READ_THROUGH.match(self.bytes, match.end()):
                continue
            if role is not Role.TYPE or _BEFORE_GENERIC.search(self.bytes, max(0, start - 30), start):
                return True
        return False

    @cached_property
    def bindings(self) -> list[Binding]:
        """What its imports bind, each name by what all its spellings have in common."""
        found = self._view.bindings(self.text)
        if spellings_of("", self.language) is None:
            return found
        return [
            each._replace(alias=key_of(each.alias, self.language), name=key_of(each.name, self.language))
            for each in found
        ]

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

    def locals(self, bindings: Sequence[Local]) -> list[Definition]:
        """Return the definition that some bindings of one variable are: the first of them."""
        return [self._local(each) for each in bindings[:1]]

    def _local(self, binding: Local) -> Definition:
        symbols = self.file.symbols
        for ordinal in self.file.by_name.get(key_of(binding.name, self.language), ()):
            if symbols[ordinal].name_start == binding.start:
                return self.definition(ordinal)
        kind = SymbolKind.VARIABLE if binding.scope >= 0 else SymbolKind.CONSTANT
        return self.unlisted(binding.name, binding.start, kind)

    def variables(self, name: str) -> list[Definition]:
        """Return the variable outside of all functions that has a name, though no outline lists it."""
        scopes = self.scopes if self.may_bind(name) else None
        return [] if scopes is None else self.locals(scopes.variables(name))

    def name_start(self, definition: Definition) -> int:
        """Return where the name of one of its definitions begins."""
        return -2 - definition.ordinal if definition.ordinal < 0 else self.file.symbols[definition.ordinal].name_start

    def starts(self, ordinal: int) -> int:
        """Return where the name of a listed definition begins."""
        return self.file.symbols[ordinal].name_start

    def body(self, ordinal: int) -> int:
        """Return where the body of a listed interface opens; -1 for anything else."""
        symbol = self.file.symbols[ordinal] if ordinal >= 0 else None
        if symbol is None or symbol.kind is not SymbolKind.INTERFACE or symbol.body < 0:
            return -1
        opened = symbol.start + symbol.body
        return opened if self.bytes[opened : opened + 1] == b"{" else -1

    def parameters(self, function: Definition) -> list[tuple[int, int]] | None:
        """Return the stretches of a function's parameters as its head writes them; None where that is not to be
        read."""
        if function.ordinal < 0 or function.kind not in BODIES:
            return None
        symbol = self.file.symbols[function.ordinal]
        return brackets.called_with(self.bytes, brackets.call_behind(self.bytes, symbol.name_end), symbol.end)
