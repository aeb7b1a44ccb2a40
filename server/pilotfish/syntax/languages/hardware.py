"""VHDL, Verilog and SystemVerilog: languages that describe hardware."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Scanned, Verdict, in_type, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _VARIABLE, _FIELD = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE, SymbolKind.FIELD
_OPERATOR = SymbolKind.OPERATOR
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_VHDL_LOWER_KEYWORDS = words(
    """
    abs access after alias all and architecture array assert attribute begin block body buffer bus case component
    configuration constant context disconnect downto else elsif end entity exit file for function generate generic group
    guarded if impure in inertial inout is label library linkage literal loop map mod nand new next nor not null of on
    open or others out package port postponed procedure process protected pure range record register reject rem report
    return rol ror select severity shared signal sla sll sra srl subtype then to transport type unaffected units until
    use variable wait when while with xnor xor
    """
)
_VHDL_KEYWORDS = _VHDL_LOWER_KEYWORDS | frozenset(word.upper() for word in _VHDL_LOWER_KEYWORDS)
_VERILOG_KEYWORDS = words(
    """
    always always_comb always_ff always_latch and assert assign assume automatic begin bind bit break buf byte case
    casex casez class clocking const constraint continue cover covergroup default defparam disable dist do edge else end
    endcase endclass endfunction endgenerate endinterface endmodule endpackage endprogram endproperty endtask enum event
    export extends extern final for force foreach forever fork function generate genvar if iff implements import initial
    inout input inside int integer interface join join_any join_none local localparam logic longint modport module
    negedge new nor not null or output package packed parameter posedge priority program property protected pure rand
    randc real ref reg release repeat return shortint signed static string struct super supply0 supply1 task this time
    tri type typedef union unique unsigned var virtual void wait while wire wor xor
    """
)


def _vhdl_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Operators are functions in quotes."""
    return _OPERATOR if kind is _FUNCTION and head.endswith(b'"') else kind, _PUBLIC


def _vhdl_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """What `work.shapes.all`, `work.shapes.area` and `work.shapes` of a `use` bring in."""
    parts = ["".join(part.split()) for part in written.split(".")]
    if len(parts) < 3:
        return [(".".join(parts), None)]
    name = parts[-1]
    bound = ImportedName("*", "*") if name.lower() == "all" else ImportedName(name, name)
    return [(".".join(parts[:-1]), bound)]


def _without_quotes(written: bytes) -> tuple[int, int, int]:
    """The bounds of `+` in `"+"`."""
    quoted = written.startswith(b'"') and len(written) > 2
    return 0, int(quoted), len(written) - quoted


_DIRECTIVE = rb"define|undef|include|ifn?def|els(?:e|if)|endif|timescale|default_nettype|resetall|line|pragma"
_INNER = rb"\((?>(?:[^()\"]++|" + lexemes.DOUBLE + rb")*)\)"
_MIDDLE = rb"\((?>(?:[^()\"]++|" + lexemes.DOUBLE + rb"|" + _INNER + rb")*)\)"
_OUTER = rb"\((?>(?:[^()\"]++|" + lexemes.DOUBLE + rb"|" + _MIDDLE + rb")*)\)"
# A macro that stands for statements: alone on its lines, its arguments nested by three at most.
_MACRO_STATEMENT = re.compile(
    rb"^[ \t]*`(?!(?:" + _DIRECTIVE + rb")\b)\w++(?:[ \t]*+" + _OUTER + rb")?[ \t]*;?[ \t]*(?=//|\r?$)", re.MULTILINE
)
_SEEN = re.compile(rb"[^\r\n]")


def _without_macro_statements(text: bytes) -> bytes:
    """A text of the same length with blanks for macros that stand for statements, of which no grammar knows which."""
    return _MACRO_STATEMENT.sub(lambda found: _SEEN.sub(b" ", found[0]), text)


_OPENINGS: Mapping[bytes, SymbolKind] = {
    b"module": SymbolKind.MODULE,
    b"macromodule": SymbolKind.MODULE,
    b"package": SymbolKind.MODULE,
    b"program": SymbolKind.MODULE,
    b"interface": SymbolKind.INTERFACE,
    b"class": SymbolKind.CLASS,
    b"function": _FUNCTION,
    b"task": _FUNCTION,
}
_CLOSINGS = {b"end" + word: word for word in _OPENINGS} | {b"endmodule": b"module"}
_STEP = re.compile(
    rb"`define\b(?:\\\r?\n|[^\n\\]++|\\)*|"
    + b"|".join((lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE))
    + rb"|\b(?P<word>(?:end)?(?:macromodule|module|package|program|interface|class|function|task))\b"
)
_BEFORE = re.compile(
    rb"(?:\b(?:extern|pure|virtual|static|local|protected|forkjoin|automatic|context|with|typedef|export|import)\b"
    rb"(?:\s*\"DPI(?:-C)?\")?(?:\s+\w+\s*=)?\s*)+\Z"
)
_UNIT = re.compile(rb"\s+(?:class\s+)?(?:(?:automatic|static)\s+)?(?P<name>\w+)")
_ROUTINE = re.compile(rb"\s(?:[^;(#]|#\s*\([^();]*\))*?(?:\b(?P<owner>\w+)\s*::\s*)?\b(?P<name>\w+)\s*(?=[(;])")
_HEAD_END = re.compile(rb"[;(#]")


def _verilog_scanned(text: bytes) -> Iterator[Scanned]:
    """Modules, packages, interfaces, classes, functions and tasks by their keywords.

    The grammar gives up at much that the classes of verification libraries are made of.
    """
    opened: list[tuple[bytes, Scanned]] = []
    for step in _STEP.finditer(text):
        word = step["word"]
        if word is None:
            continue
        if word in _CLOSINGS:
            if any(open_word == _CLOSINGS[word] for open_word, _ in opened):
                open_word = b""
                while open_word != _CLOSINGS[word]:
                    open_word, closed = opened.pop()
                    yield closed._replace(end=step.end())
        elif (begun := _begun(text, word, step.start(), step.end())) is not None:
            if begun.end >= 0:
                yield begun
            elif len(opened) < _DEEPEST:
                opened.append((word.replace(b"macro", b""), begun))
    for _, unclosed in opened:
        yield unclosed._replace(end=max(unclosed.name_end, unclosed.body))


_DEEPEST = 64


def _begun(text: bytes, word: bytes, start: int, after: int) -> Scanned | None:
    """What a keyword begins; its end is -1 where another keyword says it."""
    before = _BEFORE.search(text, max(0, start - 80), start)
    qualifiers = before[0].split() if before else []
    is_routine = _OPENINGS[word] is _FUNCTION
    found = (_ROUTINE if is_routine else _UNIT).match(text, after, after + 1_024)
    if found is None or b"with" in qualifiers or b"typedef" in qualifiers:
        return None
    is_variable = word == b"interface" and b"virtual" in qualifiers
    is_in_modport = b"import" in qualifiers and not any(each.startswith(b'"') for each in qualifiers)
    if is_variable or is_in_modport:
        return None
    name = found["name"]
    kind = SymbolKind.CONSTRUCTOR if is_routine and name == b"new" else _OPENINGS[word]
    begin = before.start() if before else start
    head = text.find(b";", found.end()) if is_routine or word == b"class" else -1
    if not is_routine and word != b"class":
        stop = _HEAD_END.search(text, found.end(), found.end() + 512)
        head = stop.start() if stop else -1
    owner = found["owner"] if is_routine else None
    is_declared = not {b"extern", b"pure", b"import"}.isdisjoint(qualifiers)
    return Scanned(
        kind,
        begin,
        max(head, found.end()) if is_declared else -1,
        *found.span("name"),
        -1 if is_declared else head,
        owner.decode() if owner else "",
    )


def _verilog_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Members of classes by what they lie in, and `local` and `protected` before them."""
    if not in_type(parent, container):
        return kind, _PUBLIC
    if kind is _FUNCTION:
        kind = _METHOD
    elif kind is _VARIABLE:
        kind = _FIELD
    if b"local " in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"protected " in head else _PUBLIC


_HEAD_PART = re.compile(b"|".join((lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE, rb"[();]")))
_LONGEST_HEAD = 8_192
_WITH_PORTS = frozenset((SymbolKind.MODULE, SymbolKind.INTERFACE))


def _verilog_signed(text: bytes, symbol: Symbol) -> bytes:
    """A module or an interface with its parameters and ports."""
    if symbol.kind not in _WITH_PORTS or symbol.body < 0:
        return b""
    depth = 0
    for part in _HEAD_PART.finditer(text, symbol.name_end, min(symbol.end, symbol.name_end + _LONGEST_HEAD)):
        depth += {b"(": 1, b")": -1}.get(part[0], 0)
        if part[0] == b";" and depth <= 0:
            return text[symbol.start : part.start()]
    return b""


LANGUAGES = (
    Language(
        "vhdl",
        "VHDL",
        grammar="vhdl",
        name_key=str.lower,
        extensions=("vhd", "vhdl", "vho"),
        line_comments=("--",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        own_name=_without_quotes,
        rule=_vhdl_verdict,
        imports=_vhdl_imports,
        word_marks=b"",
        keywords=_VHDL_KEYWORDS,
        opaque=(rb"--[^\r\n]*", lexemes.BLOCK, rb'"[^"\r\n]*"?', rb"'(?<![\w)]')[^\r\n]'"),
    ),
    Language(
        "verilog",
        "Verilog",
        grammar="verilog",
        extensions=("v", "vh", "sv", "svh"),
        ids=("systemverilog",),
        prepared=_without_macro_statements,
        scanned=_verilog_scanned,
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        rule=_verilog_verdict,
        signed=_verilog_signed,
        keywords=_VERILOG_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE),
    ),
)
