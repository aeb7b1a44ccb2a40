"""Prompts: three ways to work that a person can choose, in few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from pilotfish.mcp.text import error_line


@dataclass(frozen=True)
class Way:
    """A prompt with one argument, which `{}` in its text stands for."""

    name: str
    description: str
    argument: str
    about: str
    text: str


WAYS: Final = (
    Way(
        name="understand",
        description="Read up on a task before any change.",
        argument="task",
        about="What is to be done or understood, in words.",
        text="Read up on this task and change nothing: {}\n\nCall build_context with the task, then explain_code and "
        "trace_execution on what matters most in it. Say in a few sentences how it works now, with path:line for each "
        "claim, and what you could not find.",
    ),
    Way(
        name="change-safely",
        description="Plan a change of a definition by everything that uses it.",
        argument="symbol_name",
        about="The definition to change: a name, or Class.method.",
        text="Plan a change of `{}`. Call get_definition, then find_usages until no page is left, then find_similar. "
        "List each place that has to change with path:line, the tests that cover it, and what could break.",
    ),
    Way(
        name="find",
        description="Find where something is done.",
        argument="question",
        about="What is looked for, in words.",
        text="Find where this is done: {}\n\nCall search_code with the question in words, then get_definition or "
        "explain_code on the best results. Answer with path:line, best first, and say so if there is no such place.",
    ),
)


async def list_prompts(
    context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    """Return all prompts."""
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=way.name,
                description=way.description,
                arguments=[types.PromptArgument(name=way.argument, description=way.about, required=True)],
            )
            for way in WAYS
        ]
    )


async def get_prompt(context: ServerRequestContext[Any], params: types.GetPromptRequestParams) -> types.GetPromptResult:
    """Return one prompt with its argument filled in.

    Raises:
        MCPError: there is none by that name, or its argument is missing.
    """
    way = next((way for way in WAYS if way.name == params.name), None)
    if way is None:
        known = ", ".join(way.name for way in WAYS)
        raise MCPError(types.INVALID_PARAMS, error_line(f"Unknown prompt: {params.name}; there are {known}"))
    value = (params.arguments or {}).get(way.argument, "").strip()
    if not value:
        raise MCPError(types.INVALID_PARAMS, f"{way.name}: send {way.argument}: {way.about}")
    content = types.TextContent(type="text", text=way.text.replace("{}", value))
    return types.GetPromptResult(
        description=way.description, messages=[types.PromptMessage(role="user", content=content)]
    )
