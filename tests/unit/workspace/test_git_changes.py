"""What differs from the last commit, and the last commits: against `git` itself, and against hostile repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pilotfish.workspace import changes, git
from pilotfish.workspace.git import Git

Make = Callable[..., Any]


def by_git(tree: Any) -> set[str]:
    """What `git status` says, run as the user would."""
    fields = iter(tree.git("status", "-z", "--porcelain", "-uall", "--no-renames").split("\0")[:-1])
    return {field[3:] for field in fields if not field.endswith("/")}


def changed(tree: Any) -> set[str]:
    return set(Git(str(tree.root)).changed_files())


def test_changed_files_are_those_of_git_status(repository: Make) -> None:
    tree = repository().fill(
        {f"{name}.py": name for name in ("same", "edited", "staged", "both", "gone", "untracked_")}
    )
    tree.fill({"removed.py": "", "moved.py": "moved", "sub/é ü.py": "", ".gitignore": "*.log\n", "touched.py": "t"})
    tree.commit()
    assert changed(tree) == set()
    (tree.root / "gone.py").unlink()
    tree.git("rm", "-q", "removed.py")
    tree.git("mv", "moved.py", "sub/moved.py")
    tree.fill({"staged.py": "1", "both.py": "1", "intended.py": "1"})
    tree.git("add", "staged.py", "both.py")
    tree.git("add", "-N", "intended.py")
    tree.fill({"edited.py": "EDITED", "both.py": "2", "new.py": "", "deep/new.py": "", "x.log": "", "sub/é ü.py": "x"})
    os.utime(tree.root / "touched.py")
    (tree.root / "same.py").write_text("same")

    found = changed(tree)
    assert found == {
        "gone.py", "removed.py", "moved.py", "sub/moved.py", "staged.py", "both.py", "edited.py", "intended.py",
        "new.py", "deep/new.py", "sub/é ü.py",
    }  # fmt: skip
    assert found == by_git(tree)


def test_file_edited_in_the_moment_of_the_commit_is_seen(repository: Make) -> None:
    tree = repository().fill({"a.py": "one"}).commit()
    before = (tree.root / "a.py").stat()
    tree.fill({"a.py": "two"})
    os.utime(tree.root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    os.utime(tree.root / ".git/index", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert changed(tree) == {"a.py"}


def test_before_the_first_commit_every_file_is_changed(repository: Make) -> None:
    tree = repository()
    assert changed(tree) == set()
    tree.fill({"a.py": "", "b.py": "", "c.log": "", ".gitignore": "*.log\n"})
    tree.git("add", "a.py")
    assert changed(tree) == {"a.py", "b.py", ".gitignore"}
    assert Git(str(tree.root)).recent_commits(5) == []


def test_line_endings_alone_are_no_change(repository: Make) -> None:
    tree = repository()
    tree.git("config", "core.autocrlf", "true")
    (tree.root / "a.py").write_bytes(b"one\r\ntwo\r\n")
    tree.commit()
    os.utime(tree.root / "a.py", ns=(1, 1))
    assert changed(tree) == set()
    (tree.root / "a.py").write_bytes(b"one\r\nthree\r\n")
    assert changed(tree) == {"a.py"}


def test_links_modes_and_kinds(repository: Make) -> None:
    tree = repository().fill({"run": "1", "file": "1"})
    (tree.root / "link").symlink_to("file")
    (tree.root / "other").symlink_to("file")
    tree.commit()
    (tree.root / "run").chmod(0o755)
    for name, target in (("link", "run"), ("other", "file")):
        (tree.root / name).unlink()
        (tree.root / name).symlink_to(target)
    assert changed(tree) == {"link"}
    (tree.root / "file").unlink()
    (tree.root / "file").symlink_to("/etc/passwd")
    assert changed(tree) == {"link", "file"}


def test_conflicts_and_files_that_are_not_checked_out(repository: Make) -> None:
    tree = repository().fill({"a.py": "0", "b/b.py": "0", "c/c.py": "0", "d.py": "0"}).commit()
    tree.git("checkout", "-q", "-b", "side")
    tree.fill({"a.py": "1"}).commit()
    tree.git("checkout", "-q", "main")
    tree.fill({"a.py": "2"}).commit()
    tree.git("merge", "-q", "side")
    assert changed(tree) == {"a.py"}
    tree.git("reset", "-q", "--hard")
    tree.git("sparse-checkout", "set", "b")
    assert not (tree.root / "c").exists()
    assert changed(tree) == set()
    tree.git("update-index", "--assume-unchanged", "b/b.py")
    tree.fill({"b/b.py": "9"})
    assert changed(tree) == set() == by_git(tree)


def test_a_folder_below_the_top_is_asked_about_itself(repository: Make, tmp_path: Path) -> None:
    tree = repository().fill({"top.py": "0", "app/a.py": "0", "app/b.py": "0"}).commit()
    tree.fill({"top.py": "1"}).commit()
    tree.fill({"top.py": "2", "app/a.py": "1", "app/new.py": ""})
    below = Git(str(tree.root / "app"))
    assert below.changed_files() == {"a.py", "new.py"}
    assert [commit.paths for commit in below.recent_commits(9)] == [("a.py", "b.py")]

    tree.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    (tmp_path / "linked/app/b.py").write_text("1")
    linked = Git(os.path.realpath(tmp_path / "linked"))
    assert linked.changed_files() == {"app/b.py"}
    assert [commit.paths for commit in linked.recent_commits(1)] == [("top.py",)]


def test_names_of_any_bytes(repository: Make) -> None:
    tree = repository().fill({"a": ""})
    names = [b"\xff.py", b"\n tab\t.py", b"100644 x 0\tx.py", b"HEAD", b":(top)a.py", b"-n.py", b'"q".py']
    for name in names:
        (tree.root / os.fsdecode(name)).write_bytes(b"0")
    tree.commit()
    every = {os.fsdecode(name) for name in names}
    (commit,) = Git(str(tree.root)).recent_commits(3)
    assert set(commit.paths) == every | {"a"}
    for name in every:
        (tree.root / name).write_bytes(b"1")
    assert changed(tree) == every


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_both_kinds_of_hash(repository: Make, form: str) -> None:
    tree = repository("plain", git=False)
    tree.git("init", "-q", "-b", "main", f"--object-format={form}")
    tree.fill({"a.py": "0", "b.py": "0"}).commit()
    for name in ("a.py", "b.py"):
        os.utime(tree.root / name, ns=(1, 1))
    tree.fill({"b.py": "1"})
    assert changed(tree) == {"b.py"}
    assert len(Git(str(tree.root)).recent_commits(1)[0].id) == {"sha1": 40, "sha256": 64}[form]


def test_what_is_read_is_bounded(repository: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = repository().fill({"large.py": "0" * 101, "a.py": "0", "b.py": "0", "c.py": "0"}).commit()
    for name in ("large.py", "a.py", "b.py", "c.py"):
        os.utime(tree.root / name, ns=(1, 1))
    monkeypatch.setattr(changes, "LARGEST_COMPARED", 100)
    assert changed(tree) == {"large.py"}
    monkeypatch.setattr(changes, "MOST_COMPARED", 2)
    assert changed(tree) == {"large.py", "c.py"}
    monkeypatch.setattr(changes, "MOST_COMPARED", 9)
    monkeypatch.setattr(changes, "MOST_BYTES", 2)
    assert changed(tree) == {"large.py", "c.py"}

    for number in range(3):
        tree.fill({"a.py": f"{number} more"}).commit()
    monkeypatch.setattr(git, "HISTORY_BYTES", 150)
    cut = Git(str(tree.root)).recent_commits(9)
    assert [(len(commit.id), commit.subject) for commit in cut] == [(40, "change")] * 2
    monkeypatch.setattr(git, "HISTORY_S", 0)
    Git(str(tree.root)).recent_commits(9)


def test_commits_are_those_of_git_log(repository: Make, tmp_path: Path) -> None:
    tree = repository()
    for number in range(3):
        (tree.fill({"a.py": str(number), f"n{number}.py": ""})).git("add", "-A")
        tree.git("commit", "-q", "-m", f"number {number}\nand on\n\nbody", "--date", "2001-01-01T00:00:00")
    tree.git("checkout", "-q", "-b", "side", "HEAD~1")
    tree.fill({"side.py": ""}).commit()
    tree.git("checkout", "-q", "main")
    tree.git("merge", "-q", "-m", "a merge", "side")
    tree.git("mv", "a.py", "b.py")
    tree.git("commit", "-q", "-m", "moved")
    tree.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")

    commits = Git(str(tree.root)).recent_commits(100)
    assert [commit.id for commit in commits] == tree.git("log", "--format=%H").split()
    assert [str(commit.time) for commit in commits] == tree.git("log", "--format=%ct").split()
    told = {commit.subject: commit.paths for commit in commits}
    assert told == {
        "": (), "moved": ("a.py", "b.py"), "a merge": (), "change": ("side.py",), "number 2 and on": ("a.py", "n2.py"),
        "number 1 and on": ("a.py", "n1.py"), "number 0 and on": ("a.py", "n0.py"),
    }  # fmt: skip
    assert Git(str(tree.root)).recent_commits(2) == commits[:2]
    assert Git(str(tree.root)).recent_commits(0) == []

    tree.git("clone", "-q", "--depth=2", f"file://{tree.root}", str(tmp_path / "shallow"))
    shallow = Git(os.path.realpath(tmp_path / "shallow")).recent_commits(100)
    assert [commit.subject for commit in shallow] == ["", "moved"]


def test_no_git_no_repository_no_head_no_tree(repository: Make, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    tree = repository().fill({"a.py": ""}).commit()
    damaged = repository("damaged").fill({"a.py": ""}).commit()
    shutil.rmtree(damaged.root / ".git/objects")
    (damaged.root / ".git/objects").mkdir()
    for nothing in (Git(str(tmp_path / "plain")), Git(str(tree.root), executable=str(tmp_path / "no-git"))):
        assert nothing.changed_files() == frozenset()
        assert nothing.recent_commits(3) == []
    assert Git(str(damaged.root)).changed_files() == frozenset()
    assert Git(str(damaged.root)).recent_commits(3) == []
    tree.git("config", "core.worktree", str(tmp_path / "plain"))
    assert Git(str(tree.root)).changed_files() == frozenset()


def test_nothing_of_a_hostile_repository_runs_or_is_read(repository: Make, tmp_path: Path) -> None:
    proof = tmp_path / "it-ran"
    attributes = "* filter=evil diff=evil merge=evil text eol=crlf working-tree-encoding=UTF-16\n"
    tree = repository().fill({"a.py": "1\n", "b.py": "2\n"}).commit()
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{proof}'\nexit 0\n")
    evil.chmod(0o755)
    os.mkfifo(tree.root / "waits")
    settings = {
        "filter.evil.clean": evil, "filter.evil.smudge": evil, "filter.evil.process": evil,
        "filter.evil.required": "true", "diff.evil.textconv": evil, "diff.evil.command": evil, "diff.external": evil,
        "diff.evil.cachetextconv": "true", "diff.orderFile": tree.root / "waits", "mailmap.file": tree.root / "waits",
        "log.mailmap": "true", "log.showSignature": "true", "gpg.program": evil, "core.fsmonitor": evil,
        "core.pager": evil, "log.follow": "true", "log.showRoot": "false", "format.pretty": "raw",
        "notes.displayRef": "refs/notes/*", "log.decorate": "full", "diff.renames": "copies", "alias.log": f"!{evil}",
        "alias.ls-tree": f"!{evil}", "diff.relative": "false", "i18n.logOutputEncoding": "UTF-16",
    }  # fmt: skip
    for name, value in settings.items():
        tree.git("config", name, str(value))
    (tree.root / ".git/info").mkdir(exist_ok=True)
    (tree.root / ".git/info/attributes").write_text(attributes)
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        shutil.copy(evil, tree.root / ".git/hooks" / hook)
    tree.fill({"a.py": "3\n", ".gitattributes": attributes})
    (tree.root / "b.py").unlink()
    (tree.root / "b.py").symlink_to("/etc/passwd")
    proof.unlink(missing_ok=True)

    asked = Git(str(tree.root))
    assert asked.changed_files() == {"a.py", "b.py", ".gitattributes"}
    assert [(commit.subject, commit.paths) for commit in asked.recent_commits(5)] == [("change", ("a.py", "b.py"))]
    assert not proof.exists(), proof.read_text()

    # The trap is a trap: git as anybody runs it falls into it.
    subprocess.run(["git", "status"], cwd=tree.root, capture_output=True, check=False)
    assert proof.exists()


def test_folder_that_became_a_link_is_not_entered(repository: Make, tmp_path: Path) -> None:
    tree = repository().fill({"app/a.py": "1"}).commit()
    shutil.move(tree.root / "app", tmp_path / "outside")
    os.utime(tmp_path / "outside/a.py", ns=(1, 1))
    (tree.root / "app").symlink_to(tmp_path / "outside")
    assert changed(tree) == {"app/a.py", "app"} == by_git(tree)
