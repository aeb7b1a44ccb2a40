"""Imports point one way (docs/architecture.md, "The house")."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pilotfish

HOUSE = Path(pilotfish.__file__).parent

ALLOWED = {
    "syntax": set(),
    "operations": set(),
    "toml": set(),
    "lean_imports": set(),
    "requirements": set(),
    "visible_text": set(),
    "excerpt": set(),
    "safe_markdown": {"visible_text"},
    "config": {"syntax.languages", "toml"},
    "graph": {"syntax", "toml"},
    "store": {"syntax"},
    "retrieval": {"syntax", "visible_text"},
    "workspace": {"syntax"},
    "children": set(),
    "semantic": {"children", "store", "syntax", "config", "toml", "lean_imports", "requirements"},
    "indexing": {"children", "semantic", "store", "workspace", "syntax", "config", "operations", "engine.wire"},
    "engine": {
        *("operations", "indexing", "retrieval", "semantic", "graph", "store", "workspace", "syntax", "config"),
        *("lean_imports", "visible_text", "excerpt", "safe_markdown"),
    },
    "lsp": {"operations", "engine.client", "engine.rendezvous", "engine.wire", "workspace", "config", "syntax"},
    "mcp": {
        *("operations", "engine.client", "engine.rendezvous", "engine.wire", "workspace", "config", "graph.tokens"),
        *("graph.calls", "lean_imports", "visible_text", "excerpt"),
    },
}
"""Room -> the rooms it may import from, beside itself. The command line is a front and stands above all of them."""


def imported_modules(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, at the top or inside functions, type-only imports left out."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "pilotfish":
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.split(".")[0] == "pilotfish")
    return {module.removeprefix("pilotfish.") for module in found}


def files() -> list[Path]:
    return sorted(path for path in HOUSE.rglob("*.py") if room(path) in ALLOWED)


def room(path: Path) -> str:
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_point_one_way(path: Path) -> None:
    own = room(path)
    allowed = ALLOWED[own] | {own}
    for module in imported_modules(path):
        if module in {"pilotfish", "__version__"}:
            continue
        assert any(module == each or module.startswith(f"{each}.") for each in allowed), f"{own} imports {module}"


def test_only_the_lsp_front_knows_lsp_types() -> None:
    for path in HOUSE.rglob("*.py"):
        if room(path) != "lsp":
            text = path.read_text("utf-8")
            assert "import lsprotocol" not in text, path
            assert "from lsprotocol" not in text, path
            assert "from pygls" not in text, path


def test_only_the_mcp_front_imports_the_mcp_library() -> None:
    for path in HOUSE.rglob("*.py"):
        if room(path) != "mcp":
            text = path.read_text("utf-8")
            for library in ("mcp", "mcp_types"):
                assert not re.search(rf"^\s*(import|from) {library}\b", text, re.MULTILINE), path
