"""Elixir and Erlang: the languages of the BEAM."""

from __future__ import annotations

import re

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
    rb'@(?:doc|typedoc|moduledoc)[ \t(]+(?:~[sS])?(?:"""[ \t]*\n(.*?)\n[ \t]*"""|"((?:\\.|[^"\\])*+)")', re.DOTALL
)
_MODULE_PROSE = re.compile(rb"do\b(?:(?!\bdef)[^\0]){0,2000}?(?=@moduledoc\b)")
_OTHER_DEFINITION = re.compile(rb"^[ \t]*(?:def|end\b|test\b|@(?:typedoc|type|typep|opaque|callback)\b)", re.MULTILINE)
_FURTHEST_DOCUMENTATION = 16_384  # bytes

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


LANGUAGES = (
    Language(
        "elixir",
        "Elixir",
        grammar="elixir",
        extensions=("ex", "exs"),
        interpreters=("elixir",),
        line_comments=("#",),
        own_name=_elixir_name,
        qualifier_end=b".",
        continues=_same_arity,
        rule=_elixir_verdict,
        imports=_elixir_imports,
        documented=_elixir_documented,
        builtins=_DEFINING,
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
)
