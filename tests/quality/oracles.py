"""How right the outlines are: recall and precision against other readers of the same files, on unpacked packages.

    python -m tests.quality.oracles python=path/to/django go=path/to/go/src=Go 1.19 … [--show 10] [--minimum] [--keep]

Oracles are CPython's `ast` for Python, the TypeScript server for TypeScript and JavaScript, LLVM's parser for C and
Microsoft's for C# (`sh tests/quality/fetch_oracles.sh build/oracles` fetches both), universal-ctags for the others.

`--keep` writes the figures under the names and versions of the packages, which are the third part of each, into the
table of `docs/quality.md` and `docs/languages.md`; those of other packages stay in it.

A record is (path, name, line of the name). Records match as a multiset; every file that the oracle read counts, so one
that we fail on is recall lost. What it refused, and the branches of conditions that it did not take, are counted apart:
it says nothing of them. Kinds are compared only on matched pairs: a disagreement on the kind is no missing symbol.
Functions (with methods) and types are compared, for Python module-level variables as well.
"""

from __future__ import annotations

import argparse
import ast
import json
import platform
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pilotfish.syntax.languages import HEAD_SIZE, REGISTRY, detect
from pilotfish.syntax.outline import Symbol, SymbolKind
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import LineTable, decode
from tests.bench.machine import machine
from tests.quality.ctags import (
    CTAGS_BY_LINE,
    CTAGS_COMPARED,
    CTAGS_LACKS,
    CTAGS_LACKS_LOCALS,
    CTAGS_LATE,
    CTAGS_OWN_KINDS,
    CTAGS_SKIPPED,
    ctags_records,
    ctags_version,
    in_code,
)
from tests.quality.language_servers import LanguageServer
from tests.quality.parsers import READERS, parser_records, parser_version
from tests.quality.records import DARK, FILE, OTHER, REFUSED, Record

MINIMUM = {
    "python": 0.999,
    "go": 0.98,
    "rust": 0.98,
    "ruby": 0.98,
    "java": 0.97,
    "c": 0.95,
    "ada": 0.95,
    "elixir": 0.95,
    "fortran": 0.95,
    "fortran_fixed": 0.95,
    "verilog": 0.95,
    "vhdl": 0.95,
    "csharp": 0.96,
    "kotlin": 0.96,
    "php": 0.96,
    "lua": 0.95,
    "perl": 0.95,
    "powershell": 0.95,
    "r": 0.95,
    "julia": 0.95,
    "erlang": 0.95,
    "proto": 0.95,
    "make": 0.95,
    "cmake": 0.95,
    "rst": 0.95,
    "css": 0.95,
}
"""What recall and precision must reach, by language."""

SERVERS = Path(__file__).parent / "servers" / "node_modules"

LARGEST_FILE = 1 << 20
RESULTS = Path(__file__).parents[1] / "bench" / "results" / "oracles.txt"

OUR_CLASSES = {
    SymbolKind.CLASS: "type",
    SymbolKind.INTERFACE: "type",
    SymbolKind.STRUCT: "type",
    SymbolKind.ENUM: "type",
    SymbolKind.FUNCTION: "function",
    SymbolKind.METHOD: "function",
    SymbolKind.CONSTRUCTOR: "function",
    SymbolKind.OPERATOR: "function",
    SymbolKind.VARIABLE: "variable",
    SymbolKind.CONSTANT: "variable",
    SymbolKind.STRING: "heading",
}
# Languages whose oracle lists what lies deeper in a function here and there, or not at all.
WITHOUT_LOCALS = {"typescript", "tsx", "javascript", "c"}
# Languages in which macros are a matter apart to it, and functions and constants to us.
WITHOUT_MACROS = {"c", *(language for language, kinds in CTAGS_SKIPPED.items() if "macro" in kinds)}
_ALIAS = re.compile(rb"type\s+$")  # an alias of a type, which is a variable to the TypeScript server
_ACCESSOR = re.compile(rb"\b[gs]et\s+$")  # a property to us, a method to it


@dataclass
class Comparison:
    """What the two sides agree on."""

    files: int = 0
    refused: int = 0
    matched: int = 0
    missing: list[Record] = field(default_factory=list)
    extra: list[Record] = field(default_factory=list)
    dark: int = 0
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def recall(self) -> float:
        return self.matched / max(1, self.matched + len(self.missing))

    @property
    def precision(self) -> float:
        return self.matched / max(1, self.matched + len(self.extra))


def files_of(root: Path, language: str) -> list[str]:
    """The relative paths of the language's files below `root`, as the product would detect them."""
    found = []
    suffixes, names = {*REGISTRY[language].extensions}, REGISTRY[language].filenames
    if REGISTRY[language].family == "c":
        suffixes.add("h")  # whose language its content tells
    for path in sorted(root.rglob("*")):
        if (
            (path.suffix[1:].lower() in suffixes or path.name in names)
            and path.is_file()
            and path.stat().st_size <= LARGEST_FILE
        ):
            relative = path.relative_to(root).as_posix()
            with path.open("rb") as file:
                if detect(relative, file.read(HEAD_SIZE)) == language:
                    found.append(relative)
    return found


def our_records(root: Path, paths: list[str], language: str, classes: set[str]) -> Iterator[Record]:
    """What the outlines say."""
    outliner = Outliner()
    has_clauses = REGISTRY[language].continues is not None
    for path in paths:
        text = decode((root / path).read_bytes()).text
        lines = LineTable.from_text(text)
        symbols = outliner.outline(text, language).symbols
        for symbol in symbols:
            outer = OUR_CLASSES.get(symbols[symbol.parent].kind) if symbol.parent >= 0 else ""
            lacks = symbol.kind in CTAGS_LACKS.get(language, ()) or (
                outer == "function" and language in CTAGS_LACKS_LOCALS
            )
            kind = "" if lacks else OUR_CLASSES.get(symbol.kind, "")
            if language in WITHOUT_LOCALS and is_within_function(symbols, symbol.parent):
                continue
            if language in LANGUAGE_IDS:
                head = text[symbol.start : symbol.name_start]
                if _ALIAS.search(head) or _NO_NAME.search(symbol.name):
                    continue
                kind = "function" if _ACCESSOR.search(head) else kind
            if language in WITHOUT_MACROS and text.startswith(
                (b"#", b"-define", b"`define"), symbol.start + symbol.head
            ):
                kind = "macro"
            is_title = language not in ("ada", "vhdl") and text.startswith(b'"', symbol.name_start - 1)  # of a test
            if kind in classes and not is_title:
                last = lines.line_of(symbol.end) + 1 if has_clauses else 0
                yield Record(path, symbol.name, lines.line_of(symbol.name_start) + 1, kind, last)


def is_within_function(symbols: list[Symbol], ordinal: int) -> bool:
    """Whether a definition is a function or lies in one; -1 is none."""
    while ordinal >= 0:
        if OUR_CLASSES.get(symbols[ordinal].kind) == "function":
            return True
        ordinal = symbols[ordinal].parent
    return False


def ast_records(root: Path, paths: list[str]) -> Iterator[Record]:
    """What CPython's parser says: functions and classes anywhere, variables that the module's own statements bind."""
    for path in paths:
        try:
            tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        yield Record(path, "", 0, FILE)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Record(path, node.name, node.lineno, "function")
            elif isinstance(node, ast.ClassDef):
                yield Record(path, node.name, node.lineno, "type")
        for name in module_names(tree.body):
            yield Record(path, name.id, name.lineno, "variable")


def module_names(statements: list[ast.stmt]) -> Iterator[ast.Name]:
    """The names that statements of a module assign, also under conditions, but not in functions and classes."""
    for statement in statements:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            elements = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (element for element in elements if isinstance(element, ast.Name))
        for part in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = getattr(statement, part, [])
                for handler in inner if part == "handlers" else ():
                    yield from module_names(handler.body)
                if part != "handlers":
                    yield from module_names(inner)


TYPESCRIPT = {
    SymbolKind.CLASS: "type",
    SymbolKind.INTERFACE: "type",
    SymbolKind.ENUM: "type",
    SymbolKind.FUNCTION: "function",
    SymbolKind.METHOD: "function",
    SymbolKind.CONSTRUCTOR: "function",
}
# What the TypeScript server calls functions without a name, and what is called by something else than a name.
_NO_NAME = re.compile(r"[<(\s\"'\[]|^$")
# A function or variable that gets members is a class with a constructor to it; these are on the line of a real one.
CLASS_WORDS = {"class", "constructor"}
_WORD = re.compile(r"\w+")
LANGUAGE_IDS = {"typescript": "typescript", "tsx": "typescriptreact", "javascript": "javascript"}


def typescript_records(root: Path, paths: list[str], language: str) -> Iterator[Record]:
    """What the TypeScript server says of each document."""
    command = [str(SERVERS / "node/bin/node"), str(SERVERS / "typescript-language-server/lib/cli.mjs"), "--stdio"]
    options = {"tsserver": {"path": str(SERVERS / "typescript/lib/tsserver.js")}}
    with LanguageServer(command, root.resolve(), options) as server:
        for path in paths:
            yield Record(path, "", 0, FILE)
            lines = (root / path).read_text("utf-8", "replace").split("\n")
            for symbol in server.outline(path, LANGUAGE_IDS[language]):
                kind = TYPESCRIPT.get(SymbolKind(symbol.kind))
                is_local = any(
                    TYPESCRIPT.get(SymbolKind(outer.kind)) == "function" and not _NO_NAME.search(outer.name)
                    for outer in symbol.within
                )
                if is_local or _NO_NAME.search(symbol.name):
                    continue
                words = set(_WORD.findall(lines[symbol.line])) if language == "javascript" else CLASS_WORDS
                if (kind == "type" or symbol.name == "constructor") and not words & CLASS_WORDS:
                    kind = OTHER
                yield Record(path, symbol.name, symbol.line + 1, kind or OTHER)


def compare(ours: Iterator[Record], oracle: Iterator[Record], late: int = 0) -> Comparison:
    """Match both sides; of several records of one name on a line each matches once.

    An oracle may name a line up to `late` lines behind that of the name.
    Where functions have clauses, an oracle that lists each says nothing new within the one that we list.
    """
    comparison = Comparison()
    index: dict[tuple[str, str, int], list[Record]] = defaultdict(list)
    clauses: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in ours:
        index[record[:3]].append(record)
        if record.last:
            clauses[record[:2]].append(record)
    read: set[str] = set()
    dark: dict[str, list[Record]] = defaultdict(list)
    for record in oracle:
        if record.kind == FILE:
            read.add(record.path)
        if record.kind == REFUSED:
            comparison.refused += 1
        if record.kind == DARK:
            dark[record.path].append(record)
        if record.kind in (FILE, REFUSED, DARK):
            continue
        lines = range(record.line, record.line - late - 1, -1)
        if same := next((found for line in lines if (found := index.get((*record[:2], line)))), None):
            comparison.matched += 1
            comparison.kinds[record.kind, same.pop().kind] += 1
        elif record.kind != OTHER and not any(each.line <= record.line <= each.last for each in clauses[record[:2]]):
            comparison.missing.append(record)
    comparison.files = len(read)
    for record in (record for records in index.values() for record in records if record.path in read):
        if any(lines.line <= record.line <= lines.last for lines in dark[record.path]):
            comparison.dark += 1
        else:
            comparison.extra.append(record)
    return comparison


def oracle_of(language: str) -> str:
    """What a language is compared with, and its version."""
    if language == "python":
        return f"CPython {'.'.join(platform.python_version_tuple()[:2])}"
    if language in LANGUAGE_IDS:
        return f"TypeScript {json.loads((SERVERS / 'typescript/package.json').read_bytes())['version']}"
    return parser_version(language) if language in READERS else ctags_version()


def measure(language: str, root: Path, flags: list[str]) -> Comparison:
    """Compare the files of a language below `root` with its oracle."""
    paths = files_of(root, language)
    if language == "python":
        classes = {"function", "type", "variable"}
        return compare(our_records(root, paths, language, classes), ast_records(root, paths))
    if language in LANGUAGE_IDS or language in READERS:
        ours = our_records(root, paths, language, {"function", "type"})
        if language in READERS:
            return compare(ours, parser_records(root, paths, language, flags))
        return compare(ours, typescript_records(root, paths, language))
    classes = CTAGS_COMPARED.get(language, {"function", "type", *CTAGS_OWN_KINDS.get(language, {})})
    ours = our_records(root, paths, language, classes)
    oracle = ctags_records(root, paths, language)
    if language in CTAGS_BY_LINE:
        oracle = in_code(root, language, oracle)
    return compare(ours, oracle, CTAGS_LATE.get(language, 0))


def report(language: str, root: Path, comparison: Comparison, show: int) -> None:
    """Print the figures, each kind of difference counted, and examples."""
    print(
        f"{language}: files {comparison.files} refused {comparison.refused} matched {comparison.matched} "
        f"missing {len(comparison.missing)} extra {len(comparison.extra)} dark {comparison.dark} "
        f"recall {comparison.recall:.4f} precision {comparison.precision:.4f}"
    )
    for label, records in (("missing", comparison.missing), ("extra", comparison.extra)):
        print(f"  {label} by kind: {dict(Counter(record.kind for record in records))}")
    confused = {f"{a} as {b}": count for (a, b), count in comparison.kinds.items() if a != b}
    print(f"  kinds confused: {confused}")
    for label, records in (("missing", comparison.missing), ("extra", comparison.extra)):
        step = max(1, len(records) // show) if show else 1
        for record in records[::step][:show]:
            print(f"  {label} {record.kind} {record.name} {root.name}/{record.path}:{record.line}")


HEADING = "| language | package | oracle | files | definitions | recall | precision | what differs |"


def keep(rows: list[tuple[str, str, Comparison]]) -> None:
    """Put the figures of packages into the kept table, in the place of earlier ones."""
    _, _, table = RESULTS.read_text("utf-8").partition("\n") if RESULTS.exists() else ("", "", "")
    kept = {tuple(line.split(" | ")[:2]): line for line in table.splitlines()[2:] if line.startswith("| ")}
    for language, package, comparison in rows:
        cells = (f"| {language}", package, oracle_of(language), *figures(comparison))
        kept[cells[:2]] = " | ".join(cells) + " |"
    lines = (HEADING, "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |", *(kept[key] for key in sorted(kept)))
    RESULTS.write_text("\n".join((machine(), *lines)) + "\n", "utf-8")


def figures(comparison: Comparison) -> tuple[str, ...]:
    """The cells of a row: files, definitions that both sides have, recall, precision, and each kind of difference."""
    kinds = [
        f"{label} {kind} {count:,}"
        for label, records in (("missing", comparison.missing), ("extra", comparison.extra))
        for kind, count in Counter(record.kind for record in records).most_common()
    ]
    if comparison.refused:
        kinds.append(f"{comparison.refused:,} files refused by it")
    if comparison.dark:
        kinds.append(f"{comparison.dark:,} in branches that it did not take")
    counts = (f"{comparison.files:,}", f"{comparison.matched:,}")
    return (*counts, f"{comparison.recall:.4f}", f"{comparison.precision:.4f}", ", ".join(kinds) or "nothing")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", metavar="LANGUAGE=FOLDER[=PACKAGE VERSION]", help="an unpacked package")
    parser.add_argument("--show", type=int, default=0, help="examples of each kind of difference")
    parser.add_argument("--minimum", action="store_true", help="exit with 1 where a figure is below what is promised")
    parser.add_argument("--flag", action="append", default=[], help="for C's parser, in front of its own")
    parser.add_argument("--keep", action="store_true", help="write the figures into the table that the pages show")
    arguments = parser.parse_args()
    failed = False
    rows = []
    for package in arguments.packages:
        language, folder, name = [*package.split("=", 2), ""][:3]
        comparison = measure(language, Path(folder), arguments.flag)
        report(language, Path(folder), comparison, arguments.show)
        rows.append((language, name or Path(folder).name, comparison))
        failed |= min(comparison.recall, comparison.precision) < MINIMUM.get(language, 0)
    if arguments.keep:
        keep(rows)
    return int(failed and arguments.minimum)


if __name__ == "__main__":
    sys.exit(main())
