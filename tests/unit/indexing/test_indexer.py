"""The index follows the tree: what is read, what is not read again, and what is told meanwhile."""

from __future__ import annotations

from pilotfish.indexing.indexer import Indexer


def names(indexer: Indexer, path: str) -> list[str]:
    with indexer._catalog.reader() as reader:
        outline = reader.outline(path)
        return [] if outline is None else [symbol.name for symbol in outline.symbols]


async def test_a_first_index_and_single_changes(workspace):
    workspace.write("a.py", "def a(): pass\n")
    workspace.write("sub/b.py", "def b(): pass\n")
    async with workspace.index() as indexer:
        assert names(indexer, "a.py") == ["a"]
        assert names(indexer, "sub/b.py") == ["b"]
        assert indexer.state.phase == "ready"
        workspace.write("a.py", "def changed(): pass\n", age_s=0)
        (workspace.root / "sub/b.py").unlink()
        workspace.write("sub/deep/c.py", "def c(): pass\n")
        indexer.changed(["a.py", "sub"])
        await indexer.wait_quiet()
        assert names(indexer, "a.py") == ["changed"]
        assert names(indexer, "sub/b.py") == []
        assert names(indexer, "sub/deep/c.py") == ["c"]
        assert (indexer.state.files, indexer.state.pending) == (2, 0)
        assert workspace.log == []
