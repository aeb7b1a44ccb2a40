"""Pages, components and their styles: what a browser reads."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.ecmascript import TYPESCRIPT_KEYWORDS, TYPESCRIPT_SOFT_KEYWORDS
from pilotfish.syntax.languages.language import C_COMMENTS, Language

_COMMENTS = (("<!--", "-->"),)
_COMMENT = rb"<!--.*?(?:-->|\Z)"
# A comment of a script, and no address.
_LINE_COMMENT = rb"//(?<![:\"'\w]//)[^\r\n]*"
# A class is called in a page without the dot that its selectors have.
_SELECTOR_MARKS = b".#% \t\r\n"
_OPAQUE = (_COMMENT, lexemes.BLOCK, _LINE_COMMENT)


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
        "html",
        "HTML",
        grammar="html",
        extensions=("html", "htm", "xhtml", "shtml"),
        ids=("django-html", "jinja-html", "handlebars"),
        family="ecmascript",
        block_comments=_COMMENTS,
        name_marks=b" \t\r\n",
        injected=(b"<script", b"<style", b"<SCRIPT", b"<STYLE", b" on"),
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
        injected=(b"---", b"<", b"{"),
        keywords=TYPESCRIPT_KEYWORDS,
        soft_keywords=TYPESCRIPT_SOFT_KEYWORDS,
        opaque=_OPAQUE,
    ),
)
