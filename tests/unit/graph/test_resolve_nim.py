"""Nim's imports: paths from the importer and the sources, the library, aliases and names."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "nim",
    [
        "src/shop.nim",
        "src/shop/cart.nim",
        "src/shop/text.nim",
        "tests/tcart.nim",
        "lib/pure/os.nim",
        "lib/system/io.nim",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("src/shop.nim", "import shop/cart", ["cart = *: src/shop/cart.nim", " = *: src/shop/cart.nim"]),
        ("src/shop/cart.nim", "import text", ["text = *: src/shop/text.nim", " = *: src/shop/text.nim"]),
        ("src/shop/cart.nim", "import ../shop as s", ["s = *: src/shop.nim", " = *: src/shop.nim"]),
        ("tests/tcart.nim", "import shop/[cart, text]", [
            "cart = *: src/shop/cart.nim",
            " = *: src/shop/cart.nim",
            "text = *: src/shop/text.nim",
            " = *: src/shop/text.nim",
        ]),
        ("tests/tcart.nim", "from shop/cart import add, Item as Thing", [
            "add = add: src/shop/cart.nim",
            "Thing = Item: src/shop/cart.nim",
        ]),
        ("src/shop.nim", "import std/os", ["os = *: lib/pure/os.nim", " = *: lib/pure/os.nim"]),
        ("src/shop/cart.nim", "include text", ["text = *: src/shop/text.nim", " = *: src/shop/text.nim"]),
        ("src/shop.nim", "import std/none, ../../x, jester", []),
        ("src/shop/cart.nim", "import cart", []),
    ],
)  # fmt: skip
def test_modules(importer: str, statement: str, expected: list[str]) -> None:
    assert TREE.bound(importer, statement) == expected
