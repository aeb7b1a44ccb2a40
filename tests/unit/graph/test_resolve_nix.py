"""Nix's imports: paths."""

from __future__ import annotations

import pytest
from resolution import Workspace

FLAKE = Workspace("nix", ["flake.nix", "modules/default.nix", "modules/git/default.nix", "modules/shell.nix"])


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("flake.nix", "{ imports = [ ./modules ./modules/shell.nix ]; }", ["modules/default.nix", "modules/shell.nix"]),
        ("modules/git/default.nix", "import ../shell.nix { }", ["modules/shell.nix"]),
        ("modules/shell.nix", "callPackage ./git { }", ["modules/git/default.nix"]),
        ("flake.nix", "import ../outside.nix", []),
        ("flake.nix", "import <nixpkgs> { }", []),
    ],
)
def test_a_path_is_a_file(importer: str, text: str, expected: list[str]) -> None:
    assert FLAKE.bound(importer, text) == [f" = *: {path}" for path in expected]
