"""Haddock."""

from __future__ import annotations

import re

from pilotfish.syntax.prose.draft import Draft, code, code_block
from pilotfish.syntax.prose.sections import Entry, with_sections

_BIRD = re.compile(r"(?:^[ \t]*>(?!>)[^\n]*(?:\n|\Z))+", re.MULTILINE)
_SESSION = re.compile(r"^[ \t]*(?:>>>|prop>)[^\n]*(?:\n[ \t]*\S[^\n]*)*", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*@[ \t]*\n(.*?)^[ \t]*@[ \t]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"@((?:[^@\n]|\n(?!\s*\n))+)@")
_IDENTIFIER = re.compile(
    r"(?<![\w'])(?:[vt])?'((?:[A-Z]\w*\.)*(?:[A-Za-z_][\w']*|\(?[!#$%&*+./<=>?\\^|~:-]+\)?))'(?!\w)"
)
_TICKED = re.compile(r"(?<!`)`([A-Za-z_][\w.']*)`(?!`)")
_MODULE = re.compile(r"\"([A-Z]\w*(?:\.[A-Z]\w*)+)(?:#[\w-]*)?\"")
_STRONG = re.compile(r"__([^_\n]+)__")
_EMPHASIS = re.compile(r"(?<![\w/:.<])/([^\s/](?:[^/\n]*[^\s/])?)/(?![\w/])")
_HEADING = re.compile(r"^[ \t]*=+[ \t]*(\S[^\n]*)$", re.MULTILINE)
_LINK = re.compile(r"<((?:https?|ftp)://[^\s<>]+)(?:[ \t]+([^<>]*))?>")
_TERM = re.compile(r"^([ \t]*)\[((?:[^\[\]\n]|\[[^\[\]]*\])+)\]:?[ \t]+", re.MULTILINE)
_NUMBERED = re.compile(r"^([ \t]*)\((\d+)\)[ \t]+", re.MULTILINE)
_HEADER = re.compile(
    r"^(?:Module|Description|Copyright|License|Maintainer|Stability|Portability|SPDX-License-Identifier)[ \t]*:[^\n]*"
    r"\n?(?:[ \t]{6,}\S[^\n]*\n?)*",
    re.MULTILINE,
)
# What `syntax.languages.haskell` says of an argument (`^`) and of the result (`=`): type and documentation.
_ARGUMENT = re.compile(r"^-- ([=^]) (\x00\d+\x00|`[^`\n]*`) ?([^\n]*)$", re.MULTILINE)
_SINCE = re.compile(r"^[ \t]*@since[ \t]+(\S+)[ \t]*$", re.MULTILINE)


def read_haddock(written: str, language: str) -> str:
    """Make Markdown of Haddock's markup."""
    draft = Draft(_HEADER.sub("", written))
    draft.rewrite(_ARGUMENT, lambda found: f"-- {found[1]} {draft.keep(found[2].strip('`'))} {found[3]}")
    entries = [Entry("Since", found[1]) for found in _SINCE.finditer(draft.text)]
    draft.rewrite(_SINCE, "")
    draft.finish(_BLOCK, lambda found: code_block(_bare(found[1]), language))
    draft.finish(_SESSION, lambda found: code_block(found[0], language))
    draft.finish(_BIRD, lambda found: code_block(re.sub(r"(?m)^[ \t]*> ?", "", found[0]), language))
    draft.finish(_LINK, lambda found: f"{found[2]} ({code(found[1])})" if found[2] else code(found[1]))
    draft.finish(_CODE, lambda found: code(_bare(found[1])))
    draft.finish(_IDENTIFIER, lambda found: code(found[1]))
    draft.finish(_TICKED, lambda found: code(found[1]))
    draft.finish(_MODULE, lambda found: code(found[1]))
    draft.finish(_STRONG, lambda found: f"**{draft.plain(found[1])}**")
    draft.finish(_EMPHASIS, lambda found: f"*{draft.plain(found[1])}*")
    draft.finish(_HEADING, lambda found: f"\n\n**{draft.plain(found[1])}**\n\n")
    draft.rewrite(_TERM, lambda found: f"{found[1]}- {draft.keep(f'**{draft.plain(found[2])}**')} ")
    draft.rewrite(_NUMBERED, r"\1\2. ")
    draft.rewrite(re.compile(r"\\(?=[/'`\"@<\\])"), "")
    for mark, written_type, said in _ARGUMENT.findall(draft.text):
        entries.append(Entry("Returns" if mark == "=" else "Parameters", said, type=draft.restored(written_type)))
    draft.rewrite(_ARGUMENT, "")
    return with_sections(draft, draft.text, entries)


def _bare(text: str) -> str:
    """Code without the marks of references in it."""
    return _IDENTIFIER.sub(r"\1", text).replace("\\@", "@")
