"""Haskell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pilotfish.syntax.languages import remarks
from pilotfish.syntax.languages.language import CALLABLES, LOCALS, VALUES, Language, Verdict, unix_lines, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _OPERATOR = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.OPERATOR
_INTERFACE = SymbolKind.INTERFACE
_PUBLIC = Visibility.PUBLIC

_KEYWORDS = words(
    """
    _ case class data default deriving do else foreign if import in infix infixl infixr instance let mdo module newtype
    of proc rec then type where
    """
)

_NAME = re.compile(rb"(?:[A-Z]\w*\.)+(?=[A-Z])")
_IMPORT = re.compile(
    r"import\s+(?:\{-#.*?#-\}\s*)?(?:safe\s+)?(?:(qualified)\s+)?(?:\"[^\"]*\"\s*)?([\w.']+)"
    r"(?:\s+(qualified)\b)?(?:\s+as\s+([\w.']+))?\s*(hiding\b)?\s*(\(.*\))?",
    re.DOTALL,
)
_COMMENT = re.compile(r"--[^\n]*|\{-.*?-\}", re.DOTALL)
_MEMBERS = re.compile(r"(?<!\btype)(?<!\bpattern)(?<=[\w'])\s*\([^()]*\)")
_WORDS_BEFORE = re.compile(r"(?:type|pattern)\s+(?=\S)")


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """Functions of classes and instances are methods; what a module exports is told by its header."""
    if kind is _FUNCTION:
        if container or (parent is not None and parent.kind is _INTERFACE):
            kind = _METHOD
        elif not (name[0].isalpha() or name[0] == "_"):
            kind = _OPERATOR
    return kind, _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `Map` in `Data.Map`."""
    qualifier = _NAME.match(written)
    if qualifier is None:
        return 0, 0, len(written)
    return qualifier.end() - 1, qualifier.end(), len(written)


def _another_equation(text: bytes, former: Symbol, latest: Symbol) -> bool:
    """Whether an equation follows the signature or an equation of the same function."""
    return latest.kind in _EQUATIONS


_EQUATIONS = frozenset((_FUNCTION, _METHOD, _OPERATOR))


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """Haddock: `-- |` or `{-|` before a definition, `-- ^` behind it."""
    before = remarks.above(text, symbol.start, (b"--",), b"-|*")
    if before:
        return before.replace(b"^ ", b"", 1) if before.startswith(b"^") else before
    line_end = text.find(b"\n", symbol.name_end, symbol.end)
    for place in (symbol.end, line_end):
        if place >= 0 and (behind := remarks.below(text, place, (b"-- ^",))):
            return behind
    return remarks.block_above(text, symbol.start, b"{-", b"-}").lstrip(b"|- ")


def _documented_whole(text: bytes, symbol: Symbol) -> bytes:
    """What documents a function and each of its arguments, where a comment beside these does; else b""."""
    arguments = _arguments(text, symbol) if symbol.kind in _EQUATIONS else []
    if len(arguments) < 2:
        return b""  # what stands behind a signature in one line says what the function does
    lines = [b"-- %s `%s` %s" % (mark, written, prose) for mark, written, prose in arguments if prose]
    if not lines:
        return b""
    above = remarks.above(text, symbol.start, (b"--",), b"-|*")
    above = above or remarks.block_above(text, symbol.start, b"{-", b"-}").lstrip(b"|- ")
    return b"\n\n".join([above, b"\n".join(lines)] if above else lines)


_MOST_LINES = 100


def _arguments(text: bytes, symbol: Symbol) -> list[tuple[bytes, bytes, bytes]]:
    """The arguments of a signature that is written line by line: `^`, for the result `=`, type and documentation."""
    column = symbol.start - (text.rfind(b"\n", 0, symbol.start) + 1)
    found: list[tuple[bytes, list[bytes]]] = []
    before: list[bytes] | None = None  # what is said of the argument to come
    for number, line in enumerate(text[symbol.name_end : symbol.name_end + _FURTHEST].split(b"\n", _MOST_LINES)):
        code, dashes, prose = line.partition(b"--")
        if number and line.strip() and len(line) - len(line.lstrip()) <= column:
            break
        code, prose = code.strip(), prose.strip()
        if code and not found:
            code = code.partition(b"::")[2]
            if not code:
                break  # no signature
        if written := code.removeprefix(b"::").removeprefix(b"->").removeprefix(b"=>").strip():
            last = written.rpartition(b"->")[2].strip()
            found.append((last if last.count(b"(") == last.count(b")") else written, before or []))
            before = None
        if prose.startswith(b"|"):
            before = [prose[1:].strip()]
        elif prose.startswith(b"^") and found:
            found[-1][1].append(prose[1:].strip())
        elif dashes and not code and before is not None:
            before.append(prose)
        elif dashes and not code and found and found[-1][1]:
            found[-1][1].append(prose)
    marks = [b"^"] * (len(found) - 1) + [b"="]
    return [(mark, written, b" ".join(prose)) for mark, (written, prose) in zip(marks, found, strict=False)]


_FURTHEST = 8_192


def _imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """What `import qualified Data.Map as M (lookup, Map(..))` brings in."""
    statement = _IMPORT.match(_COMMENT.sub(" ", written))
    if statement is None:
        return []
    before, module, after, alias, hiding, listed = statement.groups()
    found: list[tuple[str, ImportedName | None]] = []
    if alias or before or after:
        found.append((module, ImportedName("*", alias or module)))
    if listed is not None and not hiding:
        found += [(module, ImportedName(name, name)) for name in _listed(listed)]
    elif not (before or after):
        found.append((module, ImportedName("*", "*")))
    return found


def _listed(written: str) -> Iterator[str]:
    """The names in `(lookup, Map(..), type (+))`."""
    for part in _MEMBERS.sub("", written.strip()[1:-1]).split(","):
        name = _WORDS_BEFORE.sub("", part.strip()).strip("() \n")
        if name:
            yield name


LANGUAGES = (
    Language(
        "haskell",
        "Haskell",
        grammar="haskell",
        prepared=unix_lines,
        extensions=("hs", "hs-boot", "hsc"),
        interpreters=("runhaskell", "runghc"),
        line_comments=("--",),
        block_comments=(("{-", "-}"),),
        custom="haddock",
        called={_INTERFACE: ("class",)},
        own_name=_own_name,
        continues=_another_equation,
        rule=_verdict,
        locals={**LOCALS, _FUNCTION: CALLABLES | VALUES},
        exports_show=True,
        builtins=frozenset(b"! != $ $! && * + ++ - . / /= : < <$> <*> <= <> = == => =<< > >= >> >>= ^ ||".split()),
        imports=_imports,
        documented=_documented,
        documented_whole=_documented_whole,
        word_marks=b"'",
        keywords=_KEYWORDS,
        soft_keywords=words("as family forall hiding pattern qualified"),
        opaque=(
            rb"--+(?![!#$%&*+./<=>?@\\^|~:])[^\r\n]*",
            rb"\{-.*?(?:-\}|\Z)",
            rb'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?',
            rb"'(?<!\w')(?:\\[^\r\n']{1,10}?|[^'\\\r\n]{1,4})'",
        ),
    ),
)
