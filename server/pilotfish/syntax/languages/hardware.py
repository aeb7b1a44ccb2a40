"""VHDL, Verilog and SystemVerilog: languages that describe hardware."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Verdict, in_type, words
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
_INNER = rb"\((?:[^()\"]++|" + lexemes.DOUBLE + rb")*+\)"
_MIDDLE = rb"\((?:[^()\"]++|" + lexemes.DOUBLE + rb"|" + _INNER + rb")*+\)"
_OUTER = rb"\((?:[^()\"]++|" + lexemes.DOUBLE + rb"|" + _MIDDLE + rb")*+\)"
# A macro that stands for statements: alone on its lines, its arguments nested by three at most.
_MACRO_STATEMENT = re.compile(
    rb"^[ \t]*`(?!(?:" + _DIRECTIVE + rb")\b)\w++(?:[ \t]*+" + _OUTER + rb")?[ \t]*;?[ \t]*(?=//|\r?$)", re.MULTILINE
)
_SEEN = re.compile(rb"[^\r\n]")


def _without_macro_statements(text: bytes) -> bytes:
    """A text of the same length with blanks for macros that stand for statements, of which no grammar knows which."""
    return _MACRO_STATEMENT.sub(lambda found: _SEEN.sub(b" ", found[0]), text)


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


LANGUAGES = (
    Language(
        "vhdl",
        "VHDL",
        grammar="vhdl",
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
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        rule=_verilog_verdict,
        keywords=_VERILOG_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE),
    ),
)
