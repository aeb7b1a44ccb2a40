"""Pascal's imports: units by the names of their files."""

from __future__ import annotations

from resolution import Workspace

UNITS = Workspace("pascal", ["main.lpr", "src/Shapes.Plane.pas", "src/geo.pp", "old/Geo.pas"])


def test_a_unit_is_a_file() -> None:
    program = "program main;\nuses {},\n  SysUtils;\nbegin\nend.\n"
    assert UNITS.bound("main.lpr", program.format("Shapes.Plane")) == [" = *: src/Shapes.Plane.pas"]
    assert UNITS.bound("src/Shapes.Plane.pas", program.format("Geo")) == [" = *: src/geo.pp"]
    assert UNITS.bound("old/main.lpr", program.format("GEO")) == [" = *: old/Geo.pas"]
