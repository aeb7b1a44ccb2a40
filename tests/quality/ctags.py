"""What universal-ctags says of files, and where it differs by its nature."""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.outline import SymbolKind
from pilotfish.syntax.text import LineTable, decode
from pilotfish.syntax.words import code_only
from tests.quality.records import FILE, Record

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
    "elixir": "Elixir",
    "clojure": "Clojure",
    "ada": "Ada",
    "pascal": "Pascal",
    "vhdl": "VHDL",
    "verilog": "SystemVerilog",
    "erlang": "Erlang",
    "fortran": "Fortran",
    "fortran_fixed": "Fortran",
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
    "pascal": {SymbolKind.CLASS, SymbolKind.ENUM, SymbolKind.STRUCT, SymbolKind.INTERFACE},
} | {
    language: {SymbolKind.CLASS, SymbolKind.ENUM, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR}
    for language in ("powershell", "r")
}
# Languages in which types within functions are none to it.
CTAGS_LACKS_LOCALS = {"go"}
# Kinds of one language that the other side does not count as definitions.
CTAGS_SKIPPED = {
    "objc": {"macro", "category"},
    "cuda": {"macro"},
    "cpp": {"macro"},
    "erlang": {"macro"},
    "vhdl": {"alias"},
    "verilog": {"macro"},
    "php": {"alias"},
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


@cache
def ctags_version() -> str:
    """What the program calls itself, without the date of its build."""
    first = subprocess.run(["ctags", "--version"], capture_output=True, check=True, text=True).stdout
    return re.sub(r"^Universal Ctags (\d+\.\d+).*", r"universal-ctags \1", first.partition("\n")[0])


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
        yield Record(path, "", 0, FILE)
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


def in_code(root: Path, language: str, records: Iterator[Record]) -> Iterator[Record]:
    """Those of the records, which come file by file, that are names and do not stand in a string or a comment."""
    names, keywords = CTAGS_BY_LINE[language], REGISTRY[language].keywords
    for path, found in groupby(records, key=lambda record: record.path):
        text = decode((root / path).read_bytes()).text
        lines = LineTable.from_text(text)
        places: dict[int, list[Record]] = defaultdict(list)
        for record in found:
            if record.kind == FILE:
                yield record
            elif names.match(record.name) and record.name not in keywords:
                start = lines.line_bounds(record.line - 1)[0]
                places[max(start, text.find(record.name.encode(), start))].append(record)
        for place in code_only(text, language, sorted(places)):
            yield from places[place]
