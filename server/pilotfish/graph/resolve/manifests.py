"""Reading the manifests of a workspace: untrusted texts of any size and shape, of which nothing may fail."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from pilotfish.toml import parsed_toml

LARGEST: Final = 1 << 19
"""Bytes; a larger manifest is not read."""

_JSON_TOKENS = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"?|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)(?:\*/)?', re.DOTALL)
_TRAILING_COMMAS = re.compile(r'("(?>(?:[^"\\]++|\\.)*)"?)|,(?=\s*+[}\]])', re.DOTALL)


def read_json(text: bytes | None) -> object:
    """Return what a JSON text holds, with comments and trailing commas (`tsconfig.json`); None where it is broken."""
    if text is None or len(text) > LARGEST:
        return None
    written = text.decode("utf-8-sig", "replace")
    try:
        return _loaded(written)
    except (ValueError, RecursionError):
        pass
    bare = _JSON_TOKENS.sub(lambda match: match[0] if match[0].startswith('"') else " ", written)
    try:
        return _loaded(_TRAILING_COMMAS.sub(lambda match: match[1] or "", bare))
    except (ValueError, RecursionError):
        return None


def _loaded(written: str) -> object:
    found: object = json.loads(written)
    return found


def read_toml(text: bytes | None) -> object:
    """Return what a TOML text holds; None where it is broken."""
    if text is None or len(text) > LARGEST:
        return None
    try:
        return parsed_toml(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


def at(value: object, *keys: str) -> object:
    """Return what lies under nested keys; None where anything on the way is missing or no table."""
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def string(value: object) -> str | None:
    """Return the value where it is a string."""
    return value if isinstance(value, str) else None


def strings(value: object) -> Sequence[str]:
    """Return the strings of a list, or the one string that stands in its place."""
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
