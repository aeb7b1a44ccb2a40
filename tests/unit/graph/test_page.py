"""The page: whole, bounded, and nothing of the repository in it but data. tests/browser looks at it in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from workspaces import graph_of

from pilotfish.graph.architecture import architecture
from pilotfish.graph.page import PageSymbol, page
from pilotfish.graph.rank import Boosts, Ranker

HOSTILE = "</script><img src=x onerror=alert(1)>.py"


def page_of(files: Mapping[str, str], symbols: Sequence[PageSymbol] = (), name: str = "shop", **limits: int) -> str:
    graph = graph_of(files)
    ranks = Ranker(graph, Boosts()).rank().files
    return page(name, graph, ranks, architecture(graph, ranks, {}), lambda path, with_signatures: symbols, **limits)


def data_of(written: str) -> dict[str, Any]:
    (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', written, re.DOTALL)
    found: dict[str, Any] = json.loads(block)
    return found


def test_the_page_holds_files_by_rank_with_symbols_and_links() -> None:
    files = {"a.py": "from b import f\n\nf()\nf()\n", "b.py": "def f(): ...\n"}
    data = data_of(page_of(files, [PageSymbol("f", "function", 1, 0, "def f()"), PageSymbol("g", "class", 2, 1)]))
    assert [file[0] for file in data["files"]] == ["b.py", "a.py"]
    assert data["links"] == [1, 0, 3]  # two calls and the import
    assert data["kinds"] == ["function", "class"]
    assert data["files"][0][4:] == [[["f", 0, 1, 0, "def f()"], ["g", 1, 2, 1]], 0]


@pytest.mark.parametrize("name", [HOSTILE, "<!--.py", "&amp;.py", "\u2028.py", "{data}.py", "\\u003c.py"])
def test_names_stay_data(name: str) -> None:
    written = page_of({name: "", "x/a.py": ""}, [PageSymbol(name, name, 1, 0, name)], name)
    assert data_of(written)["name"] == name
    assert name in {file[0] for file in data_of(written)["files"]}
    assert written.count("<script") == 2
    assert "<img" not in written


def test_the_policy_allows_the_two_parts_of_the_page_and_no_network() -> None:
    written = page_of({"a.py": ""})
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', written)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for directive, pattern in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        (part,) = re.findall(pattern, written, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert rules[directive] == f"'sha256-{digest}'"
    assert "http:" not in written.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in written


def test_a_page_is_bounded_and_the_best_files_keep_their_symbols() -> None:
    files = {f"pkg{number % 20}/file{number}.py": f"def f{number}(): ...\n" for number in range(1_000)}
    symbols = [PageSymbol(f"symbol_{number}", "function", number, number % 3, "x" * 200) for number in range(100)]
    written = page_of(files, symbols, most_bytes=600_000)
    assert len(written.encode()) <= 600_000
    counts = [len(file[4]) for file in data_of(written)["files"]]
    assert len(counts) == 1_000
    assert min(counts) > 0
    assert counts[:900] == sorted(counts[:900], reverse=True)
    assert counts[0] > 2 * counts[900]
    assert [file[5] for file in data_of(written)["files"]] == [100 - count for count in counts]
    assert {row[3] for row in data_of(written)["files"][-1][4]} == {0}  # outer ones are kept


def test_a_small_page_keeps_everything() -> None:
    symbols = [PageSymbol(f"symbol_{number}", "function", number, number % 3, "x" * 200) for number in range(100)]
    (file,) = data_of(page_of({"a.py": "def f(): ...\n"}, symbols))["files"]
    assert [row[0] for row in file[4]] == [symbol.name for symbol in symbols]
    assert all(len(row) == 5 for row in file[4])


def test_the_same_tree_gives_the_same_page() -> None:
    files = {
        f"{name}.py": f"from {other} import f\nf()\ndef f(): ...\n" for name, other in zip("abcd", "bcda", strict=True)
    }
    assert page_of(files) == page_of(dict(reversed(files.items())))
