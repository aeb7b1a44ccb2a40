"""JavaScript and TypeScript: relative paths, path aliases of `tsconfig.json`, packages of the workspace.

The rules are those of Node (https://nodejs.org/api/esm.html#resolution-algorithm-specification) and of TypeScript's
`moduleResolution: bundler`, wide where they differ: what one of the tools would find is found. Where a manifest names
files that a build makes (`dist/index.js`), their sources are taken.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import ClassVar, Final, NamedTuple

from pilotfish.graph.resolve.binding import Binding
from pilotfish.graph.resolve.manifests import at, read_json, string, strings
from pilotfish.graph.tree import LONGEST_MODULE, Tree, above, joined
from pilotfish.syntax.outline import Import

_TYPESCRIPT: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts")
_JAVASCRIPT: Final = (".js", ".jsx", ".mjs", ".cjs")
_OTHERS: Final = (".json", ".vue", ".svelte", ".astro")
_SOURCES: Final[Mapping[str, Sequence[str]]] = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts", ".ts"),
    ".cjs": (".cts", ".d.cts", ".ts"),
}
"""What a file that is named by its compiled form may be called."""

_BUILT = re.compile(r"(build|cjs|dist|es|es\d|es20\d\d|esm|lib|module|out|output|types|typings|umd)([-_.].*)?")
"""Folders that builds write to; what is made into them comes from `src`, or lies beside the manifest."""
_SCRIPT_ENDING = re.compile(r"(\.d)?\.[cm]?[jt]sx?$")
_PACKAGE = re.compile(r"(@[^/]+/[^/]+|[^@/][^/]*)/?(.*)", re.DOTALL)
_RUNTIME_ONLY: Final = frozenset(
    ("browser", "bun", "deno", "edge-light", "electron", "react-native", "worker", "workerd")
)
"""Conditions that hold in one runtime only; others are preferred."""
_NODE = (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
)
_BUILTIN: Final = frozenset(_NODE.split())
"""Modules of Node itself."""

_MANIFEST: Final = "package.json"
_CONFIGURATIONS: Final = ("tsconfig.json", "jsconfig.json")
_TOP: Final = "${configDir}"
_DEEPEST: Final = 16  # configurations that extend each other, conditions within conditions
_MOST_PATTERNS: Final = 1_000  # of one manifest
_MOST_TARGETS: Final = 64  # of one pattern
_MOST_VALUES: Final = 1_000  # strings, lists and tables in which the targets of one pattern are looked for
_MOST_NAMESAKES: Final = 8  # packages of one name that are tried for an importer


class EcmaScript:
    """Resolves the imports of JavaScript and TypeScript."""

    manifests: ClassVar[frozenset[str]] = frozenset({_MANIFEST, "tsconfig*.json", "jsconfig*.json"})

    def __init__(self, tree: Tree) -> None:
        # A script finds the script beside a declaration file, everything else the declaration.
        self._searches = {is_script: _Search(tree, is_script) for is_script in (False, True)}

    def bindings(self, importer: str, imported: Import) -> Sequence[Binding]:
        """Return what an import binds; a default export has the name `default`."""
        found = self._searches[importer.endswith(_JAVASCRIPT)].module(posixpath.dirname(importer), imported.module)
        if found is None:
            return ()
        if not imported.names:
            return (Binding("", "*", (found,)),)
        return [Binding(name.alias, name.name, (found,)) for name in imported.names]

    def package(self, path: str) -> str | None:
        """Return None: every name of another module is imported."""
        return None


class _Targets:
    """The targets that `exports`, `imports` or `paths` give to names and patterns; a pattern is taken apart once."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self._table = table
        self._flat: dict[str, Sequence[str]] = {}
        # What stands before the `*` of patterns -> those patterns, each with what stands after it.
        self._patterns: dict[str, list[tuple[str, str]]] = {}
        for pattern in islice(table, _MOST_PATTERNS):
            before, mark, after = pattern.partition("*")
            if mark and len(pattern) <= LONGEST_MODULE:
                self._patterns.setdefault(before, []).append((after, pattern))
        self._lengths = sorted({len(before) for before in self._patterns}, reverse=True)

    def matched(self, name: str) -> Iterator[str]:
        """Yield the targets of the entry that matches a name best."""
        found = (name, "") if self._table.get(name) is not None else self._longest(name)
        if found is not None:
            pattern, star = found
            for target in self._of(pattern):
                yield target.replace("*", star)

    def _longest(self, name: str) -> tuple[str, str] | None:
        """Return the pattern that says the most of a name before its `*`, with what the `*` stands for."""
        for length in self._lengths:
            for after, pattern in self._patterns.get(name[:length], ()) if length <= len(name) else ():
                if len(name) >= length + len(after) and name.endswith(after):
                    return pattern, name[length : len(name) - len(after)]
        return None

    def _of(self, pattern: str) -> Sequence[str]:
        if pattern not in self._flat:
            written = islice(_strings(self._table[pattern]), _MOST_TARGETS)
            self._flat[pattern] = [each for each in written if len(each) <= LONGEST_MODULE and each.count("*") <= 2]
        return self._flat[pattern]


def _targets(table: object) -> _Targets:
    return _Targets(table if isinstance(table, dict) else {})


class _Aliases(NamedTuple):
    """What a `tsconfig.json` says of modules."""

    base: str | None = None  # the folder in which modules that are no packages are looked for
    patterns: _Targets | None = None
    folder: str = ""  # what the targets are relative to where there is no `base`
    top: str = ""  # `${configDir}`: the folder of the configuration that inherits

    def place(self, target: str) -> str | None:
        """Return the path that a target means."""
        if target.startswith(_TOP):
            return joined(self.top, f".{target.removeprefix(_TOP)}")
        return joined(self.folder if self.base is None else self.base, target)


class _Search:
    """Finds the file of a module, for importers that prefer scripts or for those that prefer types."""

    def __init__(self, tree: Tree, is_script: bool) -> None:
        self._tree = tree
        self._is_script = is_script
        first, second = (_JAVASCRIPT, _TYPESCRIPT) if is_script else (_TYPESCRIPT, _JAVASCRIPT)
        self._endings = (*first, *second, *_OTHERS)
        self._found: dict[tuple[str, str], str | None] = {}
        self._aliases_of: dict[str, _Aliases] = {}
        self._configured_by: dict[str, _Aliases] = {}
        self._exports_of: dict[str, _Targets] = {}
        self._imports_of: dict[str, _Targets] = {}
        self._paths_of: dict[str, _Targets] = {}
        self._provided_by: dict[tuple[str, str], str | None] = {}
        self._read: dict[str, object] = {}

    def module(self, folder: str, module: str) -> str | None:
        """Return the file that a module means which a file of the folder imports; None outside the workspace."""
        key = (folder, module)
        if key not in self._found:
            self._found[key] = self._module(folder, module) if len(module) <= LONGEST_MODULE else None
        return self._found[key]

    def _module(self, folder: str, module: str) -> str | None:
        if module.startswith("."):
            return self._relative(folder, module)
        if not module or ":" in module or module.startswith("/"):
            return None
        if module.startswith("#"):
            return self._internal(folder, module) or self._aliased(folder, module)
        return self._aliased(folder, module) or self._packaged(folder, module) or self._conventional(folder, module)

    # Files and folders

    def _relative(self, folder: str, module: str) -> str | None:
        written = module.partition("?")[0]
        place = joined(folder, written)
        if place is None:
            return None
        if written.rpartition("/")[2] in ("", ".", ".."):
            return self._directory(place)
        return self._file(place) or self._directory(place)

    def _file(self, place: str) -> str | None:
        """Return the file that a path means which may lack its ending or have that of its compiled form."""
        stem, ending = posixpath.splitext(place)
        sources = [stem + each for each in _SOURCES.get(ending, ())]
        named = [place, *sources] if self._is_script else [*sources, place]
        candidates: list[str] = named + [place + each for each in self._endings]
        return next((path for path in candidates if path in self._tree), None)

    def _directory(self, place: str) -> str | None:
        if not self._tree.has_folder(place):
            return None
        if posixpath.join(place, _MANIFEST) in self._tree.manifests and (found := self._entry(place)):
            return found
        return self._file(posixpath.join(place, "index"))

    # Packages

    def _packaged(self, folder: str, module: str) -> str | None:
        """Return the file of `name/sub/path` where a package of the workspace has that name."""
        matched = _PACKAGE.fullmatch(module)
        if matched is None or module in _BUILTIN:
            return None
        name, subpath = matched[1], matched[2]
        for place in _closest(self._packages.get(name, ()), folder):
            if (found := self._provided(place, subpath)) is not None:
                return found
        return None

    def _provided(self, package: str, subpath: str) -> str | None:
        """Return the file that a package is or has under a path, whoever imports it."""
        key = (package, subpath)
        if key not in self._provided_by:
            self._provided_by[key] = self._exported(package, subpath) or (
                self._subpath(package, subpath) if subpath else self._entry(package)
            )
        return self._provided_by[key]

    def _exported(self, package: str, subpath: str) -> str | None:
        if package not in self._exports_of:
            exports = at(self._json(posixpath.join(package, _MANIFEST)), "exports")
            if not isinstance(exports, dict) or not any(key.startswith(".") for key in exports):
                exports = {".": exports}
            self._exports_of[package] = _targets(exports)
        return self._made(package, self._exports_of[package].matched(f"./{subpath}" if subpath else "."))

    def _entry(self, package: str) -> str | None:
        """Return the file that a package is imported as, without its `exports`."""
        manifest = self._json(posixpath.join(package, _MANIFEST))
        fields = ("main", "module", "source", "types", "typings")
        written = [string(at(manifest, each)) for each in (fields if self._is_script else reversed(fields))]
        return self._made(package, filter(None, written)) or self._subpath(package, "index")

    def _subpath(self, package: str, subpath: str) -> str | None:
        return self._first(joined(package, posixpath.join(above_it, subpath)) for above_it in ("", "src", "lib"))

    def _made(self, package: str, written: Iterable[str]) -> str | None:
        """Return the first of the files that a manifest names, or of the sources from which they are made."""
        targets = [each for each in written if len(each) <= LONGEST_MODULE]
        if self._is_script:
            targets.sort(key=lambda each: each.endswith(".d.ts"))
        return self._first(joined(package, each) for each in targets) or self._first(
            joined(package, source) for each in targets for source in _sources(each)
        )

    def _first(self, places: Iterable[str | None]) -> str | None:
        """Return the first file at one of the places; a folder has its `index`."""
        for place in places:
            if place is not None:
                found = self._file(place) or self._file(posixpath.join(place, "index"))
                if found is not None:
                    return found
        return None

    @cached_property
    def _packages(self) -> Mapping[str, Sequence[str]]:
        """The folders of the workspace's packages, each with a `/` at its end, in order, by name."""
        packages: dict[str, list[str]] = {}
        for path in sorted(self._tree.manifests):
            if posixpath.basename(path) == _MANIFEST and (name := string(at(self._json(path), "name"))):
                packages.setdefault(name, []).append(f"{posixpath.dirname(path)}/")
        return {name: sorted(places) for name, places in packages.items()}

    def _internal(self, folder: str, module: str) -> str | None:
        """Return the file of a name that the importer's own package gives in `imports` (`#internal`)."""
        manifest = self._tree.nearest(folder, _MANIFEST)
        if manifest is None:
            return None
        package = posixpath.dirname(manifest)
        if manifest not in self._imports_of:
            self._imports_of[manifest] = _targets(at(self._json(manifest), "imports"))
        for target in self._imports_of[manifest].matched(module):
            if not target.startswith("#"):
                found = self._made(package, [target]) if target.startswith(".") else self.module(package, target)
                if found is not None:
                    return found
        return None

    def _conventional(self, folder: str, module: str) -> str | None:
        """Return the file of `@/path` or `~/path`, which bundlers are told to look for in the package's sources."""
        mark, _, path = module.partition("/")
        if mark not in ("@", "~") or not path:
            return None
        manifest = self._tree.nearest(folder, _MANIFEST)
        package = posixpath.dirname(manifest) if manifest else ""
        return self._first(joined(package, posixpath.join(above_it, path)) for above_it in ("src", "", "app"))

    # Configurations of TypeScript

    def _aliased(self, folder: str, module: str) -> str | None:
        aliases = self._aliases(folder)
        for target in aliases.patterns.matched(module) if aliases.patterns else ():
            place = aliases.place(target)
            if place is not None and (found := self._file(place) or self._directory(place)):
                return found
        if aliases.base is None or module in _BUILTIN:
            return None
        place = joined(aliases.base, module)
        return None if place is None else self._file(place) or self._directory(place)

    def _aliases(self, folder: str) -> _Aliases:
        """Return what the closest configuration says; where it only refers to others, what the first of them says."""
        if folder in self._aliases_of:
            return self._aliases_of[folder]
        found = _Aliases()
        for each in above(folder):
            own = [path for name in _CONFIGURATIONS if (path := posixpath.join(each, name)) in self._tree.manifests]
            if own:
                found = next(filter(_says, self._configured(own[0], folder)), found)
                break
        self._aliases_of[folder] = found
        return found

    def _configured(self, path: str, importing: str) -> Iterator[_Aliases]:
        yield self._whole(path)
        references = at(self._json(path), "references")
        for each in islice(references, _MOST_TARGETS) if isinstance(references, list) else ():
            referred = self._configuration(posixpath.dirname(path), string(at(each, "path")) or "")
            if referred and posixpath.dirname(referred) in above(importing):
                yield self._whole(referred)

    def _whole(self, path: str) -> _Aliases:
        """Return what a configuration says, with what it inherits."""
        if path not in self._configured_by:
            self._configured_by[path] = self._options(path, _Aliases(top=posixpath.dirname(path)), set())
        return self._configured_by[path]

    def _options(self, path: str, found: _Aliases, visited: set[str]) -> _Aliases:
        """Return what was found with what a configuration and those that it extends say instead."""
        if path in visited or len(visited) > _DEEPEST:
            return found
        visited.add(path)
        configuration, folder = self._json(path), posixpath.dirname(path)
        for extended in strings(at(configuration, "extends"))[:_DEEPEST]:
            inherited = self._configuration(folder, extended)
            if inherited is not None:
                found = self._options(inherited, found, visited)
        options = at(configuration, "compilerOptions")
        if (base := string(at(options, "baseUrl"))) is not None:
            found = found._replace(base=_Aliases(folder=folder, top=found.top).place(base))
        if (patterns := at(options, "paths")) is not None:
            if path not in self._paths_of:
                self._paths_of[path] = _targets(patterns)
            found = found._replace(patterns=self._paths_of[path], folder=folder)
        return found

    def _configuration(self, folder: str, written: str) -> str | None:
        """Return the configuration that another one of the folder names."""
        if written.startswith("."):
            places = [joined(folder, written)]
        else:
            matched = _PACKAGE.fullmatch(written)
            name, subpath = (matched[1], matched[2]) if matched else ("", "")
            packages = self._packages.get(name, ())[:_MOST_NAMESAKES]
            places = [joined(package.rstrip("/"), subpath) for package in packages]
        for place in places:
            for ending in ("", ".json", "/tsconfig.json"):
                if place is not None and (path := f"{place}{ending}".lstrip("/")) in self._tree.manifests:
                    return path
        return None

    def _json(self, path: str) -> object:
        if path not in self._read:
            self._read[path] = read_json(self._tree.manifests.get(path))
        return self._read[path]


def _says(aliases: _Aliases) -> bool:
    return aliases.base is not None or aliases.patterns is not None


def _closest(places: Sequence[str], folder: str) -> Sequence[str]:
    """Return the packages that share the most folders with a folder, closest first; all places end in `/`, in order."""
    found: dict[str, None] = {}
    for each in above(folder):
        inside = f"{each}/" if each else ""
        first = bisect_left(places, inside)
        for place in places[first : first + _MOST_NAMESAKES]:
            if place.startswith(inside) and len(found) < _MOST_NAMESAKES:
                found[place.rstrip("/")] = None
    return list(found)


def _strings(value: object) -> Iterator[str]:
    """Yield the strings of conditions and alternatives, in order."""
    waiting, seen = [(value, 0)], 0
    while waiting and seen < _MOST_VALUES:
        (each, depth), seen = waiting.pop(), seen + 1
        inner: Sequence[object] = ()
        if isinstance(each, str):
            yield each
        elif depth < _DEEPEST and isinstance(each, list):
            inner = each[:_MOST_VALUES]
        elif depth < _DEEPEST and isinstance(each, dict):
            conditions = sorted(islice(each, _MOST_VALUES), key=_RUNTIME_ONLY.__contains__)
            inner = [each[condition] for condition in conditions]
        waiting += [(one, depth + 1) for one in reversed(inner)]


def _sources(built: str) -> Iterator[str]:
    """Yield where the source of a built file may lie, relative to the same folder and without ending."""
    parts = [part for part in _SCRIPT_ENDING.sub("", built).split("/") if part not in ("", ".")]
    first = 0
    while first < len(parts) - 1 and _BUILT.fullmatch(parts[first]):
        first += 1
    rest = "/".join(parts[first:])
    yield f"src/{rest}"
    if first:
        yield rest
