"""The page of each operation's answer: what an agent is shown of it, in which order.

An answer without a page of its own is shown field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from pilotfish.mcp import schemas
from pilotfish.mcp.text import Item, Page, compose, count, inline, quoted, shortened
from pilotfish.operations.answer import Answer
from pilotfish.operations.architecture import GetArchitectureResult
from pilotfish.operations.explain import ExplainCodeResult, RelatedCode
from pilotfish.operations.index import StatusResult, SyncResult
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import BuildContextResult, FindSimilarResult, SearchCodeResult, SearchHit
from pilotfish.operations.symbols import FindUsagesResult, GetDefinitionResult, OutlineResult, SymbolRecord, Usage
from pilotfish.operations.trace import TraceExecutionResult, TraceStep
from pilotfish.visible_text import visible

_INDENT: Final = "  "

_MAX_WARNINGS: Final = 5
"""Warnings of one status that are told one by one."""

_MAX_NESTED: Final = 8
"""Repositories in a folder that are named."""

_MAX_PATH: Final = 150
"""Characters of a path in a line about an item."""


def render(answer: Answer, max_tokens: int) -> str:
    """Return an answer as text of at most `max_tokens` tokens, four characters each."""
    return compose(_PAGES.get(type(answer), _anything)(answer), answer, max_tokens)


def _search(answer: SearchCodeResult | FindSimilarResult) -> Page:
    what = f"like {quoted(answer.subject)}" if isinstance(answer, FindSimilarResult) and answer.subject else "found"
    noun = count(len(answer.results), "result")
    lead = f"{noun} of {answer.total:,} {what}, page {answer.page}" if answer.total else "No match."
    if isinstance(answer, SearchCodeResult) and answer.intent and answer.results:
        lead += f" (taken for: {answer.intent}, answered by: {answer.strategy})"
    return Page(
        lead=[lead],
        items=[_hit(number, hit) for number, hit in enumerate(answer.results, 1)],
        tail=[answer.coverage.missing, answer.hint or _next_page(answer)],
        rest=_rest("results", len(answer.results)),
    )


def _hit(number: int, hit: SearchHit) -> Item:
    name = f"{hit.parent}.{hit.symbol_name}" if hit.parent and hit.symbol_name else hit.symbol_name
    about = " ".join(part for part in (hit.symbol_type, quoted(name)) if part)
    head = f"{number}. {_path(hit.absolute_path or hit.path)}:{hit.line_start}-{hit.line_end}  {about}"
    return Item(head=head + (f"  ({hit.why})" if hit.why else ""), source=hit.code_snippet, language=hit.language)


def _next_page(answer: SearchCodeResult | FindSimilarResult) -> str:
    return f"More: send page={answer.page + 1}." if answer.truncated else ""


def _definitions(answer: GetDefinitionResult) -> Page:
    return Page(
        lead=[_lead(len(answer.definitions), count(answer.total, "definition"), answer.page)],
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
    total = ("at least " if answer.at_least else "") + count(answer.total, "use")
    listing = _by_file(answer.usages)
    rest = _rest("uses", len(answer.usages))
    return Page(
        lead=[_lead(len(answer.usages), total, answer.page)],
        listing=listing,
        tail=[answer.hint],
        rest=lambda lines: rest(sum(line.startswith(_INDENT) for line in listing[:lines])),
    )


def _lead(shown: int, total: str, page: int) -> str:
    return (f"{shown:,} of {total}" + (f", page {page}" if page > 1 else "")) if shown else "No match."


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
        return Page(lead=["No match."], tail=[answer.hint])
    name = f"{answer.container}.{answer.name}" if answer.container else answer.name
    head = f"{answer.absolute_path or answer.path}:{answer.line_start}-{answer.line_end} {answer.kind} {name}"
    left = (
        f"{count(answer.left_out, 'entry', 'entries')} left out: send a larger max_tokens." if answer.left_out else ""
    )
    return Page(lead=[head], listing=list(_explained(answer)), tail=[left, answer.hint], rest=_more_lines)


def _explained(answer: ExplainCodeResult) -> Iterator[str]:
    """The lines of an explanation: the piece itself first, then what it has to do with others."""
    source = visible(answer.source)
    if answer.documentation and answer.documentation.splitlines()[0] not in source:
        yield from visible(answer.documentation).splitlines()
    yield from (source or answer.signature).splitlines()
    counts = {"call": answer.calls, "type": answer.types, "import": answer.imports, "read": answer.reads}
    used = ", ".join(count(number, noun) for noun, number in (*counts.items(), ("heir", answer.inherits)) if number)
    lists: tuple[tuple[str, list[str]], ...] = (
        ("ancestry", [_related(each) for each in answer.ancestry]),
        ("uses", [_related(each) for each in answer.uses]),
        (f"used by ({used})" if used else "used by", [_related(each) for each in answer.used_by]),
        (f"tests ({count(answer.test_uses, 'use')})", [_related(each) for each in answer.tests]),
        ("members", [_related(each) for each in answer.members]),
        (f"imports of the file, which {count(answer.imported_by, 'file')} use", answer.file_imports),
        ("history", [f"{each.commit} {each.date} {each.subject}" for each in answer.history]),
        ("the name is also defined at", answer.others),
    )
    for title, lines in lists:
        if lines:
            yield f"-- {title}"
            yield from (shortened("  " + inline(line)) for line in lines)


def _related(each: RelatedCode) -> str:
    marks = [f"line {each.used_at}"] if each.used_at else []
    marks += [count(each.count, "time")] if each.count > 1 else []
    marks += [f"1 of {each.ambiguous} it may be"] if each.ambiguous else []
    return f"{each.relation} {each.name} {each.path}:{each.line}" + (f" ({', '.join(marks)})" if marks else "")


def _trace(answer: TraceExecutionResult) -> Page:
    lead = f"{answer.entry_at} {answer.entry_kind} {answer.entry}" if answer.entry else "No match."
    more = "More steps: send a larger max_tokens, or a smaller max_depth." if answer.truncated else ""
    return Page(lead=[lead], listing=list(_steps(answer.steps)), tail=[more, answer.hint], rest=_more_lines)


def _steps(steps: Iterable[TraceStep]) -> Iterator[str]:
    direction = ""
    for step in steps:
        if step.direction != direction:
            direction = step.direction
            yield "calls" if direction == "callees" else "called by"
        yield shortened("  " * step.depth + inline(_step(step)))


def _step(step: TraceStep) -> str:
    """What a step leads to and where that is, the line of the call, and what is to be known of it."""
    reached = step.callee if step.direction == "callees" else step.caller
    marks = [f"line {step.line}" if step.direction == "callees" else f"{step.path}:{step.line}"]
    marks += [count(step.count, "time")] if step.count > 1 else []
    marks += [f"1 of {step.ambiguous} it may be"] if step.ambiguous else []
    flags = {"implementation": step.role == "implementation", "cycle": step.cycle}
    flags |= {"followed elsewhere": step.repeated, "goes on": step.cut}
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
    lead = f"{count(len(answer.passages), 'passage')}, {answer.tokens:,} of {answer.max_tokens:,} tokens"
    left = f"{count(answer.left_out, 'passage')} left out: send a larger max_tokens." if answer.left_out else ""
    return Page(
        lead=[lead if answer.passages else "No match."],
        source=answer.text,
        is_fenced=True,
        tail=[answer.coverage.missing, left, answer.hint],
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
        f"unsaved documents: {answer.unsaved_documents}" if answer.unsaved_documents else "",
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
    lead = [] if lines else ["No match."]
    return Page(lead=lead, listing=lines, rest=_more_lines)


def _entry(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_entry(each)}" for name, each in value.items())
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _more_lines(shown: int) -> str:
    return f"… cut after {shown:,} lines; send a larger max_tokens."


def _rest(noun: str, there: int) -> Callable[[int], str]:
    return lambda shown: f"… {shown} of {there} {noun} fit; send a larger max_tokens, or max_results={shown} and page."


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
