"""A real root with its index, in-process: real files, real workers, a real catalog."""

from __future__ import annotations

import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pilotfish.config import IndexSettings, LimitSettings, Settings
from pilotfish.indexing.indexer import Indexer
from pilotfish.indexing.progress import Health, Progress
from pilotfish.indexing.worker import RACY_NS
from pilotfish.indexing.workers import ParsePool
from pilotfish.store.catalog import Catalog


class Workspace:
    """A root and the folder of its index; `index` opens the indexer as an engine would."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self.log: list[str] = []
        self.progress: list[Progress] = []
        self.health: list[Health] = []
        self.committed: list[str] = []

    def write(self, name: str, text: str = "def f(): pass\n") -> str:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def grow_old(self) -> None:
        """Let so much time pass that no file counts as changed just now."""
        newest = max(path.stat().st_ctime_ns for path in self.root.rglob("*"))
        time.sleep(max(0.0, (newest + RACY_NS - time.time_ns()) / 1e9 + 0.01))

    def git(self, *arguments: str) -> None:
        """Run git in the root."""
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    @asynccontextmanager
    async def index(
        self,
        *,
        watch: bool = False,
        limits: dict[str, float] | None = None,
        folder: Path | None = None,
        **index: object,
    ) -> AsyncIterator[Indexer]:
        """Open catalog, workers and indexer, and wait until the index is up to date."""
        settings = Settings(
            index=IndexSettings(**{"watch": watch, "debounce_ms": 5, **index}),
            limits=LimitSettings(**{"workers": 1, **(limits or {})}),
        )
        folder = folder or self.folder
        folder.mkdir(exist_ok=True)
        catalog = Catalog.open(folder)
        pool = ParsePool(self.root, settings, folder, log=self._say)
        indexer = Indexer(
            str(self.root),
            settings,
            catalog,
            pool,
            on_progress=self.progress.append,
            on_state=self.health.append,
            on_log=self._say,
            on_committed=lambda generation, paths: self.committed.extend(paths),
        )
        try:
            await indexer.start()
            await indexer.wait_quiet()
            yield indexer
        finally:
            await indexer.close()
            await pool.close()
            catalog.close()
        assert not [line for line in self.log if "fault of Pilotfish" in line]

    def _say(self, level: str, line: str) -> None:
        self.log.append(f"{level}: {line}")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "root"
    root.mkdir()
    return Workspace(root.resolve(), tmp_path / "index")
