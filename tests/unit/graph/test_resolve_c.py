"""Includes of C and C++: beside the includer, or by whole ends of paths, and never by a mere name far away."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "c",
    [
        "include/linux/list.h",
        "include/own.h",
        "include/stdio.h",
        "kernel/sched.c",
        "kernel/sched.h",
        "kernel/rcu/tree.h",
        "kernel/rcu/tree.c",
        "tools/include/linux/list.h",
        "tools/perf/perf.c",
        "tools/perf/util/event.h",
        "tools/perf/tests/event_test.c",
        "plugins/gcc/common.c",
        "arch/arm/include/asm/page.h",
        "arch/x86/include/asm/page.h",
        "musl/include/stdio.h",
        "musl/include/sys/types.h",
        "musl/src/printf.c",
        "a/config.h",
        "b/config.h",
        "lib/fmt/core.h",
    ],
)


@pytest.mark.parametrize(
    ("includer", "name", "expected"),
    [
        ("kernel/rcu/tree.c", '"../sched.h"', "kernel/sched.h"),
        ("kernel/sched.c", "<linux/list.h>", "include/linux/list.h"),
        ("tools/perf/perf.c", "<linux/list.h>", "tools/include/linux/list.h"),
        ("kernel/sched.c", '"own.h"', "include/own.h"),
        ("kernel/sched.c", "<own.h>", "include/own.h"),
        ("tools/perf/perf.c", '"util/event.h"', "tools/perf/util/event.h"),
        ("tools/perf/tests/event_test.c", '"event.h"', "tools/perf/util/event.h"),
        ("musl/src/printf.c", "<stdio.h>", "musl/include/stdio.h"),
        ("musl/src/printf.c", "<sys/types.h>", "musl/include/sys/types.h"),
        ("kernel/sched.c", "<fmt/core.h>", "lib/fmt/core.h"),
        ("arch/x86/boot.c", "<asm/page.h>", "arch/x86/include/asm/page.h"),
        ("kernel/sched.c", '"fmt\\core.h"', "lib/fmt/core.h"),
    ],
)
def test_an_include_is_the_closest_file_whose_path_ends_in_it(includer: str, name: str, expected: str) -> None:
    assert TREE.bound(includer, f"#include {name}\n")[0] == f"* = *: {expected}"


@pytest.mark.parametrize(
    ("includer", "name"),
    [
        ("plugins/gcc/common.c", '"tree.h"'),  # another library's
        ("kernel/sched.c", "<sys/types.h>"),  # the system's
        ("kernel/sched.c", "<asm/page.h>"),  # two are as close
        ("kernel/sched.c", '"config.h"'),
        ("kernel/sched.c", "<vector>"),
        ("kernel/sched.c", '"st.h"'),
        ("kernel/sched.c", '"../../../etc/own.h"'),
        ("kernel/sched.c", '"/include/own.h"'),
    ],
)
def test_what_cannot_be_told_has_no_files(includer: str, name: str) -> None:
    assert TREE.bound(includer, f"#include {name}\n") == []


def test_a_header_brings_the_source_that_defines_what_it_declares() -> None:
    expected = ["* = *: kernel/rcu/tree.h", "* = *: kernel/rcu/tree.h kernel/rcu/tree.c"]
    assert TREE.bound("kernel/sched.c", '#include "rcu/tree.h"\n') == expected
