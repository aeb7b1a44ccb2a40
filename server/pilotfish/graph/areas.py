"""Which files a question about the architecture is about: all, those below a path, the back end or the front end.

Files of code count, without tests and data. Those of the front end and of the back end are all of them together.

Front and back are told apart by language first: TSX, JSX, style sheets and templates of components are front end,
languages other than JavaScript and TypeScript are back end. Of those two, the innermost folder with a telling name
(`client`, `components`; `server`, `api`) decides, then whether the closest `package.json` depends on a library for
user interfaces.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from pilotfish.graph.links import is_test
from pilotfish.graph.resolve.manifests import at, read_json

FULL: Final = "full"
BACKEND: Final = "backend"
FRONTEND: Final = "frontend"

MOST_FOLDERS: Final = 12
"""So many folders are named as areas."""

DATA_LANGUAGES: Final = frozenset({"json", "markdown", "toml", "yaml"})
"""What is written in these has no part in an architecture."""

_VIEW_LANGUAGES: Final = frozenset({"astro", "css", "html", "less", "sass", "scss", "svelte", "tsx", "vue"})
_SCRIPT_LANGUAGES: Final = frozenset({"javascript", "typescript"})
_FRONT_FOLDERS: Final = re.compile(
    "app|assets|browser|client|components|front-?end|hooks|pages|public|static|styles|ui|views|web|webapp|www"
)
_BACK_FOLDERS: Final = re.compile(
    "api|back-?end|bin|cli|functions|middleware|models|node|routes|scripts|server|services"
)
_VIEW_LIBRARIES: Final = re.compile(
    "@angular/core|alpinejs|ember-source|jquery|lit|next|nuxt|preact|react|solid-js|svelte|vue"
)


class Areas:
    """Tells of each file whether a question is about it."""

    def __init__(self, manifests: Mapping[str, bytes]) -> None:
        """Take the texts of the manifests by path, `package.json` among them."""
        self._shows_views = {
            posixpath.dirname(path): _depends_on_views(text)
            for path, text in manifests.items()
            if posixpath.basename(path) == "package.json"
        }

    def holds(self, focus: str, path: str, language: str) -> bool:
        """Whether a file of code, no test, belongs to the area `focus`: `full`, `backend`, `frontend`, or a path."""
        if language in DATA_LANGUAGES or is_test(path):
            return False
        if focus in (BACKEND, FRONTEND):
            return self._is_front(path, language) == (focus == FRONTEND)
        return lies_below(path, focus)

    def found(self, files: Iterable[tuple[str, str]]) -> list[str]:
        """Name the areas that have files of code, given with their languages: `full`, back end and front end where
        there are such, then the folders at the top, those with the most files first; of a single one also those in it.
        """
        code = [(path, language) for path, language in files if self.holds(FULL, path, language)]
        sides = Counter(FRONTEND if self._is_front(path, language) else BACKEND for path, language in code)
        top = Counter(path.split("/")[0] for path, _ in code if "/" in path)
        if len(top) == 1:
            top.update("/".join(path.split("/")[:2]) for path, _ in code if path.count("/") > 1)
        folders = sorted(top, key=lambda folder: (-top[folder], folder))[:MOST_FOLDERS]
        return [FULL, *(side for side in (BACKEND, FRONTEND) if sides[side]), *folders]

    def _is_front(self, path: str, language: str) -> bool:
        if language in _VIEW_LANGUAGES or path.endswith(".jsx"):
            return True
        if language not in _SCRIPT_LANGUAGES:
            return False
        folder = posixpath.dirname(path)
        for name in reversed(folder.lower().split("/")):
            if _FRONT_FOLDERS.fullmatch(name):
                return True
            if _BACK_FOLDERS.fullmatch(name):
                return False
        while folder and folder not in self._shows_views:
            folder = posixpath.dirname(folder)
        return self._shows_views.get(folder, False)


def lies_below(path: str, focus: str) -> bool:
    """Whether a file is at or below the path `focus`; everything is below `full`."""
    if focus == FULL:
        return True
    wanted = posixpath.normpath(focus.strip("/") or ".")
    return wanted == "." or path == wanted or path.startswith(f"{wanted}/")


def _depends_on_views(text: bytes) -> bool:
    manifest = read_json(text)
    for kind in ("dependencies", "peerDependencies", "devDependencies"):
        found = at(manifest, kind)
        if isinstance(found, dict) and any(_VIEW_LIBRARIES.fullmatch(name) for name in found):
            return True
    return False
