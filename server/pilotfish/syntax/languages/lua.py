"""Lua."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _CLASS = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    and break do else elseif end false for function goto if in local nil not or repeat return self then true until
    while
    """
)

_LOCALS: Locals = {**LOCALS, _CLASS: LOCALS[_VARIABLE]}

_GLOBAL = frozenset(("_G", "_ENV"))

_LONG_COMMENT = rb"--\[(?P<lua_remark>=*)\[.*?(?:\](?P=lua_remark)\]|\Z)"
_LONG_STRING = rb"\[(?P<lua_level>=*)\[.*?(?:\](?P=lua_level)\]|\Z)"


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """A `local` is seen in its file, which may hand it out; names in capitals are constants, those in tables fields."""
    if kind is _FUNCTION:
        if name == "new" and container:
            kind = _METHOD
    elif kind is _VARIABLE:
        kind = _CONSTANT if name.isupper() and len(name) > 1 else _FIELD if container else kind
    if head.startswith(b"local"):
        return kind, _RESTRICTED
    return kind, _PRIVATE if name.startswith("_") and not name.startswith("__") and container else _PUBLIC


def _container(written: str) -> str:
    """`a.b` of `function a.b.c()`; "" of `function _G.print()` and of expressions."""
    return "" if written in _GLOBAL or not written.replace(".", "").replace("_", "").isalnum() else written


_BUILTINS = frozenset(
    b"assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring next pairs pcall print "
    b"rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack xpcall".split()
)


LANGUAGES = (
    Language(
        "lua",
        "Lua",
        grammar="lua",
        extensions=("lua", "rockspec", "wlua", "nse"),
        filenames=(".luacheckrc", ".busted", ".luacov"),
        interpreters=("lua", "luajit", "texlua", "luvit", "tarantool"),
        line_comments=("---", "--"),
        block_comments=(("--[[", "]]"),),
        custom="luals",
        rule=_verdict,
        locals=_LOCALS,
        container=_container,
        redeclares=True,
        builtins=_BUILTINS,
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(_LONG_COMMENT, rb"--[^\r\n]*", _LONG_STRING, lexemes.DOUBLE, lexemes.SINGLE),
    ),
)
