"""Typing in a large file while the index is built: what becomes of each key stroke, and of hovers in between.

    python -m tests.bench.keystrokes FOLDER [--share N] [--seconds N]

A file of 5,000 lines and more is open from the first moment of a cold index on. Every 30 ms one more character is typed
into its middle, one `didChange` each; every tenth key asks for a hover. Those that are asked while the engine starts
wait for it; how long that takes is a line of its own. The server is the real one; beside handling a change it notes
which version that was and when it was done, so that lost, doubled and reordered ones show. The same is measured again
once all symbols are there. Ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench import corpus
from tests.bench.pipe import Row, call_places, command, milliseconds, open_params, quantile, quiet
from tests.bench.semantic import thinned
from tests.protocol.raw_client import RawClient, raw_client

INTERVAL_S = 0.03
HOVER_EVERY = 10
LEAST_LINES = 5_000
TYPED = "def typed_{number}(first, second):\n    return first + second\n\n\n"


@dataclass
class Typist:
    """A document under somebody's hands: its lines as typed, and when each version was sent."""

    path: Path
    lines: list[str]
    line: int
    character: int = 0
    version: int = 1
    sent: dict[int, float] = field(default_factory=dict)
    hovers: list[tuple[float, float]] = field(default_factory=list)
    """When each was asked, and how long its answer took."""

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines)

    async def press(self, client: RawClient, key: str) -> None:
        """Type one character."""
        place = {"line": self.line, "character": self.character}
        self.version += 1
        change = {"range": {"start": place, "end": place}, "text": key}
        self.sent[self.version] = time.perf_counter()
        document = {"uri": self.path.as_uri(), "version": self.version}
        await client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        typed = self.lines[self.line]
        changed = typed[: self.character] + key + typed[self.character :]
        self.lines[self.line : self.line + 1] = changed.split("\n")
        self.line, self.character = (self.line + 1, 0) if key == "\n" else (self.line, self.character + 1)

    async def hover(self, client: RawClient, place: tuple[int, int]) -> None:
        """Ask about a name above the place of typing."""
        where = {"line": place[0], "character": place[1]}
        started = time.perf_counter()
        asked = {"textDocument": {"uri": self.path.as_uri()}, "position": where}
        _, answer = await client.start_request("textDocument/hover", asked)
        await answer  # however long it takes
        self.hovers.append((started, time.perf_counter() - started))


async def type_on(client: RawClient, typist: Typist, seconds: float, until_quiet: bool) -> None:
    """Type for some time, or until the server says that the index is quiet."""
    keys = itertools.chain.from_iterable(TYPED.format(number=number) for number in itertools.count(typist.version))
    places = [place for place in call_places(typist.text) if place[0] < typist.line - 1]
    started = time.perf_counter()
    waiting: set[asyncio.Task[None]] = set()
    for number, key in enumerate(keys):
        await asyncio.sleep(max(0.0, started + number * INTERVAL_S - time.perf_counter()))
        await typist.press(client, key)
        if number % HOVER_EVERY == 0:
            waiting.add(asyncio.ensure_future(typist.hover(client, places[number % len(places)])))
        is_over = time.perf_counter() - started > seconds or (until_quiet and is_quiet(client))
        if is_over and key == "\n":
            break
    await asyncio.gather(*waiting)


def is_quiet(client: RawClient) -> bool:
    """Whether the last word of the server about its index is that nothing is going on."""
    said = [item["params"] for item in client.notifications if item["method"] == "experimental/serverStatus"]
    return bool(said) and bool(said[-1]["quiescent"]) and any(not status["quiescent"] for status in said)


def large_file(folder: Path) -> str:
    """Return the text of the longest Python file that is indexed, repeated if it is not long enough."""
    candidates = [path for path in corpus.files(folder) if path.suffix == ".py" and path.stat().st_size < 500_000]
    text = max((path.read_text("utf-8", "replace") for path in candidates), key=lambda text: text.count("\n"))
    return text * (1 + LEAST_LINES // text.count("\n"))


def middle(text: str) -> int:
    """Return a line near the middle where a definition begins at the margin."""
    lines = text.split("\n")
    half = len(lines) // 2
    return next(number for number in range(half, len(lines)) if lines[number].startswith(("def ", "class ", "@")))


async def measure(root: Path, home: Path, seconds: float) -> list[Row]:
    """Type during a cold index and again when it is quiet."""
    text = large_file(root)
    path = root / "typed_into.py"
    path.write_text(text, "utf-8")
    notes = home / "changes.txt"
    front = [sys.executable, "-m", "tests.bench.keystrokes", "--front", str(notes)]
    async with raw_client(command=front, environment={"PILOTFISH_HOME": str(home)}) as client:
        capabilities = {"experimental": {"serverStatusNotification": True}}
        await client.initialize(root, capabilities=capabilities, initializationOptions={"features": {"hover": "full"}})
        typist = Typist(path, text.split("\n"), middle(text))
        await client.notify("textDocument/didOpen", open_params(path, text))
        await type_on(client, typist, seconds, until_quiet=True)
        status = await command(client, "status")
        cold = (dict(typist.sent), sorted(typist.hovers))
        await quiet(client)
        typist.hovers.clear()
        await type_on(client, typist, 15, until_quiet=False)
        await client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        await client.request("workspace/willCreateFiles", {"files": []})
    *changes, closed = notes.read_text().splitlines()
    handled = [(int(version), float(when)) for version, when in (line.split() for line in changes)]
    return rows(typist, handled, closed, cold, status)


def rows(
    typist: Typist,
    handled: list[tuple[int, float]],
    closed: str,
    cold: tuple[dict[int, float], list[tuple[float, float]]],
    status: dict[str, Any],
) -> list[Row]:
    """Compare what was sent with what was handled."""
    sent, asked = cold
    begun = min(when + answered for when, answered in asked)
    hovers = [answered for when, answered in asked if when >= begun] or [answered for _, answered in asked]
    took = {version: when - typist.sent[version] for version, when in handled}
    busy = [took[version] for version in sent if version in took]
    idle = [took[version] for version in typist.sent if version in took and version not in sent]
    in_order = [version for version, _ in handled] == list(typist.sent)
    is_same = closed == digest(typist.text)
    index = status["index"]
    lines = typist.text.count("\n")
    state = f"{index['files']:,} files indexed, {index['pending']:,} pending, {index['embedded']:,} vectors at the end"
    order = f"{len(handled):,} of {len(typist.sent):,} handled, " + ("in order" if in_order else "NOT in order")
    text = "the server's text is the typed one" if is_same else "the server's text is ANOTHER"
    p99, p95 = quantile(busy, 0.99), quantile(hovers, 0.95)
    return [
        Row(f"typing in a file of {lines:,} lines, a key every 30 ms, during a cold index", state, ""),
        Row("key strokes", f"{order}; {text}", "none lost", in_order and is_same),
        Row("`didChange` from being sent to being handled", milliseconds(busy), "p99 < 20 ms", p99 < 0.02),
        Row("from the first hover to its answer, the engine being started", f"{begun - asked[0][0]:.1f} s", ""),
        Row("hover in between", milliseconds(hovers), "p95 < 150 ms", p95 < 0.15),
        Row("`didChange` afterwards", milliseconds(idle), ""),
        Row("hover afterwards", milliseconds([answered for _, answered in typist.hovers]), ""),
    ]


def digest(text: str) -> str:
    """Return a short word for a whole text."""
    return hashlib.sha256(text.encode()).hexdigest()


def noting_front(notes: Path) -> int:
    """Run `pilotfish serve` with a note of each change when it is handled, and of the text at the end."""
    from pilotfish.__main__ import main
    from pilotfish.lsp.documents import Documents

    changed, closed = Documents.changed, Documents.closed
    with notes.open("w", buffering=1) as file:

        def noted_change(documents: Documents, params: Any) -> None:
            changed(documents, params)
            file.write(f"{params.text_document.version} {time.perf_counter()}\n")

        def noted_close(documents: Documents, params: Any) -> None:
            document = documents.get(params.text_document.uri)
            file.write(f"{digest(document.text) if document is not None else 'nothing'}\n")
            closed(documents, params)

        Documents.changed, Documents.closed = noted_change, noted_close  # type: ignore[method-assign]
        sys.argv = ["pilotfish", "serve"]
        return main()


def run() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--share", type=int, default=2, help="take every N-th file")
    parser.add_argument("--seconds", type=float, default=60, help="type no longer than this")
    parser.add_argument("--front", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.front is not None:
        return noting_front(options.front)
    folder = options.folder or corpus.fetch(corpus.default_folder())
    with tempfile.TemporaryDirectory(prefix="pf-bench-", ignore_cleanup_errors=True) as name:
        scratch = Path(name).resolve()
        home = scratch / "home"
        home.mkdir()
        root = thinned(folder.resolve(), options.share, scratch / "corpus")
        found = asyncio.run(measure(root, home, options.seconds))
    for row in found:
        verdict = {None: "", True: "met", False: "NOT MET"}[row.met]
        print(f"{row.what}: {row.figure} {f'[{row.target}: {verdict}]' if row.target else ''}".rstrip())
    return int(any(row.met is False for row in found))


if __name__ == "__main__":
    sys.exit(run())
