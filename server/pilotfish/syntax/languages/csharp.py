"""C#."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_CONSTANT, _FIELD, _PROPERTY = SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY
_INTERFACE, _NAMESPACE = SymbolKind.INTERFACE, SymbolKind.NAMESPACE
_PARAMETER = SymbolKind.KEY  # of a record, which makes a property of it
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    abstract as base bool break byte case catch char checked class const continue decimal default delegate do double
    else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is
    lock long namespace new null object operator out override params private protected public readonly ref return sbyte
    sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe
    ushort using virtual void volatile while
    """
)
_SOFT_KEYWORDS = words(
    """
    add alias and async await by descending dynamic equals extension file from get global group init into join let
    nameof nint not notnull nuint on or orderby partial record remove required scoped select set unmanaged value var
    when where with yield
    """
)

_LOCALS: Locals = {**LOCALS, _PROPERTY: LOCALS[_PROPERTY] - {SymbolKind.CONSTRUCTOR}}

# Not in quotes: attributes stand before the modifiers.
_ACCESS = re.compile(rb"(?<![\w\"'.])(?:public|private|protected|internal|file)(?=\s)")
_CONST = re.compile(rb"(?<![\w\"'.])(?:const|static\s+readonly|readonly\s+static)(?=\s)")
# `void IDisposable.Dispose()` is seen through its interface.
_EXPLICIT = re.compile(rb"[\w>]\s*\.\s*\Z")
_OPEN = frozenset((_INTERFACE, SymbolKind.ENUM))


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """By modifiers; without one a member is private, or as open as its interface, and a type its assembly's."""
    if kind is _PARAMETER:
        return _PROPERTY, _PUBLIC
    if kind is _FIELD and _CONST.search(head):
        kind = _CONSTANT
    if kind is _NAMESPACE or kind is SymbolKind.ENUM_MEMBER:
        return kind, _PUBLIC
    written = set(_ACCESS.findall(head))
    if b"public" in written:
        return kind, _PUBLIC
    if b"private" in written:
        return kind, _RESTRICTED if b"protected" in written else _PRIVATE
    if written:
        return kind, _RESTRICTED
    if (parent is not None and parent.kind in _OPEN) or _EXPLICIT.search(head):
        return kind, _PUBLIC
    return kind, _RESTRICTED if parent is None or parent.kind is _NAMESPACE else _PRIVATE


_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\r\n]*", re.MULTILINE)


def _prepared(text: bytes) -> bytes:
    """The text without the directives around what has no alternative: the grammar knows them in few places only."""
    if b"#if" not in text:
        return text
    lone: list[re.Match[bytes]] = []
    open_ifs: list[re.Match[bytes] | None] = []
    for directive in _DIRECTIVE.finditer(text):
        word = directive[1]
        if word == b"if":
            open_ifs.append(directive)
        elif open_ifs and word == b"endif":
            if opening := open_ifs.pop():
                lone += opening, directive
        elif open_ifs:
            open_ifs[-1] = None
    parts = bytearray(text)
    for directive in lone:
        parts[directive.start() : directive.end()] = b" " * len(directive[0])
    return bytes(parts)


LANGUAGES = (
    Language(
        "csharp",
        "C#",
        grammar="csharp",
        extensions=("cs", "csx", "cake"),
        interpreters=("dotnet-script",),
        ids=("c#", "cs"),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="xml",
        attributes=("[", "#"),
        annotations=True,
        prepared=_prepared,
        rule=_verdict,
        locals=_LOCALS,
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(
            lexemes.BLOCK,
            lexemes.LINE_SLASH,
            lexemes.TRIPLE_DOUBLE,
            rb'@\$?"[^"]*+(?>(?:""[^"]*+)*)"?',
            rb'\$@"[^"]*+(?>(?:""[^"]*+)*)"?',
            rb"\$" + lexemes.DOUBLE,
            lexemes.DOUBLE,
            lexemes.CHARACTER,
        ),
        interpolating=b"$",
    ),
)
