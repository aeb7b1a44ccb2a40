"""What pages, components and style sheets load."""

from __future__ import annotations

import pytest
from resolution import Workspace

PATHS = [
    "index.html",
    "pages/cart.html",
    "pages/cart.js",
    "js/cart.js",
    "public/main.css",
    "css/shop.css",
    "css/base.css",
    "scss/main.scss",
    "scss/_config.scss",
    "scss/forms/_index.scss",
    "scss/forms/_input.scss",
    "src/App.vue",
    "src/Item.vue",
    "src/lib/text.ts",
]


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("index.html", '<script src="js/cart.js?v=1"></script>', ["* = *: js/cart.js"]),
        ("pages/cart.html", '<script src="cart.js"></script>', ["* = *: pages/cart.js"]),
        ("pages/cart.html", '<link href="/main.css">', ["* = *: public/main.css"]),
        ("pages/cart.html", '<script>import { total } from "../js/cart.js"</script>', ["total = total: js/cart.js"]),
        ("pages/cart.html", '<style>@import "../css/shop.css";</style>', ["* = *: css/shop.css"]),
        ("index.html", '<script src="https://example.org/js/cart.js"></script>', []),
        ("index.html", '<link href="../js/cart.js"><link href="{{ url }}">', []),
    ],
)
def test_a_page_loads_files(importer: str, text: str, expected: list[str]) -> None:
    assert Workspace("html", PATHS).bound(importer, text) == expected


def test_a_component_imports_as_a_script_does() -> None:
    text = '<script lang="ts">import Item from "./Item.vue"; import { titled as t } from "./lib/text"</script>'
    tree = Workspace("vue", PATHS)
    assert tree.bound("src/App.vue", text) == ["Item = default: src/Item.vue", "t = titled: src/lib/text.ts"]


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("css/shop.css", '@import "base.css";', ["* = *: css/base.css"]),
        ("css/shop.css", '@import url("../public/main.css");', ["* = *: public/main.css"]),
        ("css/shop.css", "@import url(//example.org/base.css);", []),
    ],
)
def test_a_sheet_imports_sheets(importer: str, text: str, expected: list[str]) -> None:
    assert Workspace("css", PATHS).bound(importer, text) == expected
