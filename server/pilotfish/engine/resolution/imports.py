"""What imports bring in: a name in one, and what a file gives under a name, its own or handed on."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from pilotfish.engine.resolution.definitions import distinct, faces_first, module_definition
from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.view import Definition
from pilotfish.syntax.outline import Import, SymbolKind
from pilotfish.syntax.spellings import key_of

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.graph.resolve import Binding

_DEFAULT: Final = re.compile(
    rb"\bexport\s+default\s+(?:async\s+)?(?:(?:abstract\s+)?class|function\s*\*?|interface|enum)?\s*([\w$]+)"
)
_DEFAULT_VALUE: Final = re.compile(rb"^export\s+(default)\s+(?=[{(\[]|new\b|[\w$.]+\()", re.MULTILINE)
_RENAMED: Final = rb"\bexport\s*(?:type\s*)?\{[^}]*?\b([\w$]+)\s+as\s+%s\s*[,}]"
_MODULE_FILES: Final = frozenset({"fortran", "fortran_fixed", "pascal"})
"""Languages in which what a file gives stands in a module in it, by the name of which it is imported."""

_MODULE_NEXT: Final = re.compile(rb"\s*[\"']")


class Imports(Part):
    """Follows imports within one resolution."""

    def at(self, source: Source, name: str, offset: int) -> list[Definition] | None:
        """Return what a name in an import means: a module, or what a module gives under it; None outside of imports,
        and where that cannot be told."""
        around = next((each for each in source.text.imports if each.start <= offset < each.end), None)
        if around is None:
            return None
        if name == "from" and _MODULE_NEXT.match(source.bytes, offset + 4):
            return []
        if source.language == "python":
            module = self._module_named(source, around, name, offset)
            if module is not None:
                return module
        found: list[Definition] = []
        for binding in self.resolution.view.bound_by(source.text, around):
            if name in (key_of(binding.alias, source.language), key_of(binding.name, source.language)):
                found += self.bound(binding)
        if found or not _brings(source, around, name) or offset + len(name.encode()) > around.end:
            return distinct(found)
        return None if may_be_inside(around) else []

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
        return [module_definition(each, self.resolution.view.language(each)) for each in self._files_of(source, path)]

    def _files_of(self, source: Source, module: str) -> list[str]:
        bound = self.resolution.view.bound_by(source.text, Import(module, [], 0, 0))
        return [*dict.fromkeys(file for each in bound for file in each.files)]

    def module_called(self, source: Source, name: str) -> list[Definition]:
        """Return the module that `import name.more` binds in Python: the outermost of its path."""
        for each in source.text.imports:
            if not each.names and each.module.partition(".")[0] == name:
                bound = self.resolution.view.bound_by(source.text, Import(name, [], 0, 0))
                modules = [found for one in bound for found in self.bound(one)]
                if modules:
                    return modules
        return []

    def bound(self, binding: Binding) -> list[Definition]:
        """Return what one binding of an import leads to."""
        if binding.name == "*":
            view = self.resolution.view
            return [module_definition(each, view.language(each)) for each in faces_first(binding.files)]
        return [found for each in binding.files for found in self.given(each, binding.name)]

    # --- what a file gives -------------------------------------------------------------------------------------------

    def given(self, path: str, name: str) -> list[Definition]:
        """Return the definitions that a file gives under a name, its own or handed on."""
        known, key = self.resolution.known_given, (path, name)
        if key not in known and not self.resolution.effort.opens():
            return []
        if key not in known:
            known[key] = []  # files may hand on in a circle
            source = self.resolution.source(path)
            known[key] = [] if source is None else self._given_by(source, path, name)
        return known[key]

    def _given_by(self, source: Source, path: str, name: str) -> list[Definition]:
        if name == "default" and source.language in ECMASCRIPT:
            match = _DEFAULT.search(source.bytes)
            if match is not None and (found := self.given(path, match.group(1).decode())):
                return found
        tops = [ordinal for ordinal in source.file.by_name.get(name, ()) if _is_at_top(source, ordinal)]
        if tops:
            return source.definitions(tops)
        if name == "default" and source.language in ECMASCRIPT and (value := _DEFAULT_VALUE.search(source.bytes)):
            return [source.unlisted(name, value.start(1), SymbolKind.CONSTANT)]
        return distinct(self._handed_on(source, path, name) or source.variables(name))

    def _handed_on(self, source: Source, path: str, name: str) -> list[Definition]:
        named = [each for each in source.bindings if each.alias == name]
        found = [each for one in named for each in self.bound(one) if each.kind is not SymbolKind.MODULE]
        found = found or [each for one in named if one.name == "*" for each in self.bound(one)]
        if not found and source.language in ECMASCRIPT:
            renamed = re.search(_RENAMED % re.escape(name.encode()), source.bytes)
            if renamed is not None and (inner := renamed.group(1).decode()) != name:
                found = self.given(path, inner)
        if not found:
            wild = [each for each in source.bindings if each.alias == each.name == "*"]
            found = [each for one in wild for file in one.files if file != path for each in self.given(file, name)]
        return found

    def submodule(self, path: str, name: str) -> list[Definition]:
        """Return the module in a package of Python."""
        folder, file = posixpath.split(path)
        if posixpath.splitext(file)[0] != "__init__":
            return []
        view = self.resolution.view
        places = (f"{name}/__init__.py", f"{name}.py", f"{name}.pyi")
        found = next((each for each in (posixpath.join(folder, one) for one in places) if view.file(each)), None)
        return [] if found is None else [module_definition(found, view.language(found))]


def _is_at_top(source: Source, ordinal: int) -> bool:
    """Whether other files can import a definition by its name alone: it lies in nothing, or in the module that the file
    is written for."""
    symbols = source.file.symbols
    parent = symbols[ordinal].parent
    if parent >= 0 and source.language in _MODULE_FILES and symbols[parent].kind is SymbolKind.MODULE:
        parent = symbols[parent].parent
    return parent < 0 and not symbols[ordinal].container


def _brings(source: Source, imported: Import, name: str) -> bool:
    """Whether an import names something that is called so, there or here."""
    return any(
        name in (key_of(each.name, source.language), key_of(each.alias, source.language)) for each in imported.names
    )


def may_be_inside(imported: Import) -> bool:
    """Whether an import that leads to no file may yet be meant to: a path from here."""
    return imported.module.startswith((".", "crate::", "self::", "super::"))
