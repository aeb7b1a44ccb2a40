"""Pages, components and their styles: what a browser reads."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.ecmascript import TYPESCRIPT_KEYWORDS, TYPESCRIPT_SOFT_KEYWORDS
from pilotfish.syntax.languages.language import C_COMMENTS, LOCALS, Language, Locals, words
from pilotfish.syntax.outline import SymbolKind

_COMMENTS = (("<!--", "-->"),)
_COMMENT = rb"<!--.*?(?:-->|\Z)"
# A comment of a script, and no address.
_LINE_COMMENT = rb"//(?<![:\"'\w]//)[^\r\n]*"
# A class is called in a page without the dot that its selectors have.
_SELECTOR_MARKS = b".#% \t\r\n"
_SASS_LOCALS: Locals = {**LOCALS, SymbolKind.VARIABLE: LOCALS[SymbolKind.VARIABLE] | {SymbolKind.CLASS}}
_OPAQUE = (_COMMENT, lexemes.BLOCK, _LINE_COMMENT)


# Of Sass: comments and strings, and what the grammar does not know. One set of characters comes first, since so the
# expression is searched for several times faster than alternatives.
_SASS = re.compile(
    rb"[/@\n#\"'.!$](?:"
    rb"(?<=/)(?:\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|/[^\r\n]*)"
    rb"|(?<=@)(?:use|forward)\s+(?:\"[^\"\n]*\"|'[^'\n]*')(?P<clause>[^;{}]*)"
    rb"|(?<=\n)[ \t]*(?P<combinator>[>+~])(?=\s*[.#&*:\w\[])"
    rb"|(?<=@)(?:include|mixin)\s+(?>(?P<namespace>[\w-]+\.)?)(?=[\w-])(?:[\w-]+(?P<nothing>\(\s*\)))?"
    rb"|(?P<interpolation>(?<=#)\{[^{}\n]*\})"
    rb"|(?<=@)extend\s+(?P<placeholder>%)"
    rb"|(?<=\")[^\"\n]*\"|(?<=')[^'\n]*'"
    rb"|(?P<rest>(?<=\.)\.\.)|(?P<flag>(?<=!)(?:default|global)\b)"
    rb"|(?:(?<=\$)[\w-]+\s*:|(?<=@)return\b)\s*(?P<value>\()"
    rb")"
)
_SASS_WHOLE = frozenset(("interpolation", "rest", "flag"))  # what goes with its first character
_SASS_BRACKET = re.compile(rb"[()]")
_BLANK = bytes(byte if byte == 0x0A else 0x20 for byte in range(256))


def _plain_sass(text: bytes) -> bytes:
    """A style sheet whose grammar knows little of Sass, without what is beyond it: interpolations, clauses of
    `@use`, namespaces, leading combinators, empty and rest parameters, flags, and the values of maps."""
    made = bytearray(text)
    reached = 0
    for found in _SASS.finditer(text):
        if found.lastindex is None or found.start() < reached:
            continue
        for part, written in found.groupdict().items():
            if written is None:
                continue
            start, end = found.span() if part in _SASS_WHOLE else found.span(part)
            if part == "value":
                reached = end = _closing(text, start)
                made[start:end] = b"0" + text[start + 1 : end].translate(_BLANK)
            elif part == "placeholder":
                made[start:end] = b"."
            elif part == "combinator":
                made[start:end] = b"&"
            elif part == "interpolation":
                made[start:end] = b"x" * (end - start)
            else:
                made[start:end] = text[start:end].translate(_BLANK)
    return bytes(made)


def _closing(text: bytes, start: int) -> int:
    """Where the brackets that open at `start` are closed again; the end of the line where they never are."""
    depth = 0
    for bracket in _SASS_BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == b"(" else -1
        if not depth:
            return bracket.end()
    newline = text.find(b"\n", start)
    return newline if newline >= 0 else len(text)


LANGUAGES = (
    Language(
        "css",
        "CSS",
        grammar="css",
        extensions=("css", "wxss"),
        ids=("postcss", "tailwindcss"),
        family="css",
        block_comments=C_COMMENTS,
        name_marks=_SELECTOR_MARKS,
        word_marks=b"-",
        builtins=frozenset((b"from",)),
        opaque=(lexemes.BLOCK, lexemes.DOUBLE, lexemes.SINGLE),
    ),
    Language(
        "scss",
        "SCSS",
        grammar="scss",
        extensions=("scss",),
        ids=("sass",),
        family="css",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        prepared=_plain_sass,
        locals=_SASS_LOCALS,
        name_marks=_SELECTOR_MARKS + b"$",
        word_marks=b"-",
        keywords=words("and else false if in not null or true"),
        opaque=(lexemes.BLOCK, _LINE_COMMENT, lexemes.DOUBLE, lexemes.SINGLE),
    ),
    Language(
        "html",
        "HTML",
        grammar="html",
        extensions=("html", "htm", "xhtml", "shtml"),
        ids=("django-html", "jinja-html", "handlebars"),
        family="ecmascript",
        block_comments=_COMMENTS,
        name_marks=b" \t\r\n",
        level="digit",
        injected=(
            b"<script",
            b"<style",
            b"<SCRIPT",
            b"<STYLE",
            b" onclick=",
            b" onload=",
            b" onchange=",
            b" onsubmit=",
        ),
        keywords=TYPESCRIPT_KEYWORDS,
        soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
        opaque=_OPAQUE,
    ),
    Language(
        "vue",
        "Vue",
        grammar="vue",
        extensions=("vue",),
        family="ecmascript",
        block_comments=_COMMENTS,
        custom="jsdoc",
        injected=(b"<",),
        keywords=TYPESCRIPT_KEYWORDS,
        soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
        opaque=_OPAQUE,
    ),
    Language(
        "svelte",
        "Svelte",
        grammar="svelte",
        extensions=("svelte",),
        family="ecmascript",
        block_comments=_COMMENTS,
        custom="jsdoc",
        injected=(b"<", b"{"),
        keywords=TYPESCRIPT_KEYWORDS,
        soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
        opaque=_OPAQUE,
    ),
    Language(
        "astro",
        "Astro",
        grammar="astro",
        extensions=("astro",),
        family="ecmascript",
        block_comments=_COMMENTS,
        custom="jsdoc",
        injected=(b"---", b"<", b"{"),
        keywords=TYPESCRIPT_KEYWORDS,
        soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
        opaque=_OPAQUE,
    ),
)
