"""C and C++."""

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


def _c_verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`static` hides a function or variable from other files; an inline one may stand in a header for all to use."""
    if (kind is _FUNCTION or kind is _VARIABLE) and b"static" in head:
        return kind, _RESTRICTED if b"inline" in head else _PRIVATE
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


LANGUAGES = (
    Language(
        "c",
        "C",
        grammar="c",
        extensions=("c", "h"),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        rule=_c_verdict,
        keywords=C_KEYWORDS,
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "cpp",
        "C++",
        grammar="cpp",
        extensions=("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh"),
        family="c",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        rule=cpp_verdict,
        container=cpp_container,
        own_name=cpp_name,
        keywords=CPP_KEYWORDS,
        soft_keywords=words("final import module override"),
        opaque=lexemes.C_LIKE,
    ),
)
