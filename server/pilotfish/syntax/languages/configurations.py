"""Files of settings and of entries, without a query of their own: of what is defined in them there may be much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pilotfish.syntax.languages.language import Language, words
from pilotfish.syntax.outline import SymbolKind

_VARIABLE, _CONSTANT, _SECTION = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.STRING
_OBJECT, _KEY = SymbolKind.OBJECT, SymbolKind.KEY

_MAX_KEYS: Final = 1_000


def _configuration(
    name: str,
    title: str,
    *extensions: str,
    filenames: tuple[str, ...] = (),
    comments: tuple[str, ...] = ("#",),
    nodes: Mapping[str, SymbolKind | None] | None = None,
    names: str = "",
) -> Language:
    return Language(
        name,
        title,
        grammar=name,
        extensions=extensions,
        filenames=filenames,
        line_comments=comments,
        name_marks=b" \t\"'",
        max_symbols=_MAX_KEYS,
        form="configuration",
        nodes=nodes or {},
        name_nodes=words(names),
    )


LANGUAGES = (
    Language(
        "beancount",
        "Beancount",
        grammar="beancount",
        extensions=("beancount", "bean"),
        line_comments=(";",),
        max_symbols=_MAX_KEYS,
        nodes={"open": _OBJECT, "commodity": _OBJECT, "section": _SECTION},
        name_nodes=words("account"),
    ),
    Language(
        "bibtex",
        "BibTeX",
        grammar="bibtex",
        extensions=("bib",),
        line_comments=("%",),
        max_symbols=_MAX_KEYS,
        form="configuration",
        nodes={"entry": _OBJECT, "entry_type": None, "string": _CONSTANT, "field": None},
    ),
    _configuration("cpon", "CPON", "cpon", comments=("//",), nodes={"pair": _KEY}),
    _configuration(
        "gomod",
        "go.mod",
        filenames=("go.mod", "go.work"),
        comments=("//",),
        nodes={"module_directive": _KEY, "require_spec": _KEY},
        names="module_path",
    ),
    _configuration(
        "hyprlang",
        "Hyprland",
        filenames=("hyprland.conf",),
        nodes={"declaration": _VARIABLE, "section": _OBJECT, "assignment": _KEY},
    ),
    _configuration(
        "ini",
        "INI",
        "ini",
        "cfg",
        "desktop",
        "service",
        "timer",
        "socket",
        filenames=(".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".pylintrc", ".flake8", ".coveragerc"),
        comments=(";", "#"),
        nodes={"section": _OBJECT, "setting": _KEY},
    ),
    _configuration("kdl", "KDL", "kdl", comments=("//",), nodes={"node": _KEY}),
    _configuration("properties", "Properties", "properties", comments=("#", "!"), nodes={"property": _KEY}),
    _configuration("qmldir", "qmldir", filenames=("qmldir",), nodes={"module_definition": None, "command": _KEY}),
    _configuration(
        "requirements",
        "Requirements",
        filenames=("requirements.txt", "constraints.txt", "requirements-dev.txt"),
        nodes={"requirement": _KEY},
        names="package",
    ),
    _configuration("ron", "RON", "ron", comments=("//",), nodes={"struct": _OBJECT, "struct_entry": _KEY}),
)
