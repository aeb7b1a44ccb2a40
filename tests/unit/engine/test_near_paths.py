"""Paths that may be meant where there is no file."""

from __future__ import annotations

import pytest

from pilotfish.engine.near_paths import near_paths

PATHS = ["src/flask/app.py", "src/flask/sansio/app.py", "docs/api.rst", "tests/test_apps.py", "src/flask/sessions.py"]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("app.py", ["src/flask/app.py", "src/flask/sansio/app.py"]),
        ("sansio/app.py", ["src/flask/sansio/app.py", "src/flask/app.py"]),
        ("flask/App.py", ["src/flask/app.py", "src/flask/sansio/app.py"]),
        ("src\\flask\\session.py", ["src/flask/sessions.py"]),
        ("../nothing/like/it.go", []),
        ("", []),
        ("/", []),
    ],
)
def test_paths_that_may_be_meant(asked: str, meant: list[str]) -> None:
    assert near_paths(PATHS, asked) == meant
