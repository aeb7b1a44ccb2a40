"""Scala's imports: selectors, other names, and what is outside of the workspace."""

from __future__ import annotations

import pytest
from resolution import Workspace

BANK = "core/src/main/scala/com/example/bank"
TREE = Workspace(
    "scala",
    [
        f"{BANK}/Account.scala",
        f"{BANK}/rates/Rate.scala",
        f"{BANK}/rates/package.scala",
        "core/src/main/java/com/example/Legacy.java",
    ],
)
IMPORTER = "core/src/test/scala/com/example/bank/AccountTest.scala"
RATES = f"{BANK}/rates/Rate.scala {BANK}/rates/package.scala"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("com.example.bank.Account", [f"Account = Account: {BANK}/Account.scala"]),
        ("com.example.bank.rates._", [f" = *: {RATES}"]),
        ("com.example.bank.rates.*", [f" = *: {RATES}"]),
        ("com.example.bank.rates.Rate.given", [f" = *: {BANK}/rates/Rate.scala"]),
        (
            "com.example.bank.rates.{Rate => R, round as r, Hidden => _}, com.example.Legacy",
            [
                "Legacy = Legacy: core/src/main/java/com/example/Legacy.java",
                f"R = Rate: {BANK}/rates/Rate.scala",
                f"r = round: {RATES}",
            ],
        ),
        ("scala.util.{Try, Success}, java.util.List", []),
    ],
)
def test_packages_and_names(statement: str, expected: list[str]) -> None:
    assert TREE.bound(IMPORTER, f"import {statement}\n") == expected
