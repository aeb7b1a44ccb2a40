"""Which definition a name means: the order of evidence."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pilotfish.graph.links import Use, best, module_segments, names_module
from pilotfish.syntax.outline import Import, ImportedName, Outline, Symbol, SymbolKind, Visibility


class Candidate(NamedTuple):
    address: str
    language: str
    ordinal: int
    kind: SymbolKind
    container: str
    visibility: Visibility
    line: int


def candidate(
    path: str, *, ordinal: int = 0, line: int = 1, language: str = "python", container: str = ""
) -> Candidate:
    return Candidate(path, language, ordinal, SymbolKind.FUNCTION, container, Visibility.PUBLIC, line)


def use(name: str = "run", path: str = "app/main.py", offset: int = 500, qualifier: str = "") -> Use:
    return Use(name, path, "python", offset, qualifier)


@pytest.mark.parametrize(
    ("module", "importer", "path", "named"),
    [
        ("app.engine", "main.py", "src/app/engine.py", True),
        ("app.engine", "main.py", "src/app/motor.py", False),
        ("app", "main.py", "src/app/__init__.py", True),
        (".engine", "app/main.py", "app/engine.py", True),
        (".engine", "app/main.py", "other/engine.py", False),
        ("..engine", "app/sub/main.py", "app/engine.py", True),
        ("./util", "web/a.ts", "web/util.ts", True),
        ("./util", "web/a.ts", "web/util/index.ts", True),
        ("../util.js", "web/x/a.ts", "web/util.ts", True),
        ("...", "app/main.py", "outside.py", False),
        ("crate::net::tcp", "src/main.rs", "src/net/tcp.rs", True),
        ("crate::net::Tcp", "src/main.rs", "src/net/mod.rs", True),
        ("github.com/owner/name/pkg/server", "main.go", "pkg/server/run.go", True),
        ("java.util.List", "A.java", "java/util/List.java", True),
        ("java.util", "A.java", "java/util/List.java", True),
        ("util/list.h", "src/a.c", "include/util/list.h", True),
        ("", "a.py", "b.py", False),
    ],
)
def test_a_module_names_a_file(module: str, importer: str, path: str, named: bool) -> None:
    assert bool(names_module(module, importer, path)) is named


def test_package_files_are_named_by_their_folder() -> None:
    assert module_segments("a/b/__init__.py") == ("a", "b")
    assert module_segments("index.ts") == ("index",)


def test_the_nearest_enclosing_scope_wins() -> None:
    outline = Outline(
        language="python",
        symbols=[
            Symbol("run", SymbolKind.FUNCTION, -1, 0, 50, 4, 7),
            Symbol("outer", SymbolKind.FUNCTION, -1, 100, 900, 104, 109),
            Symbol("run", SymbolKind.FUNCTION, 1, 200, 300, 204, 207),
        ],
    )
    here = [candidate("app/main.py", ordinal=0, line=1), candidate("app/main.py", ordinal=2, line=9)]
    assert [each.ordinal for each in best(use(), outline, [*here, candidate("app/other.py")])] == [2, 0]


def test_imports_beat_neighbours_and_neighbours_beat_names() -> None:
    outline = Outline(
        language="python",
        imports=[Import("lib.engine", [ImportedName("run", "run")], 0, 10)],
    )
    weakest_first = [candidate("far/away.py"), candidate("app/beside.py"), candidate("src/lib/engine.py")]
    for count, each in enumerate(weakest_first, 1):
        assert best(use(), outline, weakest_first[:count]) == [each], "weaker evidence is hidden, whatever comes first"
        assert best(use(), outline, weakest_first[:count][::-1]) == [each]


def test_a_qualifier_picks_the_imported_module() -> None:
    outline = Outline(language="python", imports=[Import("lib", [ImportedName("engine", "motor")], 0, 10)])
    found = best(use(qualifier="motor"), outline, [candidate("app/engine.py"), candidate("lib/engine.py")])
    assert [each.address for each in found] == ["lib/engine.py"]


def test_other_languages_do_not_answer() -> None:
    assert best(use(), Outline(language="python"), [candidate("a.rb", language="ruby")]) == []


def test_bare_names_are_all_kept_tests_last() -> None:
    found = best(use(), Outline(language="python"), [candidate("tests/test_x.py"), candidate("z/x.py")])
    assert [each.address for each in found] == ["z/x.py", "tests/test_x.py"]


def test_a_qualifier_rules_out_what_it_cannot_reach() -> None:
    stdlib = Outline(language="python", imports=[Import("os", [], 0, 9)])
    anywhere = [candidate("far/path.py", container="Path"), candidate("far/away.py")]
    assert best(use("join", qualifier="os"), stdlib, anywhere) == [], "an imported module that is not in the root"
    assert [each.address for each in best(use("join", qualifier="parts"), stdlib, anywhere)] == ["far/path.py"]
    assert len(best(use("join", qualifier="self"), stdlib, anywhere)) == 2
    assert len(best(use("join", qualifier="away"), stdlib, anywhere)) == 2, "a module of that name"
