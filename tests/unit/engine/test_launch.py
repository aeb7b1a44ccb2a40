"""What an engine takes over from the front that starts it, and how a build is told from another."""

from __future__ import annotations

import os
from pathlib import Path

from pilotfish.engine.build import build_id
from pilotfish.engine.launch import engine_environment


def test_only_what_an_engine_needs_is_passed_on(tmp_path: Path) -> None:
    (tmp_path / "root" / "node_modules" / ".bin").mkdir(parents=True)
    (tmp_path / "bin").symlink_to(tmp_path / "root" / "node_modules")
    path = [str(tmp_path / "root" / "node_modules" / ".bin"), str(tmp_path / "bin"), ".", "", "bin", "/usr/bin"]
    given = {
        "PATH": os.pathsep.join(path),
        "HOME": "/home/user",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": "/cache",
        "PILOTFISH_LIMITS_WORKERS": "2",
        "PYTHONPATH": "/evil",
        "PYTHONHOME": "/evil",
        "LD_PRELOAD": "/evil.so",
        "DYLD_INSERT_LIBRARIES": "/evil.dylib",
        "GIT_DIR": "/evil",
        "GIT_SSH_COMMAND": "evil",
        "OPENAI_API_KEY": "secret",
    }
    kept = engine_environment(given, tmp_path / "root")
    assert sorted(kept) == ["HOME", "LC_ALL", "PATH", "PILOTFISH_LIMITS_WORKERS", "XDG_CACHE_HOME"]
    assert kept["PATH"] == "/usr/bin"


def test_a_build_is_told_by_its_code(tmp_path: Path) -> None:
    (tmp_path / "queries").mkdir()
    query = tmp_path / "queries" / "python.scm"
    query.write_text("(module)")
    first = build_id(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "code.py").touch()
    (tmp_path / "notes.txt").touch()
    assert build_id(tmp_path) == first
    query.write_text("(module) ; changed")
    second = build_id(tmp_path)
    query.rename(tmp_path / "queries" / "go.scm")
    assert len({first, second, build_id(tmp_path), build_id(tmp_path / "none")}) == 4
