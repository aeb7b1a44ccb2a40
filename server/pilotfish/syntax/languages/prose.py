"""What is written for people: documents in sections."""

from __future__ import annotations

import re

from pilotfish.syntax.languages.language import Language
from pilotfish.syntax.outline import ImportedName

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
        injected=(b"code",),
    ),
    Language(
        "latex",
        "LaTeX",
        grammar="latex",
        extensions=("tex", "sty", "ltx", "dtx", "tikz"),
        ids=("tex", "doctex"),
        line_comments=("%",),
        own_name=_latex_name,
        builtins=frozenset((b"%", b"&", b"_", b"#", b"$", b"{", b"}", b",", b";", b"!", b"begin", b"end")),
        qualifier_end=b"\\",
        form="section",
        injected=(b"{minted}",),
        opaque=(rb"%(?<!\\%)[^\r\n]*",),
    ),
)
