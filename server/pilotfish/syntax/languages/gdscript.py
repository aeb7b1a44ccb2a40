"""GDScript, the language of the Godot engine."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _VARIABLE, _FIELD = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE, SymbolKind.FIELD
_PUBLIC, _PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE

_KEYWORDS = words(
    """
    PI TAU and as assert await break breakpoint class class_name const continue elif else enum extends false for func
    if in is match not null or pass preload return self signal static super true var void when while yield
    """
)

# What the engine calls by itself.
_CALLED = words(
    """
    _draw _enter_tree _exit_tree _get _gui_input _init _input _notification _physics_process _process _ready _set
    _to_string _unhandled_input _unhandled_key_input
    """
)
_BUILTINS = frozenset(b"Array Dictionary String StringName Variant bool float int new void".split())


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """A script is a class, so its functions are methods; names that begin with `_` are private by custom."""
    if kind is _FUNCTION:
        kind = _METHOD
    elif kind is _VARIABLE:
        kind = _FIELD
    return kind, _PRIVATE if name.startswith("_") and name not in _CALLED else _PUBLIC


LANGUAGES = (
    Language(
        "gdscript",
        "GDScript",
        grammar="gdscript",
        extensions=("gd",),
        ids=("gd",),
        line_comments=("##", "#"),
        custom="gdscript",
        rule=_verdict,
        builtins=_BUILTINS,
        annotations=True,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(lexemes.LINE_HASH, *lexemes.TRIPLE, lexemes.DOUBLE, lexemes.SINGLE),
    ),
)
