"""R's imports: packages by the name in their `DESCRIPTION`, and files."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "r",
    [
        "R/add.R",
        "R/area.r",
        "R/sysdata.rda",
        "tests/testthat/test-add.R",
        "analysis/report.R",
        "analysis/load.R",
        "pay/R/card.R",
    ],
    {
        "DESCRIPTION": "Type: Package\nPackage: shop\nVersion: 1.0\n",
        "pay/DESCRIPTION": "Package: shop.pay\n",
        "broken/DESCRIPTION": "Package: \xff\x00\n",
    },
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("tests/testthat/test-add.R", "library(shop)", "R/add.R R/area.r"),
        ("R/add.R", 'requireNamespace("shop.pay")', "pay/R/card.R"),
        ("analysis/report.R", 'source("load.R")', "analysis/load.R"),
        ("analysis/report.R", 'source("R/add.R")', "R/add.R"),
    ],
)
def test_packages_and_files(importer: str, statement: str, expected: str) -> None:
    assert TREE.bound(importer, statement) == [f"* = *: {expected}"]


@pytest.mark.parametrize("statement", ["library(dplyr)", 'source("../../x.R")', "library(pay)", 'source("none.R")'])
def test_what_is_elsewhere_has_no_files(statement: str) -> None:
    assert TREE.bound("analysis/report.R", statement) == []


def test_the_files_of_a_package_see_each_other() -> None:
    package = TREE.resolver.package
    assert package("R/add.R") == package("tests/testthat/test-add.R") == ""
    assert package("pay/R/card.R") == "pay"
