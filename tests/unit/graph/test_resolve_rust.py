"""Rust's imports: the crates of a workspace, and the modules that the files of each make."""

from __future__ import annotations

import pytest
from resolution import Workspace

CRATES = Workspace(
    "rust",
    [
        "app/src/main.rs",
        "app/src/lib.rs",
        "app/src/flags/mod.rs",
        "app/src/flags/parse.rs",
        "app/src/search.rs",
        "app/src/search/walk.rs",
        "app/src/sys/unix/fd.rs",
        "app/src/bin/tool.rs",
        "app/tests/cli.rs",
        "app/tests/common/mod.rs",
        "app/build.rs",
        "matcher/source/matcher.rs",
        "matcher/source/hay.rs",
        "old/src/lib.rs",
        "old/src/text/mod.rs",
        "old/src/text/utf8.rs",
        "plugin/src/lib.rs",
    ],
    {
        "Cargo.toml": '[workspace]\nmembers = ["app", "matcher", "old"]\n',
        "app/Cargo.toml": """
            [package]
            name = "my-app"
            edition = "2021"
            [dependencies]
            hay = { package = "app-matcher", path = "../matcher" }
            old = { path = "../old" }
        """,
        "matcher/Cargo.toml": """
            package = { name = "app-matcher", edition = "2021" }
            lib = { path = "source/matcher.rs" }
        """,
        "old/Cargo.toml": '[package]\nname = "old"\n',
        "plugin/Cargo.toml": '[package]\nname = "plugin"\n[[[',
    },
)
FLAGS, PARSE, SEARCH = "app/src/flags/mod.rs", "app/src/flags/parse.rs", "app/src/search.rs"
LIBRARY = "app/src/lib.rs"


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        (LIBRARY, "mod flags;", [f"flags = *: {FLAGS}"]),
        (SEARCH, "pub mod walk;", ["walk = *: app/src/search/walk.rs"]),
        (SEARCH, "use crate::flags;", [f"flags = *: {FLAGS}"]),
        (SEARCH, "use crate::flags::parse::{self, Parser as P, *};", None),
        (SEARCH, "use crate::flags::Mode::Fast;", [f"Fast = Fast: {FLAGS}", f" = Mode: {FLAGS}"]),
        (SEARCH, "use hay as h;", ["h = *: matcher/source/matcher.rs"]),
        ("app/src/search/walk.rs", "use super::Searcher;", [f"Searcher = Searcher: {SEARCH}"]),
        ("app/src/search/walk.rs", "use super::super::flags;", [f"flags = *: {FLAGS}"]),
        (FLAGS, "use super::search::Searcher as _;", [f" = Searcher: {SEARCH}"]),
        (FLAGS, "use self::parse::Parser;", [f"Parser = Parser: {PARSE}"]),
        (FLAGS, "use parse::Parser;", [f"Parser = Parser: {PARSE}"]),
        (PARSE, "use crate::Config;", ["Config = Config: app/src/lib.rs app/src/main.rs"]),
        ("app/src/main.rs", "use my_app::search;", [f"search = *: {SEARCH}"]),
        ("app/src/bin/tool.rs", "extern crate my_app;", [f"my_app = *: {LIBRARY}"]),
        ("app/src/bin/tool.rs", "extern crate my_app as app;", [f"app = *: {LIBRARY}"]),
        ("app/tests/cli.rs", "mod common; use common::run;", None),
        ("app/tests/cli.rs", "use crate::common::run;", ["run = run: app/tests/common/mod.rs"]),
        (LIBRARY, "use app_matcher::Matcher;", ["Matcher = Matcher: matcher/source/matcher.rs"]),
        (LIBRARY, "use hay::Matcher;", ["Matcher = Matcher: matcher/source/matcher.rs"]),
        (LIBRARY, "use ::hay::hay::SHERLOCK;", ["SHERLOCK = SHERLOCK: matcher/source/hay.rs"]),
        ("old/src/text/utf8.rs", "use text::Text;", ["Text = Text: old/src/text/mod.rs"]),
    ],
)
def test_a_path_is_followed_to_the_file_of_its_last_module(
    importer: str, text: str, expected: list[str] | None
) -> None:
    several = {
        "use crate::flags::parse::{self, Parser as P, *};": [
            f"parse = *: {PARSE}",
            f"P = Parser: {PARSE}",
            f"* = *: {PARSE}",
        ],
        "mod common; use common::run;": [
            "common = *: app/tests/common/mod.rs",
            "run = run: app/tests/common/mod.rs",
        ],
    }
    assert sorted(CRATES.bound(importer, text)) == sorted(several[text] if expected is None else expected)


def test_modules_within_a_file_are_part_of_it() -> None:
    text = "mod tests { use super::*; use super::super::search::Searcher; mod deep { use super::super::Mode; } }"
    assert CRATES.bound(FLAGS, text) == [f"* = *: {FLAGS}", f"Searcher = Searcher: {SEARCH}", f"Mode = Mode: {FLAGS}"]
    library = "mod sys { mod unix { mod fd; } }"
    assert CRATES.bound(LIBRARY, library) == ["fd = *: app/src/sys/unix/fd.rs"]
    assert CRATES.bound("app/src/sys/unix/fd.rs", "use crate::search;") == [f"search = *: {SEARCH}"]


@pytest.mark.parametrize(
    ("importer", "path"),
    [
        (LIBRARY, "std::io"),
        (LIBRARY, "super::x"),
        (LIBRARY, "serde::Serialize"),
        (SEARCH, "flags::parse"),  # the 2018 edition takes no path from the root of the crate
        ("app/build.rs", "super::x"),
        (LIBRARY, "super::super::super::super::x"),
    ],
)
def test_what_is_in_no_crate_of_the_tree_has_no_files(importer: str, path: str) -> None:
    assert CRATES.bound(importer, f"use {path};") == []


def test_without_manifests_crates_are_known_by_their_roots() -> None:
    bare = Workspace("rust", ["crates/glob-set/src/lib.rs", "crates/glob-set/src/glob.rs", "crates/core/main.rs"])
    assert bare.bound("crates/core/main.rs", "use glob_set::glob::Glob;") == [
        "Glob = Glob: crates/glob-set/src/glob.rs"
    ]
    assert bare.bound("crates/glob-set/src/glob.rs", "use crate::Set;") == ["Set = Set: crates/glob-set/src/lib.rs"]
