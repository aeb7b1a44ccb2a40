"""What each language gets, as a page: computed from the registry, the queries, the resolvers and the kept figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pilotfish.graph.resolve import RESOLVERS
from pilotfish.syntax.languages import REGISTRY, Language
from pilotfish.syntax.languages.unread import UNREAD
from pilotfish.syntax.patterns import query_source
from pilotfish.syntax.prose.customs import TITLES
from pilotfish.syntax.scopes import has_scopes, languages_with_scopes

_INTRODUCTION: Final = """\
# Languages

{generated}

{queried} languages have queries of their own, {generic} more an outline from the names of their grammar's nodes. Files
are recognised by name, extension and `#!` line, and by content where an extension means several languages; the setting
`languages.associations` wins. Every language has search, outlines, workspace symbols and hover; what is known of its
references is used by references, hierarchies and the repo map.

- *Outline*: a **query** says what is defined, **nodes** means that the names of the grammar's nodes do; **lines** are
  read beside the grammar where it gives up.
- *References*: the roles that occurrences of names are kept with. All other occurrences are found when they are asked
  for.
- *Imports*: **files** where an import leads to the files that it means, **names** where it is only known what is
  imported.
- *Scopes*: **locals** where parameters, variables and parameters of types are told apart by scope, so that definition,
  references and highlights of one stay within its scope.
- *Embedded*: what is read in other languages; *as named* is what the text itself says.
- *Documentation*: the custom by which hover shows what stands beside a definition; *comments* are plain, with tags as
  Doxygen has them.

Case says nothing in the names of {caseless};
in CMake in those of functions and macros; in Nim in all but the first letter, and underscores neither. There a name is
found in whatever spelling it is written.

An answer to an editor holds 1,000 references, or 500 implementations, types or callers; where there are more, the log
of the server in the editor says so. For references the scopes of 200 kB of text are read, the nearest first; beyond
these a use counts as bound where imports and spelling say so.
"""

_GENERIC: Final = """\
## By the names of nodes

Definitions, containers and visibility as far as a grammar's nodes are called what they are.

Each is read by a worker process that is ended after `limits.parse_s`, so that a text on which a grammar never ends
costs that long once, and is named in `status`. Of COBOL the first six columns are blank to the grammar, since a quote
there keeps its scanner busy for ever; nothing else was found that does.
"""

_UNREAD: Final = """\
## Grammars that are left out

The package of grammars has more; no file is read with these.
"""

_FIGURES: Final = """\
## Measured

Definitions on named packages against the oracle in each row, by name and line: functions and types, and what else
universal-ctags knows of the language. Not everything that differs is ours: [quality](quality.md) says how it is
compared. `python -m tests.quality.oracles LANGUAGE=FOLDER … --keep` ({when})
"""

_ROLE: Final = re.compile(r"@reference\.(call|type|import|inherit)\b")
_IMPORTS: Final = re.compile(r"@import\b")
_NAMES: Final = re.compile(r"@import\.(?:name|default)\b")
_COMMENT: Final = re.compile(r"^\s*;(?! inherits:).*$", re.MULTILINE)
_INNER: Final = re.compile(r'#set! injection\.language "([^"]+)"')
_ROLES: Final = ("call", "type", "import", "inherit")


def _introduction(generated: str, queried: int, generic: int) -> str:
    caseless = [each.title for each in _by_title() if each.name_key is str.lower and not each.keyed_kinds]
    *others, last = [each for each in caseless if each != "Fortran (fixed form)"]
    return _INTRODUCTION.format(
        generated=generated, queried=queried, generic=generic, caseless=f"{', '.join(others)} and {last}"
    )


def languages_page(generated: str, figures: str) -> str:
    """Return docs/languages.md.

    Args:
        generated: the remark that says where the page comes from.
        figures: what `python -m tests.quality.oracles … --keep` wrote; empty where it never did.

    """
    queried = [language for language in _by_title() if language.nodes is None]
    generic = [language for language in _by_title() if language.nodes is not None]
    lines = [_introduction(generated, len(queried), len(generic)), "## By query\n"]
    lines += _table(
        ("language", "files", "outline", "references", "imports", "scopes", "embedded", "documentation"),
        [
            (_name(each), _files(each), _outline(each), *_uses(each), _scopes(each), _embedded(each), _custom(each))
            for each in queried
        ],
    )
    lines += ["", _GENERIC]
    lines += _table(
        ("language", "files", "documentation"), [(_name(each), _files(each), _custom(each)) for each in generic]
    )
    reasons = dict.fromkeys(UNREAD.values())
    lines += ["", _UNREAD]
    lines += _table(
        ("grammars", "why"),
        [(", ".join(f"`{name}`" for name, why in UNREAD.items() if why == reason), reason) for reason in reasons],
    )
    when, _, table = figures.partition("\n")
    if table:
        lines += ["", _FIGURES.format(when=when), *_figures(table)]
    return "\n".join(lines).rstrip() + "\n"


def kept_figures(docs: Path) -> str:
    """Return the oracles' figures of the repository that a folder of pages lies in; empty where there are none."""
    kept = docs.parent / "tests" / "bench" / "results" / "oracles.txt"
    return kept.read_text("utf-8") if kept.exists() else ""


def _by_title() -> list[Language]:
    return sorted(REGISTRY.values(), key=lambda language: language.title.lower())


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    yield from ("| " + " | ".join(cell.replace("|", "\\|") or "–" for cell in row) + " |" for row in rows)


def _name(language: Language) -> str:
    return f"{language.title} (`{language.name}`)"


def _files(language: Language) -> str:
    names = [*(f".{extension}" for extension in language.extensions), *language.filenames]
    programs = [f"#!{program}" for program in language.interpreters]
    return " ".join(f"`{each}`" for each in [*names, *programs])


def _outline(language: Language) -> str:
    return "query and lines" if language.scanned is not None else "query"


def _uses(language: Language) -> tuple[str, str]:
    """The roles of references, and what becomes of imports."""
    if language.is_notebook:
        return "as its kernel's language", "files"
    source = _COMMENT.sub("", query_source(language.name))
    found = set(_ROLE.findall(source)) | ({"import"} if _NAMES.search(source) else set())
    imports = "files" if language.name in RESOLVERS else "names" if _IMPORTS.search(source) else ""
    return ", ".join(role for role in _ROLES if role in found), imports


def _scopes(language: Language) -> str:
    if language.name in languages_with_scopes():
        return "locals"
    return "of what is embedded" if has_scopes(b"", language.name) else ""


def _embedded(language: Language) -> str:
    if language.is_notebook:
        return "the language of its kernel"
    if not language.injected:
        return ""
    source = _COMMENT.sub("", query_source(f"{language.name}.injections"))
    inner = sorted({REGISTRY[name].title if name in REGISTRY else name for name in _INNER.findall(source)})
    return ", ".join([*inner, *(["as named"] if "@injection.language" in source else [])])


def _custom(language: Language) -> str:
    return TITLES[language.custom] if language.custom or language.line_comments or language.block_comments else ""


def _figures(table: str) -> Iterator[str]:
    """The kept table with the titles of languages."""
    for line in table.strip().splitlines():
        name = line.split(" | ", 1)[0].removeprefix("| ")
        title = REGISTRY[name].title if name in REGISTRY else name
        yield line.replace(f"| {name} |", f"| {title} |", 1)
