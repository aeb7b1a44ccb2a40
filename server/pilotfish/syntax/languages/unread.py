"""Grammars of the pack that no file is read with."""

from __future__ import annotations

from collections.abc import Mapping

UNREAD: Mapping[str, str] = {
    "fsharp_signature": "it does not read the files that there are: F# signatures are read by their lines",
    **dict.fromkeys(("csv", "psv", "tsv", "pgn", "pem", "gosum", "po"), "rows of data: nothing in it is defined"),
    **dict.fromkeys(
        ("gitattributes", "gitcommit", "gitignore", "pymanifest", "readline", "sparql", "udev", "xcompose"),
        "nothing in it is defined",
    ),
    **dict.fromkeys(("gstlaunch", "query", "test"), "no kind of file has a name for it"),
    **dict.fromkeys(("embeddedtemplate", "heex"), "a template around another language"),
    **dict.fromkeys(
        ("comment", "doxygen", "jsdoc", "luadoc", "luap", "markdown_inline", "printf"),
        "a part of other languages' texts",
    ),
}
"""Grammars of the pack by name, and why no file is read with each."""
