"""PHP's imports: names that composer's autoloading maps to files, and the paths of `require`."""

from __future__ import annotations

import json

import pytest
from resolution import Workspace

COMPOSER = {
    "autoload": {
        "psr-4": {"App\\": "src/", "App\\Domain\\": ["domain", "legacy/domain"], "": "any"},
        "psr-0": {"Old_": "old", "Older\\": "old"},
        "files": ["src/helpers.php", "gone.php", 3],
    },
    "autoload-dev": {"psr-4": {"App\\": "tests", "Out\\": "../../out", "No\\": 4}},
}
TREE = Workspace(
    "php",
    [
        "src/Models/User.php",
        "src/Models/Order.php",
        "src/helpers.php",
        "src/bootstrap.php",
        "domain/Money.php",
        "legacy/domain/Tax.php",
        "tests/Models/UserTest.php",
        "old/Older/Thing.php",
        "any/Alone.php",
        "vendor/acme/log/src/Logger.php",
        "vendor/acme/log/src/functions.php",
        "config.php",
        "public/index.php",
    ],
    {
        "composer.json": json.dumps(COMPOSER),
        "vendor/acme/log/composer.json": json.dumps({"autoload": {"psr-4": {"Acme\\Log\\": "src"}}}),
        "broken/composer.json": '{"autoload": {"psr-4": [1, {"a": 2}], "files": {"x": 1}}',
    },
)
BARE = Workspace(
    "php", ["lib/Shop/Models/Cart.php", "usr/share/php/Symfony/Console/Application.php", "app/Http/Kernel.php"]
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("use App\\Models\\User;", ["User = User: src/Models/User.php"]),
        ("use App\\Models\\User as Person;", ["Person = User: src/Models/User.php"]),
        ("use App\\Models\\{User, Order as Bill};", [
            "User = User: src/Models/User.php",
            "Bill = Order: src/Models/Order.php",
        ]),
        ("use App\\{Models\\UserTest};", ["UserTest = UserTest: tests/Models/UserTest.php"]),
        ("use App\\Domain\\Money, App\\Domain\\Tax;", [
            "Money = Money: domain/Money.php",
            "Tax = Tax: legacy/domain/Tax.php",
        ]),
        ("use Older\\Thing;", ["Thing = Thing: old/Older/Thing.php"]),
        ("use Alone;", ["Alone = Alone: any/Alone.php"]),
        ("use Acme\\Log\\Logger;", ["Logger = Logger: vendor/acme/log/src/Logger.php"]),
        # A namespace stands for its files; what has no file of its own may be in any of them.
        ("use App\\Models;", [
            "Models = *: src/Models/Order.php src/Models/User.php",
            "Models = Models: src/helpers.php src/bootstrap.php",
        ]),
        ("use function App\\format;", ["format = format: src/helpers.php src/bootstrap.php"]),
        ("use function Acme\\Log\\info;", [
            "info = info: vendor/acme/log/src/Logger.php vendor/acme/log/src/functions.php",
        ]),
        ("use Monolog\\Logger; use Countable; use Psr\\Log\\{LoggerInterface};", []),
    ],
)  # fmt: skip
def test_a_name_is_where_autoloading_finds_it(statement: str, expected: list[str]) -> None:
    assert TREE.bound("public/index.php", f"<?php {statement}") == expected


@pytest.mark.parametrize(
    ("importer", "written", "expected"),
    [
        ("src/bootstrap.php", "__DIR__ . '/helpers.php'", "src/helpers.php"),
        ("src/bootstrap.php", "(__DIR__ . '/../config.php')", "config.php"),
        ("src/bootstrap.php", "'Models/User.php'", "src/Models/User.php"),
        ("src/Models/User.php", "(dirname(__FILE__, 3) . '/config.php')", "config.php"),
        ("src/Models/User.php", "dirname(__DIR__) . '/helpers.php'", "src/helpers.php"),
        ("src/Models/User.php", "dirname(dirname(__FILE__)) . \"/helpers.php\"", "src/helpers.php"),
        ("public/index.php", "ROOT . '/config.php'", "config.php"),
        ("public/index.php", "$root . '/src/helpers.php'", "src/helpers.php"),
        ("src/Models/User.php", "'helpers.php'", "src/helpers.php"),
        ("public/index.php", "__DIR__ . '/config.php'", None),
        ("public/index.php", "$path", None),
        ("public/index.php", '"$root/config.php"', None),
        ("public/index.php", "'/etc/config.php'", None),
        ("public/index.php", "'../../config.php'", None),
    ],
)  # fmt: skip
def test_a_required_file(importer: str, written: str, expected: str | None) -> None:
    for statement in ("require", "include_once"):
        found = TREE.bound(importer, f"<?php {statement} {written};")
        assert found == ([f"* = *: {expected}"] if expected else [])


def test_without_a_manifest_folders_repeat_the_names() -> None:
    assert BARE.bound(
        "x.php", "<?php use Symfony\\Console\\Application; use My\\Shop\\Models\\Cart; use App\\Http\\Kernel;"
    ) == [
        "Application = Application: usr/share/php/Symfony/Console/Application.php",
        "Cart = Cart: lib/Shop/Models/Cart.php",
        "Kernel = Kernel: app/Http/Kernel.php",
    ]
    assert BARE.bound("x.php", "<?php use Other\\Application;") == []


def test_a_namespace_is_the_same_below_all_its_roots() -> None:
    package = TREE.resolver.package
    assert package("src/Models/User.php") == package("tests/Models/UserTest.php") == "App\\Models"
    assert package("domain/Money.php") == "App\\Domain"
    assert package("public/index.php") == "public"
