"""Resources, prompts, several roots, progress and cancelling, in process and in both eras of the protocol."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

import pilotfish
from pilotfish.engine.client import Callbacks, EngineClient
from pilotfish.mcp.roots import Roots
from pilotfish.mcp.server import INSTRUCTIONS, build_server
from pilotfish.operations.index import StatusParameters, StatusResult
from tests.mcp.conftest import Era, in_process, indexed, text_of, write_files
from tests.protocol.raw_client import PATIENCE

HOST = Path(__file__).parents[1] / "protocol" / "engine_host.py"
"""An engine whose `sync_repository` takes as long as it is let, and that counts what was cancelled."""


async def read(client: Client, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


async def test_resources_are_read(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        await indexed(client)
        assert [str(resource.uri) for resource in (await client.list_resources()).resources] == [
            "pilotfish://map",
            "pilotfish://status",
        ]
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "pilotfish://file/{+path}/outline"
        assert "class Checkout" in await read(client, "pilotfish://map")
        assert f"root: {root}" in await read(client, "pilotfish://status")
        assert "9 method Checkout.charge_card" in await read(client, "pilotfish://file/shop/checkout.py/outline")


@pytest.mark.parametrize(
    "path",
    ["../outside.py", "/etc/passwd", "shop/../../outside.py", "shop/link.py", "folder/outside.py", "", ".", "a\0b"],
)
async def test_no_path_leads_out_of_the_root(root: Path, era: Era, path: str) -> None:
    (root.parent / "outside.py").write_text("def outside(): pass\n")
    (root / "shop" / "link.py").symlink_to(root.parent / "outside.py")
    (root / "folder").symlink_to(root.parent, target_is_directory=True)
    async with in_process(root, era=era) as client:
        for spelled in (path, quote(path, safe="")):
            with pytest.raises(MCPError):
                await read(client, f"pilotfish://file/{spelled}/outline")


async def test_unknown_resources_and_prompts_are_told_which_there_are(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        for uri in ("pilotfish://secrets", "pilotfish://[", "http://map", "pilotfish://" + "x" * 200_000):
            with pytest.raises(MCPError, match="there are pilotfish://map") as refused:
                await read(client, uri)
            assert len(str(refused.value)) < 2_000
        with pytest.raises(MCPError, match="change-safely"):
            await client.get_prompt("nothing")
        with pytest.raises(MCPError, match="send task"):
            await client.get_prompt("understand", {})


async def test_prompts_are_few_and_carry_their_argument(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["understand", "change-safely", "find"]
        (message,) = (await client.get_prompt("find", {"question": "where {is} it"})).messages
        assert isinstance(message.content, TextContent)
        assert "where {is} it" in message.content.text


async def test_instructions_are_short_and_can_be_left_out(root: Path) -> None:
    assert len(INSTRUCTIONS.split()) <= 80
    async with Client(build_server(Roots([], folder=root)), mode="legacy") as client:
        assert client.instructions == INSTRUCTIONS
    async with Client(build_server(Roots([], folder=root), with_instructions=False), mode="legacy") as client:
        assert client.instructions is None


async def test_one_server_answers_for_several_roots(root: Path, tmp_path: Path, era: Era) -> None:
    other = write_files(tmp_path / "bakery", {"oven.py": "def heat_oven():\n    return 1\n"})
    async with in_process(root, other, era=era) as client:
        tools = (await client.list_tools()).tools
        assert all("root" in tool.input_schema["properties"] for tool in tools)
        for name in ("shop", str(other)):
            await indexed(client, root=name)
        for name, outcome in ((None, "no_match"), ("bakery", "found"), (str(other / "oven.py"), "found")):
            arguments = {"symbol_name": "heat_oven"} | ({"root": name} if name else {})
            result = await client.call_tool("get_definition", arguments)
            assert not result.is_error, text_of(result)
            assert result.structured_content["outcome"] == outcome
            assert text_of(result).endswith(f", root {'bakery' if name else 'shop'}]")
        assert all("shop, bakery" in tool.input_schema["properties"]["root"]["description"] for tool in tools)
        assert "shop, bakery" in (client.instructions or "")
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template.endswith("/outline{?root}")
        assert "heat_oven" in await read(client, "pilotfish://file/oven.py/outline?root=bakery")
        refused = await client.call_tool("get_definition", {"symbol_name": "heat_oven", "root": "elsewhere"})
        assert f"Send root as one of {root}, {other}" in text_of(refused)
        assert "heat_oven" in await read(client, "pilotfish://map?root=bakery")


async def test_a_root_of_any_name_is_found_by_its_uri(root: Path, tmp_path: Path) -> None:
    other = write_files(tmp_path / "we ird&a=b#%41+c", {"oven.py": "def heat_oven():\n    return 1\n"})
    async with in_process(root, other) as client:
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        assert len(set(uris)) == 4
        assert f"root: {root}" in await read(client, uris[1])
        assert f'root: "{other}"' in await read(client, uris[3])


async def test_waiting_for_the_index_reports_progress(root: Path, era: Era) -> None:
    write_files(root, {f"many/part_{number}.py": f"def part_{number}():\n    pass\n" for number in range(400)})
    reports: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async with in_process(root, era=era) as client:
        result = await client.call_tool("sync_repository", {}, progress_callback=hear)
        assert not result.is_error
    assert reports
    assert reports == sorted(reports)
    assert all(message and "files" in message for _, _, message in reports)


async def test_a_cancelled_call_is_cancelled_in_the_engine(
    root: Path, era: Era, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOTFISH_TEST_PACKAGE", str(Path(pilotfish.__file__).parent))

    def connect(root: Path, callbacks: Callbacks) -> EngineClient:
        program = (sys.executable, "-I", "-X", "utf8", str(HOST))
        return EngineClient(root, kind="mcp", client="an agent", callbacks=callbacks, program=program)

    async with in_process(root, era=era, connect=connect) as client, connect(root, Callbacks()) as other:

        async def counters() -> dict[str, int]:
            answer = await other.request("get_repo_status", StatusParameters())
            assert isinstance(answer, StatusResult)
            return answer.counters

        call = asyncio.ensure_future(client.call_tool("sync_repository", {}))
        async with asyncio.timeout(PATIENCE):
            asked = 1
            while (await counters())["begun"] == asked:  # our own questions, and nothing else so far
                asked += 1
            call.cancel()
            while (await counters())["cancelled"] == 0:
                await asyncio.sleep(0.01)
        assert not (await client.call_tool("get_repo_status", {})).is_error


async def test_a_failed_engine_is_told_with_its_reason_and_status_still_answers(root: Path, era: Era) -> None:
    def connect(root: Path, callbacks: Callbacks) -> EngineClient:
        program = (sys.executable, "-c", "raise SystemExit('no engine today')")
        return EngineClient(root, kind="mcp", client="an agent", callbacks=callbacks, program=program)

    async with in_process(root, era=era, connect=connect) as client:
        failed = await client.call_tool("search_code", {"query": "reserve"})
        assert failed.is_error
        assert text_of(failed).startswith("Failed: ")
        assert "no engine today" in text_of(failed)
        assert "See the log: " in text_of(failed)
        status = await client.call_tool("get_repo_status", {})
        assert not status.is_error
        assert "no engine today" in status.structured_content["warnings"][0]
