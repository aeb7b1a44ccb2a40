"""Data and configuration."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language
from pilotfish.syntax.languages.python import KEYWORDS as PYTHON_KEYWORDS

_MAX_KEYS = 1_000


LANGUAGES = (
    Language(
        "json",
        "JSON",
        grammar="json",
        extensions=("json", "jsonc", "json5", "geojson", "webmanifest", "code-workspace"),
        filenames=(".prettierrc", ".eslintrc", ".babelrc", ".swcrc"),
        ids=("jsonc",),
        line_comments=("//",),
        name_marks=b'"',
        query_depth=0,
        max_symbols=_MAX_KEYS,
        form="configuration",
        keywords=frozenset(("false", "null", "true")),
    ),
    Language(
        "jupyter",
        "Jupyter Notebook",
        grammar="json",
        extensions=("ipynb",),
        family="python",
        line_comments=("#",),
        docstrings=True,
        is_notebook=True,
        keywords=PYTHON_KEYWORDS,
    ),
    Language(
        "toml",
        "TOML",
        grammar="toml",
        extensions=("toml",),
        filenames=("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"),
        line_comments=("#",),
        name_marks=b"\"'",
        query_depth=4,
        max_symbols=_MAX_KEYS,
        form="configuration",
        keywords=frozenset(("false", "true")),
        opaque=(lexemes.LINE_HASH, *lexemes.TRIPLE),
    ),
    Language(
        "yaml",
        "YAML",
        grammar="yaml",
        extensions=("yaml", "yml"),
        filenames=(".clang-format", ".clang-tidy", ".yamllint"),
        ids=("dockercompose",),
        line_comments=("#",),
        name_marks=b"\"'<",  # the key `<<` merges another mapping and names nothing
        max_symbols=_MAX_KEYS,
        form="configuration",
        keywords=frozenset(("false", "null", "true")),
        opaque=(rb"#(?:(?<=^#)|(?<=\s#))[^\r\n]*",),
    ),
)
