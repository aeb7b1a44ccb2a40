"""Parse workers: what they return, what they survive, and that none outlives its engine."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from pilotfish.config import LimitSettings, Settings
from pilotfish.indexing import child, workers
from pilotfish.indexing.journal import Journal
from pilotfish.indexing.workers import ParseFailedError, ParsePool
from pilotfish.store.rows import unpack_outline
from pilotfish.workspace.content import SkipReason

HUNG = b"x=" * 200_000
"""Assignments that keep the extraction of Python busy for many seconds, within every limit but that of time."""


class Bench:
    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self.lines: list[str] = []

    def write(self, name: str, data: bytes = b"def f(): pass\n") -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return name

    @asynccontextmanager
    async def pool(self, **limits):
        settings = Settings(limits=LimitSettings(**{"workers": 1, **limits}))
        pool = ParsePool(
            self.root, settings, self.folder, log=lambda level, line: self.lines.append(f"{level}: {line}")
        )
        try:
            yield pool
        finally:
            await pool.close()
            assert pool.pids() == []


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    for name in ("root", "index"):
        (tmp_path / name).mkdir()
    return Bench((tmp_path / "root").resolve(), tmp_path / "index")


def names(outline: bytes | None) -> list[str]:
    assert outline is not None
    return [symbol.name for symbol in unpack_outline(outline).symbols]


async def test_files_are_read_hashed_and_outlined(bench: Bench):
    paths = [
        bench.write("a.py", b"class A:\n    def m(self): pass\n"),
        bench.write("notes.unknown", b"text\n"),
        bench.write("b.bin", b"\0\1"),
        bench.write("deep/c.py", "def größe(): pass\r\n".encode("utf-16")),
        "gone.py",
    ]
    async with bench.pool() as pool:
        found = await pool.examine(paths)
        assert [examined.path for examined in found] == paths
        code, plain, binary, wide, gone = (examined.file for examined in found)
        assert code is not None
        assert (names(code.outline), code.language, code.status, code.racy) == (["A", "m"], "python", "parsed", True)
        assert plain is not None
        assert (plain.status, plain.outline, len(plain.content_hash)) == ("listed", None, 32)
        assert binary is not None
        assert (binary.status, binary.skip_reason) == ("skipped", SkipReason.BINARY)
        assert wide is not None
        assert (names(wide.outline), wide.encoding) == (["größe"], "utf-16")
        assert gone is None
        only_hashed = await pool.examine(paths, parse=False)
        assert only_hashed[0].file is not None
        assert only_hashed[0].file.content_hash == code.content_hash
        assert (pool.counters.parsed, pool.counters.hashed, pool.counters.deaths) == (2, 10, 0)


async def test_nothing_outside_the_root_is_read(bench: Bench):
    outside = bench.folder / "secret.py"
    outside.write_bytes(b"def secret(): pass\n")
    (bench.root / "link.py").symlink_to(outside)
    (bench.root / "folder").symlink_to(bench.folder)
    os.mkfifo(bench.root / "pipe.py")
    async with bench.pool() as pool:
        paths = ["link.py", "folder/secret.py", "pipe.py", "../index/secret.py", str(outside)]
        assert [examined.file for examined in await pool.examine(paths)] == [None] * 5


async def test_a_file_that_hangs_is_set_aside_and_the_others_are_unharmed(bench: Bench):
    paths = [bench.write("a.py"), bench.write("hung.py", HUNG), bench.write("z.py")]
    async with bench.pool(parse_s=0.5, line_chars=1_000_000) as pool:
        first, hung, last = (examined.file for examined in await pool.examine(paths))
        assert first is not None
        assert last is not None
        assert names(first.outline) == names(last.outline) == ["f"]
        assert hung is not None
        assert (hung.status, hung.skip_reason) == ("skipped", SkipReason.PARSE_TIMED_OUT)
        assert len(hung.content_hash) == 32
        with pytest.raises(ParseFailedError, match="timed out"):
            await pool.parse_text(HUNG, "python")
        outline, *_ = await pool.parse_text(b"def g(): pass\n", "python")
        assert [symbol.name for symbol in outline.symbols] == ["g"]


async def test_what_nests_too_deeply_is_named_before_it_costs_anything(bench: Bench):
    """Each of these grammars takes more than five seconds for it, or crashes."""
    deep = {
        "haskell": ("a.hs", b"a{\n"),
        "perl": ("b.pl", b"f(\n"),
        "typst": ("c.typ", b"[\n"),
        "yuck": ("d.yuck", b"a{\n"),
    }
    paths = [bench.write(path, line * 25_000) for path, line in deep.values()]
    async with bench.pool() as pool:
        for file in [examined.file for examined in await pool.examine(paths)]:
            assert file is not None
            assert (file.status, file.skip_reason) == ("skipped", SkipReason.NESTED)
        for language, (path, line) in deep.items():
            with pytest.raises(ParseFailedError, match="nested too deeply"):
                await pool.parse_text(line * 25_000, language, path)
        outline, *_ = await pool.parse_text(b"def g(): pass\n", "python")
        assert [symbol.name for symbol in outline.symbols] == ["g"]
        assert pool.counters.deaths == 0


async def kill_while_busy(pool: ParsePool, path: str, since_ns: int = 0) -> int:
    """Kill the worker that has had `path` in work since later than `since_ns`; return since when."""
    slots = [pool._journal.slot(number) for number in range(pool.size + 1)]
    while True:
        for slot in slots:
            work = slot.read()
            if work is not None and work.path == path and work.since_ns > since_ns:
                for pid in pool.pids():
                    os.kill(pid, signal.SIGSEGV)
                return work.since_ns
        await asyncio.sleep(0.01)


async def test_a_file_that_crashes_its_worker_gets_one_more_try(bench: Bench):
    paths = [bench.write("a.py"), bench.write("bad.py", HUNG), bench.write("z.py")]
    async with bench.pool(parse_s=60, line_chars=1_000_000) as pool:
        examining = asyncio.ensure_future(pool.examine(paths))
        first_try = await kill_while_busy(pool, "bad.py")
        await kill_while_busy(pool, "bad.py", first_try)
        first, bad, last = (examined.file for examined in await examining)
        assert first is not None
        assert last is not None
        assert bad is not None
        assert (bad.status, bad.skip_reason) == ("skipped", SkipReason.PARSER_CRASHED)
        assert any("bad.py: crashed the parser" in line for line in bench.lines)
        assert pool.counters.deaths == 2


async def test_a_worker_that_dies_idle_is_replaced(bench: Bench):
    path = bench.write("a.py")
    async with bench.pool() as pool:
        await pool.examine([path])
        for pid in pool.pids():
            os.kill(pid, signal.SIGKILL)
        (examined,) = await pool.examine([path])
        assert examined.file is not None
        assert names(examined.file.outline) == ["f"]


async def test_a_suspended_worker_is_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(child, "_STOPPED_S", 0.3)
    bench.write("a.py")
    async with bench.pool() as pool:
        await pool.warm_up()
        await pool.examine(["a.py"])
        for pid in pool.pids():
            os.kill(pid, signal.SIGSTOP)
        (examined,) = await pool.examine(["a.py"])
        assert examined.file is not None
        assert names(examined.file.outline) == ["f"]
        outline, *_ = await pool.parse_text(b"def g(): pass\n", "python")
        assert [symbol.name for symbol in outline.symbols] == ["g"], "the text is not to blame"


async def test_two_engines_that_die_over_a_file_set_it_aside(bench: Bench):
    path, other = bench.write("bad.py"), bench.write("good.py")
    for _ in range(2):
        dying = Journal(bench.folder, 2)
        dying.slot(1).begin(path)
    async with bench.pool() as pool:
        assert pool.suspects == {path}
        bad, good = (examined.file for examined in await pool.examine([path, other]))
        assert bad is not None
        assert good is not None
        assert (bad.status, bad.skip_reason, good.status) == ("skipped", SkipReason.PARSER_CRASHED, "parsed")
        assert pool.suspects == frozenset()  # its row in the catalog holds it from now on
    assert list(bench.folder.iterdir()) == []


async def test_a_cancelled_call_leaves_no_worker_at_work(bench: Bench):
    path = bench.write("hung.py", HUNG)
    async with bench.pool(parse_s=60, line_chars=1_000_000) as pool:
        examining = asyncio.ensure_future(pool.examine([path]))
        while not pool.pids():
            await asyncio.sleep(0.01)
        examining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await examining
        assert pool.pids() == []
        (examined,) = await pool.examine([bench.write("a.py")])
        assert examined.file is not None


async def test_idle_workers_leave(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "IDLE_S", 0.05)
    async with bench.pool() as pool:
        await pool.examine([bench.write("a.py")])
        (pid,) = pool.pids()
        while pool.pids():
            await asyncio.sleep(0.02)
        assert not psutil.pid_exists(pid), "ended and reaped before it is no longer listed"


ENGINE = """
import asyncio, sys
from pathlib import Path
from pilotfish.config import LimitSettings, Settings
from pilotfish.indexing.workers import ParsePool

async def main(root, folder):
    settings = Settings(limits=LimitSettings(workers=1, parse_s=60, line_chars=1_000_000))
    pool = ParsePool(Path(root), settings, Path(folder), log=print)
    await pool.warm_up()
    examining = asyncio.ensure_future(pool.examine(["hung.py"]))
    while len(pool.pids()) < 2 or pool._journal.slot(1).read() is None:
        await asyncio.sleep(0.01)
    print(*pool.pids(), flush=True)
    await examining

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere an orphan ends by its limit of CPU time")
def test_no_worker_outlives_an_engine_that_is_killed(bench: Bench):
    bench.write("hung.py", HUNG)
    command = [sys.executable, "-I", "-c", ENGINE, str(bench.root), str(bench.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdout is not None
        pids = [int(pid) for pid in engine.stdout.readline().split()]
        engine.kill()
    assert len(pids) == 2
    deadline = time.monotonic() + 10
    while any(_lives(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert Journal(bench.folder, 2).deaths("hung.py") == 1


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="niceness is another matter on Windows")
def test_workers_for_files_step_back_as_a_session_of_their_own() -> None:
    said = "import os; from pathlib import Path; from pilotfish.children.inside import step_back; step_back({}); "
    said += "weight = Path('/proc/self/autogroup'); "
    said += "print(os.nice(0), os.getsid(0) == os.getpid(), weight.read_text() if weight.exists() else 'nice 5')"
    run = [subprocess.check_output([sys.executable, "-I", "-c", said.format(each)], text=True) for each in (10, 0)]
    niceness, leads, weight = run[0].split(maxsplit=2)
    assert int(niceness) >= 10
    assert leads == "True"
    assert weight.split()[-1] == "5"
    assert run[1].split()[:2] == [str(os.nice(0)), "False"]


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="no system that weighs sessions")
async def test_workers_for_files_make_way_while_somebody_types(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "AFTER_A_KEY_S", 0.1)

    async def weighed(pid: int, niceness: int) -> None:
        async with asyncio.timeout(20):
            while Path(f"/proc/{pid}/autogroup").read_text().split()[-1] != str(niceness):
                await asyncio.sleep(0.02)

    own = Path("/proc/self/autogroup").read_text()
    async with bench.pool() as pool:
        await pool.examine([bench.write("a.py")])
        (pid,) = pool.pids()
        await weighed(pid, 5)
        pool.make_way()
        await weighed(pid, 10)
        await weighed(pid, 5)
    assert Path("/proc/self/autogroup").read_text() == own
