"""Swift."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, Verdict, in_type, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _OPERATOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.OPERATOR
_VARIABLE, _PROPERTY = SymbolKind.VARIABLE, SymbolKind.PROPERTY
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    Any Self actor as associatedtype async await break case catch class continue default defer deinit do else enum
    extension fallthrough false fileprivate for func guard if import in init inout internal is let macro nil operator
    precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw
    throws true try typealias var where while
    """
)
_SOFT_KEYWORDS = words(
    """
    any borrowing consuming convenience didSet distributed dynamic final get indirect infix isolated lazy left mutating
    none nonisolated nonmutating open optional override package postfix prefix required right set some unowned weak
    willSet
    """
)
# Attributes and types of the language itself.
_BUILTINS = frozenset(
    b"Any AnyObject Array Bool Character Dictionary Double Float Int Int16 Int32 Int64 Int8 Never Optional Self Set "
    b"String UInt UInt16 UInt32 UInt64 UInt8 Void autoclosure available convention discardableResult escaping frozen "
    b"inlinable inline main objc objcMembers preconcurrency propertyWrapper resultBuilder testable unknown "
    b"usableFromInline warn_unqualified_access".split()
)

# Not `private(set)`, and not in quotes.
_ACCESS = re.compile(rb"(?<![\w\"'.`])(?:public|open|package|internal|private|fileprivate)(?=\s)")
_OPEN = frozenset((b"public", b"open"))
_HIDDEN = frozenset((b"private", b"fileprivate"))
_AS_OWNER = frozenset((SymbolKind.ENUM_MEMBER, SymbolKind.TYPE_PARAMETER))


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Members by what they lie in or extend; without a modifier they are their module's, or as open as a protocol."""
    is_member = in_type(parent, container)
    if kind is _FUNCTION:
        if not (name[0].isalpha() or name[0] in "_`"):
            kind = _OPERATOR
        elif is_member:
            kind = _METHOD
    elif kind is _VARIABLE and is_member:
        kind = _PROPERTY
    access = _ACCESS.search(head)
    if access is not None:
        return kind, _PUBLIC if access[0] in _OPEN else _PRIVATE if access[0] in _HIDDEN else _RESTRICTED
    if kind in _AS_OWNER or (parent is not None and parent.kind is SymbolKind.INTERFACE):
        return kind, _PUBLIC
    return kind, _RESTRICTED


def _container(written: str) -> str:
    """`Array` of `extension Array<Int>`."""
    return written.partition("<")[0].strip()


_CONDITION = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\r\n]*", re.MULTILINE)


def _without_conditions(text: bytes) -> bytes:
    """A text of the same length without `#if` and its kin: all branches are read, also where the grammar knows none."""
    return _CONDITION.sub(_blank, text) if b"#if" in text else text


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


LANGUAGES = (
    Language(
        "swift",
        "Swift",
        grammar="swift",
        called={SymbolKind.INTERFACE: ("protocol",), SymbolKind.CLASS: ("actor",)},
        prepared=_without_conditions,
        extensions=("swift", "swiftinterface"),
        interpreters=("swift",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="docc",
        attributes=("@", "#"),
        annotations=True,
        name_marks=b"`",
        builtins=_BUILTINS,
        rule=_verdict,
        redeclares=True,
        container=_container,
        keywords=_KEYWORDS,
        soft_keywords=_SOFT_KEYWORDS,
        opaque=(
            lexemes.BLOCK,
            lexemes.LINE_SLASH,
            rb'#+"(?>(?:[^"]|"(?!#))*)(?:"#+|\Z)',
            lexemes.TRIPLE_DOUBLE,
            lexemes.DOUBLE,
        ),
    ),
)
