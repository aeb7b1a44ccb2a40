"""A small root with its catalog, and semantic workers over it, none of which may reach a network."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pilotfish.config import LimitSettings, SemanticSettings, Settings
from pilotfish.indexing.workers import ParsePool
from pilotfish.semantic import child as child_module
from pilotfish.semantic.child import SemanticChild, setup_of
from pilotfish.semantic.frames import Opened, Refreshed
from pilotfish.store.catalog import Batch, Catalog, Move

OFFLINE = """
import sys
def refuse(event, arguments):
    if event == "socket.getaddrinfo" or event == "socket.connect" and isinstance(arguments[1], tuple):
        sys.stderr.write(f"the network was asked for: {event} {arguments}\\n")
        raise OSError("no network in tests")
sys.addaudithook(refuse)
import runpy
runpy.run_module("pilotfish.semantic.worker", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to other machines, here and in workers; a library that tries fails its test by the noise."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise OSError(f"no network in tests: {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(child_module, "_COMMAND", (sys.executable, "-I", "-c", OFFLINE))


class Repository:
    """A root, its catalog, and the folders of a worker."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.index = folder / "index"
        self.vectors = folder / "vectors"
        for each in (self.root, self.index, self.vectors):
            each.mkdir()
        self.catalog = Catalog.open(self.index)
        self.settings = Settings(limits=LimitSettings(workers=1))
        self.fetched = folder / "models"
        self.opened: Opened | None = None
        """What the last worker said when it had opened."""

    async def write(self, **files: str | None) -> list[str]:
        """Write Python files by module name, None to delete one, and bring the catalog up to date; return the paths."""
        paths = [f"{name}.py" for name in files]
        gone = [path for path, text in zip(paths, files.values(), strict=True) if text is None]
        for path, text in zip(paths, files.values(), strict=True):
            if text is None:
                (self.root / path).unlink()
            else:
                (self.root / path).write_text(text)
        pool = ParsePool(self.root.resolve(), self.settings, self.index, log=lambda level, line: None)
        try:
            examined = await pool.examine([path for path in paths if path not in gone])
        finally:
            await pool.close()
        parsed = [each.file for each in examined if each.file is not None]
        self.catalog.apply(Batch(parsed=parsed, deleted=gone))
        return paths

    def move(self, old: str, new: str) -> None:
        """Rename a file."""
        (self.root / old).rename(self.root / new)
        self.catalog.apply(Batch(moves=[Move(old, new, "rename")]))

    async def start(self, *, tables: str = "tables", model: str = "built-in") -> SemanticChild:
        """Start a worker that is not open yet."""
        settings = Settings(limits=self.settings.limits, semantic=SemanticSettings(model=model))
        setup = setup_of(settings, self.catalog.file, self.vectors, self.index / tables, self.fetched)
        return await SemanticChild.start(setup)

    async def open(self, child: SemanticChild) -> Opened:
        """Open cache and table, which shall be the last that a worker had open, as a catalog would say it."""
        self.opened = await child.open(self.opened.table if self.opened is not None else "")
        return self.opened

    @asynccontextmanager
    async def worker(self, *, tables: str = "tables", model: str = "built-in") -> AsyncIterator[SemanticChild]:
        """Run an open worker."""
        child = await self.start(tables=tables, model=model)
        try:
            await self.open(child)
            yield child
            assert "network was asked" not in child.last_words
        finally:
            await child.end()

    async def refreshed(self, paths: Sequence[str], **options: str) -> Refreshed:
        """Have a worker of its own bring some files up to date."""
        async with self.worker(**options) as child:
            return await child.refresh(paths)


@pytest.fixture
def repository(tmp_path: Path) -> Any:
    made = Repository(tmp_path)
    yield made
    made.catalog.close()


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], Any]:
    async def wait(holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not holds():
                await asyncio.sleep(0.01)

    return wait
