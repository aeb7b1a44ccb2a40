"""Which file a reference means: fixtures of each kind of evidence; the same links whatever the order and the seed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspaces import Link, graph_of, links_of

PYTHON = {
    # A package hands on what its modules define, under other names and whole.
    "shop/__init__.py": "from .money import round_price as round, Currency\nfrom .stock import *\n",
    "shop/money.py": "class Currency: ...\n\ndef round_price(): ...\n\ndef convert(): ...\n",
    "shop/stock.py": "def reserve(): ...\n\ndef _secret(): ...\n",
    "site/view.py": "from shop import round, Currency, reserve\n\nround()\nround()\nCurrency()\nreserve()\n",
    "site/star.py": "from shop import *\n\nreserve()\nCurrency()\n",
    "site/module.py": "import shop.money as m\n\nm.convert()\n",
    # What a file defines itself is no link, unless it imports the name for it: a method wraps a function of its name.
    "site/own.py": "from shop.money import *\n\ndef convert(): ...\n\nconvert()\n",
    "site/wrap.py": "from shop.money import convert\n\nclass C:\n    def convert(self):\n        convert()\n",
}
GO = {
    "go.mod": "module example.org/m\n",
    "a/one.go": "package a\n\nfunc Run() { helper(); helper() }\n",
    "a/two.go": "package a\n\nfunc helper() {}\n",
    "b/three.go": 'package b\n\nimport "example.org/m/a"\n\nfunc start() { a.Run(); helper() }\n',
    "b/four.go": "package b\n\nfunc helper() {}\n",
}
SPELLED = {
    "uses.rb": "rare_name(1)\ncommon(1)\n_private(1)\n",
    "uses.js": "rare_name(1)\n",
    "d1.rb": "def rare_name(x) = x\ndef common(x) = x\ndef _private(x) = x\n",
    "d2.rb": "def common(x) = x\n",
    "d3.rb": "def common(x) = x\n",
    "d4.rb": "def common(x) = x\n",
    # Where names must be imported, spelling alone says nothing.
    "uses.py": "only_here()\n",
    "defines.py": "def only_here(): ...\n",
}


def test_names_are_followed_through_modules_that_hand_them_on() -> None:
    links = links_of(graph_of(PYTHON), PYTHON)
    view = [link for link in links if link[0] == "site/view.py" and link[3] == "call"]
    assert view == [
        ("site/view.py", "shop/money.py", "Currency", "call", 1, "imported"),
        ("site/view.py", "shop/money.py", "round_price", "call", 2, "imported"),
        ("site/view.py", "shop/stock.py", "reserve", "call", 1, "imported"),
    ]
    star = [link for link in links if link[0] == "site/star.py" and link[3] == "call"]
    assert star == [
        ("site/star.py", "shop/money.py", "Currency", "call", 1, "opened"),
        ("site/star.py", "shop/stock.py", "reserve", "call", 1, "opened"),
    ]
    assert ("site/module.py", "shop/money.py", "convert", "call", 1, "opened") in links
    assert not [link for link in links if link[0] == "site/own.py" and link[3] == "call"]
    assert ("site/wrap.py", "shop/money.py", "convert", "call", 1, "imported") in links


def test_files_of_a_package_see_each_other() -> None:
    links = links_of(graph_of(GO), GO)
    assert ("a/one.go", "a/two.go", "helper", "call", 2, "package") in links
    assert ("b/three.go", "b/four.go", "helper", "call", 1, "package") in links
    assert ("b/three.go", "a/one.go", "Run", "call", 1, "opened") in links
    assert not [link for link in links if link[:3] == ("b/three.go", "a/two.go", "helper")]


def test_spelling_alone_binds_public_names_that_few_files_of_the_language_define() -> None:
    assert links_of(graph_of(SPELLED), SPELLED) == [("uses.rb", "d1.rb", "rare_name", "call", 1, "name")]


@pytest.mark.parametrize("files", [{}, {"a.py": ""}, {"a.py": "f()\n"}, {"a.py": "import b\n"}])
def test_graphs_of_next_to_nothing(files: dict[str, str]) -> None:
    graph = graph_of(files)
    assert (list(graph.paths), len(graph.links.source)) == (sorted(files), 0)


EVERY = {**PYTHON, **GO, **SPELLED}
PRINT = (
    "import workspaces, test_edges; print(workspaces.links_of(workspaces.graph_of(test_edges.EVERY), test_edges.EVERY))"
)


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_links_do_not_depend_on_the_hash_seed(seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(links_of(graph_of(EVERY), EVERY))


NAMES = ("run", "parse_header", "_hide", "Thing")


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    """Modules that define, import, hand on and use a few names, in Python and in one package of Go."""
    files = {"go.mod": "module m\n"}
    number = draw(st.integers(1, 7))
    some = st.lists(st.sampled_from(NAMES), max_size=3)
    for file in range(number):
        module = f"m{draw(st.integers(0, number))}"
        imported = draw(st.sampled_from((*NAMES, "*", "run as ran", "")))
        lines = [f"from {module} import {imported}" if imported else f"import {module}"]
        lines += [f"def {name}(): ..." for name in draw(some)]
        lines += [f"{name}()" for name in draw(some)]
        files[f"m{file}.py"] = "\n".join(lines) + "\n"
        functions = [f"func {name}() {{ {' '.join(f'{used}();' for used in draw(some))} }}" for name in draw(some)]
        files[f"g/m{file}.go"] = "\n".join(("package g", *functions)) + "\n"
    return files


@settings(max_examples=60, deadline=None)
@given(workspaces(), st.randoms(use_true_random=False))
def test_links_do_not_depend_on_the_order_of_files(files: dict[str, str], choice: random.Random) -> None:
    expected: list[Link] = links_of(graph_of(files), files)
    mixed = list(files.items())
    choice.shuffle(mixed)
    assert links_of(graph_of(dict(mixed), shuffled=choice), files) == expected
    assert all(source != target and uses > 0 for source, target, _, _, uses, _ in expected)
    assert len({link[:4] for link in expected}) == len(expected)
