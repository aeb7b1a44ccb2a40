"""How right the outlines are: recall and precision against CPython's `ast` and universal-ctags on unpacked packages.

    python -m tests.quality.oracles python=path/to/django go=path/to/go/src=Go 1.19 … [--show 10] [--minimum] [--keep]

`--keep` writes the figures under the names and versions of the packages, which are the third part of each, into the
table of `docs/quality.md` and `docs/languages.md`; those of other packages stay in it.

A record is (path, name, line of the name). Records match as a multiset; every file that the oracle read counts, so one
that we fail on is recall lost. Kinds are compared only on matched pairs: a disagreement on the kind is no missing
symbol. Functions (with methods) and types are compared, for Python module-level variables as well.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from pilotfish.syntax.languages import HEAD_SIZE, REGISTRY, detect
from pilotfish.syntax.outline import Symbol, SymbolKind
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import LineTable, decode
from pilotfish.syntax.words import code_only
from tests.bench.machine import machine
from tests.quality.language_servers import LanguageServer

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
CTAGS_CLASSES = {
    "type": "class interface struct enum union typedef type trait annotation alias talias object",
    "function": "function func method singletonMethod constructor methodSpec generator getter setter macro",
}
CTAGS_KINDS = {kind: name for name, kinds in CTAGS_CLASSES.items() for kind in kinds.split()}
CTAGS_LANGUAGES = {
    "sql": "SQL",
    "cmake": "CMake",
    "latex": "Tex",
    "rst": "ReStructuredText",
    "css": "CSS",
    "scss": "SCSS",
    "make": "Make",
    "proto": "Protobuf",
    "cpp": "C++",
    "go": "Go",
    "rust": "Rust",
    "ruby": "Ruby",
    "java": "Java",
    "c": "C",
    "elixir": "Elixir",
    "clojure": "Clojure",
    "ada": "Ada",
    "pascal": "Pascal",
    "vhdl": "VHDL",
    "verilog": "SystemVerilog",
    "erlang": "Erlang",
    "fortran": "Fortran",
    "fortran_fixed": "Fortran",
    "csharp": "C#",
    "kotlin": "Kotlin",
    "objc": "ObjectiveC",
    "cuda": "CUDA",
    "php": "PHP",
    "lua": "Lua",
    "perl": "Perl",
    "powershell": "PowerShell",
    "r": "R",
    "julia": "Julia",
}
# What the kinds of one language are called beside those of all, and by which of our classes they go.
CTAGS_OWN_KINDS = {
    "objc": {"type": "protocol implementation", "function": "class"},
    "sql": {"function": "function procedure", "type": "table view domain"},
    "cmake": {"function": "function macro"},
    "latex": {"heading": "part chapter section subsection subsubsection paragraph subparagraph", "function": "command"},
    "rst": {"heading": "title subtitle chapter section subsection subsubsection"},
    "kotlin": {"type": "typealias"},
    "css": {"type": "class selector id"},
    "scss": {"function": "mixin"},
    "make": {"function": "target", "variable": "macro"},
    "proto": {"function": "rpc", "type": "message service group"},
    "perl": {"function": "subroutine"},
    "elixir": {
        "function": "macro callback delegate guard operator",
        "type": "protocol record type",
    },
    "ada": {"function": "subprogram subprogspec separate entry", "type": "subtype task protected taskspec protectspec"},
    "pascal": {"function": "procedure"},
    "vhdl": {"function": "procedure prototype process", "type": "subtype entity"},
    "verilog": {"function": "task prototype", "type": "typedef covergroup ifclass"},
    "erlang": {"type": "record"},
    "fortran": {"function": "subroutine", "type": "type"},
    "fortran_fixed": {"function": "subroutine"},
}
# Of which classes the other side knows most in a language, where that is not functions and types.
CTAGS_COMPARED = {"rst": {"heading"}, "scss": {"function"}}
# Readers of lines: they take for definitions what stands in strings and comments, and what are no names.
CTAGS_BY_LINE = {
    "clojure": re.compile(r"\S+(?<!])$"),
    "elixir": re.compile(r"\S"),
    "erlang": re.compile("[a-z]"),
    "lua": re.compile(r"\w+$"),
}
# What the other side calls what has no name.
NAMELESS = ("__anon", "anonFunc", "anonProcess", "AnonymousClass", "<")
# What the other side has no kind for in a language: members of classes that calls make, and classes themselves.
CTAGS_LACKS = {
    language: {SymbolKind.CLASS, SymbolKind.ENUM, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR}
    for language in ("powershell", "r")
}
# Languages in which types within functions are none to it.
CTAGS_LACKS_LOCALS = {"go"}
# The same for what lies deeper in a function: the TypeScript server lists some of these and others not.
WITHOUT_LOCALS = {"typescript", "tsx", "javascript"}
_ALIAS = re.compile(rb"type\s+$")  # an alias of a type, which is a variable to the TypeScript server
_ACCESSOR = re.compile(rb"\b[gs]et\s+$")  # a property to us, a method to it
# Kinds of one language that the other side does not count as definitions.
CTAGS_SKIPPED = {
    "objc": {"macro", "category"},
    "cuda": {"macro"},
    "c": {"macro"},
    "cpp": {"macro"},
    "erlang": {"macro"},
    "vhdl": {"alias"},
    "verilog": {"macro"},
    "php": {"alias"},
    "csharp": {"typedef"},
}
# Declarations of functions, which are no definitions to it by default.
CTAGS_OPTIONS = {"vhdl": ("--kinds-VHDL=+d",), "verilog": ("--kinds-SystemVerilog=+Q",)}
# What of a name is its qualifier to the other side.
CTAGS_QUALIFIERS = {
    "objc": re.compile(":.*"),
    "ada": re.compile(r'.*\.(?=["\w])|"'),
    "pascal": re.compile(r".*\."),
    "kotlin": re.compile("`|^ "),
    "css": re.compile(r"\A[.#]"),
    "scss": re.compile(r"\A[.#]"),
    "csharp": re.compile(r"(?!operator\b)[\w.<>, ]+\."),
    "lua": re.compile(r".*[.:]"),
    "perl": re.compile(r".*::"),
    "julia": re.compile(r"\{.*"),
}
# By how many lines it may name one behind that of the name: the line where the parameters of a method end.
CTAGS_LATE = {"objc": 16}
# What stands on the line of a definition: parameters of lambdas and variables of loops are no functions, an object
# without a name is not called Companion, and a category of a class is not the class.
CTAGS_DECLARED = {
    "kotlin": {"method": re.compile(r"\bfun\b"), "object": re.compile(r"\bobject +\w")},
    "objc": {"interface": re.compile(r"^[^(]*$"), "implementation": re.compile(r"^[^(]*$")},
}


OTHER = "other"
"""The kind of what an oracle calls neither function nor type: no loss where we lack it, and right where we have it."""


class Record(NamedTuple):
    """One definition as either side sees it."""

    path: str
    name: str
    line: int
    kind: str
    last: int = 0  # the last line of a definition that may have several clauses


@dataclass
class Comparison:
    """What the two sides agree on."""

    files: int = 0
    matched: int = 0
    missing: list[Record] = field(default_factory=list)
    extra: list[Record] = field(default_factory=list)
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
            if language in WITHOUT_LOCALS:
                head = text[symbol.start : symbol.name_start]
                if is_within_function(symbols, symbol.parent) or _ALIAS.search(head):
                    continue
                kind = "function" if _ACCESSOR.search(head) else kind
            if "macro" in CTAGS_SKIPPED.get(language, ()) and text.startswith(
                (b"#", b"-define", b"`define"), symbol.start + symbol.head
            ):
                kind = "macro"  # a function to its users; ctags keeps macros apart
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
        yield Record(path, "", 0, "file")
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


def ctags_records(root: Path, paths: list[str], language: str) -> Iterator[Record]:
    """What universal-ctags says."""
    command = [
        "ctags",
        "--links=no",
        "--extras=-s",
        "--output-format=json",
        "--fields=+neKlS",
        "--sort=no",
        "-L",
        "-",
        "-f",
        "-",
    ]
    command.insert(1, f"--language-force={CTAGS_LANGUAGES[language]}")
    command += CTAGS_OPTIONS.get(language, ())
    listing = subprocess.run(
        command,
        cwd=root,
        input="\n".join(paths).encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    ).stdout
    own = {kind: name for name, kinds in CTAGS_OWN_KINDS.get(language, {}).items() for kind in kinds.split()}
    classes = CTAGS_KINDS | own
    qualifier = CTAGS_QUALIFIERS.get(language)
    compared = CTAGS_COMPARED.get(language, set(classes.values()))
    for path in paths:
        yield Record(path, "", 0, "file")
    for line in listing.decode("utf-8", "replace").splitlines():
        tag = json.loads(line)
        name = qualifier.sub("", tag["name"]) if qualifier else tag.get("name", "")
        kind = tag.get("kind", "")
        declared = CTAGS_DECLARED.get(language, {}).get(kind)
        skipped = kind in CTAGS_SKIPPED.get(language, ()) or bool(declared and not declared.search(tag["pattern"]))
        # ctags 5.9 names some from memory that it has given back.
        skipped |= declared is not None and name not in tag["pattern"]
        skipped = skipped or classes.get(kind) not in compared
        if tag.get("_type") == "tag" and not skipped and not tag["name"].startswith(NAMELESS):
            yield Record(tag["path"], name, tag["line"], classes[kind])


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
LANGUAGE_IDS = {"typescript": "typescript", "tsx": "typescriptreact", "javascript": "javascript"}


def typescript_records(root: Path, paths: list[str], language: str) -> Iterator[Record]:
    """What the TypeScript server says of each document."""
    command = [str(SERVERS / "node/bin/node"), str(SERVERS / "typescript-language-server/lib/cli.mjs"), "--stdio"]
    options = {"tsserver": {"path": str(SERVERS / "typescript/lib/tsserver.js")}}
    with LanguageServer(command, root.resolve(), options) as server:
        for path in paths:
            yield Record(path, "", 0, "file")
            for symbol in server.outline(path, LANGUAGE_IDS[language]):
                kind = TYPESCRIPT.get(SymbolKind(symbol.kind))
                is_local = any(
                    TYPESCRIPT.get(SymbolKind(outer.kind)) == "function" and not _NO_NAME.search(outer.name)
                    for outer in symbol.within
                )
                if not is_local and not _NO_NAME.search(symbol.name):
                    yield Record(path, symbol.name, symbol.line + 1, kind or OTHER)


def in_code(root: Path, language: str, records: Iterator[Record]) -> Iterator[Record]:
    """Those of the records, which come file by file, that are names and do not stand in a string or a comment."""
    names, keywords = CTAGS_BY_LINE[language], REGISTRY[language].keywords
    for path, found in groupby(records, key=lambda record: record.path):
        text = decode((root / path).read_bytes()).text
        lines = LineTable.from_text(text)
        places: dict[int, list[Record]] = defaultdict(list)
        for record in found:
            if record.kind == "file":
                yield record
            elif names.match(record.name) and record.name not in keywords:
                start = lines.line_bounds(record.line - 1)[0]
                places[max(start, text.find(record.name.encode(), start))].append(record)
        for place in code_only(text, language, sorted(places)):
            yield from places[place]


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
    read = set()
    for record in oracle:
        if record.kind == "file":
            read.add(record.path)
            continue
        lines = range(record.line, record.line - late - 1, -1)
        if same := next((found for line in lines if (found := index.get((*record[:2], line)))), None):
            comparison.matched += 1
            comparison.kinds[record.kind, same.pop().kind] += 1
        elif record.kind != OTHER and not any(each.line <= record.line <= each.last for each in clauses[record[:2]]):
            comparison.missing.append(record)
    comparison.files = len(read)
    comparison.extra = [record for records in index.values() for record in records if record.path in read]
    return comparison


def measure(language: str, root: Path) -> Comparison:
    """Compare the files of a language below `root` with its oracle."""
    paths = files_of(root, language)
    if language == "python":
        classes = {"function", "type", "variable"}
        return compare(our_records(root, paths, language, classes), ast_records(root, paths))
    if language in LANGUAGE_IDS:
        ours = our_records(root, paths, language, {"function", "type"})
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
        f"{language}: files {comparison.files} matched {comparison.matched} missing {len(comparison.missing)} "
        f"extra {len(comparison.extra)} recall {comparison.recall:.4f} precision {comparison.precision:.4f}"
    )
    for label, records in (("missing", comparison.missing), ("extra", comparison.extra)):
        print(f"  {label} by kind: {dict(Counter(record.kind for record in records))}")
    confused = {f"{a} as {b}": count for (a, b), count in comparison.kinds.items() if a != b}
    print(f"  kinds confused: {confused}")
    for label, records in (("missing", comparison.missing), ("extra", comparison.extra)):
        step = max(1, len(records) // show) if show else 1
        for record in records[::step][:show]:
            print(f"  {label} {record.kind} {record.name} {root.name}/{record.path}:{record.line}")


HEADING = "| language | package | files | definitions | recall | precision | what differs |"


def keep(rows: list[tuple[str, str, Comparison]]) -> None:
    """Put the figures of packages into the kept table, in the place of earlier ones."""
    _, _, table = RESULTS.read_text("utf-8").partition("\n") if RESULTS.exists() else ("", "", "")
    kept = {tuple(line.split(" | ")[:2]): line for line in table.splitlines()[2:] if line.startswith("| ")}
    for language, package, comparison in rows:
        cells = (f"| {language}", package, *figures(comparison))
        kept[cells[:2]] = " | ".join(cells) + " |"
    lines = (HEADING, "| --- | --- | ---: | ---: | ---: | ---: | --- |", *(kept[key] for key in sorted(kept)))
    RESULTS.write_text("\n".join((machine(), *lines)) + "\n", "utf-8")


def figures(comparison: Comparison) -> tuple[str, ...]:
    """The cells of a row: files, definitions that both sides have, recall, precision, and each kind of difference."""
    kinds = [
        f"{label} {kind} {count:,}"
        for label, records in (("missing", comparison.missing), ("extra", comparison.extra))
        for kind, count in Counter(record.kind for record in records).most_common()
    ]
    counts = (f"{comparison.files:,}", f"{comparison.matched:,}")
    return (*counts, f"{comparison.recall:.4f}", f"{comparison.precision:.4f}", ", ".join(kinds) or "nothing")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", metavar="LANGUAGE=FOLDER[=PACKAGE VERSION]", help="an unpacked package")
    parser.add_argument("--show", type=int, default=0, help="examples of each kind of difference")
    parser.add_argument("--minimum", action="store_true", help="exit with 1 where a figure is below what is promised")
    parser.add_argument("--keep", action="store_true", help="write the figures into the table that the pages show")
    arguments = parser.parse_args()
    failed = False
    rows = []
    for package in arguments.packages:
        language, folder, name = [*package.split("=", 2), ""][:3]
        comparison = measure(language, Path(folder))
        report(language, Path(folder), comparison, arguments.show)
        rows.append((language, name or Path(folder).name, comparison))
        failed |= min(comparison.recall, comparison.precision) < MINIMUM.get(language, 0)
    if arguments.keep:
        keep(rows)
    return int(failed and arguments.minimum)


if __name__ == "__main__":
    sys.exit(main())
