"""Ada's imports: units by the names of their files."""

from __future__ import annotations

import pytest
from resolution import Workspace

UNITS = Workspace(
    "ada",
    ["src/main.adb", "src/geometry.ads", "lib/geometry-plane.ads", "lib/geometry-plane.adb", "rts/a-strings.ads"],
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("with Geometry;", ["src/geometry.ads"]),
        ("with Geometry.Plane, Geometry;", ["lib/geometry-plane.ads lib/geometry-plane.adb", "src/geometry.ads"]),
        ("with Ada.Strings;", ["rts/a-strings.ads"]),
        ("with Ada.Nowhere;", []),
    ],
)
def test_a_unit_is_a_file(text: str, expected: list[str]) -> None:
    assert UNITS.bound("src/main.adb", f"{text}\nprocedure Main is begin null; end Main;\n") == [
        f" = *: {files}" for files in expected
    ]


def test_a_body_sees_its_specification() -> None:
    assert UNITS.resolver.package("lib/geometry-plane.adb") == UNITS.resolver.package("lib/geometry-plane.ads")
