"""`pilotfish index --dry-run`: what would be indexed, what would not, and which rule decides. Nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from pilotfish import config
from pilotfish.cli.terminal import Terminal
from pilotfish.syntax.languages import HEAD_SIZE, detect
from pilotfish.workspace.content import ContentLimits, Skipped, SkipReason, inspect, inspect_name
from pilotfish.workspace.paths import OutsideRootError, open_inside
from pilotfish.workspace.scan import Found, ScanRules, scan


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One path: indexed with its outline, only `listed` (found by name), or left out."""

    path: str
    verdict: str
    reason: str = ""
    rule: str = ""


def show(root: str, terminal: Terminal, *, as_json: bool) -> int:
    """List both sides by path; exit code 1 when nothing would be indexed."""
    loaded = config.load(root)
    for problem in loaded.problems:
        terminal.note(problem)
    lines = sorted(decide(root, loaded.settings), key=lambda line: line.path)
    counts = {verdict: sum(line.verdict == verdict for line in lines) for verdict in ("indexed", "listed", "left out")}
    if as_json:
        terminal.data(msgspec.json.encode({"root": root, "enabled": loaded.settings.index.enabled, "paths": lines}))
    else:
        signs = {"indexed": "+", "listed": "~", "left out": "-"}
        rows = [(signs[line.verdict], line.path, line.reason, line.rule) for line in lines]
        terminal.table(rows, [("bold",), (), ("yellow",), ("dim",)])
        summary = ", ".join(f"{number:,} {verdict}" for verdict, number in counts.items())
        terminal.note(f"{summary} (+ with an outline, ~ found by name only, - not at all).")
        if not loaded.settings.index.enabled:
            terminal.note("index.enabled is false here: nothing is indexed until it is true.")
    return 0 if counts["indexed"] or counts["listed"] else 1


def decide(root: str, settings: config.Settings) -> Iterator[Line]:
    """Judge every path as the index does: by name and rules, then by content."""
    limits = ContentLimits(settings.limits.file_kb * 1024, settings.limits.line_chars, settings.semantic.secrets)
    index = settings.index
    rules = ScanRules(index.paths, index.include, index.exclude, index.submodules, limits)
    result = scan(root, rules, explain=True)
    for skipped in result.skipped:
        verdict = "listed" if skipped.reason.listed else "left out"
        yield Line(path=skipped.path, verdict=verdict, reason=skipped.reason.value, rule=skipped.rule)
    for found in result.files:
        yield _judged(root, found, limits, settings.languages.associations)


def _judged(root: str, found: Found, limits: ContentLimits, associations: Mapping[str, str]) -> Line:
    judged = inspect_name(found.path, found.size, limits)
    head = b""
    if not isinstance(judged, Skipped):
        try:
            with os.fdopen(open_inside(root, found.path), "rb") as file:
                data = file.read(limits.file_bytes + 1)
            judged, head = inspect(data, found.path, limits), data[:HEAD_SIZE]
        except (OSError, OutsideRootError) as error:
            judged = Skipped(SkipReason.UNREADABLE, str(error))
    if isinstance(judged, Skipped):
        return Line(path=found.path, verdict="listed", reason=judged.reason.value, rule=judged.detail)
    if detect(found.path, head, associations) is None:
        return Line(path=found.path, verdict="listed", reason="no grammar")
    return Line(path=found.path, verdict="indexed")
