"""What was typed a moment ago is in the answers, or they do not claim that there is nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine

LINES = "".join(f"def part_{number}(value):\n    return value + {number}\n\n\n" for number in range(2_000))
"""So much that its outline is not there at once."""


@pytest_asyncio.fixture
async def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PILOTFISH_SEMANTIC_COVERAGE", "off")
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "long.py").write_text(LINES)
    engine = await Engine.open(tmp_path / "root", index_folder=tmp_path / "index")
    await engine.wait_quiet()
    yield engine
    await engine.close()


@pytest.mark.parametrize(
    ("operation", "question"),
    [
        ("search_code", {"query": '"zebra_crossing"', "search_type": "text"}),
        ("find_symbols", {"query": "zebra_crossing"}),
        ("find_usages", {"symbol_name": "zebra_crossing"}),
    ],
)
async def test_a_text_that_was_just_typed_is_waited_for(
    engine: Engine, operation: str, question: dict[str, Any]
) -> None:
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    uri = (Path(engine.root) / "long.py").as_uri()

    def send(method: str, text: str) -> None:
        params = wire.DocumentText(uri=uri, version=1, text=text, language="python")
        engine.receive(session, method, msgspec.Raw(msgspec.json.encode(params)))

    send("document/open", LINES)
    document = session.documents[uri]
    for version in range(3):
        await document.settled.wait()
        send("document/change", LINES + "# a comment\n" * version)
    send("document/change", LINES + "def zebra_crossing():\n    return zebra_crossing()\n")
    answer = await engine.call(session, operation, msgspec.Raw(msgspec.json.encode(question)))
    assert answer.outcome in ("found", "not_indexed"), "no match would be wrong"
    await document.settled.wait()
    answer = await engine.call(session, operation, msgspec.Raw(msgspec.json.encode(question)))
    assert "long.py" in str(answer)


async def test_who_waits_for_a_document_that_is_closed_is_answered(engine: Engine) -> None:
    hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="lsp", client="test", pid=1)
    session = engine.connect(hello, lambda method, params: None)
    uri = (Path(engine.root) / "new.py").as_uri()
    params = wire.DocumentText(uri=uri, version=1, text=LINES, language="python")
    engine.receive(session, "document/open", msgspec.Raw(msgspec.json.encode(params)))
    document = session.documents[uri]
    engine.receive(session, "document/close", msgspec.Raw(msgspec.json.encode(wire.DocumentName(uri=uri))))
    await document.outlined(document.changed_at)
