"""Solidity's imports: relative paths, packages and remappings."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "solidity",
    [
        "src/Token.sol",
        "src/math/Math.sol",
        "contracts/Old.sol",
        "node_modules/@openzeppelin/contracts/token/ERC20.sol",
        "lib/solmate/src/auth/Owned.sol",
        "lib/forge-std/src/Test.sol",
        "test/Token.t.sol",
    ],
    {
        "remappings.txt": "forge-std/=lib/forge-std/src/\nctx:@math=src/math\nbroken\n=\n",
        "foundry.toml": '[profile.default]\nremappings = ["@sol/=lib/solmate/src/", 3]\n',
        "broken/foundry.toml": "[profile",
    },
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('import "../src/Token.sol";', ["* = *: src/Token.sol"]),
        ('import {A, B as C} from "../src/Token.sol";', [
            "A = A: src/Token.sol", "B = B: src/Token.sol", "C = B: src/Token.sol",
        ]),
        ('import * as T from "../src/Token.sol";', ["T = *: src/Token.sol"]),
        ('import "../src/Token.sol" as T;', ["T = *: src/Token.sol"]),
        ('import "forge-std/Test.sol";', ["* = *: lib/forge-std/src/Test.sol"]),
        ('import "@math/Math.sol";', ["* = *: src/math/Math.sol"]),
        ('import "@sol/auth/Owned.sol";', ["* = *: lib/solmate/src/auth/Owned.sol"]),
        ('import "solmate/auth/Owned.sol";', ["* = *: lib/solmate/src/auth/Owned.sol"]),
        ('import "@openzeppelin/contracts/token/ERC20.sol";', [
            "* = *: node_modules/@openzeppelin/contracts/token/ERC20.sol",
        ]),
        ('import "contracts/Old.sol";', ["* = *: contracts/Old.sol"]),
        ('import "../../Token.sol";', []),
        ('import "@none/Token.sol";', []),
        ('import "";', []),
    ],
)  # fmt: skip
def test_paths(statement: str, expected: list[str]) -> None:
    assert sorted(TREE.bound("test/Token.t.sol", statement)) == expected
