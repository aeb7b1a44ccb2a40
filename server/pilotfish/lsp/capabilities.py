"""What the client can do, resolved once; and what we offer, built from that and from the settings.

Features that are on only in languages without a server of their own are registered dynamically, for these languages
alone, where the client allows it: an editor then never asks us beside the primary server. Elsewhere they are offered
in general and answer null for other documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from lsprotocol import types

from pilotfish.lsp import converters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pilotfish.config import FeatureSettings

Encoding = Literal["utf-8", "utf-16", "utf-32"]
ENCODINGS: Final[tuple[Encoding, ...]] = ("utf-8", "utf-16", "utf-32")

WATCHING_CLIENTS: Final = ("visual studio code", "vscodium", "code - oss", "code-server", "cursor", "windsurf", "zed")
"""Clients that really watch the tree. Others accept the registration and then report their own writes only."""

DROPPING_CLIENTS: Final = ("helix", "sublime text lsp")
"""Clients that let people choose a command in a list or an action and then show nothing of its answer. No capability
tells; the setting `commands.show` does for others."""

DOCUMENT_FEATURES: Final = {
    types.TEXT_DOCUMENT_HOVER: "hover",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "document_symbol",
    types.TEXT_DOCUMENT_DEFINITION: "definition",
    types.TEXT_DOCUMENT_REFERENCES: "references",
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "document_highlight",
    types.TEXT_DOCUMENT_IMPLEMENTATION: "implementation",
    types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: "type_hierarchy",
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: "call_hierarchy",
}
"""LSP methods on a document, with the setting that switches each."""

ALL_FILES: Final = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern(glob="**"), scheme="file")]
)


@dataclass(frozen=True, kw_only=True)
class ClientFlags:
    """The client's capabilities as plain answers to the questions that we ask."""

    name: str
    encodings: tuple[Encoding, ...]
    has_configuration: bool
    registers_configuration: bool
    registers_watched_files: bool
    registers_documents: frozenset[str]
    registers_workspace_symbol: bool
    has_work_done_progress: bool
    has_server_status: bool
    has_hierarchical_symbols: bool
    has_definition_links: bool
    has_implementation_links: bool
    has_markdown_hover: bool
    drops_results: bool
    watches: bool

    @classmethod
    def resolve(cls, params: types.InitializeParams) -> ClientFlags:
        """Read `initialize`."""
        client = params.capabilities
        workspace = client.workspace or types.WorkspaceClientCapabilities()
        document = client.text_document or types.TextDocumentClientCapabilities()
        window = client.window or types.WindowClientCapabilities()
        watched = workspace.did_change_watched_files
        name = f"{params.client_info.name} {params.client_info.version or ''}".strip() if params.client_info else ""
        return cls(
            name=name,
            encodings=_encodings(client),
            has_configuration=bool(workspace.configuration),
            registers_configuration=_registers(workspace.did_change_configuration),
            registers_watched_files=_registers(watched),
            registers_documents=frozenset(
                method for method, field in DOCUMENT_FEATURES.items() if _registers(getattr(document, field))
            ),
            registers_workspace_symbol=_registers(workspace.symbol),
            has_work_done_progress=bool(window.work_done_progress),
            has_server_status=_experimental(client, "serverStatusNotification"),
            has_hierarchical_symbols=bool(
                document.document_symbol and document.document_symbol.hierarchical_document_symbol_support
            ),
            has_definition_links=bool(document.definition and document.definition.link_support),
            has_implementation_links=bool(document.implementation and document.implementation.link_support),
            has_markdown_hover=bool(
                document.hover is None
                or document.hover.content_format is None
                or types.MarkupKind.Markdown in document.hover.content_format
            ),
            drops_results=name.lower().startswith(DROPPING_CLIENTS),
            watches=_registers(watched) and name.lower().startswith(WATCHING_CLIENTS),
        )

    def choose_encoding(self, preferred: Encoding) -> Encoding:
        """Return the position encoding: the preferred one if offered, else UTF-16, which every client speaks."""
        return preferred if preferred in self.encodings else "utf-16"


def _registers(capability: Any) -> bool:
    return bool(capability is not None and capability.dynamic_registration)


def _encodings(client: types.ClientCapabilities) -> tuple[Encoding, ...]:
    offered = client.general.position_encodings if client.general else None
    return tuple(encoding for encoding in ENCODINGS if encoding in {str(getattr(o, "value", o)) for o in offered or ()})


def _experimental(client: types.ClientCapabilities, flag: str) -> bool:
    experimental: Any = client.experimental
    value = experimental.get(flag) if isinstance(experimental, dict) else getattr(experimental, flag, False)
    return value is True


def server_capabilities(
    features: FeatureSettings, flags: ClientFlags, encoding: Encoding, commands: Iterable[str]
) -> types.ServerCapabilities:
    """Return what `initialize` answers."""
    offered = {method for method in DOCUMENT_FEATURES if is_offered_everywhere(features, flags, method)}
    return types.ServerCapabilities(
        position_encoding=types.PositionEncodingKind(encoding),
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        hover_provider=types.TEXT_DOCUMENT_HOVER in offered or None,
        document_symbol_provider=(
            types.DocumentSymbolOptions(label="Pilotfish") if types.TEXT_DOCUMENT_DOCUMENT_SYMBOL in offered else None
        ),
        definition_provider=types.TEXT_DOCUMENT_DEFINITION in offered or None,
        references_provider=types.TEXT_DOCUMENT_REFERENCES in offered or None,
        document_highlight_provider=types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT in offered or None,
        implementation_provider=types.TEXT_DOCUMENT_IMPLEMENTATION in offered or None,
        type_hierarchy_provider=types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY in offered or None,
        call_hierarchy_provider=types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY in offered or None,
        workspace_symbol_provider=(
            types.WorkspaceSymbolOptions(resolve_provider=True) if features.workspace_symbol else None
        ),
        code_action_provider=types.CodeActionOptions() if features.code_actions else None,
        execute_command_provider=types.ExecuteCommandOptions(commands=list(commands)),
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True),
            file_operations=_file_operations() if features.file_operations else None,
        ),
    )


def _file_operations() -> types.FileOperationOptions:
    return types.FileOperationOptions(
        did_create=ALL_FILES,
        will_create=ALL_FILES,
        did_rename=ALL_FILES,
        will_rename=ALL_FILES,
        did_delete=ALL_FILES,
        will_delete=ALL_FILES,
    )


def is_on(features: FeatureSettings, method: str) -> bool:
    """Whether a document feature is on beside a primary server, that is in every language."""
    return getattr(features, DOCUMENT_FEATURES[method]) not in (False, "off")


def is_offered_everywhere(features: FeatureSettings, flags: ClientFlags, method: str) -> bool:
    """Whether `initialize` offers a document feature for all documents."""
    only_here = bool(features.full_for) and method not in flags.registers_documents
    return is_on(features, method) or only_here


def combined(settings: Sequence[FeatureSettings]) -> FeatureSettings:
    """Return what is on in any root: an offer holds for the whole client, and each answer looks at its own root."""
    first = settings[0]
    switches = {
        name: any(getattr(features, name) for features in settings)
        for name in first.__struct_fields__
        if isinstance(getattr(first, name), bool)
    }
    return msgspec.structs.replace(
        first,
        hover=next((features.hover for features in settings if features.hover != "off"), "off"),
        full_for=tuple(dict.fromkeys(language for features in settings for language in features.full_for)),
        **switches,
    )


def dynamic_registrations(
    features: FeatureSettings, offered: FeatureSettings, flags: ClientFlags
) -> Iterator[types.Registration]:
    """Yield what has to be registered for `features` to be on, beyond what `initialize` offered for `offered`."""
    if flags.registers_configuration:
        yield _registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "pilotfish"})
    if features.watched_files and flags.registers_watched_files:
        yield _registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"watchers": [{"globPattern": "**/*"}]})
    if features.workspace_symbol and not offered.workspace_symbol and flags.registers_workspace_symbol:
        yield _registration(types.WORKSPACE_SYMBOL, {"resolveProvider": True})
    for method in sorted(flags.registers_documents):
        if is_offered_everywhere(offered, flags, method):
            continue
        if is_on(features, method):
            yield _registration(method, {"documentSelector": None})
        elif features.full_for:
            yield _registration(method, {"documentSelector": _selector(features.full_for)})


def _registration(method: str, options: dict[str, Any]) -> types.Registration:
    return types.Registration(id=f"pilotfish/{method}", method=method, register_options=options)


def _selector(languages: Iterable[str]) -> list[dict[str, str]]:
    return [{"language": language_id} for language in languages for language_id in converters.language_ids(language)]
