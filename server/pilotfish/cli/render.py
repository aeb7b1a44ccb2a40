"""How each operation's answer looks: for people one function an operation, for scripts one rule for all.

JSON for scripts counts lines and columns from 1, columns in code points, and is otherwise the operation's result as
the reference page has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from pilotfish.cli.terminal import Page, Terminal, printable
from pilotfish.cli.wording import in_shell_words, put_in_shell_words
from pilotfish.operations.answer import Answer, Position, Span
from pilotfish.operations.architecture import GetArchitectureResult
from pilotfish.operations.explain import ExplainCodeResult, RelatedCode
from pilotfish.operations.index import ControlResult, StatusResult, SyncResult, WhyResult
from pilotfish.operations.repo_map import RepoMapResult
from pilotfish.operations.search import BuildContextResult, FindSimilarResult, SearchCodeResult, SearchHit
from pilotfish.operations.symbols import (
    FileOutline,
    FindSymbolsResult,
    FindUsagesResult,
    GetDefinitionResult,
    OutlineResult,
    SymbolRecord,
    Usage,
)
from pilotfish.operations.trace import TraceExecutionResult, TraceStep

_MAX_NESTED: Final = 20
"""Repositories in a folder that are named."""

Renderer = Callable[[Any, Terminal], None]

_SNIPPET_LINES = 6
"""Lines of source that a person is shown with each result."""

_TRUNCATED = "More matched; --max-results shows more."


def to_json(answer: Answer) -> bytes:
    """Return the answer as one JSON object, its keys in the order of the reference page, the index's state last; its
    advice is in the shell's words."""
    fields = plain(answer)
    put_in_shell_words(fields)
    common = {name: fields.pop(name) for name in ("outcome", "unsaved", "index")}
    return msgspec.json.encode(fields | common)


def outline_lines(outline: FileOutline) -> Iterator[bytes]:
    """Yield one JSON line for each definition of a file: path, name, kind, line, container."""
    for symbol in outline.symbols:
        yield msgspec.json.encode(
            {
                "path": outline.path,
                "name": symbol.name,
                "kind": symbol.kind,
                "line": symbol.line,
                "container": symbol.container,
            }
        )


def render(answer: Answer, terminal: Terminal) -> None:
    """Write the answer for a person, and beside it what the person must know to read it rightly."""
    _RENDERERS[type(answer)](answer, terminal)
    hint = getattr(answer, "hint", "")
    if hint and answer.outcome == "no_match" and not answer.index.files:
        terminal.note("No file is indexed here; `pilotfish index --dry-run` tells why.")
    elif hint and answer.outcome != "not_indexed":
        terminal.note(in_shell_words(hint))
    for path in answer.unsaved:
        terminal.note(f"{path}: as it is in the editor, not saved yet.")


def as_text(answer: Answer) -> str:
    """Return what `render` writes, as plain text; answers that no command gives are shown field by field."""
    page = Page()
    if type(answer) in _RENDERERS:
        render(answer, page)
    else:
        own = [name for name in answer.__struct_fields__ if name not in Answer.__struct_fields__]
        page.table([(name, _field(getattr(answer, name))) for name in own if getattr(answer, name)], [(), ()])
    return page.text()


def _field(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def plain(value: Any) -> Any:
    """Return a value of an answer as JSON for scripts has it."""
    if isinstance(value, Span):
        return {"start": plain(value.start), "end": plain(value.end)}
    if isinstance(value, Position):
        return {"line": value.line + 1, "column": value.utf32 + 1}
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _symbols(answer: FindSymbolsResult, terminal: Terminal) -> None:
    _symbol_table(answer.symbols, terminal)
    if answer.truncated:
        terminal.note(_TRUNCATED)


def _symbol_table(symbols: list[SymbolRecord], terminal: Terminal) -> None:
    rows = [(record.name, record.kind, record.container, _place(record)) for record in symbols]
    terminal.table(rows, [("bold",), ("cyan",), ("dim",), ()])


def _search(answer: SearchCodeResult | FindSimilarResult, terminal: Terminal) -> None:
    if isinstance(answer, FindSimilarResult) and answer.subject:
        terminal.note(f"Like {answer.subject}:")
    for number, hit in enumerate(answer.results):
        if number and hit.code_snippet:
            terminal.line()
        _hit(hit, terminal)
    _say_what_is_missing(answer, terminal)


def _hit(hit: SearchHit, terminal: Terminal) -> None:
    """Write the place, what it is, why it was found, and the first lines of its source."""
    name = f"{hit.parent}.{hit.symbol_name}" if hit.parent and hit.symbol_name else hit.symbol_name
    place = terminal.style(printable(f"{hit.absolute_path or hit.path}:{hit.line_start}-{hit.line_end}"), "bold")
    about = terminal.style(printable(f"{hit.symbol_type} {name}".strip()), "cyan")
    why = terminal.style(printable(f"{hit.score:.2f} ({hit.why})"), "dim")
    terminal.line("  ".join(part for part in (place, about, why) if part))
    lines = hit.code_snippet.splitlines()
    for line in lines[:_SNIPPET_LINES]:
        terminal.line("    " + printable(line.expandtabs(4)))
    if len(lines) > _SNIPPET_LINES:
        terminal.line(terminal.style(f"    … {len(lines) - _SNIPPET_LINES:,} more lines", "dim"))


def _say_what_is_missing(answer: SearchCodeResult | FindSimilarResult | BuildContextResult, terminal: Terminal) -> None:
    if answer.coverage.missing and answer.outcome != "not_indexed":  # which is said anyway, and why
        terminal.note(in_shell_words(answer.coverage.missing))


def _context(answer: BuildContextResult, terminal: Terminal) -> None:
    for line in answer.text.splitlines():
        terminal.line(printable(line.expandtabs(4)))
    if answer.passages:
        passages = _count(len(answer.passages), "passage")
        terminal.note(f"{passages}, {answer.tokens:,} of {answer.max_tokens:,} tokens ({answer.counter}).")
    _say_what_is_missing(answer, terminal)


def _definitions(answer: GetDefinitionResult, terminal: Terminal) -> None:
    for number, record in enumerate(answer.definitions):
        if number:
            terminal.line()
        name = f"{record.container}.{record.name}" if record.container else record.name
        head = f"{terminal.style(printable(name), 'bold')} {terminal.style(printable(record.kind), 'cyan')}"
        terminal.line(f"{head}  {printable(_place(record))}")
        for text in (record.signature, *record.documentation.splitlines()):
            if text:
                terminal.line("  " + printable(text))
        if record.uses is not None:
            terminal.line(terminal.style(f"  name used {_count(record.uses, 'time')}", "dim"))
    if answer.truncated:
        terminal.note(f"{len(answer.definitions):,} of {_count(answer.total, 'definition')}.")


def _usages(answer: FindUsagesResult, terminal: Terminal) -> None:
    rows = [(f"{usage.absolute_path or usage.path}:{usage.line}", _role(usage), usage.text) for usage in answer.usages]
    terminal.table(rows, [(), ("cyan",), ("dim",)])
    if answer.truncated:
        total = ("at least " if answer.at_least else "") + _count(answer.total, "use")
        terminal.note(f"{len(answer.usages):,} of {total}.")
    if answer.usages and answer.others:
        terminal.note(f"{_count(answer.others, 'use')} of other definitions of the name left out.")


def _role(usage: Usage) -> str:
    return usage.role if usage.certainty == "bound" else f"{usage.role} (name only)"


def _explanation(answer: ExplainCodeResult, terminal: Terminal) -> None:
    if answer.name:
        name = f"{answer.container}.{answer.name}" if answer.container else answer.name
        head = f"{terminal.style(printable(name), 'bold')} {terminal.style(printable(answer.kind), 'cyan')}"
        place = f"{answer.absolute_path or answer.path}:{answer.line_start}-{answer.line_end}"
        terminal.line(f"{head}  {printable(place)}")
        for text in (answer.signature, *answer.documentation.splitlines()):
            if text:
                terminal.line("  " + printable(text))
        _block("source", ["  " + line.expandtabs(4) for line in answer.source.splitlines()], terminal)
        for title, related in (
            ("ancestry", answer.ancestry),
            ("uses", answer.uses),
            (f"used by{_use_counts(answer)}", answer.used_by),
            (f"tests ({_count(answer.test_uses, 'use')})", answer.tests),
            ("members", answer.members),
        ):
            if related:
                terminal.line(terminal.style(printable(title), "dim"))
                terminal.table([_related(each) for each in related], [("cyan",), ("bold",), ("dim",), ()])
        _block(f"imports (the file is used by {_count(answer.imported_by, 'file')})", answer.file_imports, terminal)
        _block("history", [f"{each.commit}  {each.date}  {each.subject}" for each in answer.history], terminal)
        _block("the name is also defined at", answer.others, terminal)
    if answer.hint:
        terminal.note(in_shell_words(answer.hint))


def _block(title: str, lines: list[str], terminal: Terminal) -> None:
    if lines:
        terminal.line(terminal.style(printable(title), "dim"))
        for line in lines:
            terminal.line("  " + printable(line))


def _use_counts(answer: ExplainCodeResult) -> str:
    counts = [
        _count(number, noun)
        for number, noun in (
            (answer.calls, "call"),
            (answer.types, "type"),
            (answer.imports, "import"),
            (answer.inherits, "heir"),
            (answer.reads, "read"),
            (answer.name_uses, "other that may mean it"),
        )
        if number
    ]
    return f" ({', '.join(counts)})" if counts else ""


def _related(each: RelatedCode) -> tuple[str, str, str, str]:
    uses = [f"line {each.used_at:,}"] if each.used_at else []
    uses += [_count(each.count, "time")] if each.count > 1 else []
    uses += [f"or {_count(each.ambiguous - 1, 'other')}"] if each.ambiguous else []
    return f"  {each.relation}", each.name, f"{each.path}:{each.line}", ", ".join(uses)


def _trace(answer: TraceExecutionResult, terminal: Terminal) -> None:
    if answer.entry:
        name = terminal.style(printable(answer.entry), "bold")
        terminal.line(f"{name} {terminal.style(printable(answer.entry_kind), 'cyan')}  {printable(answer.entry_at)}")
    direction = ""
    for step in answer.steps:
        if step.direction != direction:
            direction = step.direction
            terminal.line(terminal.style("calls" if direction == "callees" else "called by", "dim"))
        terminal.line(_step(step, terminal))
    if answer.hint:
        terminal.note(in_shell_words(answer.hint))


def _step(step: TraceStep, terminal: Terminal) -> str:
    """A step in one line: what it leads to and where that is, the line of the call, and what is to be known of it."""
    reached = step.callee if step.direction == "callees" else step.caller
    marks = [f"line {step.line:,}" if step.direction == "callees" else f"{step.path}:{step.line}"]
    marks += [_count(step.count, "time")] if step.count > 1 else []
    marks += [f"1 of {step.ambiguous:,} it may be"] if step.ambiguous else []
    flags = (("cycle", step.cycle), ("followed elsewhere", step.repeated), ("cut", step.cut))
    marks += [word for word, holds in flags if holds]
    about = terminal.style(printable(f"({', '.join(marks)})"), "dim")
    name = terminal.style(printable(reached), "bold")
    return f"{'  ' * step.depth}{name}  {printable(step.defined_at)}  {about}"


def _outline(answer: OutlineResult, terminal: Terminal) -> None:
    for number, file in enumerate(answer.files):
        if number:
            terminal.line()
        language = terminal.style(f"  {printable(file.language)}", "dim") if file.language else ""
        terminal.line(terminal.style(printable(file.path), "bold") + language)
        if file.reason:
            terminal.line(f"  no outline: {printable(file.reason)}")
        for depth, symbol in _with_depths(file.symbols):
            kind = terminal.style(printable(symbol.kind), "cyan")
            terminal.line(f"{symbol.line:>6}  {'  ' * depth}{kind} {printable(symbol.name)}")


def _with_depths(symbols: list[SymbolRecord]) -> Iterator[tuple[int, SymbolRecord]]:
    """Yield each definition with the number of those that enclose it; they come in source order, outer ones first."""
    ends: list[tuple[int, int]] = []
    for symbol in symbols:
        if symbol.span is None:
            yield 0, symbol
            continue
        start, end = symbol.span.start, symbol.span.end
        while ends and ends[-1] <= (start.line, start.utf32):
            ends.pop()
        yield len(ends), symbol
        ends.append((end.line, end.utf32))


def _map(answer: RepoMapResult, terminal: Terminal) -> None:
    if answer.format == "html":
        terminal.data(answer.text.encode())  # a file to be; no terminal shows megabytes
        return
    for line in answer.text.splitlines():
        terminal.line(printable(line))
    if answer.unknown_files:
        terminal.note(f"Not in the index: {', '.join(map(printable, answer.unknown_files))}; `why` tells the rule.")
    if answer.text:
        terminal.note(f"{answer.tokens:,} of {answer.max_tokens:,} tokens ({answer.counter}).")
    elif answer.more_files:
        terminal.note(f"No definition fits into {answer.max_tokens:,} tokens; --max-tokens gives more room.")
    else:
        terminal.note("There are no definitions here.")


def _architecture(answer: GetArchitectureResult, terminal: Terminal) -> None:
    if answer.format == "json":
        terminal.data(to_json(answer))
    for line in answer.text.splitlines():
        is_heading = answer.format == "text" and not line.startswith(" ")
        terminal.line(terminal.style(printable(line), *(["bold"] if is_heading else [])))
    if not answer.file_count:
        where = "here" if answer.focus_area == "full" else f"in {printable(answer.focus_area)}"
        terminal.note(f"There is no file of code {where}; tests are left out.")
    elif answer.truncated:
        terminal.note("There is more; --max-tokens shows it, --focus-area FOLDER looks into a part.")


def _status(answer: StatusResult, terminal: Terminal) -> None:
    index = answer.index
    pending = f", {_count(index.pending, 'file')} pending" if index.pending else ""
    root = f"{answer.root} ({answer.root_reason})" if answer.root_reason else answer.root
    workers = f" and {_count(len(answer.worker_pids), 'worker')}" if answer.worker_pids else ""
    memory = f", {size_words(answer.memory_bytes)} with workers" if answer.memory_bytes else ""
    facts = [
        ("root", root),
        ("state", f"{index.phase}{pending}, generation {index.generation}"),
        ("files", f"{index.files:,} ({size_words(answer.source_bytes)} of source)"),
        ("symbols", f"{answer.symbols:,}, {_count(answer.references, 'reference')}"),
        ("vectors", _vectors(answer)),
        ("head", answer.head or ("not known yet" if index.phase in ("starting", "scanning") else "no git commit")),
        ("index", f"{answer.index_folder} ({size_words(answer.index_bytes)})"),
        ("watcher", answer.watcher or "none"),
        ("engine", f"process {answer.engine_pid}{workers}{memory}, version {answer.version}"),
        ("clients", ", ".join(answer.sessions) or "none"),
        ("log", answer.log_path),
    ]
    if answer.unsaved_documents:
        facts.insert(3, ("open", _count(answer.unsaved_documents, "document")))
    terminal.table(facts, [("dim",), ()])
    _language_table(answer, terminal)
    if answer.skipped:
        terminal.line()
        terminal.line(terminal.style("listed without an outline", "bold"))
        rows = [(f"{skip.files:,}", skip.reason) for skip in answer.skipped]
        terminal.table(rows, [(), ("dim",)])
    if answer.nested_total:
        terminal.line()
        terminal.line(terminal.style("repositories inside, each a root of its own", "bold"))
        terminal.table([(path,) for path in answer.nested_roots[:_MAX_NESTED]], [()])
        if answer.nested_total > _MAX_NESTED:
            terminal.line(terminal.style(f"and {answer.nested_total - _MAX_NESTED:,} more", "dim"))
    if answer.most_used:
        terminal.line()
        terminal.line(terminal.style("most used", "bold"))
        used = [
            (f"{record.uses or 0:,}", record.name, record.kind, record.container, _place(record))
            for record in answer.most_used
        ]
        terminal.table(used, [("dim",), ("bold",), ("cyan",), ("dim",), ()])
    for warning in answer.warnings:
        if not (answer.semantic.message and warning.endswith(answer.semantic.message)):  # it stands beside `vectors`
            terminal.note(f"warning: {warning}")


def _vectors(answer: StatusResult) -> str:
    """Say how many passages can be found by meaning, and what is wrong where something is."""
    index, semantic = answer.index, answer.semantic
    if semantic.phase == "off":
        return "off"
    pending = f", {_count(semantic.pending, 'file')} pending" if semantic.pending else ""
    words = f"{semantic.phase}, {index.embedded:,} of {_count(index.chunks, 'passage')}{pending}, by {semantic.model}"
    return f"{words}: {semantic.message}" if semantic.message else words


def _language_table(answer: StatusResult, terminal: Terminal) -> None:
    if not answer.languages:
        return
    terminal.line()
    terminal.line(terminal.style("languages", "bold"))
    rows = [
        (
            count.language,
            _count(count.files, "file"),
            _count(count.symbols, "symbol"),
            f"{count.with_errors:,} with syntax errors" if count.with_errors else "",
        )
        for count in answer.languages
    ]
    terminal.table(rows, [("cyan",), (), (), ("yellow",)])


def _sync(answer: SyncResult, terminal: Terminal) -> None:
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (answer.added, "added"),
            (answer.changed, "changed"),
            (answer.moved, "moved"),
            (answer.removed, "removed"),
        )
        if number
    ]
    files = _count(answer.index.files, "file")
    terminal.line(f"{files} indexed, {', '.join(parts) if parts else 'up to date'}")
    if answer.upstream and answer.behind is not None and answer.ahead is not None:
        known = "" if answer.fetched else ", as of the last fetch"
        terminal.line(printable(f"{_apart(answer.behind, answer.ahead)} {answer.upstream}{known}"))


def _apart(behind: int, ahead: int) -> str:
    if behind and ahead:
        return f"{behind:,} behind and {ahead:,} ahead of"
    return f"{behind:,} behind" if behind else f"{ahead:,} ahead of" if ahead else "level with"


def _why(answer: WhyResult, terminal: Terminal) -> None:
    if answer.files:
        verdict = terminal.style(f"folder, {_count(answer.files, 'file')} indexed", "green")
    elif answer.indexed:
        about = f" ({answer.language}, {_count(answer.symbols, 'symbol')})" if answer.language else ""
        verdict = terminal.style("indexed", "green") + printable(about)
    elif answer.listed:
        verdict = terminal.style("listed, without an outline", "yellow")
    else:
        verdict = terminal.style("not indexed", "red")
    terminal.line(f"{terminal.style(printable(answer.path or '.'), 'bold')}: {verdict}")
    rule = ": ".join(part for part in (answer.rule, answer.detail) if part)
    if rule:
        terminal.line(f"  {printable(rule)}")


def _control(answer: ControlResult, terminal: Terminal) -> None:
    terminal.line(printable(answer.message))


def _place(record: SymbolRecord) -> str:
    return f"{record.absolute_path or record.path}:{record.line}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def size_words(count: int) -> str:
    """Return a number of bytes in the unit that people would choose."""
    amount = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:,.0f} {unit}" if unit == "bytes" else f"{amount:,.1f} {unit}"
        amount /= 1024
    return f"{amount:,.1f} GiB"


_RENDERERS: dict[type[Answer], Renderer] = {
    SearchCodeResult: _search,
    FindSimilarResult: _search,
    BuildContextResult: _context,
    FindSymbolsResult: _symbols,
    GetDefinitionResult: _definitions,
    FindUsagesResult: _usages,
    ExplainCodeResult: _explanation,
    TraceExecutionResult: _trace,
    OutlineResult: _outline,
    RepoMapResult: _map,
    GetArchitectureResult: _architecture,
    StatusResult: _status,
    SyncResult: _sync,
    WhyResult: _why,
    ControlResult: _control,
}
