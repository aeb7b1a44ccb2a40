"""The official inspector of MCP servers, as its lock file pins it, on the node that is pinned with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pilotfish.operations import OPERATIONS
from tests.mcp.http_front import TOKEN, front

FOLDER = Path(__file__).parent / "inspector"
MODULES = FOLDER / "node_modules"
NODE = MODULES / "node" / "bin" / "node"
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
PATIENCE = 90.0

pytestmark = pytest.mark.skipif(
    not (NODE.exists() and INSPECTOR.exists()), reason="not installed: npm ci --prefix tests/mcp/inspector"
)


@pytest.fixture(params=["legacy", "modern"])
def era(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


class Inspector:
    """The inspector's command line, in front of one server."""

    def __init__(self, home: Path, *server: str) -> None:
        self._home = home
        self._server = server

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        # A home of its own: it keeps a catalog of servers and a store of sign-ins there.
        return subprocess.run(
            [str(NODE), str(INSPECTOR), "--cli", *self._server, "--stored-auth-only", *arguments],
            env=os.environ | {"HOME": str(self._home), "MCP_CATALOG_PATH": str(self._home / "catalog.json")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def ask(self, method: str, *arguments: str) -> Any:
        done = self.run("--method", method, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def lists_calls_and_reads(inspector: Inspector, era: str) -> None:
    versed = ("--protocol-era", era)
    # Strict: a schema that some client cannot use is an error.
    tools = inspector.ask("tools/list", "--strict", *versed)["tools"]
    assert [tool["name"] for tool in tools] == [operation.name for operation in OPERATIONS if operation.mcp]
    waited = inspector.ask("tools/call", "--tool-name", "sync_repository", *versed)
    assert not waited.get("isError")
    call = ("--tool-name", "get_definition", "--tool-arg", "symbol_name=count_items")
    found = inspector.ask("tools/call", *call, *versed)
    assert found["structuredContent"]["definitions"][0]["path"] == "shop/stock.py"
    (outline,) = inspector.ask("resources/read", "--uri", "pilotfish://file/shop/stock.py/outline", *versed)["contents"]
    assert "count_items" in outline["text"]


def test_over_standard_streams(root: Path, tmp_path: Path, era: str) -> None:
    command = (sys.executable, "-I", "-m", "pilotfish", "mcp", "--root", str(root))
    lists_calls_and_reads(Inspector(tmp_path, *command), era)


def test_over_http(root: Path, tmp_path: Path, era: str) -> None:
    with front("--root", str(root)) as server:
        lists_calls_and_reads(Inspector(tmp_path, server.url, "--header", f"Authorization: Bearer {TOKEN}"), era)
        refused = Inspector(tmp_path, server.url, "--header", f"Authorization: Bearer {TOKEN}x").run(
            "--method", "tools/list", "--protocol-era", era
        )
        assert refused.returncode != 0
        assert not refused.stdout.strip()
