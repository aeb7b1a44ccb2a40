"""Haskell's imports: the name of a module is the path of its file."""

from __future__ import annotations

import pytest
from resolution import Workspace

PACKAGES = Workspace(
    "haskell",
    ["app/Main.hs", "src/Data/Shapes.hs", "src/Data/Shapes/Draw.hs", "other/src/Data/Shapes.hs", "src/FFI.hsc"],
)


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("app/Main.hs", "import Data.Shapes.Draw", [" = *: src/Data/Shapes/Draw.hs"]),
        ("app/Main.hs", "import FFI as F", ["F = *: src/FFI.hsc", " = *: src/FFI.hsc"]),
        ("src/FFI.hsc", "import qualified Data.Shapes as S", ["S = *: src/Data/Shapes.hs"]),
        ("src/FFI.hsc", "import Data.Shapes qualified", ["Data.Shapes = *: src/Data/Shapes.hs"]),
        (
            "other/src/X.hs",
            "import Data.Shapes (Shape(..), area, (<+>), type (++))",
            [f"{name} = {name}: other/src/Data/Shapes.hs" for name in ("Shape", "area", "<+>", "++")],
        ),
        ("src/FFI.hsc", 'import "base" Data.Shapes hiding (area)', [" = *: src/Data/Shapes.hs"]),
        ("app/Main.hs", "import Data.Map (Map)", []),
    ],
)
def test_a_module_is_a_path(importer: str, text: str, expected: list[str]) -> None:
    assert PACKAGES.bound(importer, text) == expected
