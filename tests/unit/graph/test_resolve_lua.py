"""Lua's imports: modules below the folders that are searched."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "lua",
    [
        "lua/shop/init.lua",
        "lua/shop/cart.lua",
        "lua/shop/text.lua",
        "plugins/pay/lua/pay/card.lua",
        "plugins/ship/lua/ship/init.lua",
        "plugins/ship/lua/util.lua",
        "plugins/pay/lua/util.lua",
        "usr/share/lua/5.1/json.lua",
        "data/hidden.lua",
        "spec/shop_spec.lua",
        "config.lua",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("lua/shop/cart.lua", 'local shop = require("shop")', "shop = *: lua/shop/init.lua"),
        ("lua/shop/cart.lua", 'local t = require "shop.text"', "t = *: lua/shop/text.lua"),
        ("lua/shop/cart.lua", "require 'shop/text'", "* = *: lua/shop/text.lua"),
        ("lua/shop/cart.lua", 'local f = require("shop.text").format', "f = format: lua/shop/text.lua"),
        ("lua/shop/cart.lua", 'local ok, j = pcall(require, "json")', "j = *: usr/share/lua/5.1/json.lua"),
        ("spec/shop_spec.lua", 'local card = require("pay.card")', "card = *: plugins/pay/lua/pay/card.lua"),
        ("plugins/pay/lua/pay/card.lua", 'local u = require("util")', "u = *: plugins/pay/lua/util.lua"),
        ("plugins/ship/lua/ship/init.lua", 'local u = require("util")', "u = *: plugins/ship/lua/util.lua"),
        ("lua/shop/cart.lua", 'dofile("config.lua")', "* = *: config.lua"),
    ],
)
def test_a_module_is_below_a_folder_that_is_searched(importer: str, statement: str, expected: str) -> None:
    assert TREE.bound(importer, statement) == [expected]


@pytest.mark.parametrize("module", ["lfs", "hidden", "shop.none", "", "..", "a" * 2_000])
def test_what_is_elsewhere_has_no_files(module: str) -> None:
    assert TREE.bound("lua/shop/cart.lua", f'local x = require("{module}")') == []
