"""GDScript's imports: paths from the project's folder and from the script's."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "gdscript",
    ["game/project.godot", "game/player.gd", "game/base/actor.gd", "game/base/helper.gd", "demo/project.godot", "x.gd"],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("game/player.gd", 'extends "res://base/actor.gd"', [" = *: game/base/actor.gd"]),
        ("game/base/actor.gd", 'const Helper = preload("helper.gd")', ["Helper = *: game/base/helper.gd"]),
        ("game/base/actor.gd", 'var h = load("../player.gd")', ["h = *: game/player.gd"]),
        ("game/base/actor.gd", 'func f():\n\tload("res://player.gd")', [" = *: game/player.gd"]),
        ("demo/a.gd", 'extends "res://base/actor.gd"', []),
        ("game/player.gd", 'extends "res://../x.gd"', [" = *: x.gd"]),
        ("game/player.gd", 'extends "res://../../x.gd"', []),
        ("game/player.gd", 'var s = load("user://saved.gd")', []),
    ],
)
def test_paths_of_scripts(importer: str, statement: str, expected: list[str]) -> None:
    assert TREE.bound(importer, statement) == expected


def test_a_project_sees_its_named_classes() -> None:
    package = TREE.resolver.package
    assert package("game/player.gd") == package("game/base/actor.gd") == "game"
    assert package("x.gd") == ""
