"""Tools in process, in both eras of the protocol: the list, answers and their schemas, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation

from pilotfish.graph.tokens import estimate
from pilotfish.mcp.text import DATA
from pilotfish.operations import OPERATIONS
from tests.mcp.conftest import FENCES, TOKEN, Era, in_process, indexed, text_of, write_files

MAX_LIST_TOKENS = 2_500
MAX_TEXT_TOKENS = 1_500

CALLS: dict[str, dict[str, Any]] = {
    "search_code": {"query": "the bank does not answer"},
    "find_similar": {"symbol_name": "reserve"},
    "build_context": {"task": "charge the card again when the bank does not answer", "max_tokens": 1_000},
    "get_definition": {"symbol_name": "Checkout.charge_card"},
    "find_usages": {"symbol_name": "reserve"},
    "explain_code": {"symbol_name": "reserve"},
    "trace_execution": {"entry_point": "order"},
    "repo_map": {},
    "get_architecture": {},
    "get_repo_status": {},
    "sync_repository": {},
}


async def test_the_list_is_short_flat_and_read_only(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [operation.name for operation in OPERATIONS if operation.mcp]
    listed = [{"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in tools]
    assert estimate(json.dumps(listed, separators=(",", ":"))) <= MAX_LIST_TOKENS
    for tool in tools:
        assert tool.description is not None
        assert len(tool.description.split()) <= 60
        annotations = tool.annotations
        assert annotations is not None
        assert annotations.read_only_hint
        assert annotations.idempotent_hint
        assert annotations.open_world_hint is False
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            jsonschema.Draft202012Validator.check_schema(schema)
            assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & set(words(schema))


def words(schema: Any) -> list[str]:
    """All keys of a schema, at any depth."""
    if isinstance(schema, dict):
        return [*schema, *(word for value in schema.values() for word in words(value))]
    return [word for item in schema for word in words(item)] if isinstance(schema, list) else []


async def test_every_tool_answers_as_its_schema_says(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(CALLS) >= set(tools)
        await indexed(client)
        for name, tool in tools.items():
            assert tool.output_schema is not None
            jsonschema.validate(CALLS[name], tool.input_schema)
            result = await client.call_tool(name, CALLS[name])
            text = text_of(result)
            assert not result.is_error, text
            jsonschema.validate(result.structured_content, tool.output_schema)
            assert result.structured_content["outcome"] == "found", (name, text)
            assert set(result.structured_content) <= set(tool.output_schema["properties"])
            assert text.splitlines()[-1].startswith("[index: generation ")
            assert estimate(text) <= MAX_TEXT_TOKENS
            assert estimate(json.dumps(result.structured_content, separators=(",", ":"))) <= MAX_TEXT_TOKENS
            assert text.count(DATA) == (1 if "```" in text else 0)


async def test_places_come_first_and_source_between_fences(root: Path) -> None:
    async with in_process(root) as client:
        await indexed(client)
        found = text_of(await client.call_tool("search_code", {"query": "charge_card", "max_results": 1}))
        assert "1. shop/checkout.py:" in found
        assert found.index(DATA) < found.index("```python\n")
        definition = text_of(await client.call_tool("get_definition", {"symbol_name": "charge_card"}))
        assert "1. shop/checkout.py:9-14 method Checkout.charge_card" in definition
        uses = text_of(await client.call_tool("find_usages", {"symbol_name": "charge_card"}))
        assert "shop/checkout.py\n  18 call in Checkout.order: return self.charge_card(basket, basket.card)" in uses
        fences = text_of(await client.call_tool("search_code", {"query": '"inner fence"'}))
        assert f"{FENCES}`markdown\n" in fences


async def test_no_budget_is_exceeded_and_the_rest_can_be_had(root: Path) -> None:
    for number in range(60):
        (root / f"part_{number}.py").write_text(
            f"from shop.stock import reserve\n\n\ndef f{number}():\n    reserve([], {number})\n"
        )
    async with in_process(root) as client:
        await indexed(client)
        for name, arguments in CALLS.items():
            if name not in ("get_repo_status", "sync_repository"):
                for budget in (200, 400):
                    result = await client.call_tool(name, {**arguments, "max_tokens": budget})
                    assert not result.is_error, text_of(result)
                    assert estimate(text_of(result)) <= budget, (name, text_of(result))
                    structured = json.dumps(result.structured_content, separators=(",", ":"))
                    assert estimate(structured) <= budget, (name, structured)
        uses = await client.call_tool("find_usages", {"symbol_name": "reserve", "max_tokens": 400})
        assert "send a larger max_tokens" in text_of(uses)
        assert "send a larger max_tokens" in uses.structured_content["note"]
        more = await client.call_tool(
            "find_usages", {"symbol_name": "reserve", "max_tokens": 8_000, "max_results": 500}
        )
        assert "note" not in more.structured_content
        assert len(more.structured_content["usages"]) == more.structured_content["total"]


async def test_lines_that_were_asked_for_are_in_every_answer(root: Path) -> None:
    imports = "".join(f"import library_{number}\n" for number in range(60))
    uses = "".join(f"\n\ndef user_{number}():\n    wide({number})\n" for number in range(60))
    asked = [f"    step_{number} = argument + {number}" for number in range(6)]
    head = f'{imports}\n\ndef wide(argument):\n    """All of it."""\n'
    (root / "wide.py").write_text(head + "\n".join(asked) + "\n    return argument\n" * 40 + uses)
    lines = {"file_path": "wide.py", "line_start": head.count("\n") + 1, "line_end": head.count("\n") + 6}
    async with in_process(root) as client:
        await indexed(client)
        for budget in (300, 500):
            result = await client.call_tool("explain_code", {**lines, "max_tokens": budget})
            text = text_of(result)
            assert "\n".join(["```", *asked, "-- in"]) in text
            assert result.structured_content["source"].splitlines() == asked
            assert text.index(asked[0]) < text.index("called by user_0")
            assert "library_" not in text
            for told in (text, json.dumps(result.structured_content, separators=(",", ":"))):
                assert 0.8 * budget <= estimate(told) <= budget, told


async def test_a_trace_uses_its_budget_and_keeps_the_upper_calls(root: Path) -> None:
    steps = "".join(f"\n\ndef step_{number}():\n    deep_{number}()\n" for number in range(40))
    deep = "".join(f"\n\ndef deep_{number}():\n    pass\n" for number in range(40))
    calls = "".join(f"    step_{number}()\n" for number in range(40))
    (root / "chain.py").write_text(f"def chain():\n{calls}{steps}{deep}")
    async with in_process(root) as client:
        await indexed(client)
        for budget in (400, 700):
            result = await client.call_tool("trace_execution", {"entry_point": "chain", "max_tokens": budget})
            text, content = text_of(result), result.structured_content
            for told in (text, json.dumps(content, separators=(",", ":"))):
                assert 0.8 * budget <= estimate(told) <= budget, told
            assert "larger max_tokens" in text
            assert text.count("max_tokens") == 1
            depths = [step["depth"] for step in content["steps"]]
            assert depths.count(2) == 0 or depths.count(1) == 40
            assert content["truncated"]
            assert [step.get("cut", False) for step in content["steps"] if step["depth"] == 1][-1]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("search_code", {}, ["query", "(required)"]),
        ("search_code", {"query": "x", "colour": "red"}, ["`colour`", "Send one object with query (required)"]),
        ("search_code", {"query": 7}, ["$.query", "query (required)"]),
        ("search_code", {"query": "x", "max_results": 0}, ["$.max_results", ">= 1"]),
        ("search_code", {"query": "x", "snippet_chars": 10}, ["`snippet_chars`", "file_filter"]),
        ("search_code", {"query": "x", "max_tokens": "many"}, ["$.max_tokens", "max_tokens"]),
        ("search_code", {"query": "x", "max_tokens": 0}, ["$.max_tokens", ">= 200"]),
        ("explain_code", {"symbol_name": "x", "max_tokens": 10}, ["$.max_tokens", ">= 200"]),
        ("search_code", {"query": "x", "tests": "yes"}, ["$.tests", "auto, exclude, include, only"]),
        ("repo_map", {"format": "html"}, ["tree, compact", "$.format"]),
        ("sync_repository", {"fetch": True}, ["`fetch`", "force, wait"]),
        ("get_repo_status", {"max_tokens": 5}, ["max_tokens", "an empty object"]),
        ("get_definition", {"symbol_name": "reserve", "root": "/etc"}, ["/etc is not served", "Send root as one of"]),
        ("find_similar", {}, ["symbol_name"]),
    ],
)
async def test_refusals_say_what_to_send_instead(
    root: Path, era: Era, name: str, arguments: dict[str, Any], words: list[str]
) -> None:
    async with in_process(root, era=era) as client:
        result = await client.call_tool(name, arguments)
        assert result.is_error
        for word in words:
            assert word in text_of(result)


async def test_an_unknown_tool_is_an_error_that_names_those_there_are(root: Path, era: Era) -> None:
    async with in_process(root, era=era) as client:
        with pytest.raises(MCPError, match="search_code"):
            await client.call_tool("run_shell", {})


async def test_errors_are_short_and_visible_whatever_was_sent(root: Path) -> None:
    long = "\x1b[31m\u202ex " * 50_000
    async with in_process(root) as client:
        for arguments in ({"query": "x", "language": long}, {"query": "x", "tests": long}, {"query": "x", long: 1}):
            refused = await client.call_tool("search_code", arguments)
            assert refused.is_error
            assert len(text_of(refused)) < 1_500
            assert text_of(refused).isprintable()
        outside = await client.call_tool("explain_code", {"file_path": "../../x.py", "line_start": 1, "line_end": 1})
        assert "../../x.py lies outside" in text_of(outside)
        with pytest.raises(MCPError) as unknown:
            await client.call_tool(long, {})
        assert len(str(unknown.value)) < 2_000


async def test_a_page_beyond_the_last_is_no_lack_of_a_match(root: Path) -> None:
    async with in_process(root) as client:
        await indexed(client)
        beyond = text_of(await client.call_tool("get_definition", {"symbol_name": "reserve", "page": 9}))
        assert "send page=1" in beyond
        assert "No match" not in beyond


async def test_a_root_that_is_gone_is_not_a_lack_of_a_match(root: Path) -> None:
    async with in_process(root) as client:
        await indexed(client)
        root.rename(root.with_name("moved"))
        gone = await client.call_tool("get_definition", {"symbol_name": "nothing_is_called_that"})
        assert "No match" not in text_of(gone) or gone.structured_content["outcome"] == "not_indexed"
        root.with_name("moved").rename(root)


async def test_a_folder_of_repositories_says_that_they_are_roots_of_their_own(root: Path) -> None:
    for name in ("one", "two words"):
        for folder in ("objects", "refs"):
            (root / "repositories" / name / ".git" / folder).mkdir(parents=True)
        write_files(root / "repositories" / name, {".git/HEAD": "ref: refs/heads/main\n", "a.py": "a = 1\n"})
    async with in_process(root) as client:
        await indexed(client)
        status = text_of(await client.call_tool("get_repo_status", {}))
        assert '2 repositories inside, each a root of its own (repositories/one, "repositories/two words")' in status


async def test_null_stands_for_nothing(root: Path) -> None:
    async with in_process(root) as client:
        result = await client.call_tool("search_code", {"query": "reserve", "page": None, "language": None})
        assert not result.is_error


async def test_no_match_is_told_from_not_indexed_and_from_failed(root: Path) -> None:
    async with in_process(root) as client:
        await indexed(client)
        none = await client.call_tool("get_definition", {"symbol_name": "nothing_is_called_that"})
        assert not none.is_error
        assert none.structured_content["outcome"] == "no_match"
        assert text_of(none).startswith("No match.")
        failed = await client.call_tool("search_code", {"query": "/(/"})
        assert failed.is_error


async def test_secrets_are_not_returned(root: Path) -> None:
    async with in_process(root) as client:
        await indexed(client)
        for name, arguments in (
            ("search_code", {"query": "ACCESS"}),
            ("search_code", {"query": "the bank does not answer", "max_results": 20}),
            ("search_code", {"query": f'"{TOKEN}"'}),
            ("build_context", {"task": "the region and the access to the bank"}),
            ("explain_code", {"file_path": "settings.py"}),
            ("explain_code", {"file_path": ".env"}),
        ):
            result = await client.call_tool(name, arguments)
            told = text_of(result) + json.dumps(result.structured_content)
            assert TOKEN not in told.replace(f'"\\"{TOKEN}\\""', ""), name
            assert "BANK_TOKEN" not in told


@pytest.mark.parametrize(
    ("client", "shown"),
    [
        (Implementation(name="Claude Code", version="2.1"), "mcp Claude Code 2.1"),
        (Implementation(name="\x1b[31mred\n\u202eagent " + "x" * 200, version="1"), "mcp [31mred agent " + "x" * 66),
        (Implementation(name="\u200b", version="\t"), "mcp an agent"),
    ],
)
async def test_status_calls_an_agent_by_its_own_name(root: Path, era: Era, client: Implementation, shown: str) -> None:
    async with in_process(root, era=era, client_info=client) as agent:
        await indexed(agent)
        status = await agent.call_tool("get_repo_status", {})
        assert status.structured_content["sessions"] == [shown]
