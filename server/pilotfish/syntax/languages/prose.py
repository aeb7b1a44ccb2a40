"""What is written for people: documents in sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.languages.language import Language, Scanned
from pilotfish.syntax.outline import ImportedName, SymbolKind

_RST_PAGE = re.compile(r"(?:.*<)?([^<>]+?)>?")


def _rst_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The pages of a `toctree`, a line each, some as `Title <page>`; the file of an `include`."""
    lines = (line.strip() for line in written.split("\n"))
    found = (_RST_PAGE.fullmatch(line) for line in lines if line and not line.startswith(":"))
    return [(page[1], None) for page in found if page is not None]


def _latex_name(written: bytes) -> tuple[int, int, int]:
    """The bounds of `First` in `{First}`, of `R` in `\\R`."""
    in_braces = written.startswith(b"{")
    return 0, 1 if in_braces or written.startswith(b"\\") else 0, len(written) - (in_braces and written.endswith(b"}"))


_LATEX_MADE = re.compile(
    rb"""
    (?<!\\)%[^\r\n]*
    | \\(?:new(?:if|count|dimen|muskip|skip|box|toks|write|read|insert|length|savebox|font)|(?<=^\\)let
        |(?:math)?chardef|(?:count|dimen|muskip|skip|toks)def
        |(?:bool|box|clist|dim|fp|int|ior|iow|muskip|prop|regex|seq|skip|str|tl|token)_(?:const|new):\w+)
      \s{0,20}\{?\s{0,20}\\(?P<value>[A-Za-z@_:]+)
    | \\(?:cs|prg)_(?:g?set|new)(?:_\w+)?:\w+\s{0,20}\{?\s{0,20}\\(?P<function>[A-Za-z@_:]+)
    | \\(?:newcounter|definecolor)\s{0,20}\{\s{0,20}(?P<counted>[^{}\\\s]+)\s{0,20}\}
    | \\(?:DeclareOption|bibitem)\s{0,20}(?:\[[^][]*\]\s{0,20})?\{\s{0,20}(?P<key>[^{}\\\s]+)\s{0,20}\}
    """,
    re.VERBOSE | re.MULTILINE,
)
_LATEX_KINDS = {
    "value": SymbolKind.VARIABLE,
    "function": SymbolKind.FUNCTION,
    "counted": SymbolKind.VARIABLE,
    "key": SymbolKind.KEY,
}


def _latex_scanned(text: bytes) -> Iterator[Scanned]:
    """What is made by commands that are to the grammar like all others: registers, switches, options, and what LaTeX3
    writes with `_` and `:` in its names. `\\let` within a line is mostly of use there alone."""
    for found in _LATEX_MADE.finditer(text):
        for group, kind in _LATEX_KINDS.items():
            if found[group] is not None:
                yield Scanned(kind, found.start(), found.end(), *found.span(group))


LANGUAGES = (
    Language(
        "markdown",
        "Markdown",
        grammar="markdown",
        extensions=("md", "markdown", "mdown", "mkd", "mdx"),
        custom="markdown",
        name_marks=b" \t\r\n",
        form="section",
        injected=(b"```", b"~~~"),
    ),
    Language(
        "rst",
        "reStructuredText",
        grammar="rst",
        extensions=("rst", "rest"),
        ids=("restructuredtext",),
        name_marks=b"_:`| \t\r\n",
        imports=_rst_imports,
        form="section",
        level="adornment",
        injected=(b"code", b"highlight"),
    ),
    Language(
        "latex",
        "LaTeX",
        grammar="latex",
        extensions=("tex", "sty", "ltx", "dtx", "tikz"),
        ids=("tex", "doctex"),
        line_comments=("%",),
        own_name=_latex_name,
        scanned=_latex_scanned,
        builtins=frozenset((b"%", b"&", b"_", b"#", b"$", b"{", b"}", b",", b";", b"!", b"begin", b"end")),
        qualifier_end=b"\\",
        form="section",
        injected=(b"{minted}",),
        opaque=(rb"%(?<!\\%)[^\r\n]*",),
    ),
)
