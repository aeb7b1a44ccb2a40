"""Clojure and ClojureScript."""

from __future__ import annotations

import re

from pilotfish.syntax.languages.language import CALLABLES, LOCALS, VALUES, Language, Verdict, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_VARIABLE, _METHOD, _FIELD = SymbolKind.VARIABLE, SymbolKind.METHOD, SymbolKind.FIELD
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words("catch def do finally fn if let loop monitor-enter monitor-exit new quote recur set! throw try var")
_BUILTINS = frozenset(
    b"""
    * + - -> ->> / < <= = > >= and apply as-> binding case catch comment cond cond-> cond->> condp declare def def-
    definline definterface defmacro defmethod defmulti defn defn- defonce defprotocol defrecord deftest deftype do
    doseq dosync dotimes doto extend-protocol extend-type finally first fn for if if-let if-not if-some in-ns is let
    letfn loop new not not= ns or proxy quote recur reify require set! some-> some->> testing throw try use var when
    when-first when-let when-not when-some while with-open
    """.split()
)

_STRING = rb'"((?>(?:\\.|[^"\\])*))"'
_SPACE = rb"(?:[\s,]|;[^\n]*\n)*"
_TYPED = rb"(?::-\s+\S+" + _SPACE + rb")?"
_PROSE = re.compile(_SPACE + _TYPED + _STRING + _SPACE + rb"(?!\))", re.DOTALL)
_METHOD_PROSE = re.compile(_SPACE + rb"(?:\[[^\]]*\][\s,]*)+" + _STRING, re.DOTALL)
_IN_METADATA = re.compile(rb":doc\s+" + _STRING, re.DOTALL)
_PRELUDE = re.compile(_SPACE + _TYPED + rb"(?:" + _STRING + _SPACE + rb")?(?:\{[^{}]*\})?" + _SPACE, re.DOTALL)
_ARGUMENTS = re.compile(rb"(?::\S+\s+)?\(?(\[[^\]]*\])")
_WITH_ARGUMENTS = frozenset((SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.STRUCT))

_TOKEN = re.compile(r'[\[\](){}]|"(?:\\.|[^"\\])*"|;[^\n]*|[^\s\[\](){}";,]+')


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`defn-` and `^:private` hide."""
    is_private = b":private" in head or head.startswith((b"(defn- ", b"(def- "))
    return kind, _PRIVATE if is_private and kind is not _FIELD else _PUBLIC


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The string behind a name, behind the arguments of a protocol's function, or in the metadata."""
    if symbol.kind is _FIELD:
        return b""
    prose = _METHOD_PROSE if symbol.kind is _METHOD else _PROSE
    found = prose.match(text, symbol.name_end, symbol.end) or _IN_METADATA.search(text, symbol.start, symbol.name_start)
    return found[1].replace(b'\\"', b'"') if found else b""


def _signed(text: bytes, symbol: Symbol) -> bytes:
    """`(defn area [x y]` without what documents it; a var's value stays."""
    head = text[symbol.start : symbol.name_end]
    if symbol.kind is _FIELD:
        return head
    prelude = _PRELUDE.match(text, symbol.name_end, symbol.end)
    place = prelude.end() if prelude else symbol.name_end
    if symbol.kind is _VARIABLE:
        line_end = text.find(b"\n", place, symbol.end - 1)
        value = text[place : line_end if line_end >= 0 else symbol.end - 1].strip()
        return head + b" " + value + b")" if value else text[symbol.start : symbol.end]
    if symbol.kind not in _WITH_ARGUMENTS:
        return head + b")"
    found = _ARGUMENTS.match(text, place, symbol.end)
    return head + b" " + found[1] + b")" if found else head + b")"


def _imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """What `(:require [a.b :as c :refer [d]] e.f)` and its kin bring in, with prefix lists."""
    tokens = [token for token in _TOKEN.findall(written) if token[0] not in "\";'"] + [")"]
    found: list[tuple[str, ImportedName | None]] = []
    is_class = tokens[:2] == ["(", ":import"]
    place = 2
    while place < len(tokens):
        token = tokens[place]
        if token in "[(":
            place = _library(tokens, place + 1, found, is_class=is_class)
        else:
            if token not in "])}{" and not token.startswith((":", "^", "#")):
                found.append(_class(token) if is_class else (token, None))
            place += 1
    return found


def _library(tokens: list[str], place: int, found: list[tuple[str, ImportedName | None]], *, is_class: bool) -> int:
    """Read one `[library options]`, `(package Class)` or `[prefix [library options]]`; the place behind it."""
    prefix = module = tokens[place]
    option, depth, plain = "", 1, True
    place += 1
    while place < len(tokens) and depth:
        token = tokens[place]
        if token in "[({":
            depth += 1
        elif token in "])}":
            depth -= 1
        elif token.startswith(":"):
            option = token
        elif option in (":as", ":as-alias"):
            found.append((module, ImportedName("*", token)))
            option, plain = "", False
        elif option in (":refer", ":only", ":refer-macros"):
            found.append((module, ImportedName("*", "*") if token == ":all" else ImportedName(token, token)))
            plain = False
        elif not option and depth <= 2:  # Classes of a package, libraries of a prefix.
            module = prefix if is_class else f"{prefix}.{token}"
            found.append((module, ImportedName(token, token) if is_class else None))
            plain = False
        place += 1
    if plain:
        found.append((module, None))
    return place


def _class(token: str) -> tuple[str, ImportedName | None]:
    package, _, name = token.rpartition(".")
    return package, ImportedName(name, name)


LANGUAGES = (
    Language(
        "clojure",
        "Clojure",
        grammar="clojure",
        called={SymbolKind.INTERFACE: ("protocol",), SymbolKind.FUNCTION: ("macro",)},
        extensions=("clj", "cljs", "cljc"),
        interpreters=("bb", "clojure"),
        ids=("clojurescript",),
        line_comments=(";",),
        custom="markdown",
        rule=_verdict,
        locals={**LOCALS, _VARIABLE: CALLABLES | VALUES},
        imports=_imports,
        documented=_documented,
        signed=_signed,
        builtins=_BUILTINS,
        word_marks=b"-*!?+<>=$&",
        keywords=_KEYWORDS,
        opaque=(rb";[^\r\n]*", rb"\\(?:\w+|[^\s])", rb'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?'),
    ),
)
