"""An architecture as text for people and agents, and as a Mermaid flowchart.

File names are untrusted: in text they stay on their line, and in Mermaid every character that the language could take
for its own is written as a code, so that a name is always a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from pilotfish.graph.architecture import Architecture, Dependency, ModuleFacts, Uses

T = TypeVar("T")

LONGEST_NAME: Final = 160
"""Characters of a path that are shown."""


class Detail(NamedTuple):
    """How much is shown: modules; per module files and modules that it uses; cycles; entry points."""

    modules: int
    files: int
    uses: int
    cycles: int
    entry_points: int


DETAILS: Final = (
    Detail(40, 8, 40, 40, 60),
    Detail(40, 4, 12, 20, 30),
    Detail(40, 3, 6, 10, 20),
    Detail(40, 2, 4, 6, 12),
    Detail(40, 1, 3, 4, 8),
    Detail(40, 0, 3, 3, 5),
    Detail(25, 0, 2, 2, 3),
    Detail(16, 0, 1, 1, 2),
    Detail(10, 0, 0, 0, 1),
    Detail(5, 0, 0, 0, 0),
    Detail(3, 0, 0, 0, 0),
    Detail(1, 0, 0, 0, 0),
)
"""From the most to the least."""


def within(draw: Callable[[Detail], str], fits: Callable[[str], bool]) -> str:
    """Return the drawing with the most detail that fits, "" where none does."""
    return next((drawn for detail in DETAILS if fits(drawn := draw(detail))), "")


# --- text ------------------------------------------------------------------------------------------------------------


def text(architecture: Architecture, detail: Detail = DETAILS[1]) -> str:
    """Return the architecture as text."""
    sections = [
        [_headline(architecture)],
        _module_lines(architecture, detail),
        _layer_lines(architecture, detail),
        _cycle_lines(architecture, detail),
        _entry_lines(architecture, detail),
        _test_lines(architecture, detail),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def shown(name: str) -> str:
    """Return a name as it may stand in a line of text: without characters that move or hide anything, not too long."""
    if not name.isprintable():
        name = "".join(
            each if each.isprintable() else each.encode("unicode_escape", "replace").decode("ascii") for each in name
        )
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 2]}…{name[-LONGEST_NAME // 2 :]}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _headline(architecture: Architecture) -> str:
    modules = count(len(architecture.modules), "module")
    layers = f", {count(len(architecture.layers), 'layer')}" if architecture.layers else ""
    inside = f", named as seen from {shown(architecture.base)}/" if architecture.base else ""
    if any(module.name.endswith("*") for module in architecture.modules):
        inside += "; * is what no other module has"
    focus = "" if architecture.focus == "full" else f" ({shown(architecture.focus)})"
    return f"Architecture{focus}: {count(architecture.files, 'file')} in {modules}{layers}{inside}"


def _module_lines(architecture: Architecture, detail: Detail) -> list[str]:
    if not architecture.modules:
        return []
    lines = ["Modules, the most important first"]
    used: dict[int, list[Dependency]] = {}
    for each in architecture.dependencies:
        used.setdefault(each.source, []).append(each)
    for number, module in enumerate(architecture.modules[: detail.modules]):
        languages = ", ".join(language for language, _ in module.languages[:3])
        lines.append(
            f"  {shown(module.name)}  {count(len(module.files), 'file')}, {languages}, {100 * module.share:.0f}%"
        )
        if detail.files and len(module.files) > 1:
            lines.append(f"    files {_listed([shown(path) for path in _inner(module)], detail.files)}")
        heaviest = sorted(used.get(number, ()), key=lambda each: (-each.uses.total, each.target))
        if detail.uses and heaviest:
            named = [f"{shown(architecture.modules[each.target].name)} {uses_words(each.uses)}" for each in heaviest]
            lines.append(f"    uses {_listed(named, detail.uses)}")
    return lines + _more(len(architecture.modules) - detail.modules, "module", "  ")


def _inner(module: ModuleFacts) -> list[str]:
    """Return the files of a module as seen from its folder."""
    cut = len(module.folder) + 1 if module.folder else 0
    return [path[cut:] for path in module.files]


def uses_words(uses: Uses) -> str:
    """Return uses by role in words: `12 (8 calls, 4 imports)`."""
    words = (count(uses.calls, "call"), count(uses.types, "type"), count(uses.imports, "import"))
    parts = [word for word, number in zip(words, uses, strict=False) if number]
    parts += [f"{uses.inherits:,} inherited"] if uses.inherits else []
    return f"({', '.join(parts)})"


def _layer_lines(architecture: Architecture, detail: Detail) -> list[str]:
    if not architecture.layers or not detail.uses:
        return []
    lines = ["Layers, from what uses others to what is used"]
    for number, layer in zip(range(len(architecture.layers), 0, -1), architecture.layers, strict=True):
        lines.append(f"  {number}  {_listed(_names(architecture, layer), detail.modules)}")
    return lines


def _cycle_lines(architecture: Architecture, detail: Detail) -> list[str]:
    if not detail.cycles or not (architecture.cycles or architecture.file_cycles):
        return []
    lines = ["Cycles"]
    for cycle in architecture.cycles[: detail.cycles]:
        lines.append(f"  {count(len(cycle), 'module')} use each other: {_listed(_names(architecture, cycle), 12)}")
        closing = sorted(
            (each for each in architecture.dependencies if each.against and {each.source, each.target} <= {*cycle}),
            key=lambda each: (each.uses.total, each.source, each.target),
        )
        named = [
            f"{shown(architecture.modules[each.source].name)} -> {shown(architecture.modules[each.target].name)} "
            f"{uses_words(each.uses)}"
            for each in closing
        ]
        lines.append(f"    against the layers: {_listed(named, detail.cycles)}")
    lines += _more(len(architecture.cycles) - detail.cycles, "cycle", "  ")
    for loop in architecture.file_cycles[: detail.cycles]:
        names = [shown(path) for path in loop.loop]
        around = " -> ".join([*names[:6], *(["…"] if len(names) > 6 else []), names[0]])
        others = loop.size - len(names)
        lines.append(f"  {around}" + (f" (one of several among {loop.size:,} files)" if others else ""))
    return lines + _more(architecture.file_cycle_count - detail.cycles, "cycle of files", "  ", "cycles of files")


def _entry_lines(architecture: Architecture, detail: Detail) -> list[str]:
    if not architecture.entry_points or not detail.entry_points:
        return []
    lines = ["Entry points"]
    for each in architecture.entry_points[: detail.entry_points]:
        uses = f"; uses {count(each.uses, 'file')}" if each.uses else ""
        lines.append(f"  {shown(each.path)}  {shown(each.reason)}{uses}")
    return lines + _more(len(architecture.entry_points) - detail.entry_points, "file", "  ")


def _test_lines(architecture: Architecture, detail: Detail) -> list[str]:
    tested = sorted(
        (module for module in architecture.modules if module.tests), key=lambda module: (-module.tests, module.name)
    )
    if not architecture.test_files or not detail.uses:
        return []
    named = [f"{shown(module.name)} ({module.tests:,})" for module in tested]
    used = f", using {_listed(named, 3 * detail.uses)}" if named else ""
    return [f"Apart: {count(architecture.test_files, 'test file')}{used}"]


def _names(architecture: Architecture, numbers: Sequence[int]) -> list[str]:
    return [shown(architecture.modules[number].name) for number in numbers]


def _listed(names: Sequence[str], most: int) -> str:
    more = f" … and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _more(number: int, noun: str, indent: str, plural: str = "") -> list[str]:
    if number <= 0:
        return []
    return [f"{indent}… and {number:,} more {noun if number == 1 else plural or f'{noun}s'}"]


# --- Mermaid ---------------------------------------------------------------------------------------------------------


_PLAIN: Final = frozenset(" -_./:,+*@=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def mermaid(architecture: Architecture, detail: Detail = DETAILS[1]) -> str:
    """Return the modules and what they use as a Mermaid flowchart: what uses others stands above what it uses, arrows
    against the layers are dashed, numbers say how often."""
    chosen = range(min(detail.modules, len(architecture.modules)))
    lines = ["flowchart TD"]
    in_layers = [number for layer in architecture.layers for number in layer if number in chosen]
    apart = [number for number in chosen if number not in in_layers]
    lines += [f"  {_node(architecture.modules[number], number)}" for number in (*in_layers, *apart)]
    lines += _arrows(architecture, chosen, max(1, detail.uses))
    hidden = len(architecture.modules) - len(chosen)
    lines += [f"  %% {count(hidden, 'module')} not shown"] if hidden > 0 else []
    return "\n".join(lines) + "\n"


def _node(module: ModuleFacts, number: int) -> str:
    return f'm{number}["{mermaid_label(module.name)}<br/>{count(len(module.files), "file")}"]'


def _arrows(architecture: Architecture, chosen: range, most: int) -> Iterator[str]:
    left: dict[int, int] = {}
    hidden = 0
    for each in sorted(architecture.dependencies, key=lambda each: (-each.uses.total, each.source, each.target)):
        if each.source not in chosen or each.target not in chosen:
            continue
        left[each.source] = left.get(each.source, most) - 1
        if left[each.source] < 0:
            hidden += 1
            continue
        arrow = "-.->" if each.against else "-->"
        yield f"  m{each.source} {arrow}|{each.uses.total}| m{each.target}"
    if hidden:
        yield f"  %% {count(hidden, 'lighter arrow')} not shown"


def mermaid_label(name: str) -> str:
    """Return a name as it may stand between the quotes of a Mermaid label: all that is not plainly harmless as codes.

    Mermaid reads `#60;` in a label as the character with that number.
    """
    return "".join(each if each in _PLAIN else f"#{ord(each)};" for each in shown(name))
