"""Perl's imports: modules below the folders that are searched, and files."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "perl",
    [
        "lib/Shop.pm",
        "lib/Shop/Cart.pm",
        "t/lib/Shop/Testing.pm",
        "t/cart.t",
        "script/shop.pl",
        "config.pl",
        "usr/share/perl5/List/Util.pm",
        "usr/share/perl/5.36.0/Carp.pm",
        "other/lib/Shop/Cart.pm",
        "data/Hidden.pm",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("t/cart.t", "use Shop::Cart;", ["Cart = Cart: lib/Shop/Cart.pm", " = *: lib/Shop/Cart.pm"]),
        ("lib/Shop/Cart.pm", "use parent 'Shop';", ["Shop = Shop: lib/Shop.pm", " = *: lib/Shop.pm"]),
        ("lib/Shop.pm", "use List::Util qw(first);", [
            "Util = Util: usr/share/perl5/List/Util.pm",
            "first = first: usr/share/perl5/List/Util.pm",
            " = *: usr/share/perl5/List/Util.pm",
        ]),
        ("lib/Shop.pm", "require Carp;", [
            "Carp = Carp: usr/share/perl/5.36.0/Carp.pm",
            " = *: usr/share/perl/5.36.0/Carp.pm",
        ]),
        ("t/cart.t", "use Shop::Testing;", ["Testing = Testing: t/lib/Shop/Testing.pm", " = *: t/lib/Shop/Testing.pm"]),
        ("other/lib/Shop.pm", "use Shop::Cart ();", [
            "Cart = Cart: other/lib/Shop/Cart.pm",
            " = *: other/lib/Shop/Cart.pm",
        ]),
        ("script/shop.pl", "require './config.pl';", ["* = *: config.pl"]),
        ("script/shop.pl", "do 'shop.pl';", ["* = *: script/shop.pl"]),
    ],
)  # fmt: skip
def test_a_module_is_below_a_folder_that_is_searched(importer: str, statement: str, expected: list[str]) -> None:
    assert TREE.bound(importer, statement) == expected


@pytest.mark.parametrize("statement", ["use strict;", "use Hidden;", "require '/etc/config.pl';", "use Shop::None;"])
def test_what_is_elsewhere_has_no_files(statement: str) -> None:
    assert TREE.bound("lib/Shop.pm", statement) == []
