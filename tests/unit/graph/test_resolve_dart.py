"""Dart's directives: files beside, and those of packages by their pubspecs."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "dart",
    [
        "packages/bank/lib/bank.dart",
        "packages/bank/lib/src/entry.dart",
        "packages/bank/test/bank_test.dart",
        "packages/money/lib/money.dart",
        "old/money/lib/money.dart",
        "main.dart",
    ],
    {
        "packages/bank/pubspec.yaml": "name: bank\n",
        "packages/money/pubspec.yaml": "# money\nname: 'money'\n",
        "old/money/pubspec.yaml": "name: money\n",
        "broken/pubspec.yaml": "\x00: [",
    },
)
IMPORTER = "packages/bank/lib/bank.dart"
ENTRY = "packages/bank/lib/src/entry.dart"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import 'src/entry.dart';", [f" = *: {ENTRY}"]),
        ("import 'src/entry.dart' as e;", [f"e = *: {ENTRY}"]),
        ("import 'src/entry.dart' show Entry, Row;", [f"Entry = Entry: {ENTRY}", f"Row = Row: {ENTRY}"]),
        ("import 'src/entry.dart' hide Row;", [f" = *: {ENTRY}"]),
        # What is exported, and a part, goes on to those who import this file.
        ("export 'src/entry.dart';", [f"* = *: {ENTRY}"]),
        ("part 'src/entry.dart';", [f"* = *: {ENTRY}"]),
        ('import "package:bank/src/entry.dart";', [f" = *: {ENTRY}"]),
        ("import 'package:money/money.dart';", [" = *: packages/money/lib/money.dart"]),
        ("import '../../../main.dart';", [" = *: main.dart"]),
        ("import 'dart:async';", []),
        ("import 'package:flutter/material.dart';", []),
        ("import 'package:bank/../../../../../etc/passwd';", []),
        ("import '../../../../main.dart';", []),
    ],
)
def test_files_and_packages(statement: str, expected: list[str]) -> None:
    assert TREE.bound(IMPORTER, statement) == expected
