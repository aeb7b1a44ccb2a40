"""Julia's imports: included files, and packages by their names."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "julia",
    [
        "src/Shop.jl",
        "src/cart.jl",
        "src/pay/card.jl",
        "src/Text.jl",
        "test/runtests.jl",
        "test/cart.jl",
        "lib/Pay/src/Pay.jl",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("src/Shop.jl", 'include("cart.jl")', "* = *: src/cart.jl"),
        ("src/Shop.jl", 'include("pay/card.jl")', "* = *: src/pay/card.jl"),
        ("test/runtests.jl", 'include("cart.jl")', "* = *: test/cart.jl"),
        ("test/runtests.jl", "using Shop", "* = *: src/Shop.jl"),
        ("test/runtests.jl", "import Shop as S", "S = *: src/Shop.jl"),
        ("src/Shop.jl", "using Pay: Card", "Card = Card: lib/Pay/src/Pay.jl"),
        ("src/Shop.jl", "import Pay.Cards", "* = *: lib/Pay/src/Pay.jl"),
        ("src/pay/card.jl", "using ..Text: format as f", "f = format: src/Text.jl"),
    ],
)
def test_files_and_packages(importer: str, statement: str, expected: str) -> None:
    assert TREE.bound(importer, statement) == [expected]


@pytest.mark.parametrize(
    "statement", ["using Base", 'include("../../x.jl")', "using Shop", "using .None", 'include("")']
)
def test_what_is_elsewhere_or_the_file_itself_has_no_files(statement: str) -> None:
    assert TREE.bound("src/Shop.jl", statement) == []


def test_the_sources_of_a_package_are_one() -> None:
    package = TREE.resolver.package
    assert package("src/pay/card.jl") == package("src/Shop.jl") == "src"
    assert package("test/runtests.jl") == "test"
