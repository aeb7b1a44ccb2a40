"""What all protocol tests share: a home of their own, and the end of every process that they leave."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest


@pytest.fixture
def private_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home under a short path, so that no other engine is seen and sockets fit; its processes end with it."""
    with tempfile.TemporaryDirectory(prefix="pf-", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("PILOTFISH_HOME", folder)
        yield Path(folder)
        for process in engines(Path(folder)):
            process.kill()


def engines(home: Path) -> list[psutil.Process]:
    """Return the engine processes that run for this home; a dead one that nobody reaped does not run."""
    found = []
    for process in psutil.process_iter():
        try:
            if (
                process.status() != psutil.STATUS_ZOMBIE
                and "pilotfish.engine.process" in process.cmdline()
                and process.environ().get("PILOTFISH_HOME") == str(home)
            ):
                found.append(process)
        except psutil.Error:
            continue
    return found
