"""The words of each language that are no names: reserved ones, and those that are reserved in some places only."""

from __future__ import annotations

import re

_SCRIPT = """
    await break case catch class const continue debugger default delete do else enum export extends false finally for
    function if import in instanceof let new null return static super switch this throw true try typeof undefined var
    void while with yield
"""
_TYPED_SCRIPT = _SCRIPT + "any boolean implements interface keyof never private protected public readonly unknown"
_TYPED_SCRIPT_SOMETIMES = """
    abstract accessor as asserts async declare from get global infer is module namespace number object of override
    satisfies set string symbol type using
"""
_C = """
    NULL _Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert __attribute__ __extension__ __inline
    __inline__ __restrict __restrict__ __volatile__ alignas alignof asm auto bool break case char const constexpr
    continue default defined do double else enum extern false float for goto if inline int long nullptr register
    restrict return short signed sizeof static struct switch true typedef union unsigned void volatile while
"""
_CPP = (
    _C
    + """
    and and_eq bitand bitor catch class co_await co_return co_yield compl concept const_cast consteval constinit
    decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq operator or or_eq
    private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw try
    typeid typename using virtual wchar_t xor xor_eq
"""
)

_RESERVED = {
    language: frozenset(words.split())
    for language, words in {
        "python": """
            False None True and as assert async await break class continue def del elif else except finally for from
            global if import in is lambda nonlocal not or pass raise return try while with yield _
        """,
        "javascript": _SCRIPT,
        "typescript": _TYPED_SCRIPT,
        "tsx": _TYPED_SCRIPT,
        "java": """
            abstract assert boolean break byte case catch char class const continue default do double else enum extends
            false final finally float for goto if implements import instanceof int interface long native new null
            package private protected public return short static strictfp super switch synchronized this throw throws
            transient true try void volatile while _
        """,
        "go": """
            break case chan const continue default defer else fallthrough false for func go goto if import interface
            iota map nil package range return select struct switch true type var _
        """,
        "rust": """
            Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match
            mod move mut pub ref return self static struct super trait true try type unsafe use where while yield _
        """,
        "c": _C,
        "cpp": _CPP,
        "ruby": """
            BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined do else elsif end
            ensure false for if in module next nil not or redo rescue retry return self super then true undef unless
            until when while yield
        """,
        "bash": """
            case coproc do done elif else esac fi for function if in select then time until while declare export local
            readonly typeset unset
        """,
        "json": "false null true",
        "toml": "false true",
        "yaml": "false null true",
    }.items()
}

_SOMETIMES = {
    language: frozenset(words.split())
    for language, words in {
        "python": "case exec match print type",
        "javascript": "as async from get of set using",
        "typescript": _TYPED_SCRIPT_SOMETIMES,
        "tsx": _TYPED_SCRIPT_SOMETIMES,
        "java": "exports module open opens permits provides record requires sealed to transitive uses when with yield",
        "rust": "auto default macro_rules raw union",
        "cpp": "final import module override",
    }.items()
}
"""Names in general, and keywords before another name or a string: `type Name = …`, `import x from "y"`."""

_NAME_OR_STRING = re.compile(rb"[ \t]+[A-Za-z_$\"'\x80-\xff]")
_NONE: frozenset[str] = frozenset()


def is_keyword(language: str, word: str, behind: bytes) -> bool:
    """Whether a word is a keyword of `language` where it stands before the text `behind`."""
    if word in _RESERVED.get(language, _NONE):
        return True
    return word in _SOMETIMES.get(language, _NONE) and _NAME_OR_STRING.match(behind) is not None
