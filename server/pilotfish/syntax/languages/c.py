"""C, C++, CUDA and Objective-C."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, TYPES, Language, Verdict, dotted, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTRUCTOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_VARIABLE, _FIELD = SymbolKind.VARIABLE, SymbolKind.FIELD
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

C_KEYWORDS = words(
    """
    NULL _Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert __attribute__ __extension__ __inline
    __inline__ __restrict __restrict__ __volatile__ alignas alignof asm auto bool break case char const constexpr
    continue default defined do double else enum extern false float for goto if inline int long nullptr register
    restrict return short signed sizeof static struct switch true typedef union unsigned void volatile while
    """
)
CPP_KEYWORDS = C_KEYWORDS | words(
    """
    and and_eq bitand bitor catch class co_await co_return co_yield compl concept const_cast consteval constinit
    decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq operator or or_eq
    private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw
    try typeid typename using virtual wchar_t xor xor_eq
    """
)

_INLINE = re.compile(rb"\b(?:__)?(?:(?:always_|force)?inline|INLINE)(?:__)?\b")

# Where they stand is free, and the grammar knows some places only: `char *__attribute__ ((used)) name (void)`.
_ATTRIBUTE = re.compile(
    rb"\b__(?:always_inline\b|attribute_\w+__\b(?!\s*\()|(?:attribute(?:__)?|nonnull)\s*"
    rb"\(\((?>(?:[^(){};]++|\((?>(?:[^(){};]++|\((?>(?:[^(){};]++|\([^(){};]*\))*)\))*)\))*)\)\s*\))"
)
# `__BEGIN_DECLS` and `G_END_DECLS`, which are braces to some compilers only.
_BRACKET = re.compile(rb"^[ \t]*_*(?:[A-Z0-9]+_)*(?:BEGIN|END)(?:_[A-Z0-9]+)+[ \t]*$", re.MULTILINE)
# `weak_alias (old, new)` on a line of its own, without a semicolon: no head of a function, since no body follows.
_CALL = rb"(?:static[ \t]+)?[A-Za-z_]\w*[ \t]*\([^(){};\n]*\)[ \t]*"
_STATEMENT = re.compile(
    rb"^(?<=[;})\n]\n)" + _CALL + rb"$(?=\n(?:#|/\*|\n(?!\s*\{)|" + _CALL + rb"\n(?!\s*\{)|\Z))", re.MULTILINE
)
_NOT_BLANK = re.compile(rb"[^\s]")


def _c_prepared(text: bytes) -> bytes:
    """The text without attributes and what `<sys/cdefs.h>` calls some, and without macros between definitions."""
    if b"\r\n" in text and (bare := text.replace(b"\r\n", b"\n")).count(b"\n") == text.count(b"\r"):
        return _c_prepared(bare).replace(b"\n", b"\r\n")
    if b"__a" in text or b"__nonnull" in text:
        text = _ATTRIBUTE.sub(_blank, text)
    if b"BEGIN_" in text or b"END_" in text:
        text = _BRACKET.sub(_blank, text)
    return _STATEMENT.sub(_blank, text)


def _blank(written: re.Match[bytes]) -> bytes:
    return _NOT_BLANK.sub(b" ", written[0])


# `int width; ///< in pixels`, `int width; /**< in pixels */`: Doxygen's words behind what they document.
_BEHIND = re.compile(rb"[ \t]*[;,]?[ \t]*(?:/(?=/[/!]<\s)|/(?=\*[*!]<\s))")
_BEHIND_LINE = re.compile(rb"\s*//[/!]<[ \t]?([^\n]*)")
_BEHIND_BLOCK = re.compile(rb"/\*[*!]<((?>(?:[^*]|\*(?!/))*))")
_STARS = re.compile(rb"^[ \t]*\*?[ \t]?", re.MULTILINE)


def _behind(text: bytes, symbol: Symbol) -> bytes:
    """What Doxygen's comments behind a definition say, on its last line and those that follow."""
    end = symbol.end
    if text.startswith(b"#", symbol.start) and (slash := text.find(b"/", symbol.name_end, end)) >= 0:
        end = slash  # the text of a macro goes to the end of its line
    found = _BEHIND.match(text, end)
    if found is None:
        return b""
    start = found.end() - 1
    if block := _BEHIND_BLOCK.match(text, start):
        return _STARS.sub(b"", block[1]).strip()
    lines = []
    while line := _BEHIND_LINE.match(text, start):
        lines.append(line[1].rstrip())
        start = line.end()
    return b"\n".join(lines)


def _c_verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`static` hides a function or variable from other files; an inline one may stand in a header for all to use."""
    if (kind is _FUNCTION or kind is _VARIABLE) and b"static" in head:
        return kind, _RESTRICTED if _INLINE.search(head) else _PRIVATE
    return kind, _PUBLIC


def cpp_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Members by what they lie in; outside of types as in C. The sections of a class are the query's."""
    in_class = parent is not None and parent.kind in TYPES
    if kind is _VARIABLE and in_class:
        kind = _FIELD
    elif (kind is _FUNCTION and (in_class or container)) or kind is _METHOD:
        owner = container.rpartition(".")[2] if container else parent.name if parent is not None else ""
        kind = _CONSTRUCTOR if name == owner else _METHOD
    if in_class or container:
        return kind, _PUBLIC
    return _c_verdict(name, kind, head, parent, container, text)


def cpp_container(written: str) -> str:
    """`Shape` of `Shape<T>`, with parts joined by dots."""
    while (bare := _ANGLES.sub("", written)) != written:
        written = bare
    return dotted(written)


_ANGLES = re.compile(r"<[^<>]*>")

# An operator, a conversion (`operator bool`), or the last word, with `~` and without the arguments of a template.
_CPP_NAME = re.compile(rb"\boperator\s*\(\s*\)|\boperator\b[^(]*[^(\s]|(?:~\s*)?\w+(?=\s*(?:<.*)?$)", re.DOTALL)


def cpp_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier, and the bounds of `draw` in `Shape<T>::draw`, `operator T` in `operator T()`."""
    if written.replace(b"_", b"").isalnum():
        return 0, 0, len(written)
    if written.startswith(b'"'):  # the title of a test
        return 0, 1, len(written) - 1
    found = _CPP_NAME.search(written, 0 if b"operator" in written else max(0, written.rfind(b"::")))
    if found is None:
        return 0, 0, len(written)
    start, end = found.span()
    return (start if written[:start].rstrip().endswith(b"::") else 0), start, end


_OBJC_KEYWORDS = C_KEYWORDS | words(
    """
    BOOL Class IMP NO Nil SEL YES __autoreleasing __block __bridge __bridge_retained __bridge_transfer __kindof
    __strong __typeof __unsafe_unretained __weak autoreleasepool catch dynamic encode end finally id implementation
    import in instancetype interface nil nonnull nullable optional package private property protected protocol public
    required selector self super synchronized synthesize throw try typeof
    """
)

# Macros of Apple's headers that stand where the grammar expects none.
_OBJC_MACRO = re.compile(
    rb"\b(?:typedef\s+NS_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\s*\([^(),\n]*,\s*(?P<enum>\w+)\s*\)"
    rb"|(?P<extern>[A-Z]+_E(?:XPORT|XTERN)\b)"
    rb"|(?:NS_(?:ASSUME_NONNULL_BEGIN|ASSUME_NONNULL_END|HEADER_AUDIT_BEGIN|HEADER_AUDIT_END|DESIGNATED_INITIALIZER"
    rb"|UNAVAILABLE|REQUIRES_SUPER|REQUIRES_NIL_TERMINATION|NOESCAPE|REFINED_FOR_SWIFT|RETURNS_RETAINED|SWIFT_NAME"
    rb"|SWIFT_UNAVAILABLE|SWIFT_SENDABLE|SWIFT_UI_ACTOR|SWIFT_NONISOLATED|TYPED_EXTENSIBLE_ENUM|STRING_ENUM"
    rb"|EXTENSIBLE_STRING_ENUM|FORMAT_FUNCTION|AVAILABLE\w*|DEPRECATED\w*|CLASS_AVAILABLE\w*|CLASS_DEPRECATED\w*"
    rb"|EXTENSION_UNAVAILABLE\w*|VALUERETURN|INLINE)|API_(?:AVAILABLE|UNAVAILABLE|DEPRECATED\w*)"
    rb"|UNAVAILABLE_ATTRIBUTE|DEPRECATED_ATTRIBUTE|DEPRECATED_MSG_ATTRIBUTE|__deprecated_msg|UI_APPEARANCE_SELECTOR"
    rb"|IBOutlet|IBInspectable|IB_DESIGNABLE|IBOutletCollection|__TVOS_PROHIBITED|__WATCHOS_PROHIBITED|__OSX_AVAILABLE\w*)"
    rb"\b(?:[ \t]*\((?:[^()\"\n]|\"[^\"\n]*\"|\([^()\n]*\))*\))?)"
)


def _objc_prepared(text: bytes) -> bytes:
    """The text with macros as the words that they stand for or blank: `enum State` of `typedef NS_ENUM(int, State)`."""
    return _OBJC_MACRO.sub(_objc_expanded, text)


def _objc_expanded(macro: re.Match[bytes]) -> bytes:
    written = macro[0]
    if macro["enum"] is not None:
        start = macro.start("enum") - macro.start()
        blank = _NOT_BLANK.sub(b" ", written)
        return b"enum" + blank[4:start] + macro["enum"] + blank[start + len(macro["enum"]) :]
    if macro["extern"] is not None:
        return b"extern".ljust(len(written))
    return _NOT_BLANK.sub(b" ", written)


def _objc_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Variables of an instance are its own; what is outside of classes is as in C."""
    if kind is _FIELD and parent is not None and parent.kind is SymbolKind.CLASS:
        return kind, _PRIVATE
    return _c_verdict(name, kind, head, parent, container, text)


_CUDA_VARIABLES = frozenset(b"blockDim blockIdx gridDim threadIdx warpSize".split())


LANGUAGES = (
    Language(
        "c",
        "C",
        grammar="c",
        extensions=("c", "h"),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        documented=_behind,
        prepared=_c_prepared,
        rule=_c_verdict,
        keywords=C_KEYWORDS,
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "cpp",
        "C++",
        grammar="cpp",
        joint="::",
        extensions=("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl"),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        documented=_behind,
        rule=cpp_verdict,
        container=cpp_container,
        own_name=cpp_name,
        keywords=CPP_KEYWORDS,
        soft_keywords=words("final import module override"),
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "cuda",
        "CUDA",
        grammar="cuda",
        joint="::",
        extensions=("cu", "cuh"),
        ids=("cuda-cpp",),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        documented=_behind,
        rule=cpp_verdict,
        container=cpp_container,
        own_name=cpp_name,
        builtins=_CUDA_VARIABLES,
        keywords=CPP_KEYWORDS
        | words("__constant__ __device__ __forceinline__ __global__ __host__ __launch_bounds__ __managed__ __shared__"),
        soft_keywords=words("final import module override"),
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "objc",
        "Objective-C",
        grammar="objc",
        called={SymbolKind.INTERFACE: ("protocol",)},
        extensions=("m", "mm"),
        ids=("objective-c", "objective-cpp"),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        documented=_behind,
        attributes=("API_", "NS_", "__attribute__"),
        prepared=_objc_prepared,
        rule=_objc_verdict,
        keywords=_OBJC_KEYWORDS,
        opaque=lexemes.C_LIKE,
    ),
)
