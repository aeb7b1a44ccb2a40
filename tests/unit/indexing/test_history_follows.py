"""Past commits in the catalog follow HEAD: whatever happens to it, they are those of a history read anew, and vote."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilotfish.indexing import history
from pilotfish.indexing.history import HistoryIndexer
from pilotfish.indexing.indexer import Indexer
from pilotfish.store import commits
from pilotfish.store.catalog import Catalog
from pilotfish.store.commits import Evidence
from pilotfish.syntax.terms import question_terms

Tree = Any
"""The `Workspace` of the fixtures."""

TABLES = ("commits", "renames", "commit_terms")


@pytest.fixture
def tree(workspace: Tree) -> Tree:
    workspace.git("init", "-q")
    return workspace


def commit(tree: Tree, message: str, *names: str, date: str = "") -> None:
    for name in names:
        path = tree.root / name
        tree.write(name, (path.read_text() if path.exists() else "") + f"def {path.stem}():\n    {message!r}\n")
    tree.git("add", "-A")
    environment = {**os.environ, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date} if date else None
    identity = ["-c", "user.name=t", "-c", "user.email=t@t"]
    command = ["git", *identity, "commit", "-q", "--allow-empty", "-m", message]
    subprocess.run(command, cwd=tree.root, check=True, capture_output=True, env=environment)


@asynccontextmanager
async def followed(tree: Tree, most: int = 1_000) -> AsyncIterator[tuple[HistoryIndexer, Indexer]]:
    async with tree.index() as indexer:
        follower = HistoryIndexer(str(tree.root), most, indexer, on_log=lambda level, line: tree.log.append(line))
        follower.follow()
        await follower.wait_quiet()
        try:
            yield follower, indexer
        finally:
            await follower.close()


async def again(follower: HistoryIndexer, indexer: Indexer) -> int:
    """Look again, as after a sign that HEAD moved; return how many commits were read for that."""
    before = follower.commits_read
    await indexer.sync()
    follower.follow()
    await follower.wait_quiet()
    return follower.commits_read - before


async def asked(indexer: Indexer, question: str) -> Evidence:
    return await indexer.read(lambda reader: reader.commits.evidence(question_terms(question)))


async def subjects(indexer: Indexer) -> set[str]:
    return await indexer.read(lambda reader: {row[0] for row in reader.commits._all("SELECT subject FROM commits")})


async def test_messages_vote_for_files_and_definitions(tree: Tree) -> None:
    commit(tree, "Retry after a timeout\n\nWith a growing pause.", "net/client.py", "docs.md")
    commit(tree, "Parse headers", "net/headers.py")
    commit(tree, "Retry everything", *(f"many/{number}.py" for number in range(21)))
    async with followed(tree) as (_follower, indexer):
        found = await asked(indexer, "where are timeouts retried")
        assert set(found.files) == {"net/client.py", "docs.md"}
        assert set(found.definitions) == {("net/client.py", "client"), ("docs.md", "docs")}
        (vote,) = found.votes["net/client.py"]
        assert (vote.subject, len(vote.hash)) == ("Retry after a timeout", 40)
        assert vote.score > 0
        assert set((await asked(indexer, "growing pauses")).files) == {"net/client.py", "docs.md"}
        assert await asked(indexer, "the") == Evidence({}, {}, {})
        assert await asked(indexer, '"NEAR" OR ( * ^ -') == Evidence({}, {}, {})
        assert await asked(indexer, "") == Evidence({}, {}, {})


async def test_the_best_commits_come_first_and_recent_ones_count_more(tree: Tree) -> None:
    commit(tree, "Close idle sockets", "old.py", date="2001-01-01T00:00:00Z")
    commit(tree, "Close idle sockets", "new.py", date="2021-01-01T00:00:00Z")
    commit(tree, "Close idle sockets", "a.py", "b.py", "c.py", "d.py", date="2021-01-01T00:00:01Z")
    commit(tree, "Open and close files that are idle", "other.py", date="2021-01-01T00:00:02Z")
    async with followed(tree) as (_follower, indexer):
        scores = (await asked(indexer, "close idle sockets")).files
        assert sorted(scores, key=lambda path: -scores[path])[:1] == ["new.py"]
        assert scores["new.py"] > scores["a.py"] > scores["other.py"]
        assert scores["new.py"] > scores["old.py"]
        changes = await indexer.read(lambda reader: reader.commits.changes())
        assert changes["old.py"] == (1, 978_307_200)
        commit(tree, "more", "old.py", date="2022-01-01T00:00:00Z")
        assert await again(_follower, indexer) == 1
        changes = await indexer.read(lambda reader: reader.commits.changes())
        assert changes["old.py"] == (2, 1_640_995_200)


async def test_a_commit_that_shares_one_word_of_several_has_no_vote(tree: Tree) -> None:
    commit(tree, "Finalize the logic of headers", "headers.py")
    commit(tree, "Convert the response of a request", "response.py")
    async with followed(tree) as (_follower, indexer):
        assert await asked(indexer, "where is the retry logic") == Evidence({}, {}, {})
        assert set((await asked(indexer, "convert response text to JSON")).files) == {"response.py"}
        assert set((await asked(indexer, "where are the headers?")).files) == {"headers.py"}


async def test_old_paths_vote_for_where_their_files_are(tree: Tree) -> None:
    commit(tree, "Teach the whale to sing", "a/whale.py", "a/gone.py")
    commit(tree, "Feed the whale", "a/whale.py")
    tree.git("mv", "a", "b")
    commit(tree, "Move")
    tree.git("mv", "b/whale.py", "singer.py")
    (tree.root / "b/gone.py").unlink()
    commit(tree, "Rename")
    async with followed(tree) as (follower, indexer):
        found = await asked(indexer, "sing")
        assert set(found.files) == {"singer.py"}
        assert set(found.definitions) == {("singer.py", "whale")}
        changes = await indexer.read(lambda reader: reader.commits.changes())
        assert {path: each.commits for path, each in changes.items()} == {"singer.py": 4}
        # There and back again: no path is followed without end.
        tree.git("mv", "singer.py", "a.py")
        commit(tree, "there")
        tree.git("mv", "a.py", "singer.py")
        commit(tree, "back")
        await again(follower, indexer)
        assert set((await asked(indexer, "sing")).files) == {"singer.py"}
        tree.git("rm", "-q", "singer.py")
        commit(tree, "out")
        await again(follower, indexer)
        assert (await asked(indexer, "sing")).files == {}


async def test_head_is_followed(tree: Tree) -> None:
    commit(tree, "one", "a.py")
    async with followed(tree) as (follower, indexer):
        assert await again(follower, indexer) == 0
        revision = await indexer.read(lambda reader: reader.commits.revision())
        commit(tree, "two", "a.py")
        commit(tree, "three", "b.py")
        assert await again(follower, indexer) == 2
        assert await indexer.read(lambda reader: reader.commits.revision()) > revision

        tree.git("checkout", "-q", "-b", "side", "HEAD~1")  # nothing later than what is checked out votes
        assert await again(follower, indexer) == 0
        assert await subjects(indexer) == {"one", "two"}
        assert (await asked(indexer, "three")).files == {}
        commit(tree, "side", "c.py")
        assert await again(follower, indexer) == 1
        tree.git("checkout", "-q", "-")
        assert await again(follower, indexer) == 1
        assert await subjects(indexer) == {"one", "two", "three"}

        tree.git("reset", "-q", "--hard", "HEAD~2")  # a rewrite: the old HEAD is no ancestor of the new one
        commit(tree, "two again", "a.py")
        assert await again(follower, indexer) == 1
        assert await subjects(indexer) == {"one", "two again"}
        tree.git("merge", "-q", "--no-ff", "-X", "ours", "-m", "merge", "side")
        assert await again(follower, indexer) == 2
        assert await subjects(indexer) == {"one", "two again", "two", "side"}
    async with followed(tree) as (follower, indexer):
        assert follower.commits_read == 0
        shutil.rmtree(tree.root / ".git")
        assert await again(follower, indexer) == 0
        assert await subjects(indexer) == set()


async def test_it_can_be_switched_off_and_limited(tree: Tree) -> None:
    for number in range(5):
        commit(tree, f"number {number}", "a.py")
    async with followed(tree, most=0) as (follower, indexer):
        assert await subjects(indexer) == set()
        follower.reconfigure(2)
        await follower.wait_quiet()
        assert await subjects(indexer) == {"number 3", "number 4"}
        commit(tree, "last", "a.py")
        assert await again(follower, indexer) == 1
        assert await subjects(indexer) == {"number 4", "last"}
        follower.reconfigure(0)
        await follower.wait_quiet()
        assert await subjects(indexer) == set()


async def test_it_goes_on_where_it_was_stopped(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        commit(tree, f"number {number}", f"f{number}.py")
    monkeypatch.setattr(history, "READ_AT_ONCE", 2)
    async with tree.index() as indexer:
        follower = HistoryIndexer(str(tree.root), 100, indexer, on_log=lambda level, line: None)
        follower.follow()
        while not await subjects(indexer):
            await asyncio.sleep(0.001)
        await follower.close()
        done = await subjects(indexer)
        assert {"number 7", "number 8"} <= done  # the newest first
        assert "number 0" not in done
        assert await indexer.read(lambda reader: reader.commits.complete_for(history.READING)) is None
    async with followed(tree) as (follower, indexer):
        assert follower.commits_read == 9 - len(done)
        assert len(await subjects(indexer)) == 9


async def test_a_new_version_reads_all_again(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(tree, "one", "a.py")
    async with followed(tree):
        pass
    monkeypatch.setattr(commits, "TERMS_VERSION", "next")
    async with followed(tree) as (follower, indexer):
        assert follower.commits_read == 1
        assert set((await asked(indexer, "one")).files) == {"a.py"}


async def test_paths_that_no_catalog_can_hold(tree: Tree) -> None:
    (tree.root / os.fsdecode(b"caf\xe9.py")).write_text("")
    commit(tree, "Brew coffee", "a.py", "/".join(["x" * 200] * 6) + "/b.py")
    async with followed(tree) as (_follower, indexer):
        assert set((await asked(indexer, "coffee")).files) == {"a.py"}


move = st.one_of(
    st.tuples(st.just("commit"), st.sampled_from(["a.py", "b.py", "c/d.py"]), st.sampled_from(["x y", "y z", "z"])),
    st.tuples(st.just("rename"), st.sampled_from(["a.py", "b.py", "c/d.py"]), st.sampled_from(["e.py", "c/f.py"])),
    st.tuples(st.just("switch"), st.sampled_from(["one", "two"])),
    st.tuples(st.just("reset"), st.integers(1, 2)),
    st.tuples(st.just("merge"), st.sampled_from(["one", "two"])),
    st.tuples(st.just("follow")),
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(moves=st.lists(move, min_size=3, max_size=10))
def test_incremental_equals_fresh(
    moves: list[tuple[Any, ...]], workspace: Tree, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("history")
    (home / "root").mkdir()
    tree = type(workspace)(home / "root", home / "index")
    tree.git("init", "-q")
    commit(tree, "first", "a.py")
    tree.git("branch", "one")
    tree.git("branch", "two")

    def make(kind: str, *arguments: object) -> None:
        try:
            if kind == "commit":
                commit(tree, str(arguments[1]), str(arguments[0]))
            elif kind == "rename":
                tree.git("mv", *map(str, arguments))
                commit(tree, "moved")
            elif kind == "switch":
                tree.git("checkout", "-q", str(arguments[0]))
            elif kind == "reset":
                tree.git("reset", "-q", "--hard", f"HEAD~{arguments[0]}")
            elif kind == "merge":
                tree.git("merge", "-q", "-X", "ours", str(arguments[0]))
        except subprocess.CalledProcessError:
            subprocess.run(["git", "merge", "--abort"], cwd=tree.root, capture_output=True, check=False)

    async def run() -> None:
        async with followed(tree) as (follower, _indexer):
            for each in moves:
                if each[0] == "follow":
                    follower.follow()
                    await follower.wait_quiet()
                else:
                    make(*each)
            follower.follow()
            await follower.wait_quiet()
        (home / "fresh").mkdir()
        other = type(workspace)(tree.root, home / "fresh/index")
        async with followed(other):
            pass
        kept, fresh = (Catalog.open(folder) for folder in (tree.folder, other.folder))
        try:
            kept_rows, fresh_rows = kept.reader().dump(), fresh.reader().dump()
            for table in TABLES:
                assert kept_rows[table] == fresh_rows[table]
        finally:
            kept.close()
            fresh.close()

    asyncio.run(run())
