"""The page of each operation's answer: what an agent is shown of it, in which order.

An answer without a page of its own is shown field by field.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from pilotfish.graph.calls import shallowest
from pilotfish.mcp import schemas
from pilotfish.mcp.sections import Section, packed
from pilotfish.mcp.text import Item, Page, compose, count, inline, quoted, shortened
from pilotfish.operations.answer import Answer
from pilotfish.operations.architecture import GetArchitectureResult
from pilotfish.operations.explain import ExplainCodeResult, RelatedCode
from pilotfish.operations.index import StatusResult, SyncResult
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import (
    NOTHING_CLOSE,
    BuildContextResult,
    FindSimilarResult,
    SearchCodeResult,
    SearchHit,
)
from pilotfish.operations.symbols import FindUsagesResult, GetDefinitionResult, OutlineResult, SymbolRecord, Usage
from pilotfish.operations.trace import TraceExecutionResult, TraceStep
from pilotfish.visible_text import visible

_INDENT: Final = "  "

_GAP: Final = re.compile(r"… ([\d,]+) (?:more )?lines?")
"""The mark of lines that are left out of a source."""

_MAX_WARNINGS: Final = 5
"""Warnings of one status that are told one by one."""

_MAX_NESTED: Final = 8
"""Repositories in a folder that are named."""

_MAX_PATH: Final = 150
"""Characters of a path in a line about an item."""

_WIDTH: Final = 100
"""Characters of a line that lists names."""

_PLURALS: Final = {"line that may mean it": "lines that may mean it"}

_PAGE: Final = 5
"""So many entries at least are worth a page."""

_HEADINGS: Final = len("calls\ncalled by\n")
"""Characters of what stands above the steps of a trace, at most."""


def render(answer: Answer, max_tokens: int, root: str = "") -> str:
    """Return an answer as text of at most `max_tokens` tokens, four characters each; `root` says which of several it is
    from."""
    return compose(_PAGES.get(type(answer), _anything)(answer), answer, max_tokens, root)


def _search(answer: SearchCodeResult | FindSimilarResult) -> Page:
    what = f"like {quoted(answer.subject)}" if isinstance(answer, FindSimilarResult) and answer.subject else "found"
    noun = count(len(answer.results), "result")
    lead = f"{noun} of {answer.total:,} {what}, page {answer.page}" if answer.total else _none(answer)
    if isinstance(answer, SearchCodeResult) and answer.intent and answer.results:
        lead += f" (taken for: {answer.intent}, answered by: {answer.strategy})"
    is_far = answer.hint.startswith(NOTHING_CLOSE)
    hint = answer.hint.removeprefix(NOTHING_CLOSE).lstrip()
    return Page(
        lead=[NOTHING_CLOSE, lead] if is_far else [lead],
        items=[_hit(number, hit) for number, hit in enumerate(answer.results, 1)],
        tail=[answer.coverage.missing, hint or _next_page(answer)],
        rest=_rest("results", len(answer.results)),
    )


def _hit(number: int, hit: SearchHit) -> Item:
    name = f"{hit.parent}.{hit.symbol_name}" if hit.parent and hit.symbol_name else hit.symbol_name
    about = " ".join(part for part in (hit.symbol_type, quoted(name)) if part)
    head = f"{number}. {_path(hit.absolute_path or hit.path)}:{hit.line_start}-{hit.line_end}  {about}"
    head += f"  ({hit.why})" if hit.why else ""
    return Item(head=head, source=hit.code_snippet, language=hit.language, focus=_match_in(hit))


def _match_in(hit: SearchHit) -> int | None:
    """Return which line of a result's source is the one that matches best; marks in it stand for lines left out."""
    line = hit.line_start
    for place, text in enumerate(hit.code_snippet.split("\n")):
        if line == hit.match_line:
            return place
        gap = _GAP.fullmatch(text)
        line += int(gap[1].replace(",", "")) if gap else 1
    return None


def _next_page(answer: SearchCodeResult | FindSimilarResult) -> str:
    return f"More: send page={answer.page + 1}." if answer.truncated else ""


def _definitions(answer: GetDefinitionResult) -> Page:
    return Page(
        lead=[_lead(answer, len(answer.definitions), count(answer.total, "definition"), answer.page)],
        items=[_definition(number, record) for number, record in enumerate(answer.definitions, 1)],
        tail=[answer.hint],
        rest=_rest("definitions", len(answer.definitions)),
    )


def _definition(number: int, record: SymbolRecord) -> Item:
    name = f"{record.container}.{record.name}" if record.container else record.name
    end = f"-{record.span.end.line + 1}" if record.span is not None else ""
    used = f"  name used {count(record.uses, 'time')}" if record.uses is not None else ""
    place = f"{_path(record.absolute_path or record.path)}:{record.line}{end}"
    head = f"{number}. {place}  {record.kind} {quoted(name)}{used}"
    return Item(head=head, source="\n".join(text for text in (record.signature, record.documentation) if text))


def _usages(answer: FindUsagesResult) -> Page:
    if not answer.usages:
        return Page(lead=[] if answer.total else [_none(answer)], tail=[answer.hint])
    by_name = count(answer.total - answer.bound, "line")
    bound = [usage for usage in answer.usages if usage.certainty == "bound"]
    first, then = list(_by_file(bound)), list(_by_file(answer.usages[len(bound) :]))
    listing = [*first, f"holds the name only ({by_name}):", *then] if then else first
    rest = _rest("uses", len(answer.usages))

    def shown(lines: int) -> int:
        return sum(line.startswith(_INDENT) for line in listing[:lines])

    return Page(
        heading=lambda lines: _used(answer, shown(lines)),
        listing=listing,
        tail=[answer.hint],
        rest=lambda lines: rest(shown(lines)),
    )


def _used(answer: FindUsagesResult, shown: int) -> str:
    """What a page of uses shows: how many are sure, and how many are not in it since they mean something else."""
    total = ("at least " if answer.at_least else "") + count(answer.total, "use")
    page = f", page {answer.page}" if answer.page > 1 else ""
    others = f"; {answer.others:,} of other definitions left out" if answer.others else ""
    bound = "known to be bound" if answer.at_least else "bound"
    return f"{shown:,} of {total}{page}: {answer.bound:,} {bound} to it, the others hold the name only{others}"


def _lead(answer: Answer, shown: int, total: str, page: int) -> str:
    return (f"{shown:,} of {total}" + (f", page {page}" if page > 1 else "")) if shown else _none(answer)


def _none(answer: Answer) -> str:
    """Say that there is no match, unless the state of the index or of the pages says more."""
    beyond_the_last = getattr(answer, "total", 0) > 0
    return "" if answer.outcome == "not_indexed" or beyond_the_last else "No match."


def _nothing(answer: Answer, hint: str) -> Page:
    return Page(lead=[_none(answer)], tail=[hint])


def _by_file(usages: Iterable[Usage]) -> list[str]:
    """One line a use, those of one file below its path."""
    lines: list[str] = []
    path = ""
    for usage in usages:
        if usage.path != path:
            path = usage.path
            lines.append(inline(usage.absolute_path or path))
        where = f" in {usage.container}" if usage.container else ""
        what = f": {usage.text}" if usage.text else ""
        lines.append(shortened(_INDENT + inline(f"{usage.line} {usage.role}{where}{what}")))
    return lines


def _explanation(answer: ExplainCodeResult) -> Page:
    if not answer.name:
        return _nothing(answer, answer.hint)
    name = f"{answer.container}.{answer.name}" if answer.container else answer.name
    place = f"{_path(answer.absolute_path or answer.path)}:{answer.line_start}-{answer.line_end}"
    about = f"{answer.kind} {quoted(name)}"
    if answer.enclosing_start:
        about = f"in {about}, lines {answer.enclosing_start}-{answer.enclosing_end}"
    sections = list(_sections(answer))
    return Page(lead=[f"{place} {about}"], fitted=lambda room: packed(sections, room))


def _sections(answer: ExplainCodeResult) -> Iterator[Section]:
    """An explanation in the order in which it is read; what weighs more has room before the rest."""
    source = Section(lines=visible(answer.source).split("\n") if answer.source else [], is_source=True)
    documentation = Section(lines=visible(answer.documentation).splitlines())
    members = Section(title="members", lines=[_member(each) for each in answer.members])
    if answer.enclosing_start:
        source.weight = 2
        yield source
        yield Section(title="in", lines=[inline(answer.signature)] if answer.signature else [])
        yield documentation
    elif answer.kind == "file":
        members.weight = 2
        source.is_indivisible = bool(members.lines)
        source.weight = 0
        yield from (documentation, members, source)
    else:
        yield from (documentation, source if source.lines else Section(lines=[answer.signature]))
    counts = {"call": answer.calls, "type": answer.types, "import": answer.imports, "read": answer.reads}
    counts |= {"heir": answer.inherits, "line that may mean it": answer.name_uses}
    used = ", ".join(count(number, noun, _PLURALS.get(noun, "")) for noun, number in counts.items() if number)
    yield _section("ancestry", map(_related, answer.ancestry))
    if answer.kind != "file":
        yield members
    yield _section(f"used by ({used})" if used else "used by", map(_related, answer.used_by))
    yield _section("uses", map(_related, answer.uses))
    yield _section(f"tests ({count(answer.test_uses, 'use')})", map(_related, answer.tests))
    imports = f"imports of the file, which {count(answer.imported_by, 'file')} use"
    yield _section(imports, textwrap.wrap(", ".join(map(inline, answer.file_imports)), _WIDTH), weight=0)
    history = (f"{each.commit} {each.date} {each.subject}" for each in answer.history)
    yield _section("history of the file", history, weight=0)
    yield _section("the name is also defined at", answer.others, weight=0)


def _section(title: str, lines: Iterable[str], weight: int = 1) -> Section:
    return Section(title=title, lines=[shortened("  " + inline(line)) for line in lines], weight=weight)


def _member(each: RelatedCode) -> str:
    return shortened("  " + inline(f"{each.line} {each.kind} {each.name}"))


def _related(each: RelatedCode) -> str:
    marks = [f"line {each.used_at}"] if each.used_at else []
    marks += [count(each.count, "time")] if each.count > 1 else []
    marks += [f"1 of {each.ambiguous} it may be"] if each.ambiguous else []
    return f"{each.relation} {each.name} {each.path}:{each.line}" + (f" ({', '.join(marks)})" if marks else "")


def _trace(answer: TraceExecutionResult) -> Page:
    if not answer.entry:
        return _nothing(answer, answer.hint)
    lead = f"{_path(answer.entry_at)} {answer.entry_kind} {quoted(answer.entry)}"
    steps = answer.steps
    rest = "" if "max_tokens" in answer.hint else "; send a larger max_tokens"
    fitted = (lambda room: _steps_within(steps, room, rest)) if steps else None
    return Page(lead=[lead], fitted=fitted, tail=[answer.hint])


def _steps_within(steps: Sequence[TraceStep], room: int, rest: str) -> list[str]:
    """Return as many steps as there is room for, those of lower depth first, in the order of the tree."""
    whole = list(_steps(steps))
    if sum(len(line) + 1 for line in whole) <= room:
        return whole
    costs = [len(_step_line(msgspec.structs.replace(step, cut=True))) + 1 for step in steps]
    room -= _HEADINGS + len(_more_steps(len(steps), rest))
    kept, cut = shallowest([step.depth for step in steps], costs, room)
    shown = [msgspec.structs.replace(steps[each], cut=True) if each in cut else steps[each] for each in kept]
    return [*_steps(shown), _more_steps(len(steps) - len(kept), rest)]


def _more_steps(number: int, rest: str) -> str:
    return f"… {count(number, 'more step')}{rest}"


def _steps(steps: Iterable[TraceStep]) -> Iterator[str]:
    direction = ""
    for step in steps:
        if step.direction != direction:
            direction = step.direction
            yield "calls" if direction == "callees" else "called by"
        yield _step_line(step)


def _step_line(step: TraceStep) -> str:
    return shortened("  " * step.depth + inline(_step(step)))


def _step(step: TraceStep) -> str:
    """What a step leads to and where that is, the line of the call, and what is to be known of it."""
    reached = step.callee if step.direction == "callees" else step.caller
    marks = [f"line {step.line}" if step.direction == "callees" else f"{step.path}:{step.line}"]
    marks += [count(step.count, "time")] if step.count > 1 else []
    marks += [f"1 of {step.ambiguous} it may be"] if step.ambiguous else []
    flags = {"implementation": step.role == "implementation", "cycle": step.cycle}
    flags |= {"followed elsewhere": step.repeated, "cut": step.cut}
    marks += [word for word, holds in flags.items() if holds]
    return f"{reached} {step.defined_at} ({', '.join(marks)})"


def _outline(answer: OutlineResult) -> Page:
    lines: list[str] = []
    for file in answer.files:
        lines.append(inline(file.path) + (f": {file.reason}" if file.reason else ""))
        for symbol in file.symbols:
            name = f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
            lines.append(shortened(f"  {symbol.line} {inline(f'{symbol.kind} {name}')}"))
    return Page(listing=lines, rest=lambda shown: f"… cut after {shown:,} of {len(lines):,} lines.")


def _context(answer: BuildContextResult) -> Page:
    lead = f"{count(len(answer.passages), 'passage')}, {count(answer.tokens, 'token')}"
    return Page(
        lead=[lead if answer.passages else _none(answer)],
        source=answer.text,
        is_fenced=True,
        tail=[answer.coverage.missing, answer.hint],
    )


def _map(answer: RepoMapResult) -> Page:
    more = f"{count(answer.more_files, 'more file')}: send a larger max_tokens." if answer.more_files else ""
    unknown = f"Not in the index: {', '.join(answer.unknown_files)}" if answer.unknown_files else ""
    lead = "" if answer.text else "There are no definitions to show."
    return Page(lead=[lead], source=answer.text, tail=[more, unknown])


def _architecture(answer: GetArchitectureResult) -> Page:
    where = "" if answer.focus_area == "full" else f" in {answer.focus_area}"
    lead = "" if answer.file_count else f"There is no file of code{where}; tests are left out."
    more = "There is more: send a larger max_tokens, or a folder as focus_area." if answer.truncated else ""
    return Page(lead=[lead], source=answer.text, tail=[more])


def _status(answer: StatusResult) -> Page:
    index, semantic = answer.index, answer.semantic
    languages = ", ".join(f"{each.language} {each.files:,}" for each in answer.languages)
    skipped = ", ".join(f"{each.reason} {each.files:,}" for each in answer.skipped)
    more = len(answer.warnings) - _MAX_WARNINGS
    lines = [
        f"root: {_path(answer.root)}" + (f" ({answer.root_reason})" if answer.root_reason else ""),
        f"index: {index.phase}, {count(index.files, 'file')}, {index.pending:,} pending",
        f"names: {count(answer.symbols, 'definition')}, {count(answer.references, 'reference')}",
        f"vectors: {semantic.phase}, {index.embedded:,} of {index.chunks:,} passages",
        f"vectors: {semantic.message}" if semantic.message else "",
        f"files by language: {languages}" if languages else "",
        f"listed without an outline: {skipped}" if skipped else "",
        f"not part of it: {_nested(answer)}" if answer.nested_total else "",
        f"head: {quoted(answer.head)}" if answer.head else "",
        f"open documents: {answer.unsaved_documents}" if answer.unsaved_documents else "",
        f"log: {answer.log_path}" if answer.log_path else "",
        *(f"warning: {warning}" for warning in answer.warnings[:_MAX_WARNINGS]),
        f"warning: and {more:,} more" if more > 0 else "",
    ]
    return Page(lead=lines)


def _nested(answer: StatusResult) -> str:
    """Name repositories in the folder, a few of them."""
    named = answer.nested_roots[:_MAX_NESTED]
    more = answer.nested_total - len(named)
    names = ", ".join(map(quoted, named)) + (f" and {more:,} more" if more else "")
    inside = count(answer.nested_total, "repository", "repositories")
    return f"{inside} inside, each a root of its own ({names})"


def _sync(answer: SyncResult) -> Page:
    words = {"added": answer.added, "changed": answer.changed, "moved": answer.moved, "removed": answer.removed}
    changes = ", ".join(f"{number:,} {word}" for word, number in words.items() if number)
    lines = [f"The tree was read again: {changes or 'nothing had changed'}."]
    if answer.head:
        lines.append(f"head: {quoted(answer.head)}")
    if answer.upstream and answer.behind is not None:
        known = "" if answer.fetched else ", as of the last fetch"
        lines.append(f"{answer.behind:,} behind and {answer.ahead or 0:,} ahead of {quoted(answer.upstream)}{known}")
    return Page(lead=lines)


def _path(path: str) -> str:
    return quoted(path, _MAX_PATH)


def _anything(answer: Answer) -> Page:
    """Show an answer that has no page of its own, field by field, its lists one entry a line."""
    lines: list[str] = []
    for name in answer.__struct_fields__:
        value = schemas.shape(getattr(answer, name))
        if name in Answer.__struct_fields__ or value in (None, "", [], {}, 0, False):
            continue
        if isinstance(value, list):
            lines += [f"{name}:", *(shortened("  " + inline(_entry(entry))) for entry in value)]
        elif isinstance(value, str) and "\n" in value:
            lines += [f"{name}:", *visible(value).splitlines()]
        else:
            lines.append(shortened(inline(f"{name}: {_entry(value)}")))
    lead = [] if lines else [_none(answer)]
    return Page(lead=lead, listing=lines, rest=_more_lines)


def _entry(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_entry(each)}" for name, each in value.items())
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _more_lines(shown: int) -> str:
    return f"… cut after {shown:,} lines; send a larger max_tokens."


def _rest(noun: str, there: int) -> Callable[[int], str]:
    def rest(shown: int) -> str:
        paged = f", or max_results={shown} and page" if shown >= _PAGE else ""
        return f"… {shown} of {there} {noun} fit; send a larger max_tokens{paged}."

    return rest


_PAGES: dict[type[Answer], Callable[[Any], Page]] = {
    SearchCodeResult: _search,
    FindSimilarResult: _search,
    GetDefinitionResult: _definitions,
    FindUsagesResult: _usages,
    OutlineResult: _outline,
    ExplainCodeResult: _explanation,
    TraceExecutionResult: _trace,
    BuildContextResult: _context,
    RepoMapResult: _map,
    GetArchitectureResult: _architecture,
    StatusResult: _status,
    SyncResult: _sync,
}
