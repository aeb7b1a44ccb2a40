"""Fortran's imports: modules by the names of their files, included files by path."""

from __future__ import annotations

import pytest
from resolution import Workspace

PROGRAM = Workspace("fortran", ["app/main.f90", "src/shapes.F90", "src/base.fypp", "src/common.inc", "old/base.f90"])


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("app/main.f90", "use Shapes", ["* = *: src/shapes.F90"]),
        ("app/main.f90", "use shapes, only: area, c => circle", None),
        ("src/shapes.F90", "use base", ["* = *: src/base.fypp"]),
        ("old/x.f90", "use base, mine => theirs", ["mine = theirs: old/base.f90"]),
        ("src/shapes.F90", "include 'common.inc'", ["* = *: src/common.inc"]),
        ("src/shapes.F90", '#include "common.inc"', ["* = *: src/common.inc"]),
        ("src/shapes.F90", "include '../../etc/passwd'", []),
        ("app/main.f90", "use, intrinsic :: iso_c_binding", []),
    ],
)
def test_a_module_is_a_file(importer: str, text: str, expected: list[str] | None) -> None:
    only = ["area = area: src/shapes.F90", "c = circle: src/shapes.F90"]
    assert PROGRAM.bound(importer, f"program p\n{text}\nend program\n") == (only if expected is None else expected)
