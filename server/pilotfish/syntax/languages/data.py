"""Data and configuration."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words
from pilotfish.syntax.languages.python import KEYWORDS as PYTHON_KEYWORDS
from pilotfish.syntax.outline import ImportedName, Symbol

_MAX_KEYS = 1_000

_GRAPHQL_IMPORT = re.compile(r"#\s*import\s+(?:[^\"']*?\bfrom\s+)?[\"']([^\"']+)")
_BARE_EXTENSION = re.compile(
    rb"\bextend\s++schema\b(?>(?:\s*+@\w++(?>(?:\s*+\((?>(?:[^()\"]|\"(?>(?:[^\"\\\n]|\\.)*)\"|\([^()]*+\))*)\))?))+)(?!\s*+\{)"
)
_VISIBLE = re.compile(rb"[^\s]")
_GRAPHQL_DESCRIPTION = re.compile(rb'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)


def _graphql_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The file of `#import "./parts.graphql"` or of `# import Name from "./parts.graphql"`."""
    found = _GRAPHQL_IMPORT.match(written)
    return [(found[1], None)] if found is not None else []


def _without_bare_extensions(text: bytes) -> bytes:
    """A text of the same length without `extend schema @link(…)`: the grammar wants braces behind it, and reads nothing
    of a text where there are none."""
    return _BARE_EXTENSION.sub(_blank, text) if b"extend" in text else text


def _blank(found: re.Match[bytes]) -> bytes:
    return _VISIBLE.sub(b" ", found[0])


def _graphql_description(text: bytes, symbol: Symbol) -> bytes:
    """The string that a definition begins with."""
    found = _GRAPHQL_DESCRIPTION.match(text, symbol.start, symbol.name_start)
    return (found[1] or found[2] or b"").strip() if found is not None else b""


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
        custom="docstring",
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
    Language(
        "proto",
        "Protocol Buffers",
        grammar="proto",
        extensions=("proto",),
        ids=("proto3", "protobuf"),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="markdown",
        keywords=words(
            """
            bool bytes double enum extend extensions false fixed32 fixed64 float import int32 int64 map message oneof
            option optional package public repeated required reserved returns rpc service sfixed32 sfixed64 sint32
            sint64 stream string syntax to true uint32 uint64 weak
            """
        ),
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "graphql",
        "GraphQL",
        grammar="graphql",
        extensions=("graphql", "gql", "graphqls"),
        line_comments=("#",),
        custom="markdown",
        documented=_graphql_description,
        prepared=_without_bare_extensions,
        imports=_graphql_imports,
        builtins=frozenset((b"Boolean", b"Float", b"ID", b"Int", b"String")),
        keywords=words(
            """
            directive enum extend false fragment implements input interface mutation null on query repeatable scalar
            schema subscription true type union
            """
        ),
        opaque=(lexemes.LINE_HASH, lexemes.TRIPLE_DOUBLE, lexemes.DOUBLE),
    ),
    Language(
        "xml",
        "XML",
        grammar="xml",
        extensions=(
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "svg",
            "plist",
            "rng",
            "wsdl",
            "xaml",
            "axaml",
            "csproj",
            "fsproj",
            "vbproj",
            "vcxproj",
            "props",
            "targets",
            "nuspec",
            "resx",
            "fxml",
            "xlf",
            "xliff",
            "rdf",
        ),
        ids=("xsl",),
        block_comments=(("<!--", "-->"),),
        name_marks=b"\"'",
        max_symbols=_MAX_KEYS,
        form="configuration",
        opaque=(rb"<!--.*?(?:-->|\Z)",),
    ),
)
