"""OCaml and F#: implementations with their interfaces and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import CALLABLES, LOCALS, VALUES, Language, Scanned, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_VARIABLE, _FUNCTION, _METHOD, _FIELD = SymbolKind.VARIABLE, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.FIELD
_ENUM_MEMBER, _CLASS, _INTERFACE = SymbolKind.ENUM_MEMBER, SymbolKind.CLASS, SymbolKind.INTERFACE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_OCAML_KEYWORDS = words(
    """
    _ and as asr assert begin class constraint do done downto else end exception external false for fun function
    functor if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module mutable new nonrec
    object of open or private rec sig struct then to true try type val virtual when while with
    """
)

_FSHARP_KEYWORDS = words(
    """
    abstract and as assert base begin class default delegate do done downcast downto elif else end exception extern
    false finally fixed for fun function global if in inherit inline interface internal lazy let match member module
    mutable namespace new not null of open or override private public rec return sig static struct then to true try type
    upcast use val void when while with yield
    """
)
_FSHARP_BUILTINS = frozenset(
    b"array bool byte char decimal double exn float float32 int int16 int64 list obj option seq sbyte string uint32"
    b" uint64 unit".split()
)
_OCAML_BUILTINS = frozenset(
    b"""
    ! != && * *. + +. - -. / /. := < <= <> = == > >= @ @@ ^ |> || :: array bool bytes char exn float int list option
    string unit
    """.split()
)

_FURTHEST_DOCUMENTATION = 16_384  # bytes
_BEHIND = re.compile(rb"[ \t;]*(\n?)[ \t]*\(\*\*(?![*)])(.*?)\*\)", re.DOTALL)
_BOX = re.compile(rb"^[ \t]*\*+[ \t]?", re.MULTILINE)
_OPENED = (b"struct", b"sig", b"object", b"=", b"{", b"|", b"end")


def _ocaml_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Private methods are; what a module shows is told by its interface."""
    return kind, _PRIVATE if kind is _METHOD and b"private" in head else _PUBLIC


def _ocaml_documented(text: bytes, symbol: Symbol) -> bytes:
    """ocamldoc's rule: `(** … *)` before a definition or directly behind it; where both are, a blank line tells."""
    above, is_apart = _comment_above(text, text.rfind(b"\n", 0, symbol.start) + 1)
    if above and is_apart and symbol.kind is not _FIELD and symbol.kind is not _ENUM_MEMBER:
        return above
    behind = _BEHIND.match(text, symbol.end, symbol.end + _FURTHEST_DOCUMENTATION)
    if behind is not None:
        return _BOX.sub(b"", behind[2]).strip()
    return above


def _comment_above(text: bytes, start: int) -> tuple[bytes, bool]:
    """The documentation that ends directly above the line at `start`; whether it stands apart from what is before."""
    before = text[max(0, start - _FURTHEST_DOCUMENTATION) : start]
    bare = before.rstrip()
    place = bare.rfind(b"(**")
    if place < 0 or not bare.endswith(b"*)") or before[len(bare) :].count(b"\n") > 1 or b"*)" in bare[place:-2]:
        return b"", False
    if b"\n" in bare[:place] and bare[bare.rfind(b"\n", 0, place) : place].strip():
        return b"", False  # behind something on its line
    outer = bare[:place].rstrip(b" \t")
    is_apart = not outer.strip() or outer.endswith(b"\n\n") or outer.rstrip().endswith(_OPENED)
    return _BOX.sub(b"", bare[place + 3 : -2]).strip(), is_apart


def _fsharp_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """`private` and `internal` hide; what `let` binds in a class is its own."""
    if parent is not None and parent.kind is _CLASS and head.startswith((b"let ", b"static let ")):
        return _METHOD if kind is _FUNCTION else _FIELD, _PRIVATE
    if b"private" in head:
        return kind, _PRIVATE
    return kind, _RESTRICTED if b"internal" in head else _PUBLIC


def _fsharp_name(written: bytes) -> tuple[int, int, int]:
    """The end of the qualifier and the bounds of `Plane` in `Shapes.Plane`, of `<+>` in `(<+>)`."""
    if written.startswith(b"(") and written.endswith(b")"):
        bare = written[1:-1].strip()
        start = written.find(bare)
        return 0, start, start + len(bare)
    bound = written.rfind(b".")
    if bound <= 0 or written.startswith(b"``"):
        return 0, 0, len(written)
    return bound, bound + 1, len(written)


_SIGNATURE_LINE = re.compile(
    rb"^(?P<indent>[ ]*)(?:\[<[^\n]*?>\][ ]*)*"
    rb"(?:(?P<word>namespace|module|type|and|exception|val|(?:static[ ]+)?(?:member|abstract|override|default)|new|\|)"
    rb"(?![\w'])(?:[ ]+(?:rec|inline|mutable|private|internal|public|global|member|inherit))*[ ]*"
    rb"|(?P<brace>\{[ ]*)?(?:mutable[ ]+)?)"
    rb"(?:\([ ]*(?P<operator>[^\s)]+)[ ]*\)|(?P<name>``[^`\n]+``|[A-Za-z_][\w.']*))?"
    rb"(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_SIGNATURE_KINDS = {
    b"namespace": SymbolKind.NAMESPACE,
    b"module": SymbolKind.MODULE,
    b"type": _CLASS,
    b"and": _CLASS,
    b"exception": _CLASS,
    b"val": _VARIABLE,
    b"new": SymbolKind.CONSTRUCTOR,
    b"|": _ENUM_MEMBER,
    b"": _FIELD,
}
_HELD = {_ENUM_MEMBER: SymbolKind.ENUM, _FIELD: SymbolKind.STRUCT}
_HOLDERS = frozenset((_CLASS, SymbolKind.STRUCT, SymbolKind.ENUM))


def _signature_scanned(text: bytes) -> Iterator[Scanned]:
    """What the lines of an F# signature declare, nested by their indentation: the grammar reads few of them."""
    opened: list[tuple[int, Scanned]] = []
    for line in _SIGNATURE_LINE.finditer(text):
        indent = len(line["indent"]) + len(line["brace"] or b"")
        place = len(opened) - 1
        while place >= 0 and opened[place][0] >= indent:
            place -= 1
        found = _declared(line, opened[place][1].kind if place >= 0 else None)
        if found is None:
            continue
        if found.kind is SymbolKind.NAMESPACE or (found.kind is SymbolKind.MODULE and found.body < 0):
            indent, place, found = -1, -1, found._replace(body=line.end())
        elif place >= 0 and opened[place][1].kind is _CLASS and found.kind in _HELD:
            opened[place] = opened[place][0], opened[place][1]._replace(kind=_HELD[found.kind])
        while len(opened) > place + 1:
            yield opened.pop()[1]._replace(end=_end_above(text, line.start()))
        opened.append((indent, found))
    while opened:
        yield opened.pop()[1]._replace(end=_end_above(text, len(text)))


def _declared(line: re.Match[bytes], holder: SymbolKind | None) -> Scanned | None:
    """What one line declares within what it lies in; its end is not known yet."""
    word, rest = (line["word"] or b"").split()[-1:], line["rest"]
    kind = _SIGNATURE_KINDS.get(word[0] if word else b"", _METHOD)
    if kind is _FIELD and (holder not in _HOLDERS or not rest.lstrip().startswith(b":") or not line["name"]):
        return None
    if kind is _VARIABLE and b"->" in rest:
        kind = _FUNCTION
    elif kind is _METHOD and b"->" not in rest:
        kind = SymbolKind.PROPERTY
    elif kind is _CLASS and b"{" in rest:
        kind = SymbolKind.STRUCT
    start = line.start("word") if word else line.start("name")
    if kind is SymbolKind.CONSTRUCTOR:
        return Scanned(kind, start, -1, start, start + 3)
    if line["operator"]:
        return Scanned(SymbolKind.OPERATOR, start, -1, *line.span("operator"))
    if not line["name"]:
        return None
    name_start, name_end = line.span("name")
    bound = line["name"].rfind(b".") if not line["name"].startswith(b"`") else -1
    container = line["name"][:bound].decode("utf-8", "replace") if bound > 0 else ""
    body = line.end("name") + rest.find(b"=") if kind in _HOLDERS | {SymbolKind.MODULE} and b"=" in rest else -1
    return Scanned(kind, start, -1, name_start + bound + 1 if bound > 0 else name_start, name_end, body, container)


def _end_above(text: bytes, place: int) -> int:
    """The end of the last line above a place that is neither blank, a comment nor an attribute."""
    while place > 0:
        start = text.rfind(b"\n", 0, place - 1) + 1
        line = text[start:place].strip()
        if line and not line.startswith((b"//", b"[<", b"(*", b"#")):
            return start + len(text[start:place].rstrip())
        place = start
    return 0


_OCAML_COMMENTS = (("(*", "*)"),)
_OCAML_OPAQUE = (
    rb"\(\*(?!\)).*?(?:\*\)|\Z)",
    rb'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?',
    rb"'(?<!\w')(?:\\[^\r\n']{1,4}|[^'\\\r\n])'",
    rb"\{(?P<quote>[a-z_]*)\|.*?(?:\|(?P=quote)\}|\Z)",
)

_UNREAD_BY_FSHARP = re.compile(
    rb"^(?P<indent>[ \t]*)(?:///(?P<prose>[^\r\n]*)|#(?:if|else|endif|nowarn|light|line)\b[^\r\n]*)", re.MULTILINE
)


def _fsharp_prepared(text: bytes) -> bytes:
    """A text of the same length whose documentation is plain comments, of which the grammar loses its place less often,
    without directives, all of whose branches are read."""
    return _UNREAD_BY_FSHARP.sub(_fsharp_plain, text)


def _fsharp_plain(found: re.Match[bytes]) -> bytes:
    prose = found["prose"]
    return found["indent"] + b"// " + prose if prose is not None else b" " * len(found[0])


_FSHARP = Language(
    "fsharp",
    "F#",
    grammar="fsharp",
    prepared=_fsharp_prepared,
    extensions=("fs", "fsx", "fsscript"),
    interpreters=("dotnet-fsi",),
    family="fsharp",
    line_comments=("//",),
    block_comments=_OCAML_COMMENTS,
    custom="xml",
    own_name=_fsharp_name,
    rule=_fsharp_verdict,
    locals={**LOCALS, _FUNCTION: CALLABLES | VALUES},
    attributes=("[<",),
    annotations=True,
    builtins=_FSHARP_BUILTINS,
    redeclares=True,
    word_marks=b"'",
    keywords=_FSHARP_KEYWORDS,
    opaque=(
        rb"\(\*(?!\)).*?(?:\*\)|\Z)",
        lexemes.LINE_SLASH,
        rb'@"[^"]*(?:""[^"]*)*"?',
        *lexemes.TRIPLE[:1],
        lexemes.MULTI_DOUBLE,
        rb"'(?<!\w')(?:\\[^\r\n']{1,8}|[^'\\\r\n])'",
    ),
    interpolating=b"$",
)

LANGUAGES = (
    Language(
        "ocaml",
        "OCaml",
        grammar="ocaml",
        called={SymbolKind.INTERFACE: ("module type", "class type")},
        extensions=("ml", "eliom"),
        interpreters=("ocaml", "ocamlrun"),
        family="ocaml",
        block_comments=_OCAML_COMMENTS,
        custom="ocamldoc",
        rule=_ocaml_verdict,
        documented=_ocaml_documented,
        builtins=_OCAML_BUILTINS,
        redeclares=True,
        word_marks=b"'",
        keywords=_OCAML_KEYWORDS,
        opaque=_OCAML_OPAQUE,
    ),
    Language(
        "ocaml_interface",
        "OCaml interface",
        grammar="ocaml_interface",
        called={SymbolKind.INTERFACE: ("module type", "class type")},
        extensions=("mli", "eliomi"),
        ids=("ocaml.interface",),
        family="ocaml",
        block_comments=_OCAML_COMMENTS,
        custom="ocamldoc",
        rule=_ocaml_verdict,
        documented=_ocaml_documented,
        builtins=_OCAML_BUILTINS,
        word_marks=b"'",
        keywords=_OCAML_KEYWORDS,
        opaque=_OCAML_OPAQUE,
    ),
    _FSHARP,
    replace(
        _FSHARP,
        name="fsharp_signature",
        title="F# signature",
        extensions=("fsi",),
        interpreters=(),
        own_name=None,
        scanned=_signature_scanned,
    ),
)
