"""Ruby's imports: load paths, and paths from a file's own folder."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "ruby",
    [
        "lib/shop.rb",
        "lib/shop/cart.rb",
        "app/models/order.rb",
        "spec/spec_helper.rb",
        "spec/shop/cart_spec.rb",
        "config/boot.rb",
        "gems/pay/lib/pay.rb",
        "gems/pay/lib/pay/card.rb",
        "gems/pay/test/test_helper.rb",
        "gems/pay/test/card_test.rb",
        "gems/ship/test/test_helper.rb",
        "usr/lib/ruby/3.1.0/set.rb",
        "vendor/set.rb",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("lib/shop.rb", 'require "shop/cart"', "lib/shop/cart.rb"),
        ("lib/shop.rb", 'require_relative "shop/cart"', "lib/shop/cart.rb"),
        ("lib/shop/cart.rb", 'require_relative "../shop"', "lib/shop.rb"),
        ("lib/shop.rb", 'autoload :Cart, "shop/cart"', "lib/shop/cart.rb"),
        ("lib/shop.rb", 'load "config/boot.rb"', "config/boot.rb"),
        ("lib/shop.rb", 'require "#{__dir__}/shop/cart"', "lib/shop/cart.rb"),
        ("spec/shop/cart_spec.rb", 'require "spec_helper"', "spec/spec_helper.rb"),
        ("spec/shop/cart_spec.rb", 'require "./config/boot"', "config/boot.rb"),
        ("lib/shop.rb", 'require_dependency "order"', "app/models/order.rb"),
        ("lib/shop.rb", 'require "pay/card"', "gems/pay/lib/pay/card.rb"),
        ("gems/pay/test/card_test.rb", 'require "test_helper"', "gems/pay/test/test_helper.rb"),
        ("lib/shop.rb", 'require "set"', "usr/lib/ruby/3.1.0/set.rb"),
    ],
)
def test_a_require_is_a_file_on_a_load_path(importer: str, statement: str, expected: str) -> None:
    assert TREE.bound(importer, statement) == [f"* = *: {expected}"]


@pytest.mark.parametrize(
    "statement",
    ['require "json"', 'require "cart"', 'require "#{name}/cart"', 'require_relative "../../lib/shop"', 'require ""'],
)
def test_what_is_on_no_load_path_has_no_files(statement: str) -> None:
    assert TREE.bound("lib/shop.rb", statement) == []
