"""State is committed last: an engine that is killed at any moment costs work in progress only (DESIGN invariant 4)."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from pilotfish.store.catalog import FILE_NAME

ENGINE = """
import asyncio, sys
from pathlib import Path
from pilotfish.config import IndexSettings, LimitSettings, Settings
from pilotfish.indexing import structural
from pilotfish.indexing.indexer import Indexer
from pilotfish.indexing.workers import ParsePool
from pilotfish.store.catalog import Catalog

structural.TASK_BYTES = (1, 1000)
structural.COMMIT_BYTES = 2000

async def main(root, folder):
    settings = Settings(index=IndexSettings(watch=False), limits=LimitSettings(workers=1))
    ignore = lambda *anything: None
    commits = []
    def committed(generation, paths):
        commits.append(generation)
        print("commit", flush=True)
    pool = ParsePool(Path(root), settings, Path(folder), log=ignore)
    indexer = Indexer(root, settings, Catalog.open(Path(folder)), pool,
                      on_progress=ignore, on_state=ignore, on_log=ignore, on_committed=committed)
    await indexer.start()
    await indexer.wait_quiet()
    print("quiet", flush=True)
    await asyncio.sleep(60)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("commits", [0, 1, 3])
async def test_an_engine_that_is_killed_in_mid_work_leaves_a_catalog_to_go_on_from(workspace, commits):
    for number in range(60):
        workspace.write(f"{number % 7}/{number}.py", f"class C{number}:\n    def m(self): return f{number}()\n" * 5)
    workspace.folder.mkdir()
    command = [sys.executable, "-I", "-c", ENGINE, str(workspace.root), str(workspace.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdout is not None
        if commits == 0:
            while not (workspace.folder / FILE_NAME).exists():
                time.sleep(0.001)
        for _ in range(commits):
            assert engine.stdout.readline() == "commit\n"
        engine.kill()
    async with workspace.index() as indexer, workspace.index(folder=workspace.folder.with_name("fresh")) as fresh:
        assert indexer.counters.parsed <= fresh.counters.parsed == 60
        assert indexer.counters.deaths == 0
        with indexer._catalog.reader() as one, fresh._catalog.reader() as other:
            assert one.dump() == other.dump()
