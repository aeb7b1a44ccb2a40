"""Which language a file is in: by its name, its first line, its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from pilotfish.syntax.languages.registry import REGISTRY

_BY_EXTENSION = {extension: language.name for language in REGISTRY.values() for extension in language.extensions}
_BY_FILENAME = {filename: language.name for language in REGISTRY.values() for filename in language.filenames}
_BY_ID = {known: language.name for language in REGISTRY.values() for known in (language.name, *language.ids)}
_BY_TITLE = {language.title.lower(): language.name for language in REGISTRY.values()}
_BY_INTERPRETER = {program: language.name for language in REGISTRY.values() for program in language.interpreters}

HEAD_SIZE = 16_384
"""How many bytes of a file's beginning `detect` wants to see, at most."""

_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(\S+)|#![ \t]*(?:\S*/)?(\S+)")
_VERSION = re.compile(r"[\d.]+$")
# What a header holds that no C header does; comments and strings are not excluded, so only whole, line-leading forms.
_CPP_ONLY = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b|template[ \t]*<|class[ \t]+\w+[^;]*?[{:]|using[ \t]+\w|"
    rb"(?:public|private|protected)[ \t]*:|(?:explicit|virtual|constexpr|friend)[ \t]|"
    rb"#[ \t]*include[ \t]*<(?:[a-z_]+|c(?:std\w+|math|time|assert|errno))>)|\b(?:static_cast|std::\w|noexcept)\b",
    re.MULTILINE,
)
# Headers for both languages wrap their declarations for C++ and are read as C.
_BOTH = re.compile(rb'^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b.{0,80}?extern[ \t]+"C"', re.MULTILINE | re.DOTALL)

# What a header of Objective-C holds and no other; and what MATLAB has in common with it is the extension `.m` alone.
_OBJC_ONLY = re.compile(
    rb"^[ \t]*(?:@(?:interface|protocol|class|implementation|import|property|end)\b|#[ \t]*import\b)", re.MULTILINE
)
_MATLAB = re.compile(
    rb"^[ \t]*(?:%|function\b[^;{]*$|classdef\b|end(?:if|for|while|function)?[ \t]*;?[ \t]*$)"
    rb"|^(?:\[[\w, ~]{1,200}\]|[A-Za-z]\w{0,80}(?:\([^()\n]{0,80}\))?)[ \t]*=(?!=)",  # without a type before it
    re.MULTILINE,
)
_C_FAMILY = re.compile(rb"^[ \t]*(?:#[ \t]*(?:include|define|if|pragma)\b|//|/\*)", re.MULTILINE)

# A directive or the head of a rule of Prolog, which has this extension in common with Perl.
_PROLOG = re.compile(rb"^(?::-|[a-z]\w*(?:\([^()\n]*\))?[ \t]*:-)", re.MULTILINE)

# The first words of a source of Pascal, which has `.pp` in common with Puppet.
_PASCAL = re.compile(
    rb"^[ \t]*(?:unit|program|library|package)[ \t]+[\w.]+[ \t]*;|\{\$\w+[^}]*\}", re.MULTILINE | re.IGNORECASE
)
# What a source of V and a proof of Coq begin lines with, which have `.v` in common with Verilog.
_V = re.compile(rb"^(?:module[ \t]+\w+[ \t]*$|(?:pub[ \t]+)?fn[ \t]|import[ \t]+[\w.]+[ \t]*$)", re.MULTILINE)
_COQ = re.compile(
    rb"^[ \t]*(?:(?:From[ \t]+\S+[ \t]+)?Require\b|Theorem\b|Lemma\b|Proof\.|Definition\b|Inductive\b)", re.MULTILINE
)
_VERILOG = re.compile(
    rb"^[ \t]*(?:endmodule|`(?:timescale|include|define|default_nettype)|assign\b|always\b)", re.MULTILINE
)

_BY_CONTENT: Mapping[str, Sequence[tuple[re.Pattern[bytes], str | None]]] = {
    "bb": ((re.compile(rb"\A(?:#!|\s*[;(])"), "clojure"),),
    "cl": ((re.compile(rb"\b(?:__kernel|kernel[ \t]+void|get_global_id)\b"), "c"),),
    "cls": (
        (
            re.compile(rb"^[ \t]*(?:%|\\(?:NeedsTeXFormat|ProvidesClass|documentclass|LoadClass)\b)", re.MULTILINE),
            "latex",
        ),
        (re.compile(rb"\AVERSION[ \t]+[\d.]+[ \t]+CLASS\b"), None),  # Visual Basic
    ),
    "d": ((re.compile(rb"\A[^\n:=(){};]+\.o[ \t]*:"), None),),  # what a C compiler writes for make
    "fs": ((re.compile(rb"^[ \t]*#version\b|\bgl_Frag(?:Color|Coord)\b", re.MULTILINE), "glsl"),),
    "h": ((_OBJC_ONLY, "objc"), (_BOTH, "c"), (_CPP_ONLY, "cpp")),
    "inc": ((re.compile(rb"\A\s*<\?php\b"), "php"),),
    "m": ((_OBJC_ONLY, "objc"), (_C_FAMILY, "objc"), (_MATLAB, "matlab")),
    "pl": ((_PROLOG, None),),
    "pp": ((_PASCAL, "pascal"),),
    "ts": ((re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|!DOCTYPE[ \t]+TS\b|TS\b)"), "xml"),),  # Qt's translations
    "v": ((_VERILOG, "verilog"), (_COQ, None), (_V, "v")),
}
"""What several languages have for an extension: the first of them whose mark the file bears, None for one that no
grammar reads; else the one that has the extension."""

# Vim's `vim: set ft=c:` and Emacs' `-*- mode: c++ -*-` or `-*- c++ -*-`, in one of the first lines.
_MODELINE = re.compile(
    rb"[ \t](?:vim?|ex):[ \t]*(?:set?[ \t]+)?(?:[^\n]*?[ \t:])?(?:ft|filetype|syntax)=([\w+#-]+)"
    rb"|-\*-[ \t]*(?:[^\n]*?\bmode:[ \t]*)?([\w+#-]+)[ \t]*(?:;[^\n]*)?-\*-",
    re.IGNORECASE,
)
_MODELINE_HEAD = 1_000  # bytes of the beginning that a modeline is looked for in


def detect(path: str, head: bytes | None, associations: Mapping[str, str] | None = None) -> str | None:
    """The name of the language of a file, or None.

    `path` is relative with `/`; `head` the file's beginning (`HEAD_SIZE` bytes suffice) or None where it has not been
    read: then a file without a telling name has no language, and a `.h` is C. `associations` maps extensions or
    patterns of file names to language names (the setting `languages.associations`) and wins; an unknown language in it
    means none.
    """
    filename = path.rsplit("/", 1)[-1]
    if associations:
        for pattern, name in associations.items():
            if _associated(path, filename, pattern):
                return name if name in REGISTRY else None
    if known := _BY_FILENAME.get(filename):
        return known
    stem, dot, extension = filename.rpartition(".")
    if not dot or not stem:
        return _by_shebang(head) or _by_modeline(head)
    extension = extension.lower()
    marks = _BY_CONTENT.get(extension, ())
    if marks and head is not None:
        if by_modeline := _by_modeline(head):
            return by_modeline
        for mark, language in marks:
            if mark.search(head):
                return language
    if filename.endswith(".C"):
        return "cpp"
    return _BY_EXTENSION.get(extension) or _by_shebang(head) or _by_modeline(head)


def called(language_id: str) -> str | None:
    """The name of the language that editors call `language_id` (LSP's `languageId`), or None."""
    return _BY_ID.get(language_id.lower())


def named(written: str) -> str | None:
    """The name of the language that a text calls so: by name, id, title or extension, or as a media type; or None."""
    word = written.lower().removeprefix("text/").removeprefix("application/").removeprefix("x-").lstrip(".")
    return _BY_ID.get(word) or _BY_TITLE.get(word) or _BY_EXTENSION.get(word) or _BY_INTERPRETER.get(word)


def _associated(path: str, filename: str, pattern: str) -> bool:
    if "/" in pattern:
        return fnmatchcase(path, pattern.lstrip("/"))
    if "*" in pattern or "?" in pattern or "[" in pattern:
        return fnmatchcase(filename, pattern)
    return filename == pattern or filename.endswith("." + pattern.lstrip("."))


def _by_shebang(head: bytes | None) -> str | None:
    if head is None or not head.startswith(b"#!"):
        return None
    match = _SHEBANG.match(head.split(b"\n", 1)[0])
    if match is None:
        return None
    program = (match[1] or match[2]).decode("latin-1").rsplit("/", 1)[-1]
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(_VERSION.sub("", program))


def _by_modeline(head: bytes | None) -> str | None:
    """What an editor was told in the text itself; only asked where neither name nor extension decides."""
    found = _MODELINE.search(head, 0, _MODELINE_HEAD) if head is not None else None
    return named((found[1] or found[2]).decode("latin-1")) if found else None
