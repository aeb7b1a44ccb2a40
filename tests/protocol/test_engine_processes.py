"""Engines as processes: elected once, alive as long as they are wanted, replaced when they die or fall silent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from pilotfish.engine import framing, wire
from pilotfish.engine.client import Callbacks, EngineClient, State
from pilotfish.engine.rendezvous import (
    Endpoint,
    Place,
    live_engines,
    place_of,
    process_identity,
    read_endpoint,
    write_endpoint,
)
from pilotfish.engine.wire import Hello, Message, OperationError
from pilotfish.operations.editor import HoverParameters, HoverResult
from pilotfish.operations.index import ControlParameters, StatusParameters, StatusResult, SyncParameters, WhyParameters

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and sockets")

HOST = Path(__file__).with_name("engine_host.py")
FRONT = Path(__file__).with_name("front.py")
PROGRAM = (sys.executable, "-I", "-X", "utf8", str(HOST))
CAP_S = 15.0
"""What the issue allows for an engine to be there, whatever happened; nothing is timed closer."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A root in a world of its own; no engine of it is left behind."""
    home = tempfile.mkdtemp(prefix="pf", dir="/tmp")  # short enough for sockets
    monkeypatch.setenv("PILOTFISH_HOME", home)
    monkeypatch.setenv("PILOTFISH_TEST_PACKAGE", str(tmp_path / "package"))
    folder = (tmp_path / "root").resolve()
    folder.mkdir()
    yield folder
    for endpoint in live_engines():
        os.kill(endpoint.pid, signal.SIGKILL)
    shutil.rmtree(home)


Connect = Callable[..., EngineClient]


@pytest.fixture
async def connect(root: Path) -> AsyncIterator[Connect]:
    """Make clients of the root's engine, closed at the end."""
    async with contextlib.AsyncExitStack() as stack:
        clients: list[EngineClient] = []

        def make(name: str = "editor", **settings: object) -> EngineClient:
            defaults = {"kind": "lsp", "program": PROGRAM, "index_folder": root.parent / "index"}
            client = EngineClient(root, client=name, **(defaults | settings))  # type: ignore[arg-type]
            client.start()
            clients.append(client)
            stack.push_async_callback(client.close)
            return client

        yield make


async def status(client: EngineClient, timeout: float = CAP_S) -> StatusResult:
    answer = await client.request("get_repo_status", StatusParameters(), timeout)
    assert isinstance(answer, StatusResult)
    return answer


async def text(client: EngineClient, uri: str) -> str:
    parameters = HoverParameters(uri=uri, line=0, character=0, encoding="utf-8")
    answer = await client.request("hover", parameters, CAP_S)
    assert isinstance(answer, HoverResult)
    return answer.markdown


async def eventually(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + CAP_S
    while not condition():
        assert time.monotonic() < deadline, what
        await asyncio.sleep(0.02)


def is_gone(pid: int) -> bool:
    return process_identity(pid) is None  # a zombie counts as gone


def start_front(root: Path, name: str, *, own_group: bool = False) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", str(FRONT), str(root), str(HOST), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=own_group,
    )


def end_fronts(fronts: list[subprocess.Popen[bytes]]) -> list[bytes]:
    """Close the fronts' stdin; return what they wrote to stderr, read to its end."""
    errors = []
    for front in fronts:
        _, error = front.communicate(timeout=60)
        errors.append(error)
    return errors


def reported(front: subprocess.Popen[bytes]) -> dict[str, int]:
    assert front.stdout is not None
    line = front.stdout.readline()
    assert line, front.communicate(timeout=60)[1].decode()
    result: dict[str, int] = json.loads(line)
    return result


# --- one engine ------------------------------------------------------------------------------------------------------


async def test_eight_fronts_that_start_at_once_share_one_engine(root: Path) -> None:
    fronts = [start_front(root, f"front {number}") for number in range(8)]
    reports = await asyncio.to_thread(lambda: [reported(front) for front in fronts])
    assert len({report["engine"] for report in reports}) == 1
    assert [report["documents"] for report in reports] == [1] * 8, "each sees its own texts"
    engine = reports[0]["engine"]
    # The engine holds none of the fronts' streams: each ends with its front, though the engine lives on.
    errors = await asyncio.to_thread(end_fronts, fronts)
    assert errors == [b""] * 8
    await eventually(lambda: is_gone(engine), "the engine outlives its fronts")
    assert read_endpoint(place_of(root).endpoint) is None
    assert not place_of(root).socket.exists()
    assert place_of(root).lock.exists(), "a lock is never unlinked"


async def test_an_engine_outlives_the_front_that_started_it(root: Path, connect: Connect) -> None:
    first = start_front(root, "first", own_group=True)
    engine = (await asyncio.to_thread(reported, first))["engine"]
    second = connect("second")
    assert (await status(second)).engine_pid == engine
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    await eventually(lambda: is_gone(first.pid), "the first front")
    assert await gone_session(second)
    assert (await status(second)).engine_pid == engine
    assert second.state is State.ATTACHED


async def gone_session(client: EngineClient) -> bool:
    deadline = time.monotonic() + CAP_S
    while len((await status(client)).sessions) > 1:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    return True


async def test_a_one_shot_command_leaves_no_engine(
    root: Path, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOTFISH_TEST_LINGER", "600")
    command = connect("shell", kind="cli", one_shot=True)
    engine = (await status(command)).engine_pid
    await command.close()
    await eventually(lambda: is_gone(engine), "the engine stays behind a one-shot command")


async def test_an_engine_that_nobody_joins_leaves(root: Path) -> None:
    candidate = subprocess.Popen([*PROGRAM, "--root", str(root), "--index-folder", str(root.parent / "index")])
    assert await asyncio.to_thread(candidate.wait, 60) == 0


# --- death and silence -----------------------------------------------------------------------------------------------


async def test_killed_engine_is_replaced_with_nothing_lost(root: Path, connect: Connect) -> None:
    clients = [connect("one", settings=wire.SessionSettings(encoding="utf-8")), connect("two")]
    for number, client in enumerate(clients):
        for document in range(5):
            client.document_opened(f"file:///d{document}.py", 1, "first")
            client.document_changed(f"file:///d{document}.py", 2, f"unsaved {number}.{document} 🐟")
    before = await status(clients[0])
    clients[1].document_closed("file:///d4.py")
    unanswered = asyncio.create_task(clients[0].request("sync_repository", SyncParameters(), 60))
    waiting = asyncio.create_task(clients[0].request("control", ControlParameters(action="wait"), 60))
    refused = asyncio.create_task(clients[0].request("control", ControlParameters(action="rebuild"), 60))
    await eventually(
        lambda: clients[0]._channel is not None and clients[0]._channel.pending == 3, "three are under way"
    )
    os.kill(before.engine_pid, signal.SIGKILL)
    for number, client in enumerate(clients):
        assert await text(client, "file:///d3.py") == f"unsaved {number}.3 🐟"
    after = await status(clients[0])
    assert after.engine_pid != before.engine_pid
    assert sorted(after.sessions) == ["one:utf-8", "two:utf-16"]
    assert (after.unsaved_documents, (await status(clients[1])).unsaved_documents) == (5, 4)
    assert not unanswered.done(), "it is asked again of the new engine"
    assert not waiting.done(), "and so is who waits for the index"
    with pytest.raises(OperationError) as lost:
        await refused
    assert lost.value.code == wire.ENGINE_LOST, "what acts on the index is not done twice"
    unanswered.cancel()
    waiting.cancel()


async def test_suspended_engine_is_ended_and_replaced(root: Path, connect: Connect) -> None:
    said: list[str] = []
    client = connect(callbacks=Callbacks(log=lambda line: said.append(line.message)))
    client.document_opened("file:///a.py", 1, "unsaved")
    suspended = (await status(client)).engine_pid
    os.kill(suspended, signal.SIGSTOP)
    assert await text(client, "file:///a.py") == "unsaved"
    assert (await status(client)).engine_pid != suspended
    assert is_gone(suspended)
    assert any(str(suspended) in line for line in said)


async def test_engine_suspended_before_the_first_front_comes(root: Path, connect: Connect) -> None:
    first = connect("first")
    suspended = (await status(first)).engine_pid
    os.kill(suspended, signal.SIGSTOP)
    assert (await status(connect("second"))).engine_pid != suspended


async def test_a_hung_engine_is_replaced_and_a_busy_one_is_not(root: Path, connect: Connect) -> None:
    client, other = connect("editor"), connect("other")
    engine = (await status(client)).engine_pid
    await status(other)
    await client.request("why", WhyParameters(path="hang 4"), CAP_S)
    assert (await status(client)).engine_pid == engine
    hang = asyncio.create_task(other.request("why", WhyParameters(path="hang 600"), None))
    await asyncio.sleep(0.1)
    answer = asyncio.create_task(status(client))
    hang.cancel()
    await other.close()
    assert (await answer).engine_pid != engine
    assert is_gone(engine)


async def test_three_deaths_in_a_minute_are_answered_with_the_reason(root: Path, connect: Connect) -> None:
    client = connect()
    for _ in range(3):
        os.kill((await status(client)).engine_pid, signal.SIGKILL)
        await eventually(lambda: client.state is not State.ATTACHED, "the death is seen")
    await eventually(lambda: client.state is State.FAILED, "the client gives up for a while")
    with pytest.raises(OperationError, match="3 times") as failure:
        await status(client)
    assert failure.value.code == wire.ENGINE_FAILED
    assert str(root.parent / "index" / "engine.log") in failure.value.hint


async def test_an_index_that_cannot_be_opened_is_named(root: Path, connect: Connect) -> None:
    (root / "broken").touch()
    client = connect()
    with pytest.raises(OperationError, match="No space left on device") as failure:
        await status(client)
    assert failure.value.code == wire.OPEN_FAILED
    assert client.state is State.FAILED


async def test_a_program_that_cannot_start_is_named(root: Path, connect: Connect) -> None:
    client = connect(program=(sys.executable, "-I", "-c", "raise SystemExit('no grammar for you')"))
    with pytest.raises(OperationError, match="no grammar for you"):
        await status(client)


# --- locks, endpoints and sockets left by others ---------------------------------------------------------------------

HOLD_LOCK = """
import sys, filelock
lock = filelock.FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def held(lock: Path) -> Iterator[int]:
    """Hold a lock in another process."""
    holder = subprocess.Popen(
        [sys.executable, "-I", "-c", HOLD_LOCK, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    try:
        yield holder.pid
    finally:
        holder.communicate()


def endpoint_of(place: Place, pid: int, started: str) -> Endpoint:
    return Endpoint(
        pid=pid,
        started=started,
        address=str(place.socket),
        wire=wire.WIRE_VERSION,
        build="",
        token="t" * 64,
        root_bytes=os.fsencode(place.root),
        host="elsewhere",
    )


@pytest.mark.parametrize("endpoint", ["none", "no such process", "another start"])
async def test_lock_held_out_of_reach_gives_an_engine_of_our_own(root: Path, connect: Connect, endpoint: str) -> None:
    place = place_of(root)
    said: list[str] = []
    with held(place.lock) as holder:
        if endpoint == "no such process":
            write_endpoint(place.endpoint, endpoint_of(place, 2**22 - 1, "1"))
        elif endpoint == "another start":
            write_endpoint(place.endpoint, endpoint_of(place, holder, "1"))
        client = connect(callbacks=Callbacks(log=lambda line: said.append(line.message)))
        answer = await status(client)
        assert answer.root == str(root)
        assert not is_gone(holder), "nobody is ended whose identity is not proven"
        assert str(place.lock) in client.reason
        assert ("elsewhere" in client.reason) == (endpoint != "none")
        assert [line for line in said if str(place.lock) in line] == [client.reason], "it is said once"
        second = connect("second")
        assert (await status(second)).engine_pid == answer.engine_pid, "fronts out of reach share one"
        assert client.welcome is not None
        assert client.welcome.index_folder != str(root.parent / "index")


async def test_a_root_whose_name_is_no_text(root: Path, connect: Connect) -> None:
    odd = Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9"))
    odd.mkdir()
    async with EngineClient(odd, kind="cli", client="shell", program=PROGRAM, index_folder=root / "index") as client:
        assert (await status(client)).root == f"{root}/caf\ufffd"
        assert [endpoint.root for endpoint in live_engines()] == [odd]


async def test_index_in_use_by_an_engine_that_was_elected_elsewhere(root: Path, connect: Connect) -> None:
    index = root.parent / "index"
    index.mkdir()
    with held(index / "writer.lock"):
        client = connect()
        await status(client)
        assert client.welcome is not None
        assert client.welcome.index_folder == f"{index}-1"


async def test_stale_socket_and_endpoint_are_replaced(root: Path, connect: Connect) -> None:
    place = place_of(root)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(place.socket))
    write_endpoint(place.endpoint, endpoint_of(place, 2**22 - 1, "1"))
    assert (await status(connect())).root == str(root)


async def test_endpoint_that_others_could_have_written_is_not_believed(root: Path, connect: Connect) -> None:
    place = place_of(root)
    write_endpoint(place.endpoint, endpoint_of(place, os.getpid(), process_identity(os.getpid()) or ""))
    place.endpoint.chmod(0o666)
    assert (await status(connect())).engine_pid != os.getpid()


# --- what peers can do wrong -----------------------------------------------------------------------------------------


def say(endpoint: Endpoint, data: bytes) -> bytes:
    """Say something to an engine, and return all that it answers until it closes the connection."""
    answers = b""
    with socket.socket(socket.AF_UNIX) as peer, contextlib.suppress(ConnectionResetError):
        peer.settimeout(60)
        peer.connect(endpoint.address)
        peer.sendall(data)
        while received := peer.recv(65536):
            answers += received
    return answers


async def raw_peer(endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_unix_connection(endpoint.address)


def hello(token: str, *, version: int = wire.WIRE_VERSION) -> Message:
    greeting = Hello(token=token, wire=version, build="", kind="lsp", client="raw", pid=os.getpid())
    return Message(id=1, method="hello", params=framing.raw(greeting))


REQUEST = Message(id=2, method="get_repo_status", params=msgspec.Raw(b"{}"))


@pytest.mark.parametrize(
    ("first", "code"),
    [
        pytest.param(lambda token: framing.encode(hello("0" * 64)), wire.REFUSED, id="wrong token"),
        pytest.param(lambda token: framing.encode(hello("")), wire.REFUSED, id="no token"),
        pytest.param(lambda token: framing.encode(hello(token, version=99)), wire.REFUSED, id="another version"),
        pytest.param(lambda token: framing.encode(Message(id=1, method="hello")), wire.REFUSED, id="empty hello"),
        pytest.param(lambda token: framing.encode(REQUEST), None, id="a request first"),
        pytest.param(lambda token: framing.encode(Message(id=1, method="ping")), None, id="a ping first"),
        pytest.param(lambda token: b"\xff\xff\xff\xff", None, id="a huge frame"),
        pytest.param(lambda token: b"\0\0\0\4nope", None, id="no message"),
        pytest.param(lambda token: b"\0\0\0\6[[[[[[", None, id="no object"),
        pytest.param(lambda token: b"GET / HTTP/1.1\r\n\r\n", None, id="another protocol"),
    ],
)
async def test_a_peer_without_the_token_gets_nothing(
    root: Path, connect: Connect, first: Callable[[str], bytes], code: int | None
) -> None:
    client = connect()
    engine = (await status(client)).engine_pid
    endpoint = read_endpoint(place_of(root).endpoint)
    assert endpoint is not None
    answers = await asyncio.to_thread(say, endpoint, first(endpoint.token) + framing.encode(REQUEST))
    if code is None:
        assert answers == b""
    else:
        message = msgspec.json.decode(answers[4:], type=Message)
        assert message.error is not None
        assert message.error.code == code
    answer = await status(client)
    assert (answer.engine_pid, answer.sessions) == (engine, ["editor:utf-16"])


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"\xff\xff\xff\xff", id="a huge frame"),
        pytest.param(b"\0\0\0\1{", id="no message"),
        pytest.param(framing.encode(Message(method="document/open", params=msgspec.Raw(b"[1]"))), id="wrong shape"),
        pytest.param(framing.encode(Message(result=msgspec.Raw(b"1"))), id="a response to nothing"),
    ],
)
async def test_a_broken_front_loses_its_own_connection_only(root: Path, connect: Connect, bad: bytes) -> None:
    client = connect()
    client.document_opened("file:///a.py", 1, "unsaved")
    await status(client)
    endpoint = read_endpoint(place_of(root).endpoint)
    assert endpoint is not None
    reader, writer = await raw_peer(endpoint)
    writer.write(framing.encode(hello(endpoint.token)))
    while (await framing.read(reader)).id != 1:
        pass
    writer.write(bad)
    await asyncio.wait_for(reader.read(), 60)
    writer.close()
    assert await text(client, "file:///a.py") == "unsaved"
    assert (await status(client)).sessions == ["editor:utf-16"]


async def test_a_front_that_does_not_read_is_dropped(root: Path, connect: Connect) -> None:
    client = connect()
    await status(client)
    endpoint = read_endpoint(place_of(root).endpoint)
    assert endpoint is not None
    reader, writer = await raw_peer(endpoint)
    writer.write(framing.encode(hello(endpoint.token)))
    while (await framing.read(reader)).id != 1:
        pass
    writer.write(framing.encode(Message(id=2, method="why", params=framing.raw(WhyParameters(path="flood")))))
    assert await gone_session(client)
    writer.transport.abort()


# --- one session -----------------------------------------------------------------------------------------------------


async def test_requests_see_the_texts_as_of_their_place_in_the_stream(root: Path, connect: Connect) -> None:
    client = connect()
    await client.attached()
    seen = []
    client.document_opened("file:///a.py", 0, "0")
    for version in range(1, 200):
        client.document_changed("file:///a.py", version, str(version))
        seen.append(asyncio.ensure_future(text(client, "file:///a.py")))
        await asyncio.sleep(0)  # the request is made before the next change
    assert await asyncio.gather(*seen) == [str(version) for version in range(1, 200)]


async def test_a_cancelled_caller_cancels_the_work(root: Path, connect: Connect) -> None:
    client = connect()
    await client.attached()
    work = asyncio.create_task(client.request("sync_repository", SyncParameters(), None))
    deadline = time.monotonic() + CAP_S
    while (await status(client)).counters["begun"] < 2:
        assert time.monotonic() < deadline
    work.cancel()
    while (await status(client)).counters["cancelled"] < 1:
        assert time.monotonic() < deadline
    with pytest.raises(OperationError, match=r"sync_repository: no answer within 0\.05 s"):
        await client.request("sync_repository", SyncParameters(), 0.05)
    while (await status(client)).counters["cancelled"] < 2:
        assert time.monotonic() < deadline


async def test_long_and_strange_texts_pass_whole(root: Path, connect: Connect) -> None:
    client = connect()
    long = "é\u2028\0\n" * 2_000_000
    client.document_opened("file:///long.py", 1, long)
    client.document_opened("file:///strange.py", 1, "half \ud83d of a fish")
    assert await text(client, "file:///long.py") == long
    assert await text(client, "file:///strange.py") == "half \ufffd of a fish"
    client.document_changed("file:///long.py", 2, "x" * (wire.MAX_FRAME + 1))
    assert (await status(client)).unsaved_documents == 1, "too long to be followed: the file on disk counts"


async def test_an_engine_that_is_told_to_leave_says_farewell(root: Path, connect: Connect) -> None:
    farewells: list[str] = []
    client = connect(callbacks=Callbacks(farewell=lambda farewell: farewells.append(farewell.reason)))
    client.document_opened("file:///a.py", 1, "unsaved")
    for _ in range(4):  # leaving in good order is no death, however often
        before = (await status(client)).engine_pid
        work = asyncio.create_task(client.request("sync_repository", SyncParameters(), None))
        os.kill(before, signal.SIGTERM)
        await eventually(lambda: is_gone(before), "the engine stays")  # noqa: B023 - awaited within the turn
        assert await text(client, "file:///a.py") == "unsaved"
        assert not work.done(), "begun by the old engine, asked again of the new one"
        work.cancel()
    assert farewells == ["told to by SIGTERM"] * 4


async def test_an_engine_whose_code_changed_leaves(root: Path, connect: Connect) -> None:
    package = root.parent / "package"
    (package / "queries").mkdir(parents=True)
    code = package / "queries" / "python.scm"
    code.write_text("(old)")
    farewells: list[str] = []
    client = connect(callbacks=Callbacks(farewell=lambda farewell: farewells.append(farewell.reason)))
    before = (await status(client)).engine_pid
    code.write_text("(newer)")
    await eventually(lambda: is_gone(before), "the engine runs old code")
    assert (await status(client)).engine_pid != before
    assert farewells == ["Pilotfish was updated"]


async def test_an_engine_that_can_no_longer_be_found_leaves(root: Path, connect: Connect) -> None:
    client = connect()
    before = (await status(client)).engine_pid
    place_of(root).endpoint.unlink()
    await eventually(lambda: is_gone(before), "the engine is out of reach")
    assert (await status(client)).engine_pid != before


# --- what an engine is started with ----------------------------------------------------------------------------------


async def test_nothing_of_the_root_or_of_a_hostile_environment_runs(
    root: Path, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "msgspec", "sitecustomize", "usercustomize", "filelock", "asyncio"):
        (root / f"{name}.py").write_text(f"open({str(root / 'executed')!r}, 'a').write({name!r})\n")
    (root / "bin").mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("PYTHONPATH", str(root))
    monkeypatch.setenv("PYTHONSTARTUP", str(root / "json.py"))
    monkeypatch.setenv("GIT_DIR", str(root / ".git"))
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("PATH", f"{root / 'bin'}{os.pathsep}.{os.pathsep}{os.environ['PATH']}")
    answer = await status(connect())
    engine = answer.engine_pid
    assert not (root / "executed").exists()
    assert str(root) not in answer.warnings, "the root is not on the module search path"
    environment = Path(f"/proc/{engine}/environ")
    if environment.exists():
        names = {entry.partition(b"=")[0].decode() for entry in environment.read_bytes().split(b"\0") if entry}
        assert not {name for name in names if name.startswith(("PYTHON", "GIT_", "LD_"))}
        assert str(root).encode() not in environment.read_bytes()
        assert Path(f"/proc/{engine}/cwd").readlink() == Path("/")
        standard = [Path(f"/proc/{engine}/fd/{number}").readlink() for number in (0, 1)]
        assert standard == [Path(os.devnull)] * 2
        assert os.getsid(engine) == engine
