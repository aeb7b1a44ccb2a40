"""What an editor shows of a definition in languages without a server: its documentation, and nothing active in it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.markers import place
from tests.protocol.raw_client import RawClient, raw_client

JAVA = """\
package shop;

public class Till {
    /**
     * Takes {@code amount} out, see <a href="https://evil.example/x">the <b>rules</b></a>.
     * <script>alert(1)</script>
     *
     * @param amount how much, in {@link Coin}s
     * @return what is left
     * @throws IllegalStateException if there is too little
     */
    public long take(long amount) {  // @java:take
        return 0;
    }
}
"""
CSHARP = """\
namespace Shop;

public class Till
{
    /// <summary>Puts <paramref name="amount"/> in.</summary>
    /// <param name="amount">How much.</param>
    /// <exception cref="T:System.ArgumentException">It is negative.</exception>
    public void Put(long amount) { }  // @csharp:Put
}
"""
CPP = """\
/// @brief Counts [it](command:evil), `b`.
///
/// @code
/// count(1);
/// @endcode
/// @param[in] first Where to begin
int count(int first) { return first; }  // @cpp:count
"""
FULL = {"features": {"full_for": ["java", "csharp", "cpp"]}}
MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="pf-", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("PILOTFISH_HOME", folder)
        yield


@contextlib.asynccontextmanager
async def editor(root: Path, capabilities: dict[str, Any]) -> AsyncIterator[RawClient]:
    for name, text in (("Till.java", JAVA), ("Till.cs", CSHARP), ("count.cpp", CPP)):
        (root / name).write_text(text)
    async with raw_client() as client:
        await client.initialize(root, initializationOptions=FULL, capabilities=capabilities)
        wait = {"command": "pilotfish.control", "arguments": [{"action": "wait"}]}
        await client.request("workspace/executeCommand", wait)
        yield client


async def shown(client: RawClient, path: Path, language: str) -> dict[str, str]:
    text = path.read_text()
    item = {"uri": path.as_uri(), "languageId": language, "version": 1, "text": text}
    await client.notify("textDocument/didOpen", {"textDocument": item})
    at = {"textDocument": {"uri": path.as_uri()}, "position": place(text, language)}
    contents: dict[str, str] = (await client.request("textDocument/hover", at))["contents"]
    return contents


async def test_documentation_is_shown_by_its_language_s_custom(tmp_path: Path) -> None:
    async with editor(tmp_path, MARKDOWN) as client:
        java = await shown(client, tmp_path / "Till.java", "java")
        assert java["kind"] == "markdown"
        assert java["value"].startswith(
            "```java\npublic long take(long amount)\n```\n\nmethod of `Till` in `Till.java:12`"
        )
        assert "Takes `amount` out, see the rules (`https://evil.example/x`)." in java["value"]
        assert "\\<script>alert(1)\\</script>" in java["value"]
        assert "**Parameters**\n\n- `amount` — how much, in `Coin`s\n\n**Returns** — what is left" in java["value"]
        assert "**Throws**\n\n- `IllegalStateException` — if there is too little" in java["value"]
        csharp = await shown(client, tmp_path / "Till.cs", "csharp")
        assert csharp["value"].startswith("```csharp\npublic void Put(long amount)\n```\n\n")
        assert "Puts `amount` in.\n\n**Parameters**\n\n- `amount` — How much.\n\n**Throws**" in csharp["value"]
        assert "- `System.ArgumentException` — It is negative." in csharp["value"]
        cpp = await shown(client, tmp_path / "count.cpp", "cpp")
        assert cpp["value"].startswith("```cpp\nint count(int first)\n```\n\n")
        assert "Counts \\[it\\](command:evil), `b`.\n\n```\ncount(1);\n```\n\n**Parameters**" in cpp["value"]


async def test_an_editor_without_markdown_sees_neither_fences_nor_escapes(tmp_path: Path) -> None:
    async with editor(tmp_path, {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}) as client:
        cpp = await shown(client, tmp_path / "count.cpp", "cpp")
        assert cpp["kind"] == "plaintext"
        assert cpp["value"].startswith(
            "int count(int first)\n\nfunction in `count.cpp:7`\n\nCounts [it](command:evil), `b`."
        )
        assert "```" not in cpp["value"]
