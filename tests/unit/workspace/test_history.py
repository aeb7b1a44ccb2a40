"""Past commits as evidence: what they say and changed, in repositories of every kind, hostile ones too."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pilotfish.workspace import history
from pilotfish.workspace.git import Git
from pilotfish.workspace.history import PastCommit, commit_ids, defined_in, read_commits

Make = Callable[..., Any]


def past(root: Path, most: int = 100) -> list[PastCommit]:
    git = Git(os.path.realpath(root))
    return read_commits(git, commit_ids(git, most) or [])


def touched(commit: PastCommit) -> dict[str, tuple[str, ...]]:
    return {file.path: file.definitions for file in commit.files}


def commit(tree: Any, message: str, files: dict[str, str]) -> None:
    tree.fill(files).git("add", "-A")
    tree.git("commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-m", message)


def test_messages_files_and_times(repository: Make) -> None:
    tree = repository()
    commit(tree, "First: é\n\nA body\nof two lines\n", {"a.py": "", "sub/é ü\n.py": ""})
    commit(tree, "", {"b.py": ""})
    commit(tree, ":100644 looks like an entry", {"c.py": ""})
    commit(tree, "a" * 40 + "\n\n" + "b" * 5_000, {"d.py": ""})
    commit(tree, "nothing at all", {})
    nothing, long, entry, empty, first = past(tree.root)
    assert (first.subject, first.body) == ("First: é", "A body\nof two lines")
    assert list(touched(first)) == ["a.py", "sub/é ü\n.py"]
    assert first.time == int(tree.git("log", "-1", "--format=%ct", first.id))
    assert (empty.subject, list(touched(empty))) == ("", ["b.py"])
    assert (entry.subject, list(touched(entry))) == (":100644 looks like an entry", ["c.py"])
    assert (long.subject, long.body) == ("a" * 40, "b" * (history.MESSAGE_CHARACTERS - 42))
    assert list(touched(long)) == ["d.py"]
    assert (nothing.subject, nothing.files) == ("nothing at all", ())
    assert [each.id for each in past(tree.root, 2)] == [nothing.id, long.id]
    assert commit_ids(Git(str(tree.root)), 0) is None


def test_secrets_are_in_nothing_that_is_read(repository: Make) -> None:
    tree = repository()
    token = "ghp_" + "a1B2" * 9
    text = "x" * (history.MESSAGE_CHARACTERS - 60)
    commit(tree, f"Rotate {token}\n\n{text} {token}", {"a.py": f"def {token}():\n    pass\ndef g():\n    pass\n"})
    (only,) = past(tree.root)
    assert only.subject == "Rotate " + "*" * len(token)
    assert only.body.rstrip("*") == text + " "
    assert touched(only) == {"a.py": ("g",)}


def test_what_is_read_of_a_commit_depends_on_it_alone(repository: Make) -> None:
    tree = repository()
    for number in range(5):
        commit(tree, f"number {number}", {f"f{number}.py": "def f():\n    pass\n", "a.py": f"def g():\n    {number}\n"})
    git = Git(str(tree.root))
    whole = past(tree.root)
    assert [read_commits(git, [each.id])[0] for each in whole] == whole
    assert read_commits(git, [each.id for each in reversed(whole)]) == whole[::-1]
    assert read_commits(git, [whole[0].id, "0" * 40, whole[1].id])[::2] == whole[:2]
    assert read_commits(git, ["0" * 40]) == [PastCommit("0" * 40, 0, "", "", (), ())]


def test_renames_are_told_and_many_files_say_nothing(repository: Make) -> None:
    tree = repository()
    many = {f"old/{number}.py": f"{number}\n" * 20 for number in range(history.MOST_FILES + 1)}
    commit(tree, "many", many)
    tree.git("mv", "old", "new")
    commit(tree, "folder", {})
    tree.git("mv", "new/1.py", "one.py")
    commit(tree, "with an edit", {"one.py": "1\n" * 20 + "more\n"})
    edited, folder, first = past(tree.root)
    assert (first.files, first.renames) == ((), ())
    assert folder.files == ()
    assert set(folder.renames) == {(path, path.replace("old", "new")) for path in many}
    assert (edited.renames, list(touched(edited))) == ((("new/1.py", "one.py"),), ["one.py"])


def test_merges_say_nothing_and_their_sides_count(repository: Make) -> None:
    tree = repository()
    commit(tree, "base", {"a.py": ""})
    tree.git("checkout", "-q", "-b", "side")
    commit(tree, "side", {"b.py": ""})
    tree.git("checkout", "-q", "main")
    commit(tree, "main", {"c.py": ""})
    tree.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    assert {each.subject for each in past(tree.root)} == {"base", "side", "main"}
    tree.git("checkout", "-q", "HEAD~1")
    assert [each.subject for each in past(tree.root)] == ["main", "base"]


def test_folders_worktrees_and_shallow_clones(repository: Make, tmp_path: Path) -> None:
    tree = repository()
    commit(tree, "both", {"sub/a.py": "", "b.py": ""})
    commit(tree, "outside", {"b.py": "1"})
    tree.git("mv", "sub/a.py", "sub/c.py")
    commit(tree, "inside", {})
    inside, both = past(tree.root / "sub")
    assert (inside.subject, inside.renames, list(touched(both))) == ("inside", (("a.py", "c.py"),), ["a.py"])

    tree.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "HEAD~1")
    assert [each.subject for each in past(tmp_path / "linked")] == ["outside", "both"]

    tree.git("clone", "-q", "--depth", "1", f"file://{tree.root}", str(tmp_path / "shallow"))
    (only,) = past(tmp_path / "shallow")
    assert (only.subject, set(touched(only))) == ("inside", {"sub/c.py", "b.py"})


def test_there_may_be_no_history(repository: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert commit_ids(Git(str(repository("empty").root)), 9) is None
    assert commit_ids(Git(str(repository("plain", git=False).root)), 9) is None
    tree = repository()
    commit(tree, "one", {"a.py": ""})
    (one,) = past(tree.root)
    monkeypatch.setenv("PATH", "")
    git = Git(str(tree.root))
    assert commit_ids(git, 9) is None
    assert read_commits(git, [one.id]) == [PastCommit(one.id, 0, "", "", (), ())]


def test_missing_objects_cost_only_what_they_could_tell(repository: Make) -> None:
    tree = repository()
    commit(tree, "one", {"a.py": "def f():\n    1\n"})
    commit(tree, "two", {"a.py": "def f():\n    2\n", "b.py": "def g(): pass\n"})
    commit(tree, "three", {"a.py": "def f():\n    3\n"})
    blob = tree.git("rev-parse", "HEAD~1:b.py").strip()
    (tree.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    three, two, one = past(tree.root)
    assert touched(three) == {"a.py": ("f",)}
    assert list(touched(two)) == ["a.py", "b.py"]
    assert touched(one) == {"a.py": ("f",)}


LANGUAGES = {
    "a.py": ("class A:\n    def first(self):\n        1\n\n    async def second(self):\n        X\n", {"second"}),
    "a.go": ("package a\n\nfunc (a *A) First() {\n}\n\nfunc (a *A) Second(x int) int {\n\treturn X\n}\n", {"Second"}),
    "a.rs": ("fn first() {\n}\n\npub(crate) fn second<T>(t: T) -> u8 {\n    X\n}\n", {"second"}),
    "A.java": ("class A {\n  void first() {\n  }\n\n  public int second(int a) {\n    return X;\n  }\n}\n", {"second"}),
    "a.ts": ("class A {\n  first() {\n  }\n  async second(a: T) {\n    if (a) {\n    X\n}\n  }\n}\n", {"second"}),
    "a.js": ("exports.first = function () {\n}\n\nexports.second = function (a) {\n  return X\n}\n", {"second"}),
    "b.js": ("const second = async (a) => {\n  return X\n}\n", {"second"}),
    "a.rb": ("class A\n  def first\n  end\n\n  def self.second(a)\n    X\n  end\nend\n", {"second"}),
    "a.c": ("int first(void) {\n}\n\nstatic int second(int a)\n{\n    return X;\n}\n", {"second"}),
    "a.kt": ("class A {\n  fun first() {\n  }\n  fun second(a: Int): Int {\n    return X\n  }\n}\n", {"second"}),
}  # fmt: skip


def test_changed_lines_name_their_definitions(repository: Make) -> None:
    tree = repository()
    commit(tree, "new", {path: text for path, (text, _names) in LANGUAGES.items()})
    commit(tree, "edited", {path: text.replace("X", "X + 1") for path, (text, _names) in LANGUAGES.items()})
    edited, new = past(tree.root)
    assert {path: set(names) for path, names in touched(edited).items()} == {
        path: names for path, (_text, names) in LANGUAGES.items()
    }
    assert touched(new)["a.py"] == ("A", "first", "second")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def f(self):", "f"),
        (" class A(B):", "A"),
        (" func (c *Command) Execute() error {", "Execute"),
        (" impl<T> Foo<T> for Bar {", "Foo"),
        (" pub async fn run<'a>(&self)", "run"),
        (" export default async function* load() {", "load"),
        (" Foo.prototype.bar = function bar(x) {", "bar"),
        (" private final static List<String> names(int a) throws X {", "names"),
        (" void A::b::method(int x) const", "method"),
        (" macro_rules! try_it {", "try_it"),
        (" func(cmd *Command, args []string) error {", None),
        (" function (req, res) {", None),
        (" # prose about nothing", None),
        ("", None),
        (" def " + "x" * 500, None),
    ],
)
def test_names_are_read_off_lines(line: str, name: str | None) -> None:
    assert defined_in(line) == name


def test_lines_of_files_are_no_landmarks(repository: Make) -> None:
    tree = repository()
    hostile = "".join(
        f"{line}\n" for line in ("commit " + "0" * 40, "diff --git a/x b/x", "@@ -1 +1 @@ def fake():", "--- a")
    )
    commit(tree, "one", {"a.py": hostile, "b.py": "def f():\n    pass\n"})
    commit(tree, "two", {"a.py": hostile * 2, "b.py": "def f():\n    return\n"})
    two, one = past(tree.root)
    assert touched(two) == {"a.py": (), "b.py": ("f",)}
    assert touched(one) == {"a.py": (), "b.py": ("f",)}


def test_changes_are_read_within_bounds(repository: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = repository()
    for number in range(4):
        commit(tree, "small", {f"{number}.py": f"def f{number}(): pass\n"})
    commit(tree, "large", {"large.py": "".join(f"def f{number}(): pass\n" for number in range(2_000))})
    commit(tree, "last", {"last.py": "def last(): pass\n"})
    expected = past(tree.root)
    assert touched(expected[1]) == {"large.py": ()}  # more definitions than say anything
    monkeypatch.setattr(history, "PATCH_BYTES", 1_000)
    cut = past(tree.root)
    assert [each for each in cut if each.subject != "large"] == [each for each in expected if each.subject != "large"]
    assert touched(cut[1])["large.py"][:3] == ("f0", "f1", "f2")
    monkeypatch.setattr(history, "PATCH_S", 0)
    assert [list(touched(each)) for each in past(tree.root)] == [list(touched(each)) for each in expected]


def test_a_hostile_repository_runs_nothing(repository: Make, tmp_path: Path) -> None:
    tree = repository()
    commit(tree, "one", {"a.py": "def f():\n    1\n", "b.bin": "1"})
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    commit(tree, "two", {"a.py": "def f():\n    2\n", "b.bin": "2", ".gitattributes": "* diff=evil filter=evil\n"})
    for key in (
        "diff.evil.command", "diff.evil.textconv", "diff.external", "filter.evil.clean", "filter.evil.smudge",
        "filter.evil.process", "core.fsmonitor", "core.pager", "pager.diff-tree", "pager.rev-list", "gpg.program",
        "core.sshCommand", "core.alternateRefsCommand", "diff.python.textconv", "diff.python.command",
    ):  # fmt: skip
        tree.git("config", key, str(program))
    for key, value in (
        ("log.showSignature", "true"), ("diff.noprefix", "true"), ("diff.orderFile", str(program)),
        ("diff.renames", "false"), ("i18n.logOutputEncoding", "UTF-16"), ("format.pretty", "raw"),
        ("log.mailmap", "true"), ("color.ui", "always"), ("core.attributesFile", "/etc/passwd"),
        ("diff.interHunkContext", "100"), ("diff.context", "9"), ("core.quotePath", "true"),
    ):  # fmt: skip
        tree.git("config", key, value)
    two, one = past(tree.root)
    assert (two.subject, list(touched(two))) == ("two", [".gitattributes", "a.py", "b.bin"])
    assert list(touched(one)) == ["a.py", "b.bin"]
    assert not mark.exists()

    (tree.root / ".git/info/grafts").write_text("rubbish\n")
    (tree.root / ".git/index").write_bytes(b"rubbish")
    assert [each.subject for each in past(tree.root)] == ["two", "one"]
    replaced = tree.git("rev-parse", "HEAD").strip()
    (tree.root / ".git/refs/replace").mkdir()
    (tree.root / ".git/refs/replace" / replaced).write_text(one.id + "\n")
    assert [each.subject for each in past(tree.root)] == ["two", "one"]


@pytest.mark.skipif(os.name == "nt" or shutil.which("git") is None, reason="names that no text can hold")
def test_names_that_are_no_text(repository: Make) -> None:
    tree = repository()
    (tree.root / os.fsdecode(b"caf\xe9.py")).write_text("def f(): pass\n")
    commit(tree, "latin", {"a.py": "def g(): pass\n"})
    subprocess.run(
        ["git", "-c", "i18n.commitEncoding=latin-1", "commit", "-q", "--allow-empty", "-F", "-"],
        cwd=tree.root, input=b"caf\xe9", check=True,
    )  # fmt: skip
    coffee, latin = past(tree.root)
    assert coffee.subject == "café"
    assert touched(latin) == {"a.py": ("g",), "caf\udce9.py": ("f",)}
