"""Maps of real small workspaces through the real engine: what they look like, and what moves them.

`PILOTFISH_UPDATE_GOLDENS=1` writes the maps beside the fixtures anew; the difference is then read like any other.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tokenizers

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.wire import OperationError
from pilotfish.graph.tokens import TokenizerError, counter_from, estimate
from pilotfish.operations.repo_map import RepoMapResult

FIXTURES = Path(__file__).parents[2] / "fixtures" / "maps"
GOLDEN_TOKENS = 140


class Home:
    """A root with its engine and one client."""

    def __init__(self, root: Path, engine: Engine, kind: str) -> None:
        self.root = root
        self.engine = engine
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind=kind, client="test", pid=1)
        self.session = engine.connect(hello, lambda method, params: None)

    async def map(self, **parameters: Any) -> RepoMapResult:
        answer = await self.engine.call(self.session, "repo_map", msgspec.Raw(msgspec.json.encode(parameters)))
        assert isinstance(answer, RepoMapResult)
        return answer

    async def open(self, path: str, text: str) -> None:
        uri = (self.root / path).as_uri()
        params = {"uri": uri, "version": 1, "text": text, "language": "python"}
        self.engine.receive(self.session, "document/open", msgspec.Raw(msgspec.json.encode(params)))
        document = self.session.documents[uri]
        await document.decided.wait()
        await document.settled.wait()

    async def sync(self) -> None:
        await self.engine.indexer.sync()


@contextlib.asynccontextmanager
async def engine_of(
    tmp_path: Path, files: Mapping[str, str] | Path, kind: str = "lsp", **environment: str
) -> AsyncIterator[Home]:
    """A root with these files, or with a copy of this folder, indexed."""
    root = (tmp_path / "root").resolve()
    if isinstance(files, Path):
        shutil.copytree(files, root)
    else:
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
    root.mkdir(exist_ok=True)
    variables = {
        "PATH": os.environ["PATH"],
        "PILOTFISH_HOME": str(tmp_path / "home"),
        "PILOTFISH_INDEX_WATCH": "false",
        "PILOTFISH_INDEX_DEBOUNCE_MS": "0",
        "PILOTFISH_LIMITS_WORKERS": "1",
    }
    engine = await Engine.open(root, index_folder=tmp_path / "index", environment=variables | environment)
    try:
        await engine.indexer.wait_quiet()
        yield Home(root, engine, kind)
    finally:
        await engine.close()


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "gc.auto=0"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def paths(answer: RepoMapResult) -> list[str]:
    return [file.path for file in answer.files]


def names(answer: RepoMapResult) -> list[str]:
    return [symbol.name for file in answer.files for symbol in file.symbols]


# --- what a map looks like -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workspace", ["python", "typescript", "mixed"])
async def test_a_workspace_has_the_maps_beside_it(tmp_path: Path, workspace: str) -> None:
    sources = [path for path in (FIXTURES / workspace).rglob("*.*") if path.is_file()]
    async with engine_of(tmp_path, FIXTURES / workspace) as home:
        for style in ("tree", "compact", "json"):
            answer = await home.map(max_tokens=GOLDEN_TOKENS, format=style)
            assert 0 < answer.tokens == estimate(answer.text) <= GOLDEN_TOKENS
            assert answer.more_files == len(sources) - len(answer.files)
            golden = FIXTURES / f"{workspace}.{style}"
            if os.environ.get("PILOTFISH_UPDATE_GOLDENS"):
                golden.write_text(answer.text.rstrip("\n") + "\n", encoding="utf-8")
            assert answer.text.rstrip("\n") + "\n" == golden.read_text(encoding="utf-8")


async def test_a_larger_budget_holds_more_of_a_workspace(tmp_path: Path) -> None:
    async with engine_of(tmp_path, FIXTURES / "mixed") as home:
        for style in ("tree", "compact", "json"):
            maps = [await home.map(max_tokens=tokens, format=style) for tokens in (0, 1, 30, 64, 512, 1_000_000)]
            assert all(answer.tokens <= answer.max_tokens for answer in maps)
            shown = [{(file.path, symbol) for file in answer.files for symbol in file.symbols} for answer in maps]
            assert all(less <= more for less, more in itertools.pairwise(shown))
            assert (maps[0].text, maps[0].files, maps[0].outcome) == ("", [], "no_match")
            assert {"OpenLedger", "parse_entry", "deposit", "ring_push", "render_rows", "log_line"} <= set(
                names(maps[-1])
            )


async def test_workspaces_with_nothing_or_little_to_show(tmp_path: Path) -> None:
    async with engine_of(tmp_path, {}) as home:
        empty = await home.map(mentions=["anything"], files=["not/there.py"], task="find it")
        assert (empty.text, empty.tokens, empty.outcome, empty.more_files) == ("", 0, "no_match", 0)
        (home.root / "one.py").write_text("def only_one(): ...\n", encoding="utf-8")
        await home.sync()
        one = await home.map()
        assert (one.text, one.outcome) == ("one.py:\n  def only_one()\n", "found")
        (home.root / "one.py").unlink()
        await home.sync()
        assert (await home.map()).text == ""


async def test_names_that_would_break_a_line_are_written_out(tmp_path: Path) -> None:
    forged = "a.py:\n  def forged()\u202e.py"
    if sys.platform == "win32":
        pytest.skip("no file can be named so")
    async with engine_of(tmp_path, {forged: "def real_one(): ...\n"}) as home:
        for style in ("tree", "compact"):
            answer = await home.map(format=style)
            assert "a.py:\\n  def forged()\\u202e.py" in answer.text
            assert answer.files[0].path == forged
        assert msgspec.json.decode((await home.map(format="json")).text)[0]["path"] == forged


async def test_what_lies_too_deep_leaves_room_for_the_rest(tmp_path: Path) -> None:
    deep = "".join(f"{' ' * depth}class Level{depth}:\n" for depth in range(40)) + " " * 40 + "deepest_of_all = 1\n"
    async with engine_of(tmp_path, {"deep.py": deep, "flat.py": "def flat_one(): ...\n"}) as home:
        answer = await home.map(mentions=["deepest_of_all", "Level39", "Level38"], max_tokens=256)
        assert "flat_one" in names(answer)
        assert max(len(line) - len(line.lstrip()) for line in answer.text.splitlines()) == 16


async def test_many_maps_at_once_keep_nobody_waiting(tmp_path: Path) -> None:
    async with engine_of(tmp_path, FIXTURES / "mixed") as home:
        await home.map()
        drawn = 0

        async def draw(number: int) -> None:
            nonlocal drawn
            assert (await home.map(task=f"report number {number}")).files
            drawn += 1

        maps = [asyncio.create_task(draw(number)) for number in range(40)]
        await asyncio.sleep(0)
        search = msgspec.Raw(msgspec.json.encode({"query": "report"}))
        await home.engine.call(home.session, "find_symbols", search)
        assert drawn < 20, "the search took its turn beside the maps and not behind them"
        maps[-1].cancel()
        await asyncio.gather(*maps[:-1])
        assert drawn == 39


# --- what moves a map ------------------------------------------------------------------------------------------------

PAIR = {
    "apples.py": "def pick_apples(): ...\n\n\ndef wash_apples(): ...\n",
    "berries.py": "def pick_berries(): ...\n\n\ndef wash_berries(): ...\n",
    "cherries.py": "def pick_cherries(): ...\n\n\ndef wash_cherries(): ...\n",
}
"""Files that nothing but a question tells apart; without one they stand in the order of their paths."""


async def test_mentions_files_and_a_task_decide_what_comes_first(tmp_path: Path) -> None:
    async with engine_of(tmp_path, PAIR) as home:
        assert paths(await home.map()) == ["apples.py", "berries.py", "cherries.py"]
        for question in (
            {"mentions": ["wash_cherries"]},
            {"mentions": ["Cherry"]},
            {"mentions": ["cherries.py"]},
            {"files": ["cherries.py"]},
            {"files": ["./sub/../cherries.py"]},
            {"files": [str(home.root / "cherries.py")]},
            {"files": ["cherries.py", "not/in/the/graph.py", "apples.txt"]},
            {"task": "Have all of the cherries washed before use."},
        ):
            assert paths(await home.map(max_tokens=16, **question)) == ["cherries.py"], question
        assert names(await home.map(max_tokens=16, mentions=["wash_cherries"])) == ["wash_cherries"]
        assert names(await home.map(max_tokens=16, task="picking berries")) == ["pick_berries"]
        assert paths(await home.map(files=["not/in/the/graph.py"])) == ["apples.py", "berries.py", "cherries.py"]


@pytest.mark.parametrize("file", ["../elsewhere.py", "/etc/passwd", "a/../../b.py"])
async def test_a_file_outside_the_root_is_refused(tmp_path: Path, file: str) -> None:
    async with engine_of(tmp_path, PAIR) as home:
        with pytest.raises(OperationError, match="outside the root") as refused:
            await home.map(files=[file])
        assert refused.value.code == wire.INVALID_PARAMS
        assert paths(await home.map()) == sorted(PAIR)


async def test_files_show_their_neighbourhood(tmp_path: Path) -> None:
    async with engine_of(tmp_path, FIXTURES / "python") as home:
        assert paths(await home.map(max_tokens=60, files=["shop/site.py"]))[0] != "shop/site.py"
        assert "convert_to" in names(await home.map(max_tokens=60, files=["shop/site.py"]))
        assert "total_price" in names(await home.map(max_tokens=60, files=["tests/test_cart.py"]))


async def test_open_documents_count_without_being_told(tmp_path: Path) -> None:
    async with engine_of(tmp_path, PAIR) as home:
        await home.open("berries.py", PAIR["berries.py"])
        assert paths(await home.map(max_tokens=16)) == ["berries.py"]
        await home.open("cherries.py", "# on top\ndef dry_cherries(): ...\n")
        await home.open("dates.py", "from cherries import dry_cherries\n\ndef pit_dates(): dry_cherries()\n")
        answer = await home.map()
        assert {"dry_cherries", "pit_dates"} < set(names(answer))
        assert "pick_cherries" not in names(answer)
        (dried,) = [symbol for file in answer.files for symbol in file.symbols if symbol.name == "dry_cherries"]
        assert dried.line == 2
        assert paths(answer)[0] == "cherries.py"
        home.engine.disconnect(home.session)
        other = Home(home.root, home.engine, "lsp")
        assert paths(await other.map()) == sorted(PAIR)
        assert "dry_cherries" not in names(await other.map())


async def test_a_text_that_only_reads_otherwise_is_shown_as_it_reads(tmp_path: Path) -> None:
    async with engine_of(tmp_path, PAIR) as home:
        for parameter in ("basket", "bucket"):
            text = f"def pick_cherries({parameter}): ...\n\n\ndef wash_cherries(): ...\n"
            await home.open("cherries.py", text)
            assert f"def pick_cherries({parameter})" in (await home.map()).text


async def test_what_git_calls_changed_and_recent_comes_first(tmp_path: Path) -> None:
    async with engine_of(tmp_path, PAIR | {"pilotfish.toml": "map.recent_commits = 1\n"}) as home:

        async def first() -> list[str]:
            await home.sync()
            return paths(await home.map(max_tokens=16))

        assert await first() == ["apples.py"]
        git(home.root, "init", "-q")
        git(home.root, "add", ".")
        git(home.root, "reset", "-q", "berries.py")
        git(home.root, "commit", "-q", "-m", "all but one")
        assert await first() == ["berries.py"], "what git does not track yet has changed"
        git(home.root, "add", ".")
        git(home.root, "commit", "-q", "-m", "the last")
        assert await first() == ["berries.py"], "the last commit changed it"
        (home.root / "cherries.py").write_text(PAIR["cherries.py"] + "# more\n", encoding="utf-8")
        assert await first() == ["cherries.py"], "a difference from HEAD counts for more than a commit"
        git(home.root, "checkout", "-q", "cherries.py")
        assert await first() == ["berries.py"]


@pytest.mark.parametrize("how", ["no git at all", "a broken repository"])
async def test_a_map_needs_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "no git at all":
        monkeypatch.setenv("PATH", str(tmp_path))
    async with engine_of(tmp_path, PAIR | {".git/HEAD": "garbage\n", ".git/index": "garbage\n"}) as home:
        assert paths(await home.map()) == sorted(PAIR)


# --- counters --------------------------------------------------------------------------------------------------------


def write_tokenizer(file: Path) -> Path:
    """Every word is one token, and every other character."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0, "def": 1}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(file))
    return file


def write_ranks(file: Path) -> Path:
    """Every byte is one token, and `def` is."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"de", b"def"]
    file.write_bytes(b"".join(b"%b %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens)))
    return file


def write_some_ranks(file: Path) -> Path:
    file.write_bytes(b"%b 0\n" % base64.b64encode(b"def"))
    return file


def write_equal_ranks(file: Path) -> Path:
    file.write_bytes(b"".join(b"%b 0\n" % base64.b64encode(bytes([byte])) for byte in range(256)))
    return file


def write_small_vocabulary(file: Path) -> Path:
    tokenizers.Tokenizer(tokenizers.models.WordLevel({"def": 0})).save(str(file))
    return file


def write_garbage(file: Path) -> Path:
    file.write_bytes(b"\0\xffnot a tokenizer {")
    return file


def test_tokenizers_count_their_own_tokens(tmp_path: Path) -> None:
    words = counter_from(write_tokenizer(tmp_path / "tokenizer.json"))
    assert [words(text) for text in ("", "def", "def one two\n", "a b c d")] == [0, 1, 3, 4]
    limited = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    limited.enable_truncation(2)
    limited.enable_padding(length=2)
    limited.save(str(tmp_path / "limited.json"))
    assert [counter_from(tmp_path / "limited.json")(text) for text in ("def", "a b c d")] == [1, 4]
    ranks = counter_from(write_ranks(tmp_path / "tiny.tiktoken"))
    assert [ranks(text) for text in ("", "def", "def f", "<|endoftext|>")] == [0, 1, 3, 13]


BROKEN = {
    "garbage.json": write_garbage,
    "garbage.tiktoken": write_garbage,
    "folder.json": Path.mkdir,
    "folder.tiktoken": Path.mkdir,
    "vocabulary.json": write_small_vocabulary,
    "some.tiktoken": write_some_ranks,
    "equal.tiktoken": write_equal_ranks,
    "empty.tiktoken": Path.touch,
    "empty.json": Path.touch,
}


@pytest.mark.parametrize("name", [*BROKEN, "missing.json", "missing.tiktoken"])
def test_a_broken_tokenizer_is_one_clear_error(tmp_path: Path, name: str) -> None:
    if name in BROKEN:
        BROKEN[name](tmp_path / name)
    with pytest.raises(TokenizerError) as error:
        counter_from(tmp_path / name)
    assert str(error.value).startswith(f"{tmp_path / name} is no tokenizer that can be read: ")
    assert "\n" not in str(error.value)


def test_a_tokenizer_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, file in (("tokenizers", tmp_path / "tokenizer.json"), ("tiktoken", tmp_path / "x.tiktoken")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(TokenizerError, match=f"pip install {module}"):
            counter_from(file)


@pytest.mark.parametrize("write", [write_tokenizer, write_ranks])
async def test_maps_are_counted_by_the_users_tokenizer(tmp_path: Path, write: Callable[[Path], Path]) -> None:
    file = write(tmp_path / ("tokenizer.json" if write is write_tokenizer else "tiny.tiktoken"))
    async with engine_of(tmp_path, PAIR, PILOTFISH_MAP_TOKENIZER=str(file)) as home:
        for tokens in (0, 1, 20, 60, 1_000):
            answer = await home.map(max_tokens=tokens)
            assert answer.counter == str(file)
            assert answer.tokens == (counter_from(file)(answer.text) if answer.text else 0)
            assert answer.tokens <= tokens
        assert names(answer)


async def test_a_broken_tokenizer_fails_the_map_and_nothing_else(tmp_path: Path) -> None:
    file = write_garbage(tmp_path / "tokenizer.json")
    async with engine_of(tmp_path, PAIR, PILOTFISH_MAP_TOKENIZER=str(file)) as home:
        for _ in range(2):
            with pytest.raises(OperationError, match=r"no tokenizer that can be read") as failed:
                await home.map()
            assert "map.tokenizer" in failed.value.hint
        write_tokenizer(file)
        assert (await home.map()).counter == str(file)
