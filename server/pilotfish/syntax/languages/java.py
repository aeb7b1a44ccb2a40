"""Java."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, CALLABLES, LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_METHOD, _CONSTANT, _FIELD = SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.FIELD
_ENUM_MEMBER, _INTERFACE = SymbolKind.ENUM_MEMBER, SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    _ abstract assert boolean break byte case catch char class const continue default do double else enum extends
    false final finally float for goto if implements import instanceof int interface long native new null package
    private protected public return short static strictfp super switch synchronized this throw throws transient true
    try void volatile while
    """
)
_SOFT_KEYWORDS = words(
    """
    exports module open opens permits provides record requires sealed to transitive uses when with yield
    """
)

_LOCALS: Locals = {**LOCALS, _METHOD: CALLABLES}
"""Methods of nameless classes as well."""

_JAVA_CONSTANT = re.compile(rb"\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b", re.DOTALL)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """By modifiers; without one a member is seen in its package, or is public in an interface."""
    in_interface = parent is not None and parent.kind is _INTERFACE
    if kind is _FIELD and (in_interface or _JAVA_CONSTANT.search(head)):
        kind = _CONSTANT
    if b"private" in head:
        return kind, _PRIVATE
    if b"public" in head or in_interface or kind in (_ENUM_MEMBER, SymbolKind.MODULE):
        return kind, _PUBLIC
    return kind, _RESTRICTED


LANGUAGES = (
    Language(
        "java",
        "Java",
        grammar="java",
        extensions=("java",),
        family="jvm",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="javadoc",
        annotations=True,
        rule=_verdict,
        locals=_LOCALS,
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(lexemes.TRIPLE_DOUBLE, *lexemes.C_LIKE),
    ),
)
