"""What the tests of the MCP front share: a repository, a home of its own, and clients in both eras of the protocol."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from pilotfish.mcp.roots import Connect, Roots, as_agent
from pilotfish.mcp.server import build_server
from tests.protocol.conftest import private_home as private_home

Era = Literal["auto", "legacy"]

TOKEN = "AKIA" + "QX7ZP3MNB2VK5TLD"
FENCES = "`" * 5
FILES = {
    "shop/checkout.py": '''\
"""Paying for a basket."""

from shop.stock import reserve


class Checkout:
    """Turns a basket into an order."""

    def charge_card(self, basket, card):
        """Take the money, and try again when the bank does not answer."""
        for attempt in range(3):
            if self.bank.take(card, basket.total()):
                return attempt
        raise PaymentError("the bank does not answer")

    def order(self, basket, shelf):
        reserve(shelf, basket.count)
        return self.charge_card(basket, basket.card)


class PaymentError(Exception):
    """The money was not taken."""
''',
    "shop/stock.py": '''\
"""What lies in the store house."""


def count_items(shelf):
    """Count what is left on a shelf."""
    return sum(box.items for box in shelf)


def reserve(shelf, number):
    if count_items(shelf) < number:
        raise LookupError("not enough on the shelf")
''',
    "docs/fences.md": f"# Fences\n\n{FENCES}\ninner fence about the bank vault\n{FENCES}\n",
    "web/basket.ts": "export class Basket {\n  addItem(name: string): void {\n    this.items.push(name);\n  }\n}\n",
    ".env": "BANK_TOKEN=the-bank-does-not-answer\n",
    "settings.py": f'ACCESS = "{TOKEN}"\nREGION = "the bank does not answer in time"\n',
}


def write_files(root: Path, files: dict[str, str] = FILES) -> Path:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    return root


@pytest.fixture
def root(tmp_path: Path, private_home: Path) -> Path:
    return write_files(tmp_path / "shop")


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> Era:
    chosen: Era = request.param
    return chosen


@contextlib.asynccontextmanager
async def in_process(
    *roots: Path, era: Era = "auto", connect: Connect = as_agent, **options: Any
) -> AsyncIterator[Client]:
    """A client of a server in this process, whose engines are processes as ever."""
    served = Roots([str(root) for root in roots], folder=Path.cwd(), connect=connect)
    served.begin()
    try:
        async with Client(build_server(served), mode=era, **options) as client:
            yield client
    finally:
        await served.close()


def command(*arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> StdioServerParameters:
    """The command of the real server, with the environment of this process and what `env` adds."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-I", "-m", "pilotfish", "mcp", *arguments],
        env={**os.environ, **(env or {})},
        cwd=cwd,
    )


async def indexed(client: Client, **arguments: Any) -> None:
    """Wait until the index is quiet."""
    result = await client.call_tool("sync_repository", arguments)
    assert not result.is_error, text_of(result)


def text_of(result: CallToolResult) -> str:
    """The one text of an answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
