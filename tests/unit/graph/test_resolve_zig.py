"""Zig's imports: paths, and modules where their roots lie by custom."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "zig", ["src/main.zig", "src/sub/other.zig", "src/pay.zig", "lib/std/std.zig", "libs/text/src/root.zig"]
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("src/main.zig", 'const other = @import("sub/other.zig");', ["other = *: src/sub/other.zig"]),
        ("src/sub/other.zig", 'const main = @import("../main.zig");', ["main = *: src/main.zig"]),
        ("src/main.zig", 'const Foo = @import("pay.zig").Foo;', ["Foo = Foo: src/pay.zig"]),
        ("src/main.zig", 'usingnamespace @import("pay.zig");', [" = *: src/pay.zig"]),
        ("src/main.zig", 'const std = @import("std");', ["std = *: lib/std/std.zig"]),
        ("src/main.zig", 'const text = @import("text");', ["text = *: libs/text/src/root.zig"]),
        ("src/main.zig", 'const builtin = @import("builtin");', []),
        ("src/main.zig", 'const x = @import("../../x.zig");', []),
        ("src/main.zig", 'const x = @import("");', []),
    ],
)
def test_paths_and_modules(importer: str, statement: str, expected: list[str]) -> None:
    assert TREE.bound(importer, statement) == expected
