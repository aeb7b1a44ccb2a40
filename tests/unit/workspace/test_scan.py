from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pilotfish.workspace.content import SkipReason
from pilotfish.workspace.scan import Decider, Scan, ScanRules, is_rules_file, scan

Make = Callable[..., Any]

IGNORES = {
    ".gitignore": "*.log\n/build\n!keep.log\ndist/\n**/cache/*\n!**/cache/kept\ndoc/*.txt\n\\#odd\ntrail\\ \n",
    "src/.gitignore": "*.tmp\n!b.tmp\n/local\n",
    "src/deep/.gitignore": "!*.log\n!c.tmp\n",
    "a.py": "",
    "x.log": "",
    "keep.log": "",
    "build/out.py": "",
    "src/build/in.py": "",
    "dist/d.js": "",
    "src/dist/e.js": "",
    "src/a.tmp": "",
    "src/b.tmp": "",
    "src/local": "",
    "src/deep/local": "",
    "src/deep/y.log": "",
    "src/deep/c.tmp": "",
    "lib/cache/z": "",
    "lib/cache/kept": "",
    "doc/n.txt": "",
    "doc/sub/n.txt": "",
    "#odd": "",
    "trail ": "",
    "sp ace/ü.py": "",
    ":colon": "",
    "new\nline": "",
}


def paths(result: Scan) -> list[str]:
    return [found.path for found in result.files]


def reasons(result: Scan) -> dict[str, SkipReason]:
    return {skipped.path: skipped.reason for skipped in result.skipped}


def assert_decider_agrees(root: Path, result: Scan, rules: ScanRules | None = None) -> None:
    """Every single decision equals the scan's, for every path on disk."""
    decider = Decider(str(root), rules)
    everything = [os.path.relpath(Path(folder, name), root) for folder, _, names in os.walk(root) for name in names]
    decisions = decider.decide_all(everything)
    assert sorted(path for path, decision in decisions.items() if decision.accepted) == paths(result)
    assert {path: decisions[path].found for path in paths(result)} == {found.path: found for found in result.files}
    assert decider.below("") == Scan(result.files, decider.below("").skipped, result.uses_git)


def test_git_decides_with_all_its_sources(repository: Make) -> None:
    tree = repository().fill(IGNORES)
    tree.fill({"tracked.log": "", "excluded.me": "", "mine.global": ""}).commit("tracked.log")
    (tree.root / ".git/info/exclude").write_text("excluded.*\n")
    Path(os.environ["XDG_CONFIG_HOME"], "git/ignore").write_text("*.global\n")

    result = scan(str(tree.root))

    assert paths(result) == tree.listed()
    assert "tracked.log" in paths(result)
    assert "x.log" not in paths(result)
    assert not {"excluded.me", "mine.global"} & set(paths(result))
    assert_decider_agrees(tree.root, result)


def test_excludes_file_of_the_users_configuration(repository: Make) -> None:
    tree = repository().fill({"a.py": "", "b.mine": ""})
    Path(os.environ["HOME"], "my-ignores").write_text("*.mine\n")
    with Path(os.environ["HOME"], ".gitconfig").open("a") as configuration:
        configuration.write("[core]\n\texcludesFile = ~/my-ignores\n")
    assert paths(scan(str(tree.root))) == tree.listed() == ["a.py"]
    assert Decider(str(tree.root)).decide("b.mine").rule == "git's global excludes file:1: *.mine"


def test_walk_gives_the_same_without_git(repository: Make) -> None:
    tree, plain = repository().fill(IGNORES), repository("plain", git=False).fill(IGNORES)
    result = scan(str(plain.root))
    assert not result.uses_git
    assert paths(result) == paths(scan(str(tree.root))) == tree.listed()
    assert_decider_agrees(plain.root, result)


def test_subfolder_of_a_repository_obeys_rules_above(repository: Make) -> None:
    tree = repository().fill(IGNORES)
    result = scan(str(tree.root / "src"))
    assert paths(result) == [path.removeprefix("src/") for path in tree.listed() if path.startswith("src/")]
    assert_decider_agrees(tree.root / "src", result)


def test_folder_that_the_repository_around_it_ignores_is_walked(repository: Make) -> None:
    tree = repository().fill({".gitignore": "vendor\n", "vendor/lib/a.py": "", "vendor/lib/.gitignore": "b.py\n"})
    tree.fill({"vendor/lib/b.py": ""})
    assert paths(scan(str(tree.root / "vendor"))) == ["lib/.gitignore", "lib/a.py"]


def test_unmerged_missing_and_skip_worktree_files_come_once_and_only_if_there(repository: Make) -> None:
    tree = repository().fill({"both.py": "a\n", "gone.py": "", "sparse-gone.py": "", "sparse-there.py": ""}).commit()
    tree.git("checkout", "-q", "-b", "other")
    tree.fill({"both.py": "b\n"}).commit()
    tree.git("checkout", "-q", "main")
    tree.fill({"both.py": "c\n"}).commit()
    tree.git("merge", "-q", "other")
    tree.git("update-index", "--skip-worktree", "sparse-gone.py", "sparse-there.py")
    for name in ("gone.py", "sparse-gone.py"):
        (tree.root / name).unlink()

    result = scan(str(tree.root))

    assert "<<<<<<<" in (tree.root / "both.py").read_text()
    assert paths(result) == tree.listed() == ["both.py", "sparse-there.py"]
    assert_decider_agrees(tree.root, result)


def test_nested_repositories_and_worktrees_are_roots_of_their_own(repository: Make) -> None:
    tree = repository().fill({"a.py": "", ".gitignore": "*.o\n"}).commit()
    tree.git("worktree", "add", "-q", "-b", "feature", ".trees/feature")
    repository("tree/inner").fill({"b.py": ""}).commit()
    repository("tree/without-commit").fill({"c.py": ""})
    (tree.root / "not-a-repository/.git").mkdir(parents=True)
    tree.fill({"not-a-repository/d.py": ""})

    result = scan(str(tree.root))
    worktree = scan(str(tree.root / ".trees/feature"))

    assert paths(result) == [".gitignore", "a.py", "not-a-repository/d.py"]
    assert reasons(result) == dict.fromkeys((".trees/feature/", "inner/", "without-commit/"), SkipReason.NESTED_ROOT)
    assert paths(worktree) == [".gitignore", "a.py"]
    assert_decider_agrees(tree.root, result)
    assert_decider_agrees(tree.root / ".trees/feature", worktree)
    assert Decider(str(tree.root)).decide("inner/b.py").reason is SkipReason.NESTED_ROOT


def test_exclude_file_holds_in_a_linked_worktree(repository: Make) -> None:
    tree = repository().fill({"a.py": ""}).commit()
    tree.git("worktree", "add", "-q", "-b", "feature", "../linked")
    (tree.root / ".git/info/exclude").write_text("secret.*\n")
    linked = repository("linked", git=False).fill({"secret.py": "", "b.py": ""})
    assert paths(scan(str(linked.root))) == linked.listed() == ["a.py", "b.py"]


@pytest.mark.parametrize("submodules", [False, True])
def test_submodules_by_setting_with_their_own_rules(repository: Make, submodules: bool) -> None:
    repository("library").fill({"lib.py": "", ".gitignore": "*.gen\n"}).commit()
    tree = repository().fill({"a.py": ""})
    tree.git("submodule", "add", "-q", str(tree.root.parent / "library"), "third/library")
    tree.commit().fill({"third/library/new.py": "", "third/library/x.gen": ""})
    rules = ScanRules(submodules=submodules)

    result = scan(str(tree.root), rules)

    inner = [f"third/library/{name}" for name in (".gitignore", "lib.py", "new.py")]
    assert paths(result) == [".gitmodules", "a.py", *(inner if submodules else [])]
    assert reasons(result) == ({} if submodules else {"third/library/": SkipReason.SUBMODULE})
    assert_decider_agrees(tree.root, result, rules)
    assert Decider(str(tree.root), rules).directories() == (
        ["", "third", "third/library"] if submodules else ["", "third"]
    )


@pytest.mark.parametrize("git", [True, False])
def test_links_neither_leave_the_root_nor_go_in_circles(repository: Make, tmp_path: Path, git: bool) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.py").write_text("")
    tree = repository(git=git).fill({"a/b/c.py": "", "real/d.py": ""})
    (tree.root / "a/b/up").symlink_to("..")
    (tree.root / "self").symlink_to("self")
    (tree.root / "out").symlink_to(tmp_path / "outside")
    (tree.root / "passwd").symlink_to("/etc/passwd")
    (tree.root / "inside").symlink_to("real/d.py")

    result = scan(str(tree.root))

    assert paths(result) == ["a/b/c.py", "real/d.py"]
    assert reasons(result) == dict.fromkeys(["a/b/up", "inside", "out", "passwd", "self"], SkipReason.SYMLINK)
    decider = Decider(str(tree.root))
    assert decider.decide("out/secret.py").reason is SkipReason.SYMLINK
    for path in ("../outside/secret.py", "/etc/passwd", "a/../a/b/c.py", "", "a//b", "a\0b"):
        assert not decider.decide(path).accepted
    assert decider.directories() == ["", "a", "a/b", "real"]


def test_tracked_folder_replaced_by_a_link_to_the_outside_names_nothing(repository: Make, tmp_path: Path) -> None:
    tree = repository().fill({"pkg/a.py": "mine"}).commit()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.py").write_text("theirs")
    (tree.root / "pkg/a.py").unlink()
    (tree.root / "pkg").rmdir()
    (tree.root / "pkg").symlink_to(tmp_path / "outside")
    result = scan(str(tree.root))
    assert paths(result) == []
    assert reasons(result) == {"pkg": SkipReason.SYMLINK}
    assert_decider_agrees(tree.root, result)


@pytest.mark.parametrize("git", [True, False])
def test_own_ignore_files_and_settings(repository: Make, git: bool) -> None:
    tree = repository(git=git).fill(
        {
            ".pilotfishignore": "generated/\n*.snap\n",
            "web/.pilotfishignore": "!keep.snap\n",
            "generated/g.py": "",
            "a.snap": "",
            "web/keep.snap": "",
            "web/w.ts": "",
            "tests/t.py": "",
            "main.py": "",
            ".pilotfish/catalog.py": "",
        }
    )
    root = str(tree.root)
    everything = [".pilotfishignore", "main.py", "tests/t.py", "web/.pilotfishignore", "web/keep.snap", "web/w.ts"]
    cases = {
        ScanRules(): everything,
        ScanRules(exclude=("tests/", "/web/*.ts")): [path for path in everything if path[-4:] not in ("t.py", "w.ts")],
        ScanRules(include=("*.py", "!main.py", "web/")): [
            "tests/t.py", "web/.pilotfishignore", "web/keep.snap", "web/w.ts",
        ],
        ScanRules(paths=("./web/", "main.py", "../outside", "/etc")): [
            "main.py", "web/.pilotfishignore", "web/keep.snap", "web/w.ts",
        ],
    }  # fmt: skip
    for rules, expected in cases.items():
        result = scan(root, rules)
        assert paths(result) == expected, rules
        assert_decider_agrees(tree.root, result, rules)
    assert Decider(root).decide("web/x.snap").reason is SkipReason.MISSING
    assert Decider(root).decide("a.snap").rule == ".pilotfishignore:2: *.snap"
    assert Decider(root).decide(".pilotfish/catalog.py").reason is SkipReason.OWN_DATA


def test_defaults_hold_without_git_only_and_can_be_taken_back(repository: Make) -> None:
    files = {
        "node_modules/a/index.js": "",
        "target/real.py": "",
        "coverage/real.py": "",
        "env/pyvenv.cfg": "",
        "env/lib/x.py": "",
        "m.py": "",
    }
    tree, plain = repository().fill(files), repository("plain", git=False).fill(files)
    assert paths(scan(str(tree.root))) == tree.listed() == sorted(files)
    assert paths(scan(str(plain.root))) == ["coverage/real.py", "m.py", "target/real.py"]
    assert_decider_agrees(plain.root, scan(str(plain.root)))
    assert Decider(str(plain.root)).directories() == ["", "coverage", "target"]
    plain.fill({".pilotfishignore": "!node_modules/\n"})
    assert "node_modules/a/index.js" in paths(scan(str(plain.root)))


def test_explained_scan_names_the_rule_of_everything_left_out(repository: Make) -> None:
    tree = repository().fill({".gitignore": "# c\nbuild/\n", "build/x/y.py": "", "a.py": "", "sub/.gitignore": "*.o\n"})
    tree.fill({"sub/m.o": ""})
    os.mkfifo(tree.root / "pipe")
    rules = {skipped.path: skipped.rule for skipped in scan(str(tree.root), explain=True).skipped}
    assert rules == {"build/": ".gitignore:2: build/", "sub/m.o": "sub/.gitignore:1: *.o"}
    plain = repository("plain", git=False)
    os.mkfifo(plain.root / "pipe")
    assert reasons(scan(str(plain.root))) == {"pipe": SkipReason.SPECIAL_FILE}


@pytest.mark.parametrize("git", [True, False])
def test_names_that_are_no_utf8_are_listed_percent_encoded(repository: Make, git: bool) -> None:
    tree = repository(git=git).fill({"ok.py": ""})
    with open(os.fsencode(tree.root) + b"/caf\xe9.py", "w"):
        pass
    result = scan(str(tree.root))
    assert paths(result) == ["ok.py"]
    assert reasons(result) == {"caf%E9.py": SkipReason.NAME_NOT_UTF8}


def test_scan_of_a_root_that_is_gone_is_empty_and_says_so(tmp_path: Path) -> None:
    assert reasons(scan(str(tmp_path / "nowhere"))) == {".": SkipReason.UNREADABLE_FOLDER}


def test_decider_sees_new_rules_after_invalidation(repository: Make) -> None:
    tree = repository().fill({"a.log": "", "b.py": ""})
    decider = Decider(str(tree.root))
    assert decider.decide("a.log").accepted
    tree.fill({".gitignore": "*.log\n", ".pilotfishignore": "b.py\n"})
    assert is_rules_file(".gitignore")
    assert is_rules_file("x/.pilotfishignore")
    assert is_rules_file("x/CACHEDIR.TAG"), "without git it shuts the whole folder out"
    decider.invalidate()
    assert [decider.decide(path).reason for path in ("a.log", "b.py")] == [
        SkipReason.IGNORED_BY_GIT,
        SkipReason.IGNORED_BY_PILOTFISH,
    ]


def test_ignored_file_that_becomes_tracked_is_decided_anew(repository: Make) -> None:
    tree = repository().fill({".gitignore": "*.log\n", "a.log": ""})
    decider = Decider(str(tree.root))
    assert [decider.decide("a.log").accepted for _ in range(2)] == [False, False]
    tree.git("add", "-f", "a.log")
    assert decider.decide("a.log").accepted


@pytest.mark.parametrize("git", [True, False])
def test_depth_beyond_pythons_recursion_limit(repository: Make, git: bool) -> None:
    tree = repository(git=git).fill({".gitignore": "*.log\n", ".pilotfishignore": "*.tmp\n"})
    descriptor = os.open(tree.root, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=descriptor)
        below = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    for name in ("a.py", "b.log", "c.tmp"):
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    try:
        deep = "d/" * 1500
        assert paths(scan(str(tree.root)))[-1] == f"{deep}a.py"
        decisions = Decider(str(tree.root)).decide_all([f"{deep}a.py", f"{deep}b.log", f"{deep}c.tmp"])
        assert [decision.accepted for decision in decisions.values()].count(True) == 1
    finally:
        subprocess.run(["rm", "-rf", str(tree.root)], check=True)


def test_one_odd_path_does_not_spoil_the_batch(repository: Make) -> None:
    tree = repository().fill({"a.log": "", "b.py": "", ".gitignore": "*.log\n", "mod/x.py": ""})
    tree.git("update-index", "--add", "--cacheinfo", "160000," + "1" * 40 + ",mod")
    decisions = Decider(str(tree.root)).decide_all(["a.log", "b.py", "mod/x.py"])
    accepted = sorted(path for path, decision in decisions.items() if decision.accepted)
    assert accepted == ["b.py"] == [path for path in paths(scan(str(tree.root))) if path != ".gitignore"]
