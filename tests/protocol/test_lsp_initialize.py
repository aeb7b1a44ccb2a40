"""What is offered to which client, under the capabilities that real editors were recorded with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import client_capabilities

from tests.protocol.raw_client import RawClient, raw_client

DOCUMENT_PROVIDERS = (
    "definitionProvider",
    "referencesProvider",
    "documentSymbolProvider",
    "documentHighlightProvider",
    "implementationProvider",
    "typeHierarchyProvider",
    "callHierarchyProvider",
)
VS_CODE = "visual_studio_code"


def _recorded(name: str) -> dict[str, Any]:
    plain: dict[str, Any] = get_converter().unstructure(client_capabilities(name), types.ClientCapabilities)
    return plain


async def _capabilities(client: RawClient, options: Any = None, **params: Any) -> dict[str, Any]:
    result = await client.initialize(initializationOptions=options, **params)
    capabilities: dict[str, Any] = result["capabilities"]
    return capabilities


@pytest.mark.parametrize("editor", [VS_CODE, "neovim", "emacs"])
async def test_a_sidecar_offers_what_a_primary_server_does_not(editor: str) -> None:
    async with raw_client() as client:
        offered = await _capabilities(client, capabilities=_recorded(editor))
        assert not [provider for provider in DOCUMENT_PROVIDERS if offered.get(provider)]
        assert offered["hoverProvider"] is True
        assert offered["workspaceSymbolProvider"]["resolveProvider"] is True
        assert offered["positionEncoding"] == "utf-16"
        assert offered["textDocumentSync"]["change"] == 2
        assert offered["workspace"]["workspaceFolders"] == {"supported": True, "changeNotifications": True}
        assert len(offered["workspace"]["fileOperations"]) == 6


async def test_switches_decide_what_is_offered() -> None:
    features = {"hover": "off", "workspace_symbol": False, "definition": True, "file_operations": False}
    async with raw_client() as client:
        offered = await _capabilities(client, {"features": features})
        assert not offered.get("hoverProvider")
        assert not offered.get("workspaceSymbolProvider")
        assert offered["definitionProvider"] is True
        assert "fileOperations" not in offered["workspace"]
        assert await client.request("workspace/symbol", {"query": "x"}) == []


async def test_features_of_single_languages_are_registered_for_these_alone() -> None:
    options = {"features": {"full_for": ["bash"]}}
    async with raw_client() as client:
        offered = await _capabilities(client, options, capabilities=_recorded(VS_CODE))
        assert not offered.get("definitionProvider")
        registered = await _registered(client)
        assert registered["textDocument/definition"] == {
            "documentSelector": [{"language": name} for name in ("bash", "shellscript", "sh", "zsh")]
        }
        assert registered["workspace/didChangeConfiguration"] == {"section": "pilotfish"}
        assert registered["workspace/didChangeWatchedFiles"]["watchers"] == [{"globPattern": "**/*"}]
    async with raw_client() as client:
        offered = await _capabilities(client, options)
        assert [provider for provider in DOCUMENT_PROVIDERS if not offered.get(provider)] == []


async def test_files_are_watched_by_the_client_only_where_it_can() -> None:
    async with raw_client() as client:
        await _capabilities(client, capabilities=_recorded("neovim"))
        await client.request("workspace/symbol", {"query": ""})
        methods = {item["method"] for request in client.requests for item in request["params"].get("registrations", [])}
        assert "workspace/didChangeWatchedFiles" not in methods


@pytest.mark.parametrize(
    ("offered", "preferred", "chosen"),
    [
        (["utf-8", "utf-16", "utf-32"], None, "utf-16"),
        (["utf-8", "utf-16", "utf-32"], "utf-8", "utf-8"),
        (["utf-16"], "utf-8", "utf-16"),
        (["utf-32", "nonsense"], "utf-32", "utf-32"),
        (None, None, "utf-16"),
    ],
)
async def test_the_position_encoding(offered: list[str] | None, preferred: str | None, chosen: str) -> None:
    options = {"lsp": {"position_encoding": preferred}} if preferred else None
    async with raw_client() as client:
        capabilities = {"general": {"positionEncodings": offered}} if offered else {}
        assert (await _capabilities(client, options, capabilities=capabilities))["positionEncoding"] == chosen


async def test_capabilities_of_no_known_shape_are_ignored() -> None:
    careless: dict[str, Any] = {
        "workspace": {"symbol": {"symbolKind": {"valueSet": [5, 999]}}, "configuration": True},
        "window": 5,
    }
    async with raw_client() as client:
        assert (await client.error("initialize", {"processId": None, "capabilities": careless}))["code"] == -32602
        del careless["window"]
        await client.initialize(capabilities=careless)


async def test_bad_settings_are_named_once_and_replaced() -> None:
    options = {"features": {"hover": "loud"}, "limits": {"workers": 99}, "nonsense": 1}
    async with raw_client() as client:
        offered = await _capabilities(client, options)
        assert offered["hoverProvider"] is True
        await client.notify("workspace/didChangeConfiguration", {"settings": options})
        await client.request("workspace/symbol", {"query": ""})
        lines = [item["params"]["message"] for item in client.notifications if item["method"] == "window/logMessage"]
        assert [sum(word in line for line in lines) for word in ("features.hover", "limits.workers", "nonsense")] == [
            1
        ] * 3


async def test_folders_that_are_no_project_are_refused_calmly() -> None:
    async with raw_client() as client:
        await client.initialize(Path("/"))
        message = await client.wait_for("window/showMessage")
        assert message["type"] == 3
        assert "top of the file system" in message["message"]
        client.notifications.clear()


async def test_the_trace_follows_the_client() -> None:
    async with raw_client() as client:
        await client.initialize(trace="messages")
        await client.request("workspace/symbol", {"query": ""})
        first = await client.wait_for("$/logTrace", 2)
        assert first["message"].startswith("workspace/symbol answered in")
        assert "verbose" not in first
        await client.notify("$/setTrace", {"value": "verbose"})
        await client.request("workspace/symbol", {"query": ""})
        assert "verbose" in await client.wait_for("$/logTrace", 3)
        await client.notify("$/setTrace", {"value": "off"})
        await client.request("workspace/symbol", {"query": ""})
        assert len([item for item in client.notifications if item["method"] == "$/logTrace"]) == 3


async def _registered(client: RawClient) -> dict[str, Any]:
    params = await client.wait_for("client/registerCapability")
    return {item["method"]: item.get("registerOptions") for item in params["registrations"]}
