"""Imports of VHDL and Verilog: packages by the names of their files, included files by path."""

from __future__ import annotations

import pytest
from resolution import Workspace

VHDL = Workspace("vhdl", ["src/top.vhd", "src/shapes_pkg.vhd", "lib/Shapes_Pkg.vhdl"])
VERILOG = Workspace("verilog", ["rtl/top.sv", "rtl/bus_pkg.sv", "include/defs.svh", "dv/bus_pkg.sv"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use work.shapes_pkg.all;", [" = *: src/shapes_pkg.vhd"]),
        ("use work.shapes_pkg.area;", ["area = area: src/shapes_pkg.vhd"]),
        ("use ieee.std_logic_1164.all;", []),
    ],
)
def test_a_package_of_vhdl_is_a_file(text: str, expected: list[str]) -> None:
    assert VHDL.bound("src/top.vhd", f"{text}\nentity top is end;\n") == expected


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("rtl/top.sv", "import bus_pkg::*;", [" = *: rtl/bus_pkg.sv"]),
        ("dv/tb.sv", "import bus_pkg::width;", ["width = width: dv/bus_pkg.sv"]),
        ("rtl/top.sv", '`include "defs.svh"\n', ["* = *: include/defs.svh"]),
        ("rtl/top.sv", '`include "../../etc/defs.svh"\n', []),
        ("rtl/top.sv", "import uvm_pkg::*;", []),
    ],
)
def test_packages_and_headers_of_verilog_are_files(importer: str, text: str, expected: list[str]) -> None:
    assert VERILOG.bound(importer, text) == expected
