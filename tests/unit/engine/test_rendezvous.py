"""The runtime folder and the endpoint file: private, short, and believed only when they are ours."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilotfish.engine import rendezvous
from pilotfish.engine.launch import end_process
from pilotfish.engine.rendezvous import Endpoint

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and sockets")


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    with tempfile.TemporaryDirectory(prefix="pf", dir="/tmp") as folder:
        yield Path(folder).resolve()


def endpoint(root: bytes = b"/caf\xe9") -> Endpoint:
    return Endpoint(pid=1, started="1", address="/a", wire=1, build="b", token="t", root_bytes=root)


def test_home_decides_where_engines_meet(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (short / "run").mkdir(mode=0o755)
    monkeypatch.setenv("PILOTFISH_HOME", str(short))
    folder = rendezvous.runtime_folder()
    assert folder == short / "run"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_long_home_is_stood_for_by_a_short_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []
    for name in ("a", "b"):
        monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / (name * 100)))
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        place = rendezvous.place_of(Path("/work"), rendezvous.own_variant())
        folders.append(place.folder)
        place.folder.rmdir()
        assert len(os.fsencode(place.socket)) <= rendezvous.MAX_SOCKET_PATH
    assert folders[0] != folders[1]


@pytest.mark.parametrize("kind", ["link", "file", "wide base"])
def test_a_folder_that_is_not_ours_alone_is_passed_over(
    short: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.delenv("PILOTFISH_HOME", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    assert rendezvous.runtime_folder() == short / "pilotfish"
    (short / "pilotfish").rmdir()
    if kind == "link":
        (short / "elsewhere").mkdir()
        (short / "pilotfish").symlink_to(short / "elsewhere")
    elif kind == "file":
        (short / "pilotfish").touch()
    else:
        short.chmod(0o777)
    assert not rendezvous.runtime_folder().is_relative_to(short)


def test_an_endpoint_is_read_back_whole(tmp_path: Path) -> None:
    path = tmp_path / "engine.json"
    rendezvous.write_endpoint(path, endpoint())
    assert rendezvous.read_endpoint(path) == endpoint()
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.fsencode(endpoint().root) == b"/caf\xe9"
    assert list(tmp_path.iterdir()) == [path]


def test_an_endpoint_of_doubtful_origin_is_none(tmp_path: Path) -> None:
    path = tmp_path / "engine.json"
    rendezvous.write_endpoint(path, endpoint())
    link = tmp_path / "link.json"
    link.symlink_to(path)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe, 0o600)
    broken = tmp_path / "broken.json"
    broken.touch(0o600)
    broken.write_bytes(path.read_bytes()[:-5])
    assert [rendezvous.read_endpoint(bad) for bad in (link, pipe, broken, tmp_path, tmp_path / "none")] == [None] * 5
    path.chmod(0o640)
    assert rendezvous.read_endpoint(path) is None


def test_a_process_is_known_by_more_than_its_pid() -> None:
    with subprocess.Popen([sys.executable, "-I", "-c", "input()"], stdin=subprocess.PIPE) as process:
        identity = rendezvous.process_identity(process.pid)
        assert identity is not None
        assert identity != rendezvous.process_identity(os.getpid())
        assert not end_process(process.pid, "another")
        assert process.poll() is None
        assert end_process(process.pid, identity)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert rendezvous.process_identity(process.pid) is None, "a zombie is gone"
        assert not end_process(process.pid, identity)
