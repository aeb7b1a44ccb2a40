"""What imports bind in a tree given as paths and manifests: the text of an import goes through the real outline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.readers import OUTLINER

from pilotfish.graph.resolve import RESOLVERS
from pilotfish.graph.tree import Tree


class Workspace:
    """A tree and the resolver of one language in it."""

    def __init__(self, language: str, paths: Iterable[str], manifests: Mapping[str, str] | None = None) -> None:
        texts = {path: text.encode() for path, text in (manifests or {}).items()}
        self.language = language
        self.resolver = RESOLVERS[language](Tree([*paths, *texts], texts))

    def bound(self, importer: str, text: str) -> list[str]:
        """Return what the imports in a text bind, each as `alias = name: files`."""
        return [
            f"{binding.alias} = {binding.name}: {' '.join(binding.files)}"
            for imported in OUTLINER.outline(text.encode(), self.language).imports
            for binding in self.resolver.bindings(importer, imported)
        ]
