"""`hover`: one titled line beside a primary server, or everything known where there is none."""

from __future__ import annotations

from collections.abc import Sequence

from pilotfish.engine.navigation.holders import AT_A_GLANCE
from pilotfish.engine.navigation.judged import is_alone, local_uses
from pilotfish.engine.navigation.places import Place, definitions_at, place_at
from pilotfish.engine.navigation.uses import count_uses
from pilotfish.engine.resolution.definitions import is_local
from pilotfish.engine.view import Definition, View
from pilotfish.operations.editor import HoverParameters, HoverResult
from pilotfish.safe_markdown import as_plain_text, code_span, safe_markdown
from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.prose import fence_name
from pilotfish.visible_text import fenced

MAX_OTHERS = 3
"""Further definitions named in a hover when the name is ambiguous."""

_LONGEST_HEAD = 200
"""Bytes before a name in which the word for its kind stands."""

_UNUSED = "not used elsewhere"


def answer(view: View, parameters: HoverParameters) -> HoverResult:
    """Describe the definition that a name at a place most likely means."""
    place = place_at(view, parameters)
    if place is None:
        return HoverResult(outcome="no_match")
    found = definitions_at(view, place)
    if not found:
        return HoverResult(outcome="no_match")
    used = _used(view, place, found)
    if parameters.style == "summary":
        if not used and found[0].address == place.text.address:
            return HoverResult(outcome="no_match")
        markdown = _summary(view, found, used or _UNUSED)
    else:
        markdown = _full(view, found, used or _UNUSED)
    return HoverResult(markdown=as_plain_text(markdown) if parameters.plain else markdown, span=place.span)


def _summary(view: View, found: list[Definition], used: str) -> str:
    definition = found[0]
    where = f"defined in {_where(definition)}"
    others = _others(found)
    more = f" and {len(others)} more" if others else ""
    what = f"{_what_it_is(view, definition)} {code_span(definition.name)}"
    return f"**Pilotfish** {what}: {used}, {where}{more}"


def _full(view: View, found: list[Definition], used: str) -> str:
    definition = found[0]
    text = view.text_of(definition)
    symbol = None if text is None else text.symbol(definition.ordinal)
    signature, documentation, language = definition.name, "", definition.language or ""
    if text is not None and symbol is not None:
        signature = text.signature(symbol) or signature
        documentation = safe_markdown(text.whole_documentation(symbol))
        language = symbol.language or language
    parts = [fenced(signature, fence_name(language)), f"{_what_it_is(view, definition)} in {_where(definition)}"]
    if documentation:
        parts.append(documentation)
    parts.append(used)
    if others := _others(found):
        names = ", ".join(_where(other) for other in others[:MAX_OTHERS])
        rest = len(others) - MAX_OTHERS
        parts.append(f"also in {names}" + (f" and {rest} more" if rest > 0 else ""))
    return "\n\n".join(parts)


def _others(found: list[Definition]) -> list[Definition]:
    """What else the name may mean; the constructors of a type are that type's own."""
    first = found[0]
    inside = f"{first.container}.{first.name}" if first.container else first.name
    own = (SymbolKind.CONSTRUCTOR, inside)
    return [other for other in found[1:] if (other.kind, other.container) != own]


def _what_it_is(view: View, definition: Definition) -> str:
    """What a definition is and belongs to, as the people of its language say and write it."""
    about = REGISTRY.get(definition.language or "")
    kind, container = definition.kind.label, definition.container
    if about is not None:
        kind = _called(view, definition, about.called.get(definition.kind, ())) or kind
        container = container.replace(".", about.joint)
    return kind + (f" of {code_span(container)}" if container else "")


def _called(view: View, definition: Definition, called: Sequence[str]) -> str:
    """The first of some words that stands in the text before the name of a definition; "" where none does."""
    text = view.text_of(definition) if called else None
    symbol = None if text is None else text.symbol(definition.ordinal)
    if text is None or symbol is None:
        return ""
    head = text.text[max(symbol.start, symbol.name_start - _LONGEST_HEAD) : symbol.name_start]
    before = symbol.lead + b" ".join(head.split()).decode("utf-8", "replace")
    return next((word for word in called if word in before), "")


def _where(definition: Definition) -> str:
    return code_span(f"{definition.address}:{definition.line + 1}".replace("\n", "␤"))


def _used(view: View, place: Place, found: list[Definition]) -> str:
    """Say how often something is used, or its name, where others bear that too: nobody waits here for a judgement of
    each use."""
    if is_local(found[0]):
        references, files, what = len(local_uses(view, found[0])), 1, ""
    else:
        references, files = count_uses(view, place.name, found, place.text, AT_A_GLANCE)
        what = "" if is_alone(view, found) else "its name is "
    if not references:
        return ""
    return f"{what}used {references:,} time{'s' * (references != 1)} in {files:,} file{'s' * (files != 1)}"
