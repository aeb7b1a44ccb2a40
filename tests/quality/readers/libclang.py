"""What LLVM's C parser reads in files: paths on standard input, one JSON object a line on standard output.

Run in the environment that `tests/quality/fetch_oracles.sh` makes, or any that has PyPI's libclang:

    FOLDER/bin/python tests/quality/readers/libclang.py --version | ROOT [FLAG …] <paths

Each file is read by itself, with the flags. Headers that are not to be found are passed over, so that macros from them
stay unexpanded: the files on whose own lines the parser then names errors are told apart. One that takes too long is
refused.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import json
import os
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clang.cindex import (
    Cursor,
    CursorKind,
    Diagnostic,
    File,
    Index,
    SourceRange,
    TranslationUnit,
    c_object_p,
    conf,
)

# Errors that would end it do not.
_KEEP_GOING = 0x200
_OPTIONS = _KEEP_GOING | TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD

_LONGEST = 60
"""How many seconds of a processor a file may take: macros may stand for texts that have no end in sight."""

_TYPES = {
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.ENUM_DECL,
    CursorKind.TYPEDEF_DECL,
    CursorKind.OBJC_INTERFACE_DECL,
    CursorKind.OBJC_PROTOCOL_DECL,
    CursorKind.OBJC_IMPLEMENTATION_DECL,
}
_METHODS = {CursorKind.OBJC_INSTANCE_METHOD_DECL, CursorKind.OBJC_CLASS_METHOD_DECL}
_DECLARED = {CursorKind.TYPEDEF_DECL, CursorKind.OBJC_INTERFACE_DECL, CursorKind.OBJC_PROTOCOL_DECL, *_METHODS}
_HOLDERS = {
    CursorKind.VAR_DECL,
    CursorKind.FIELD_DECL,
    CursorKind.LINKAGE_SPEC,
    CursorKind.OBJC_CATEGORY_DECL,
    CursorKind.OBJC_CATEGORY_IMPL_DECL,
}
_PREPROCESSING = CursorKind.PREPROCESSING_DIRECTIVE.value
# A function that begins with its name is the call of a macro that the parser does not know.
_UNTYPED = "untyped"
# What a macro puts a name together of: the macro itself and its first argument are both right.
_CALL = re.compile(rb"([A-Za-z_]\w*)(?:\s*\(\s*(\w+))?")


class _Ranges(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(SourceRange)))


conf.lib.clang_getSkippedRanges.argtypes = [TranslationUnit, File]
conf.lib.clang_getSkippedRanges.restype = ctypes.POINTER(_Ranges)


def definitions(root: Path, path: str, flags: list[str]) -> Iterator[dict[str, Any]]:
    """What one file defines, the lines of which the parser read nothing, and how many errors it named in the file."""
    unit = Index.create().parse(str(root / path), flags, options=_OPTIONS)
    file = unit.get_file(str(root / path))
    errors = [
        each
        for each in unit.diagnostics
        if each.severity >= Diagnostic.Error and each.location.file is not None and each.location.file.name == file.name
    ]
    yield {"path": path, "kind": "file", "errors": len(errors)}
    skipped = conf.lib.clang_getSkippedRanges(unit, file)[0]
    for each in skipped.ranges[: skipped.count]:
        yield {"path": path, "kind": "dark", "line": each.start.line, "last": each.end.line}
    text = (root / path).read_bytes()
    for kind, start, line, name in sorted({_written(cursor) for cursor in _walk(unit.cursor, file.name)}):
        # An unnamed structure has the name that `typedef` gives it; that stands elsewhere.
        if kind != _UNTYPED and text.startswith(name.encode(), start):
            yield {"path": path, "name": name, "line": line, "kind": kind}
        elif kind != "type" and (call := _CALL.match(text, start)):
            for word in call.groups():
                yield {"path": path, "name": (word or b"").decode(), "line": line, "kind": "other"}


def _walk(top: Cursor, name: str) -> Iterator[Cursor]:
    """The functions and types that are defined in the file of that name, with those inside of types."""
    # Most are macros of headers, and to ask for a place takes longest.
    declared = [each for each in top.get_children() if each._kind_id < _PREPROCESSING]
    left = [each for each in declared if (file := each.location.file) is not None and file.name == name]
    while left:
        cursor = left.pop()
        if cursor.kind in _TYPES or cursor.kind in _HOLDERS:
            left += cursor.get_children()
        of_interest = cursor.kind in _TYPES or cursor.kind in _METHODS or cursor.kind is CursorKind.FUNCTION_DECL
        if of_interest and (cursor.kind in _DECLARED or cursor.is_definition()) and "(" not in cursor.spelling:
            yield cursor


def _written(cursor: Cursor) -> tuple[str, int, int, str]:
    """Kind, offset, line and name: where an argument of a macro is written, else where the macro is called."""
    file, line, offset = c_object_p(), ctypes.c_uint(), ctypes.c_uint()
    conf.lib.clang_getSpellingLocation(
        cursor.location, ctypes.byref(file), ctypes.byref(line), None, ctypes.byref(offset)
    )
    kind = "type" if cursor.kind in _TYPES else "function"
    if cursor.kind is CursorKind.FUNCTION_DECL and cursor.extent.start.offset == offset.value:
        kind = _UNTYPED
    if file and File(file).name == cursor.location.file.name:
        return kind, offset.value, line.value, cursor.spelling
    return kind, cursor.location.offset, cursor.location.line, cursor.spelling


def main() -> None:
    if "--version" in sys.argv:
        print("libclang", importlib.metadata.version("libclang"))
        return
    root, *flags = sys.argv[1:]
    for line in sys.stdin:
        path = line.rstrip("\n")
        if child := os.fork():
            if os.waitpid(child, 0)[1]:
                print(json.dumps({"path": path, "kind": "refused"}), flush=True)
            continue
        resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST, _LONGEST))  # ends the process
        found = [json.dumps(each) for each in definitions(Path(root), path, flags)]
        print("\n".join(found), flush=True)
        os._exit(0)


if __name__ == "__main__":
    main()
