"""A graph in which a few files were linked anew equals one made from nothing, and common edits need no more than that.

The limits of joins are drawn too: a join that leaves rows out may leave out those of any file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspaces import graph_of, links_of

from pilotfish.graph import joins, linking
from pilotfish.graph.edges import Graph

NAMES = ("run", "parse_header", "_hide", "Thing", "Other")
NEW = ("fresh", "newer", "Newest")
MODULES = tuple(f"m{number}" for number in range(5))

module = st.sampled_from(MODULES)
used = st.sampled_from((*NAMES, *NAMES, *NEW))
python_import = st.one_of(
    st.builds("import {}\n".format, module),
    st.builds("from {} import {}\n".format, module, st.sampled_from((*NAMES, "*", "run as ran", "Thing as run"))),
)
python_definition = st.sampled_from(("def {0}(): ...\n", "class {0}:\n    def {0}_it(self): ...\n", "{0} = 1\n"))
python_use = st.one_of(
    st.builds("{}()\n".format, used),
    st.builds("{}.{}()\n".format, st.sampled_from((*MODULES, "value")), used),
    st.builds("class Own({}): ...\n".format, used),
    st.builds("class Own({}.{}): ...\n".format, module, used),
)
go_use, c_use = (st.builds(form.format, used) for form in ("func own() {{ {}() }}\n", "int own(void) {{ {}(); }}\n"))


class Parts(NamedTuple):
    """How texts of a language are made: what they import, what they define (a form of the name) and what they use."""

    head: st.SearchStrategy[str]
    definition: st.SearchStrategy[str]
    use: st.SearchStrategy[str]


def lines(line: st.SearchStrategy[str], most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(line, max_size=most).map("".join)


PYTHON = Parts(lines(python_import, 4), python_definition, python_use)
RUBY = Parts(st.just(""), st.just("def {}(x) = x\n"), st.builds("{}(1)\n".format, used))


def go(*heads: str) -> Parts:
    return Parts(st.sampled_from(heads), st.just("func {}() {{}}\n"), go_use)


def c(*heads: str) -> Parts:
    return Parts(st.sampled_from(heads), st.just("int {}(void) {{}}\n"), c_use)


WORKSPACE = {
    **{f"{name}.py": PYTHON for name in MODULES[1:]},
    "m0/__init__.py": PYTHON,
    "a/one.go": go('package a\n\nimport "m/b"\n\n'),
    "a/two.go": go("package a\n\n"),
    "b/three.go": go("package b\n\n", 'package b\n\nimport "m/a"\n\n'),
    "one.c": c('#include "one.h"\n'),
    "one.h": c("", '#include "two.h"\n'),
    "two.h": c(""),
    "one.rb": RUBY,
    "two.rb": RUBY,
}


def defined(path: str, names: Sequence[str]) -> st.SearchStrategy[str]:
    return lines(st.builds(str.format, WORKSPACE[path].definition, st.sampled_from(names)))


def edits_of(path: str) -> st.SearchStrategy[dict[str, str]]:
    """What comes behind the definitions that a file begins with, in two parts of which an edit may leave one."""
    more, uses = defined(path, (*NEW, *NEW, *NAMES)), lines(WORKSPACE[path].use)
    return st.one_of(
        st.fixed_dictionaries({"use": uses}),
        st.fixed_dictionaries({"use": uses}),
        st.fixed_dictionaries({"more": more}),
        st.fixed_dictionaries({"more": more, "use": uses}),
    )


beginnings = st.fixed_dictionaries(
    {
        path: st.fixed_dictionaries(
            {
                "head": parts.head,
                "definitions": defined(path, NAMES),
                "more": st.just(""),
                "use": lines(parts.use),
            }
        )
        for path, parts in WORKSPACE.items()
    }
)
edit = st.lists(st.sampled_from(sorted(WORKSPACE)), min_size=1, max_size=2, unique=True).flatmap(
    lambda paths: st.fixed_dictionaries({path: edits_of(path) for path in paths})
)


def texts(workspace: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {"go.mod": "module m\n", **{path: "".join(parts.values()) for path, parts in workspace.items()}}


def edited(graph: Graph, fresh: Graph) -> Graph | None:
    """`graph` with those nodes of a fresh one that say something else."""
    return graph.edited({path: node for path, node in fresh.nodes.items() if not node.says_as(graph.nodes[path])})


def check_equal(graph: Graph, fresh: Graph) -> None:
    """All that is asked of a graph, and all that it keeps to be edited again."""
    assert graph.paths == fresh.paths
    assert all(node.says_as(fresh.nodes[path]) for path, node in graph.nodes.items())
    for column in ("names", "defined_file", "defined_name", "defined_traits", "stems", "stem_definition", "definers"):
        assert np.array_equal(getattr(graph, column), getattr(fresh, column)), column
    check_same(graph.links, fresh.links)
    kept, expected = graph._kept, fresh._kept
    for ours, theirs in ((kept.imports, expected.imports), (kept.uses, expected.uses), (kept[2:5], expected[2:5])):
        check_same(ours, theirs)
    assert kept.most >= expected.most, "no join of the fresh graph is longer than is known"


def check_same(ours: Sequence[object], theirs: Sequence[object]) -> None:
    assert all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(
    workspace=beginnings,
    history=st.lists(edit, min_size=1, max_size=8),
    common=st.sampled_from((1, 2, 8)),
    most=st.sampled_from((30, 100, 4_000_000, 4_000_000)),
)
def test_an_edited_graph_equals_a_fresh_one(workspace, history, common: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "COMMON", common)
        patch.setattr(joins, "MOST_PAIRS", most)
        graph = graph_of(texts(workspace))
        for changed in history:
            workspace = {path: {**parts, **changed.get(path, {})} for path, parts in workspace.items()}
            fresh = graph_of(texts(workspace))
            found = edited(graph, fresh)
            if found is not None:
                check_equal(found, fresh)
            graph = fresh if found is None else found


FILES = {
    "base.py": "class Base:\n    def begin(self): ...\n\nclass Spare:\n    def wait(self): ...\n",
    "lib.py": "from base import Base, Spare\n\ndef run(): ...\n\ndef stop(): ...\n\nclass Motor(Base): ...\n",
    "app.py": "from lib import *\nimport base\n\ndef main():\n    run()\n\nmain()\n",
    "other.py": "from app import main\nimport lib\n\nmain()\nlib.run()\nlib.Motor().begin()\n",
    "one.go": "package one\n\nfunc Start() { halt() }\n",
    "two.go": "package one\n\nfunc halt() {}\n",
    "one.rb": "rare(1)\n",
    "two.rb": "def rare(x) = x\n",
}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param("lib.py", "def stop", "def fresh(): ...\n\ndef stop", id="a function that nothing calls yet"),
        pytest.param("lib.py", "def stop(): ...\n", "", id="one less that nothing calls"),
        pytest.param("lib.py", "stop", "halted", id="another name for it"),
        pytest.param("lib.py", "def run(): ...", "def run(): return fresh()\n\ndef fresh(): ...", id="one called here"),
        pytest.param("app.py", "    run()", "    run()\n    stop()", id="a call of what another file defines"),
        pytest.param("app.py", "    run()", "    run()\n    base.Spare()", id="a call through a module"),
        pytest.param("app.py", "    run()", "    run()\n    run()", id="one more call of it"),
        pytest.param("app.py", "    run()", "    pass", id="a call less"),
        pytest.param("app.py", "    run()", "    unknown()", id="a call of what nothing defines"),
        pytest.param("one.go", "halt()", "halt(); halt(); Start()", id="calls in a package"),
        pytest.param("one.rb", "rare(1)", "rare(1)\nrare(2)\n", id="calls that only their spelling binds"),
    ],
)
def test_common_edits_link_one_file(path: str, old: str, new: str) -> None:
    graph = graph_of(FILES)
    files = {**FILES, path: FILES[path].replace(old, new)}
    assert files != FILES
    fresh = graph_of(files)
    found = edited(graph, fresh)
    assert found is not None
    check_equal(found, fresh)
    assert links_of(found, files) == links_of(fresh, files)
    back = edited(found, graph)
    assert back is not None
    check_equal(back, graph)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param("lib.py", "def run", "def running", id="a name that another file calls"),
        pytest.param("two.rb", "rare", "common", id="one that only its spelling binds"),
        pytest.param("two.go", "func halt() {}", "var halt = 1", id="another kind of what is called"),
        pytest.param("base.py", "Base", "_Base", id="a name that another file imports"),
        pytest.param("lib.py", "import Base, Spare", "import Base", id="another import"),
        pytest.param("other.py", "lib.run()", "lib.Base()", id="another file opened, through a module"),
        pytest.param("app.py", "def main", "class Own(base.Spare): ...\n\ndef main", id="a base in another file"),
    ],
)
def test_other_edits_link_all_files(path: str, old: str, new: str) -> None:
    files = {**FILES, path: FILES[path].replace(old, new)}
    assert edited(graph_of(FILES), graph_of(files)) is None


def test_files_that_come_are_no_edit() -> None:
    fresh = graph_of({**FILES, "new.py": ""})
    assert graph_of(FILES).edited({"new.py": fresh.nodes["new.py"]}) is None


def test_a_name_that_a_file_is_the_first_to_use_counts_in_the_joins_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "COMMON", 1)
    files = {
        **{f"lib{number}.py": "def common(): ...\n" for number in range(2)},
        **{f"user{number}.py": "from lib0 import *\nfrom lib1 import *\n" for number in range(10)},
        "alone.py": "unknown()\n",
    }
    graph, fresh = graph_of(files), graph_of({**files, "alone.py": "common()\n"})
    found = edited(graph, fresh)
    assert found is not None
    check_equal(found, fresh)
    monkeypatch.setattr(joins, "MOST_PAIRS", fresh._kept.most - 1)
    assert edited(graph, fresh) is None
