"""Imports of OCaml and F#."""

from __future__ import annotations

import pytest
from resolution import Workspace

DUNE = Workspace(
    "ocaml",
    ["bin/main.ml", "src/geometry/plane.ml", "src/geometry/plane.mli", "src/geometry/import.ml", "src/text/import.ml"],
)
PLANE = "src/geometry/plane.ml src/geometry/plane.mli"


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("bin/main.ml", "open Plane", [f" = *: {PLANE}"]),
        ("bin/main.ml", "open! Geometry.Plane", [f" = *: {PLANE}"]),
        ("bin/main.ml", "include Plane.Circle", [f" = *: {PLANE}"]),
        ("bin/main.ml", "module P = Geometry.Plane", [f"P = *: {PLANE}"]),
        ("bin/main.ml", "module C = Plane.Circle", [f"C = Circle: {PLANE}"]),
        ("src/geometry/plane.ml", "open Import", [" = *: src/geometry/import.ml"]),
        ("src/text/x.ml", "open Import", [" = *: src/text/import.ml"]),
        ("bin/main.ml", "open Stdlib.List", []),
    ],
)
def test_an_ocaml_module_is_a_file(importer: str, text: str, expected: list[str]) -> None:
    assert DUNE.bound(importer, text) == expected


def test_fsharp_scripts_are_loaded_and_modules_are_named_as_their_files() -> None:
    scripts = Workspace("fsharp", ["build/build.fsx", "build/targets.fsx", "src/Core/Process.fs", "src/Core/Main.fs"])
    assert scripts.bound("build/build.fsx", '#load "targets.fsx"\n#r "nuget: X"\n') == ["* = *: build/targets.fsx"]
    assert scripts.bound("src/Core/Main.fs", "open Core.Process\nopen System\n") == [" = *: src/Core/Process.fs"]
    assert scripts.bound("build/build.fsx", '#load "../../etc/x.fsx"\n') == []
