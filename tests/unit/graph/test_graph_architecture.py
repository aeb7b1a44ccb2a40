"""The architecture of small workspaces: modules, layers, cycles, entry points, areas; the same for every hash seed."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspaces import graph_of

from pilotfish.graph.architecture import Architecture, architecture
from pilotfish.graph.drawing import DETAILS, mermaid, mermaid_label, text, within
from pilotfish.graph.modules import MOST, grouped
from pilotfish.graph.rank import Boosts, Ranker

SHOP = {
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli.main:run"\n',
    "shop/__init__.py": "",
    "shop/cli/__init__.py": "",
    "shop/cli/main.py": """from shop.orders.cart import Cart, checkout
from shop.storage.rows import load_rows

def run():
    checkout(Cart())
    load_rows()
""",
    "shop/orders/__init__.py": "",
    "shop/orders/cart.py": """from shop.billing.bill import write_bill
from shop.storage.rows import Row, load_rows

class Cart(Row): ...

def checkout(cart: Cart):
    write_bill(cart)
    write_bill(cart)
    load_rows()
""",
    "shop/billing/__init__.py": "",
    "shop/billing/bill.py": """from shop.orders.cart import checkout
from shop.storage.rows import load_rows

def write_bill(cart):
    load_rows()

def again(cart):
    checkout(cart)
""",
    "shop/storage/__init__.py": "",
    "shop/storage/rows.py": "class Row: ...\n\ndef load_rows(): ...\n",
    "web/package.json": '{"dependencies": {"react": "18"}, "main": "dist/index.js"}',
    "web/src/index.ts": 'import { draw } from "./draw"\n\ndraw()\n',
    "web/src/draw.ts": "export function draw() {}\n",
    "web/src/server/push.ts": "export function push() {}\n",
    "tests/test_cart.py": """from shop.orders.cart import Cart, checkout

def test_checkout():
    checkout(Cart())
""",
    "README.md": "# Shop\n",
}

EXPECTED = """\
Architecture: 12 files in 6 modules, 4 layers, named as seen from shop/; * is what no other module has

Modules, the most important first
  storage  2 files, python, 28%
    files rows.py, __init__.py
  /web  3 files, typescript, 21%
    files src/draw.ts, src/index.ts, src/server/push.ts
  orders  2 files, python, 17%
    files cart.py, __init__.py
    uses storage (1 call, 2 imports, 1 inherited), billing (2 calls, 1 import)
  billing  2 files, python, 16%
    files bill.py, __init__.py
    uses storage (1 call, 1 import), orders (1 call, 1 import)
  cli  2 files, python, 11%
    files __init__.py, main.py
    uses orders (2 calls, 2 imports), storage (1 call, 1 import)
  *  1 file, python, 6%

Layers, from what uses others to what is used
  4  cli
  3  orders
  2  billing
  1  storage

Cycles
  2 modules use each other: orders, billing
    against the layers: billing -> orders (1 call, 1 import)
  shop/orders/cart.py -> shop/billing/bill.py -> shop/orders/cart.py

Entry points
  shop/cli/main.py  pyproject.toml: script shop; uses 2 files
  web/src/index.ts  web/package.json: main; uses 1 file

Apart: 1 test file, using orders (1)
"""


def architecture_of(files: dict[str, str], focus: str = "full", shuffled: random.Random | None = None) -> Architecture:
    graph = graph_of(files, shuffled)
    manifests = {path: content.encode() for path, content in files.items() if path.endswith((".json", ".toml"))}
    return architecture(graph, Ranker(graph, Boosts()).rank().files, manifests, focus)


def test_the_architecture_of_a_shop() -> None:
    assert text(architecture_of(SHOP)) == EXPECTED


@pytest.mark.parametrize("seed", ["1", "99"])
def test_neither_hash_seed_nor_order_matter(seed: str) -> None:
    code = (
        "import random; from test_graph_architecture import SHOP, architecture_of, text, mermaid;"
        f"found = architecture_of(SHOP, shuffled=random.Random({seed})); print(text(found), mermaid(found), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{EXPECTED} {mermaid(architecture_of(SHOP))}"


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        ("frontend", {"web/src/index.ts", "web/src/draw.ts"}),
        ("shop/orders", {"shop/orders/__init__.py", "shop/orders/cart.py"}),
        ("./shop/orders/", {"shop/orders/__init__.py", "shop/orders/cart.py"}),
        ("shop/order", set()),
        ("web/src/draw.ts", {"web/src/draw.ts"}),
    ],
)
def test_an_area_holds_its_files(focus: str, expected: set[str]) -> None:
    assert {path for module in architecture_of(SHOP, focus).modules for path in module.files} == expected


def test_front_and_back_are_the_whole() -> None:
    front, back, full = (architecture_of(SHOP, focus).files for focus in ("frontend", "backend", "full"))
    assert front + back == full


def test_spelling_alone_draws_no_arrow_where_imports_are_resolved() -> None:
    files = SHOP | {"shop/cli/more.py": "def helper(): ...\n", "shop/orders/loose.py": "def use(it): it.helper()\n"}
    found = architecture_of(files)
    names = [module.name for module in found.modules]
    pairs = {(names[each.source], names[each.target]) for each in found.dependencies}
    assert ("orders", "storage") in pairs
    assert ("orders", "cli") not in pairs


def test_nothing_has_no_architecture() -> None:
    found = architecture_of({})
    assert (found.files, found.modules, found.layers, found.cycles) == (0, (), (), ())
    assert text(found) == "Architecture: 0 files in 0 modules\n"
    assert mermaid(found) == "flowchart TD\n"


def test_a_chain_and_a_ring_of_many_files_end() -> None:
    size = 3_000
    files = {
        f"a/f{number}.py": f"from a.f{(number + 1) % size} import f{(number + 1) % size}\n\ndef f{number}(): ...\n"
        for number in range(size)
    }
    found = architecture_of(files)
    assert [cycle.size for cycle in found.file_cycles] == [size]
    assert len(text(found).splitlines()) < 40


# --- modules ---------------------------------------------------------------------------------------------------------

FOLDERS = st.lists(st.sampled_from(["src", "a", "b", "main", "pkg"]), max_size=5).map("/".join)
PATHS = st.builds(
    lambda folder, name: f"{folder}/{name}".lstrip("/"), FOLDERS, st.sampled_from(["x.py", "y.py", "z.go"])
)


@given(st.lists(PATHS, unique=True), st.lists(FOLDERS, max_size=3))
def test_every_file_is_in_one_module(paths: list[str], packages: list[str]) -> None:
    found = grouped(paths, packages).modules
    assert sorted(path for module in found for path in module.files) == sorted(paths)
    assert len({module.name for module in found}) == len(found) <= MOST
    assert all(path.startswith(module.folder) for module in found for path in module.files)


def test_packages_with_manifests_are_modules_before_large_folders_are_opened() -> None:
    paths = [f"crates/{name}/src/{part}/{file}.rs" for name in "abcdef" for part in "xy" for file in "12"]
    assert [module.name for module in grouped(paths, [f"crates/{name}" for name in "abcdef"]).modules] == list("abcdef")


def test_the_files_of_a_flat_package_are_its_modules() -> None:
    paths = [f"src/pkg/{name}.py" for name in "abcdefg"]
    assert grouped(paths).base == "src/pkg"
    assert [module.name for module in grouped(paths).modules] == [f"{name}.py" for name in "abcdefg"]


def test_a_folder_of_too_many_small_folders_stays_one_module() -> None:
    paths = [f"locale/{number}/a.py" for number in range(MOST + 1)] + [f"{name}/b.py" for name in "abcd"]
    assert [module.folder for module in grouped(paths).modules] == ["a", "b", "c", "d", "locale"]


def test_of_too_many_packages_the_largest_are_modules() -> None:
    sizes = {f"packages/p{number:02}": number + 1 for number in range(2 * MOST)}
    paths = [f"{package}/{number}.ts" for package, size in sizes.items() for number in range(size)]
    modules = grouped(paths, sizes).modules
    assert len(modules) == MOST
    assert {module.folder for module in modules} == {"packages", *sorted(sizes)[MOST + 1 :]}


# --- drawings --------------------------------------------------------------------------------------------------------

HOSTILE = [
    '"];click m0 call alert()//',
    "a]\n%%{init: {}}%%\nb",
    "end",
    "`x`",
    "</script><img src=x onerror=alert(1)>",
    "#quot;",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_a_label(name: str) -> None:
    drawn = mermaid(architecture_of({f"{name}/a.py": "", f"{name}/b.py": "", "c/d.py": ""}))
    node = re.compile(r'  m\d+\["[A-Za-z0-9 _./:,+*@=#;-]*<br/>\d+ files?"\]')
    assert all(node.fullmatch(line) for line in drawn.splitlines()[1:])


@given(st.text())
def test_a_label_holds_nothing_that_mermaid_reads(name: str) -> None:
    label = mermaid_label(name)
    assert re.fullmatch(r"(?:[ \w./:,+*@=-]|#\d+;)*", label, re.ASCII)


def test_names_stay_on_their_line() -> None:
    shown = text(architecture_of({"a\nb/\x1b[31mc.py": "def main(): ...\n", "d/e.py": ""}))
    assert "\x1b" not in shown
    assert "a\\nb" in shown


@given(st.integers(0, 2_000))
def test_a_budget_is_kept(budget: int) -> None:
    found = architecture_of(SHOP)
    assert len(within(lambda detail: text(found, detail), lambda drawn: len(drawn) <= budget)) <= budget
    assert within(lambda detail: text(found, detail), lambda drawn: True) == text(found, DETAILS[0])
