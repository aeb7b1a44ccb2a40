"""Real git repositories in a temporary folder, with the user's own configuration kept out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


class Repository:
    """A working tree that tests fill; `git` runs without any hardening, as the user would."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.root.mkdir(parents=True, exist_ok=True)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode in (0, 1), done.stderr.decode()
        return os.fsdecode(done.stdout)

    def init(self) -> Repository:
        self.git("init", "-q", "-b", "main")
        return self

    def fill(self, files: dict[str, str]) -> Repository:
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return self

    def commit(self, *paths: str) -> Repository:
        self.git("add", "-f", *paths) if paths else self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")
        return self

    def listed(self) -> list[str]:
        """What the issue calls the oracle: existing regular files among `ls-files -co --exclude-standard`."""
        names = set(self.git("ls-files", "-z", "-co", "--exclude-standard").split("\0")) - {""}
        return sorted(name for name in names if not (self.root / name).is_symlink() and (self.root / name).is_file())


@pytest.fixture(autouse=True)
def _own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / ".config/git").mkdir(parents=True)
    (home / ".gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.org\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repository(tmp_path: Path) -> Callable[..., Repository]:
    def make(name: str = "tree", *, git: bool = True) -> Repository:
        made = Repository(tmp_path / name)
        return made.init() if git else made

    return make
