"""SQL, in whatever dialect: the grammar gives up at many a routine, so definitions are found without it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Scanned, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

_PART = rb'(?:"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[\w$#@\x80-\xff]+)'
_HIDDEN = rb"--[^\n]*|/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z)|'[^']*'?"
_QUOTED = rb"\$(\w*)\$.*?(?:\$\1\$|\Z)"
_CREATE = re.compile(
    _HIDDEN
    + rb"|\bCREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:DEFINER\s*=\s*\S+\s+)?"
    + rb"(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|UNIQUE|CLUSTERED|NONCLUSTERED|FULLTEXT|SPATIAL|BITMAP"
    + rb"|RECURSIVE|MATERIALIZED|FORCE|EDITIONABLE|NONEDITIONABLE|FOREIGN|CONSTRAINT|VIRTUAL)\s+)*"
    + rb"(?P<kind>TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|INDEX|TYPE|DOMAIN|SEQUENCE|SCHEMA|DATABASE"
    + rb"|PACKAGE(?:\s+BODY)?|AGGREGATE|EVENT)\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"
    + rb"(?P<name>%s(?:\s*\.\s*%s)*)" % (_PART, _PART),
    re.IGNORECASE | re.DOTALL,
)
_PARTS = re.compile(_PART)
_NO_NAME = frozenset((b"ON", b"AS", b"USING", b"BODY"))

_ROUTINES = frozenset((b"FUNCTION", b"PROCEDURE", b"PROC", b"TRIGGER", b"PACKAGE", b"AGGREGATE", b"EVENT"))
_KINDS = {
    b"TABLE": SymbolKind.STRUCT,
    b"VIEW": SymbolKind.STRUCT,
    b"TYPE": SymbolKind.STRUCT,
    b"DOMAIN": SymbolKind.STRUCT,
    b"INDEX": SymbolKind.KEY,
    b"SEQUENCE": SymbolKind.VARIABLE,
    b"SCHEMA": SymbolKind.NAMESPACE,
    b"DATABASE": SymbolKind.NAMESPACE,
    b"PACKAGE": SymbolKind.PACKAGE,
    b"TRIGGER": SymbolKind.EVENT,
    b"EVENT": SymbolKind.EVENT,
}
# Where a signature ends.
_BODY = re.compile(_HIDDEN + rb"|(?P<body>\$\w*\$|\b(?:AS|IS|BEGIN|LANGUAGE|RETURN\s+SELECT)\b|;)", re.IGNORECASE)
_COLUMNS = re.compile(_HIDDEN + rb"|(?P<body>\(|\bAS\b|;)", re.IGNORECASE)
# Where a statement ends; `END IF` and its like end no block that `BEGIN` or `CASE` began.
_STEP = re.compile(
    rb"%s|%s|(?P<word>;|\bBEGIN\b|\bCASE\b|\bEND\b(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?|^(?:GO|/)[ \t\r]*$|//)"
    % (_QUOTED, _HIDDEN),
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_LONGEST = 1 << 18  # bytes of a statement


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """What a schema holds is no member of a type."""
    return kind, Visibility.PUBLIC


def _scanned(text: bytes) -> Iterator[Scanned]:
    """What the statements that create something define."""
    reached = 0
    for found in _CREATE.finditer(text):
        if found["kind"] is None or found.start() < reached:
            continue
        kind = found["kind"].upper().split()[0]
        parts = [part.span() for part in _PARTS.finditer(text, *found.span("name"))]
        start, end = _bare(text, *parts[-1])
        if text[start:end].upper() in _NO_NAME:
            continue
        stop = _end_of(text, found.end(), kind in _ROUTINES)
        if kind in _ROUTINES:
            reached = stop
        body = (_BODY if kind in _ROUTINES else _COLUMNS).search(text, found.end(), stop)
        while body is not None and body["body"] is None:
            body = (_BODY if kind in _ROUTINES else _COLUMNS).search(text, body.end(), stop)
        container = ".".join(text[slice(*_bare(text, *part))].decode("utf-8", "replace") for part in parts[:-1])
        yield Scanned(
            _KINDS.get(kind, SymbolKind.FUNCTION),
            found.start(),
            stop,
            start,
            end,
            body.start("body") if body is not None else -1,
            container,
        )


def _bare(text: bytes, start: int, end: int) -> tuple[int, int]:
    """The bounds of a name without quotes."""
    return (start + 1, end - 1) if text[start : start + 1] in (b'"', b"`", b"[") else (start, end)


def _end_of(text: bytes, start: int, is_routine: bool) -> int:
    """Where the statement ends that goes on at `start`: behind its semicolon, which is none within a block."""
    depth = 0
    last = min(len(text), start + _LONGEST)
    for step in _STEP.finditer(text, start, last):
        word = step["word"]
        if word is None:
            continue
        if word == b";":
            if not depth:
                return step.end()
        elif word[:2].upper() == b"GO" or word[:1] == b"/":
            return step.start()
        elif is_routine:
            word = word.upper()
            if word in (b"BEGIN", b"CASE"):
                depth += 1
            elif word == b"END":
                depth = max(0, depth - 1)
    return last


LANGUAGES = (
    Language(
        "sql",
        "SQL",
        grammar="sql",
        name_key=str.lower,
        extensions=("sql", "ddl", "dml", "psql", "plsql", "pls", "pks", "pkb", "mysql"),
        ids=("postgres", "plpgsql", "tsql", "sqlite"),
        line_comments=("--",),
        block_comments=(("/*", "*/"),),
        name_marks=b"\"`[]'",
        rule=_verdict,
        scanned=_scanned,
        keywords=words(
            """
            ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CHECK COLUMN CONSTRAINT CREATE CROSS DECLARE DEFAULT DELETE
            DESC DISTINCT DROP ELSE END EXISTS FOR FOREIGN FROM FULL FUNCTION GROUP HAVING IF IN INDEX INNER INSERT INTO
            IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY PROCEDURE REFERENCES RETURN RETURNS RIGHT
            SELECT SET TABLE THEN TRIGGER UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH
            add all alter and as asc begin between by case check column constraint create cross declare default delete
            desc distinct drop else end exists for foreign from full function group having if in index inner insert into
            is join key left like limit not null on or order outer primary procedure references return returns right
            select set table then trigger union unique update using values view when where with
            """
        ),
        opaque=(rb"--[^\r\n]*", lexemes.BLOCK, rb"'[^']*'?"),
    ),
)
