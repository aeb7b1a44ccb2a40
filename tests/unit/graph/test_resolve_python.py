"""Python's imports: source roots, packages with and without `__init__`, submodules, stubs, the standard library."""

from __future__ import annotations

import pytest
from resolution import Workspace

LIBRARY = Workspace(
    "python",
    [
        "conftest.py",
        "src/shop/__init__.py",
        "src/shop/app.py",
        "src/shop/cart.py",
        "src/shop/cart.pyi",
        "src/shop/json/__init__.py",
        "src/shop/json/tag.py",
        "src/shop/click.py",
        "src/shop/db/models.py",
        "src/shop/db/types/__init__.py",
        "tests/json.py",
        "tests/yaml.py",
        "tests/support.py",
        "tests/test_app.py",
        "tests/apps/blog/__init__.py",
        "tests/apps/blog/views.py",
        "server/api/__init__.py",
        "tools/gen/run.py",
        "tools/gen/parts/lexer.py",
        "lib/queue/__init__.py",
    ],
    {"pyproject.toml": '[tool.hatch.build.targets.wheel]\npackages = ["server/api"]'},
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("tests/test_app.py", "import shop", ["shop = *: src/shop/__init__.py"]),
        ("tests/test_app.py", "import shop.cart", ["shop = *: src/shop/cart.py src/shop/cart.pyi"]),
        ("tests/test_app.py", "import shop.json as j", ["j = *: src/shop/json/__init__.py"]),
        ("tests/test_app.py", "from shop import Shop as S", ["S = Shop: src/shop/__init__.py"]),
        ("tests/test_app.py", "from shop import *", ["* = *: src/shop/__init__.py"]),
        # A package may define what a submodule is called, and either may be meant.
        ("tests/test_app.py", "from shop import app", ["app = app: src/shop/__init__.py", "app = *: src/shop/app.py"]),
        ("tests/test_app.py", "from shop.db import models", ["models = *: src/shop/db/models.py"]),
        ("tests/test_app.py", "from shop.db.types import Row", ["Row = Row: src/shop/db/types/__init__.py"]),
        ("tests/test_app.py", "from support import make", ["make = make: tests/support.py"]),
        ("tests/apps/blog/views.py", "from support import make", ["make = make: tests/support.py"]),
        ("tests/test_app.py", "from blog.views import page", ["page = page: tests/apps/blog/views.py"]),
        ("tools/gen/run.py", "from parts.lexer import Lexer", ["Lexer = Lexer: tools/gen/parts/lexer.py"]),
        ("conftest.py", "import api", ["api = *: server/api/__init__.py"]),
        (
            "src/shop/json/tag.py",
            "from . import tag",
            ["tag = tag: src/shop/json/__init__.py", "tag = *: src/shop/json/tag.py"],
        ),
        ("src/shop/json/tag.py", "from ..cart import Cart", ["Cart = Cart: src/shop/cart.py src/shop/cart.pyi"]),
        ("src/shop/__init__.py", "from .app import *", ["* = *: src/shop/app.py"]),
    ],
)
def test_an_import_binds(importer: str, statement: str, expected: list[str]) -> None:
    assert LIBRARY.bound(importer, statement) == expected


@pytest.mark.parametrize(
    ("importer", "statement"),
    [
        ("src/shop/app.py", "import requests"),
        ("src/shop/app.py", "import support"),  # tests are no source root of the package
        ("src/shop/app.py", "import click"),  # a sibling is not meant by its bare name
        ("tests/test_app.py", "import json"),
        ("src/shop/app.py", "from json import dumps"),
        ("src/shop/app.py", "from .missing import deep"),
        ("src/shop/app.py", "from ....beyond import x"),
        ("tests/test_app.py", "import shop.db"),  # a folder without files of its own
        ("tests/test_app.py", "from __future__ import annotations"),
    ],
)
def test_what_lies_elsewhere_is_not_bound(importer: str, statement: str) -> None:
    assert LIBRARY.bound(importer, statement) == []


def test_a_name_of_the_standard_library_is_its_own_only_in_a_declared_root() -> None:
    assert LIBRARY.bound("src/shop/app.py", "import queue") == ["queue = *: lib/queue/__init__.py"]


def test_the_nearest_of_two_roots_is_meant() -> None:
    paths = [f"{each}/src/core/{name}.py" for each in ("billing", "orders") for name in ("__init__", "model")]
    both = Workspace("python", [*paths, "orders/tests/test_model.py", "billing/tests/test_model.py"])
    for each in ("billing", "orders"):
        statement = "from core.model import Row"
        assert both.bound(f"{each}/tests/test_model.py", statement) == [f"Row = Row: {each}/src/core/model.py"]
