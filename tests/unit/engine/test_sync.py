"""`sync_repository` asked of a real engine: with a remote beside it, allowed to fetch and not."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.wire import OperationError
from pilotfish.operations.index import SyncResult


@asynccontextmanager
async def opened(root: Path, index: Path) -> AsyncIterator[Engine]:
    engine = await Engine.open(root, index_folder=index)
    try:
        yield engine
    finally:
        await engine.close()


async def sync(engine: Engine, **parameters: object) -> SyncResult:
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    answer = await engine.call(session, "sync_repository", msgspec.Raw(msgspec.json.encode(parameters)))
    assert isinstance(answer, SyncResult)
    return answer


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, name: str) -> None:
    (folder / name).write_text(f"def {Path(name).stem}():\n    pass\n")
    git(folder, "add", name)
    git(folder, "commit", "-q", "-m", name)


@pytest.fixture
def cloned(tmp_path: Path) -> Path:
    """A clone that lacks a commit of its remote."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init", "-q")
    commit(origin, "a.py")
    git(tmp_path, "clone", "-q", str(origin), str(clone))
    commit(origin, "b.py")
    return clone


async def test_a_fetch_needs_the_users_permission_and_touches_no_file(
    cloned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "own.toml"
    monkeypatch.setenv("PILOTFISH_CONFIG", str(settings))
    (cloned / "pilotfish.toml").write_text("[git]\nfetch = true\n")  # a repository allows nothing
    async with opened(cloned, tmp_path / "index") as engine:
        with pytest.raises(OperationError) as caught:
            await sync(engine, fetch=True)
        assert "git.fetch" in caught.value.message
        assert str(settings) in caught.value.hint
        before = await sync(engine)
        assert (before.upstream, before.behind, before.ahead, before.fetched) == ("origin/main", 0, 0, False)
    settings.write_text("[git]\nfetch = true\n")
    async with opened(cloned, tmp_path / "index") as engine:
        found = await sync(engine, fetch=True)
        assert (found.upstream, found.behind, found.ahead, found.fetched) == ("origin/main", 1, 0, True)
        assert sorted(path.name for path in cloned.iterdir()) == [".git", "a.py", "pilotfish.toml"]
        git(cloned, "remote", "set-url", "origin", str(tmp_path / "gone"))
        with pytest.raises(OperationError, match="was not fetched"):
            await sync(engine, fetch=True)
        git(cloned, "checkout", "-q", "--detach")
        with pytest.raises(OperationError, match="no branch"):
            await sync(engine, fetch=True)
        assert (await sync(engine)).behind is None


async def test_without_git_there_is_no_upstream(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("a = 1\n")
    async with opened(root, tmp_path / "index") as engine:
        found = await sync(engine)
        assert (found.upstream, found.behind, found.ahead) == ("", None, None)
