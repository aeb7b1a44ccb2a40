"""Imports of Elixir and Erlang: the names of modules are those of files."""

from __future__ import annotations

import pytest
from resolution import Workspace

SHOP = Workspace(
    "elixir",
    [
        "apps/shop/lib/shop.ex",
        "apps/shop/lib/shop/http_client.ex",
        "apps/shop/lib/shop/cart.ex",
        "apps/shop_web/lib/shop_web.ex",
        "apps/shop_web/lib/shop_web/controllers/user_controller.ex",
        "apps/shop_web/test/support/conn_case.exs",
        "apps/other/lib/shop/cart.ex",
    ],
)
WEB = "apps/shop_web/lib/shop_web/controllers/user_controller.ex"
CART = "apps/shop/lib/shop/cart.ex"


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        (CART, "alias Shop.HTTPClient", ["HTTPClient = HTTPClient: apps/shop/lib/shop/http_client.ex"]),
        (CART, "alias Shop.HTTPClient, as: Http", ["Http = HTTPClient: apps/shop/lib/shop/http_client.ex"]),
        (
            "apps/shop/lib/shop.ex",
            "alias Shop.{Cart, HTTPClient}",
            [f"Cart = Cart: {CART}", "HTTPClient = HTTPClient: apps/shop/lib/shop/http_client.ex"],
        ),
        ("apps/other/lib/x.ex", "alias Shop.Cart", ["Cart = Cart: apps/other/lib/shop/cart.ex"]),
        (CART, "alias ShopWeb.UserController", [f"UserController = UserController: {WEB}"]),
        (CART, "alias Shop.Cart.Line", [f"Line = Line: {CART}"]),
        (WEB, "use ShopWeb, :controller", [" = *: apps/shop_web/lib/shop_web.ex"]),
        ("apps/shop/x.ex", "import Shop.Cart", [f" = *: {CART}"]),
        (CART, "import Shop.Cart, only: [add: 2, empty?: 1]", [f"add = add: {CART}", f"empty? = empty?: {CART}"]),
        (WEB, "require Logger", []),
        (WEB, "alias __MODULE__.Form", []),
    ],
)
def test_elixir_modules_are_files(importer: str, text: str, expected: list[str]) -> None:
    assert SHOP.bound(importer, text) == expected


OTP = Workspace(
    "erlang",
    [
        "lib/kernel-8.5/include/file.hrl",
        "lib/kernel-8.5/src/code.erl",
        "lib/kernel-8.5/src/internal.hrl",
        "lib/stdlib/src/lists.erl",
        "lib/stdlib/include/assert.hrl",
        "lib/stdlib/test/lists_SUITE.erl",
    ],
)
CODE = "lib/kernel-8.5/src/code.erl"


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        (CODE, '-include("internal.hrl").', ["* = *: lib/kernel-8.5/src/internal.hrl"]),
        (CODE, '-include("file.hrl").', ["* = *: lib/kernel-8.5/include/file.hrl"]),
        (CODE, '-include_lib("kernel/include/file.hrl").', ["* = *: lib/kernel-8.5/include/file.hrl"]),
        (CODE, '-include_lib("stdlib/include/assert.hrl").', ["* = *: lib/stdlib/include/assert.hrl"]),
        (
            "lib/stdlib/test/lists_SUITE.erl",
            "-import(lists, [map/2, foldl/3]).",
            ["map = map: lib/stdlib/src/lists.erl", "foldl = foldl: lib/stdlib/src/lists.erl"],
        ),
        (CODE, '-include("../../../../../etc/passwd.hrl").', []),
        (CODE, "-import(nowhere, [f/0]).", []),
    ],
)
def test_erlang_headers_and_modules_are_found(importer: str, text: str, expected: list[str]) -> None:
    assert OTP.bound(importer, text) == expected
