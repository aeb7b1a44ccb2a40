"""HTML in comments, as Javadoc and its kin have it, as Markdown."""

from __future__ import annotations

import html
import re

from pilotfish.syntax.prose.draft import Draft, code, code_block, escaped

_PRE = re.compile(r"<pre\b[^>]*>(.*?)</pre\s*>", re.DOTALL | re.IGNORECASE)
_CODE = re.compile(r"<(code|tt|kbd|samp|var)\b[^>]*>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"<a\b[^<>]*?\bhref\s*=\s*[\"']?([^\"'\s<>]*+)[\"']?[^<>]*+>(.*?)</a\s*>", re.DOTALL | re.IGNORECASE)
_STRONG = re.compile(r"<(b|strong)\b[^>]*>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_EMPHASIS = re.compile(r"<(i|em|cite|dfn)\b[^>]*>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]\s*>", re.DOTALL | re.IGNORECASE)
_ITEM = re.compile(r"\s*<(?:li|dt)\b[^>]*>\s*", re.IGNORECASE)
_BREAK = re.compile(
    r"[ \t]*</?(?:p|div|br|ul|ol|dl|table|thead|tbody|tr|blockquote|section)\b[^>]*>[ \t]*", re.IGNORECASE
)
_NOTHING = re.compile(
    r"</?(?:li|dt|span|font|sup|sub|small|big|center|th|caption|img|hr)\b[^>]*>|<a\s[^>]*>|</a>|<!--.*?-->",
    re.DOTALL | re.IGNORECASE,
)
_BETWEEN = re.compile(r"</?(?:td|dd)\b[^>]*>", re.IGNORECASE)
_TAGS = re.compile(r"</?[a-zA-Z][^<>]*>")
_WEB = re.compile(r"(?i)https?://")


def read_hypertext(draft: Draft) -> None:
    """Make Markdown of the tags that comments use; others stay text."""
    if "<" not in draft.text:
        return
    draft.finish(_PRE, lambda found: code_block(_text(draft, found[1])))
    draft.finish(_CODE, lambda found: code(_text(draft, found[2])))
    draft.finish(_LINK, lambda found: _linked(found[1], _text(draft, found[2])))
    draft.finish(_HEADING, lambda found: f"\n\n**{escaped(_text(draft, found[1])).strip()}**\n\n")
    draft.finish(_STRONG, lambda found: _marked("**", _text(draft, found[2])))
    draft.finish(_EMPHASIS, lambda found: _marked("*", _text(draft, found[2])))
    draft.rewrite(_ITEM, "\n- ")
    draft.rewrite(_BREAK, "\n\n")
    draft.rewrite(_BETWEEN, " ")
    draft.rewrite(_NOTHING, "")


def _text(draft: Draft, written: str) -> str:
    """What stands between tags: pieces that are finished as their text."""
    return html.unescape(_TAGS.sub("", draft.restored(written)))


def _marked(mark: str, text: str) -> str:
    text = " ".join(text.split())
    return f"{mark}{text if '`' in text else escaped(text)}{mark}" if text else ""


def _linked(target: str, text: str) -> str:
    text = " ".join(text.split())
    shown = text if "`" in text else escaped(text)
    return f"{shown} ({code(target)})" if _WEB.match(target) and target != text else shown
