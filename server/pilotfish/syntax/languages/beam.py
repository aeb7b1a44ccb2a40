"""Elixir and Erlang: the languages of the BEAM."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container
from functools import lru_cache

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CONSTANT, _FIELD = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.FIELD
_MODULE, _INTERFACE = SymbolKind.MODULE, SymbolKind.INTERFACE
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_ELIXIR_KEYWORDS = words(
    """
    __CALLER__ __DIR__ __ENV__ __MODULE__ __STACKTRACE__ after alias and case catch cond def defdelegate defexception
    defguard defguardp defimpl defmacro defmacrop defmodule defoverridable defp defprotocol defstruct do else end false
    fn for if import in nil not or quote raise receive require rescue super true try unless unquote unquote_splicing
    use when with
    """
)
_ERLANG_KEYWORDS = words(
    """
    after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of or orelse
    receive rem try when xor
    """
)
_ERLANG_BUILTINS = frozenset(
    b"""
    FILE FUNCTION_ARITY FUNCTION_NAME LINE MACHINE MODULE MODULE_STRING OTP_RELEASE
    any arity atom binary bitstring boolean byte char float function integer iodata iolist mfa neg_integer nil no_return
    non_neg_integer none nonempty_list nonempty_string number pid port pos_integer reference term tuple
    """.split()
)
_DEFINING = frozenset(
    word.encode() for word in (*_ELIXIR_KEYWORDS, "__MODULE__", "describe", "doctest", "test", "spec", "typep")
)

_PRIVATE_HEAD = re.compile(rb"@typep\b|@(?!type|opaque|callback|macrocallback)|(?:def|defmacro|defguard)p\b")

_QUALIFIED = re.compile(rb"[A-Z_]\w*(?:\.[A-Z]\w*)+")

_ARGUMENTS = re.compile(
    rb"\?\\?.|~[a-zA-Z]+|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[()\[\]{},]|<<|>>|\bfn\b|\bend\b"
)
_LONGEST_HEAD = 4_096  # bytes

_ATTRIBUTE_STRING = re.compile(
    rb'@(?:doc|typedoc|moduledoc)[ \t(]+(?:~[sS])?(?:"""[ \t]*\n(.*?)\n[ \t]*"""|"((?>(?:\\.|[^"\\])*))")', re.DOTALL
)
_ELIXIR_SPEC = re.compile(
    rb"^[ \t]*(@spec[ \t(]+([a-z_]\w*[?!]?)[^\n]*(?:\n(?![ \t]*(?:@|def|#|\r?\n|\Z))[^\n]*)*)", re.MULTILINE
)
_CALLED = frozenset((_FUNCTION, _METHOD))
_MODULE_PROSE = re.compile(rb"do\b(?:(?!\bdef)[^\0]){0,2000}?(?=@moduledoc\b)")
_OTHER_DEFINITION = re.compile(rb"^[ \t]*(?:def|end\b|test\b|@(?:typedoc|type|typep|opaque|callback)\b)", re.MULTILINE)
_FURTHEST_DOCUMENTATION = 16_384  # bytes

_EXPORT_ALL = re.compile(rb"^-compile\([^)]*\bexport_all\b", re.MULTILINE)
_EXPORTS = re.compile(rb"^-[ \t]*export(?:_type)?[ \t]*\([ \t\r\n]*\[([^\]]*)\]", re.MULTILINE)
_EXPORTED = re.compile(r"('[^'\n]*'|[a-z]\w*)\s*/")
_DOC_ATTRIBUTE = re.compile(
    rb'^-(moduledoc|doc)\b[ \t(]*(?:~[a-zA-Z]?)?(?:"""[^\n]*\n(.*?)\n[ \t]*"""|"((?>(?:\\.|[^"\\])*))")',
    re.DOTALL | re.MULTILINE,
)
_EDOC_TAGS = (b"@spec", b"@end", b"@private", b"@hidden", b"@author", b"@copyright", b"@version", b"@since", b"@see")

_STATEMENT = re.compile(r"(alias|import|require|use)\b[\s(]*([\w.]+)(?:\.?\{([^}]*)\})?(.*)", re.DOTALL)
_RENAMED = re.compile(r"\bas:\s*(\w+)")
_ONLY = re.compile(r"\bonly:\s*\[([^\]]*)\]")
_ONLY_NAME = re.compile(r"([a-z_]\w*[?!]?):\s")


def _elixir_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """`defp` and its kin, `@typep` and other attributes are seen in their module only; protocols have methods."""
    if kind is _FUNCTION and (container or (parent is not None and parent.kind is _INTERFACE)):
        kind = _METHOD
    return kind, _PRIVATE if kind is not _FIELD and _PRIVATE_HEAD.match(head) else _PUBLIC


def _elixir_name(written: bytes) -> tuple[int, int, int]:
    """The bounds of `Mod` in `My.Mod`, `a` in `:a` and in `a: `."""
    start = 1 if written.startswith(b":") and len(written) > 1 else 0
    end = len(written.rstrip())
    if end > 1 and written[end - 1 : end] == b":" and not start:
        end -= 1
    if not _QUALIFIED.fullmatch(written, start, end):
        return 0, start, end
    bound = written.rfind(b".", start, end)
    return bound, bound + 1, end


def _same_arity(text: bytes, former: Symbol, latest: Symbol) -> bool:
    """Whether a definition is a further clause of the one before it: the same name and as many arguments."""
    if former.kind is not latest.kind or (latest.kind is not _FUNCTION and latest.kind is not _METHOD):
        return False
    if text[former.start : former.name_start] != text[latest.start : latest.name_start]:
        return False
    return _arity(text, former) == _arity(text, latest)


def _arity(text: bytes, symbol: Symbol) -> int:
    """How many arguments a definition takes, those with defaults included."""
    start = symbol.name_end
    if text[start : start + 1] != b"(":
        return 0
    depth = commas = 0
    for token in _ARGUMENTS.finditer(text, start, start + _LONGEST_HEAD):
        if (mark := token[0]) in (b"(", b"[", b"{", b"<<", b"fn"):
            depth += 1
        elif mark in (b")", b"]", b"}", b">>", b"end"):
            depth -= 1
            if depth <= 0:
                return commas + bool(text[start + 1 : token.start()].strip())
        elif mark == b"," and depth == 1:
            commas += 1
    return -1


def _elixir_documented(text: bytes, symbol: Symbol) -> bytes:
    """The string of `@moduledoc` in a module, of `@doc` or `@typedoc` before anything else."""
    if symbol.kind is _MODULE or symbol.kind is _INTERFACE:
        opening = _MODULE_PROSE.match(text, symbol.start + max(symbol.body, 0), symbol.end)
        found = _ATTRIBUTE_STRING.match(text, opening.end(), symbol.end) if opening else None
        return (found[1] or found[2] or b"") if found else b""
    above, end = max(0, symbol.start - _FURTHEST_DOCUMENTATION), symbol.start
    while (place := max(text.rfind(b"@doc", above, end), text.rfind(b"@typedoc", above, end))) >= 0:
        if found := _ATTRIBUTE_STRING.match(text, place, symbol.start):
            between = _OTHER_DEFINITION.search(text, found.end(), symbol.start)
            return b"" if between else (found[1] or found[2] or b"")
        end = place
    return b""


def _elixir_documented_whole(text: bytes, symbol: Symbol) -> bytes:
    """The `@spec` of a function above what documents it; b"" without one."""
    before = text[max(0, symbol.start - _FURTHEST_DOCUMENTATION) : symbol.start]
    since = max((found.end() for found in _OTHER_DEFINITION.finditer(before)), default=0)
    specs = [found[1] for found in _ELIXIR_SPEC.finditer(before, since) if found[2].decode() == symbol.name]
    if not specs or symbol.kind not in _CALLED:
        return b""
    return b"```elixir\n%s\n```\n\n%s" % (
        b"\n".join(_dedented(each) for each in specs),
        _dedented(_elixir_documented(text, symbol)),
    )


def _dedented(written: bytes) -> bytes:
    """Lines without the indentation that they have in common; the first may stand behind something."""
    first, newline, rest = written.partition(b"\n")
    if first.startswith((b" ", b"\t")):
        return textwrap.dedent(written.decode("utf-8", "replace")).strip().encode()
    return (first.strip() + newline + textwrap.dedent(rest.decode("utf-8", "replace")).encode()).strip()


def _elixir_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """What `alias A.{B, C}`, `alias A.B, as: C`, `import A, only: [f: 1]`, `require A` and `use A` bring in."""
    statement = _STATEMENT.match(written)
    if statement is None:
        return []
    word, module, inner, rest = statement.groups()
    module = module.rstrip(".")
    renamed, only = _RENAMED.search(rest), _ONLY.search(rest)
    if inner is not None:
        parts = [part.strip() for part in inner.split(",")]
        modules = [f"{module}.{part}" for part in parts if part]
    else:
        modules = [module]
    if word == "alias" or (word == "require" and renamed):
        return [(each, ImportedName("*", renamed[1] if renamed else each.rpartition(".")[2])) for each in modules]
    if word == "import":
        names = _ONLY_NAME.findall(only[1] + " ") if only else ["*"]
        return [(each, ImportedName(name, name)) for each in modules for name in names]
    return [(each, None) for each in modules]


def _erlang_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """What a module exports is public, its other functions and types are its own; headers are for all."""
    if kind is _MODULE or kind is _FIELD or kind is _METHOD or parent is None:
        return kind, _PUBLIC
    return kind, _PUBLIC if name in _exported(text) else _PRIVATE


@lru_cache(maxsize=4)
def _exported(text: bytes) -> Container[str]:
    """The names in a module's `-export` and `-export_type`; everything where it is compiled with `export_all`."""
    if _EXPORT_ALL.search(text):
        return _Everything()
    lists = b" ".join(found[1] for found in _EXPORTS.finditer(text))
    return frozenset(name.strip("'") for name in _EXPORTED.findall(lists.decode("utf-8", "replace")))


class _Everything:
    """Holds whatever is asked for."""

    def __contains__(self, name: object) -> bool:
        return True


def _another_clause(text: bytes, former: Symbol, latest: Symbol) -> bool:
    """Whether a function goes on behind a semicolon."""
    return latest.kind is _FUNCTION and text[former.end - 1 : former.end] == b";"


def _erlang_documented(text: bytes, symbol: Symbol) -> bytes:
    """The string of `-moduledoc` or `-doc`, else the comment, before a definition and its `-spec`."""
    if symbol.kind is _MODULE:
        attribute = _DOC_ATTRIBUTE.search(text, symbol.name_end, symbol.name_end + _FURTHEST_DOCUMENTATION)
        if attribute is not None and attribute[1] == b"moduledoc":
            return attribute[2] or attribute[3] or b""
    before = text[max(0, symbol.start - _FURTHEST_DOCUMENTATION) : symbol.start].rstrip()
    spec = before.rfind(b"\n-spec")
    if spec >= 0 and before.endswith(b".") and b".\n" not in before[spec:]:
        before = before[:spec].rstrip()
    place = before.rfind(b"\n-doc")
    if place >= 0 and (found := _DOC_ATTRIBUTE.match(before, place + 1)) and not before[found.end() :].strip(b" .\n"):
        return found[2] or found[3] or b""
    lines: list[bytes] = []
    for line in reversed(before.split(b"\n")):
        if not line.startswith(b"%"):
            break
        lines.append(line.strip(b"% \t\r"))
    prose = b"\n".join(lines[::-1]).strip()
    return b"\n".join(line for line in prose.split(b"\n") if not line.startswith(_EDOC_TAGS)).replace(b"@doc ", b"")


def _erlang_documented_whole(text: bytes, symbol: Symbol) -> bytes:
    """The `-spec` above a function and what documents it; b"" without one."""
    before = text[max(0, symbol.start - _FURTHEST_DOCUMENTATION) : symbol.start].rstrip()
    spec = before[before.rfind(b"\n-spec") + 1 :]
    if symbol.kind is not _FUNCTION or not spec.startswith(b"-spec") or not spec.endswith(b".") or b".\n" in spec:
        return b""
    return b"```\n%s\n'''\n\n%s" % (spec, _erlang_documented(text, symbol))


LANGUAGES = (
    Language(
        "elixir",
        "Elixir",
        grammar="elixir",
        extensions=("ex", "exs"),
        interpreters=("elixir",),
        line_comments=("#",),
        custom="markdown",
        called={_INTERFACE: ("protocol",), _FUNCTION: ("macro", "guard")},
        own_name=_elixir_name,
        qualifier_end=b".",
        continues=_same_arity,
        rule=_elixir_verdict,
        imports=_elixir_imports,
        documented=_elixir_documented,
        documented_whole=_elixir_documented_whole,
        builtins=_DEFINING,
        word_marks=b"",
        word_ends=b"!?",
        keywords=_ELIXIR_KEYWORDS,
        opaque=(
            lexemes.LINE_HASH,
            *lexemes.TRIPLE,
            rb"\?(?<!\w\?)(?:\\.|[^\s\\])",
            rb'~[A-Za-z]+(?!""")(?:"[^"]*"?|\([^)]*\)?|/(?:\\.|[^/\\])*/?|\|[^|]*\|?|\[[^\]]*\]?|\{[^}]*\}?|<[^>]*>?)',
            lexemes.MULTI_DOUBLE,
            lexemes.SINGLE,
        ),
        interpolating=b'"',
    ),
    Language(
        "erlang",
        "Erlang",
        grammar="erlang",
        extensions=("erl", "hrl", "escript"),
        interpreters=("escript",),
        line_comments=("%",),
        custom="edoc",
        name_marks=b"'",
        continues=_another_clause,
        rule=_erlang_verdict,
        joint=":",
        documented=_erlang_documented,
        documented_whole=_erlang_documented_whole,
        builtins=_ERLANG_BUILTINS,
        word_marks=b"@",
        keywords=_ERLANG_KEYWORDS,
        opaque=(rb"%[^\r\n]*", rb"\$(?:\\.|[^\s\\])", *lexemes.TRIPLE[:1], lexemes.MULTI_DOUBLE),
    ),
)
