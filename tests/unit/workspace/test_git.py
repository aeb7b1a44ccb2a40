from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pilotfish.workspace.git import Git, Head, environment, find_git
from pilotfish.workspace.history import commit_ids, read_commits
from pilotfish.workspace.scan import Decider, scan

Make = Callable[..., Any]


def program(path: Path, proof: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{proof}'\nexit 0\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_nothing_of_a_hostile_repository_runs(
    repository: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = tmp_path / "it-ran"
    tree = (
        repository().fill({"a.py": "1", "b.py": "2", ".gitattributes": "* filter=evil diff=evil merge=evil\n"}).commit()
    )
    evil = program(tree.root / "tools/evil", proof)
    for name in ("git", "sh", "ssh", "cat", "false", "less"):
        program(tree.root / "bin" / name, proof)
    for hook in ("post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman", "pre-commit"):
        program(tree.root / ".git/hooks" / hook, proof)
    settings = {
        "core.fsmonitor": evil, "core.hooksPath": str(tree.root / ".git/hooks"), "core.pager": evil,
        "core.editor": evil, "core.sshCommand": evil, "core.askPass": evil, "core.gitProxy": evil,
        "core.alternateRefsCommand": evil, "credential.helper": f"!{evil}", "diff.external": evil,
        "diff.evil.textconv": evil, "diff.evil.command": evil, "filter.evil.clean": evil, "filter.evil.smudge": evil,
        "filter.evil.process": evil, "merge.evil.driver": evil, "filter.evil.required": "true", "gpg.program": evil,
        "log.showSignature": "true", "pager.ls-files": evil, "pager.rev-parse": evil, "alias.ls-files": f"!{evil}",
        "alias.rev-parse": f"!{evil}", "uploadpack.packObjectsHook": evil, "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{evil} %S", "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none", "remote.origin.uploadpack": evil,
        "extensions.partialClone": "origin", "core.repositoryFormatVersion": "1", "submodule.recurse": "true",
        "core.untrackedCache": "true",
    }  # fmt: skip
    for name, value in settings.items():
        with (tree.root / ".git/config").open("a") as configuration:
            section, _, key = name.rpartition(".")
            top, dot, rest = section.partition(".")
            configuration.write(f'[{top}{f" {chr(34)}{rest}{chr(34)}" if dot else ""}]\n\t{key} = "{value}"\n')
    # Objects that are missing would be fetched by a partial clone.
    for folder in (tree.root / ".git/objects").iterdir():
        for thing in folder.iterdir() if len(folder.name) == 2 else ():
            thing.unlink()
    os.utime(tree.root / "a.py")  # so that git would look at its content again
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{tree.root / 'bin'}{os.pathsep}{path}")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))

    result = scan(str(tree.root), explain=True)
    decider = Decider(str(tree.root))
    decider.decide_all(["a.py", "b.py", "nothing.py"])
    decider.directories()
    asked = Git(str(tree.root))
    asked.head(), asked.common_dir(), asked.git_dir()

    assert result.uses_git
    assert {"a.py", "b.py"} <= {found.path for found in result.files}
    assert not proof.exists(), proof.read_text()

    # The trap is a trap: git as anybody runs it falls into it.
    monkeypatch.setenv("PATH", path)
    monkeypatch.delenv("GIT_DIR")
    subprocess.run(["git", "status"], cwd=tree.root, capture_output=True, check=False)
    assert proof.exists()


def test_working_tree_that_the_repository_places_elsewhere_is_not_believed(repository: Make, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/diary.py").write_text("")
    tree = repository().fill({"a.py": ""})
    tree.git("config", "core.worktree", str(tmp_path / "private"))
    assert Git(str(tree.root)).toplevel() is None
    result = scan(str(tree.root))
    assert not result.uses_git
    assert [found.path for found in result.files] == ["a.py"]


def private(repository: Make) -> Any:
    tree = repository("private").fill({"diary.py": ""})
    tree.git("add", "-A")
    tree.git("commit", "-q", "-m", "a subject for nobody else")
    return tree


@pytest.mark.parametrize("way", ["file", "link", "common", "refs", "branch", "packed", "worktree"])
def test_history_of_another_repository_is_not_taken_for_the_folders_own(
    repository: Make, tmp_path: Path, way: str
) -> None:
    other = private(repository)
    store = other.root / ".git"
    tree = repository("handed-over").fill({"a.py": ""})
    own = tree.root / ".git"
    # Whoever hands the folder over may have put this into it before.
    (own / "objects/info").mkdir(exist_ok=True)
    (own / "objects/info/alternates").write_text(f"{store / 'objects'}\n")
    if way in ("file", "link", "worktree"):
        own.rename(tmp_path / "away")
    if way == "file":
        own.write_text(f"gitdir: {store}\n")
    elif way == "worktree":
        other.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
        own.write_text(f"gitdir: {store / 'worktrees/linked'}\n")
    elif way == "link":
        own.symlink_to(store)
    elif way == "common":
        (own / "commondir").write_text(f"{store}\n")
    elif way == "refs":
        (own / "refs").rename(tmp_path / "away")
        (own / "refs").symlink_to(store / "refs")
    elif way == "branch":
        (own / "refs/heads/main").symlink_to(store / "refs/heads/main")
    else:
        other.git("pack-refs", "--all")
        (own / "packed-refs").symlink_to(store / "packed-refs")
    assert "a subject for nobody else" in tree.git("log", "-1", "--format=%s"), "the trap is none"

    git = Git(str(tree.root))
    assert git.foreign() is not None
    assert (git.toplevel(), git.head(), git.common_dir(), git.git_dir()) == (None, None, None, None)
    assert git.recent_commits(5) == []
    assert commit_ids(git, 5) is None
    assert not read_commits(git, [other.git("rev-parse", "HEAD").strip()])[0].subject
    result = scan(str(tree.root))
    assert not result.uses_git
    assert [found.path for found in result.files] == ["a.py"]


def test_worktrees_submodules_and_folders_that_git_knows_are_own(repository: Make, tmp_path: Path) -> None:
    inner = private(repository)
    tree = repository().fill({"a.py": ""}).commit()
    tree.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    tree.git("submodule", "add", "-q", str(inner.root), "third/inner")
    apart = repository("apart", git=False).fill({"b.py": ""})
    apart.git("init", "-q", "-b", "main", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    apart.commit()
    for folder in (tmp_path / "linked", tree.root / "third/inner", tree.root):
        git = Git(str(folder))
        assert git.toplevel() == str(folder)
        assert len(git.recent_commits(5)) == 1
        assert git.foreign() is None

    git = Git(str(apart.root))
    assert git.toplevel() is None
    assert git.foreign() == str(tmp_path / "elsewhere")
    apart.git("config", "core.worktree", str(apart.root))
    assert git.toplevel() == str(apart.root)
    assert len(git.recent_commits(5)) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_repository_of_another_user_is_read(repository: Make) -> None:
    tree = repository().fill({"a.py": "", "x.log": "", ".gitignore": "*.log\n"})
    for path in [tree.root, tree.root / ".git", *(tree.root / ".git").rglob("*")]:
        os.chown(path, 12345, 12345)
    result = scan(str(tree.root))
    assert result.uses_git
    assert [found.path for found in result.files] == [".gitignore", "a.py"]
    assert not Decider(str(tree.root)).decide("x.log").accepted


@pytest.mark.parametrize("damage", ["[core\n", "[include]\n\tpath = /dev/zero\n"])
def test_repository_that_git_refuses_is_walked(repository: Make, damage: str) -> None:
    tree = repository().fill({"a.py": "", "x.log": "", ".gitignore": "*.log\n"})
    with (tree.root / ".git/config").open("a") as configuration:
        configuration.write(damage)
    result = scan(str(tree.root))
    assert [found.path for found in result.files] == [".gitignore", "a.py"]


def test_head_follows_branch_and_commit(repository: Make) -> None:
    tree = repository()
    git = Git(str(tree.root))
    assert git.head() == Head("main", None)
    tree.fill({"a": ""}).commit()
    commit = tree.git("rev-parse", "HEAD").strip()
    assert git.head() == Head("main", commit)
    tree.git("checkout", "-q", "--detach")
    assert git.head() == Head(None, commit)
    assert git.toplevel() == str(tree.root)
    assert git.common_dir() == git.git_dir() == str(tree.root / ".git")
    outside = repository("plain", git=False)
    assert Git(str(outside.root)).head() is None
    assert Git(str(outside.root)).ls_files() is None


def test_environment_and_program_come_from_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = environment({"GIT_DIR": "/x", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_GLOBAL": "/u", "PATH": "/x"}, "/bin")
    assert kept["GIT_CONFIG_GLOBAL"] == "/u"
    assert kept["PATH"] == "/bin"
    assert not {"GIT_DIR", "GIT_CONFIG_COUNT"} & kept.keys()
    program(tmp_path / "root/bin/git", tmp_path / "proof")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "root/bin"), "bin", "."]))
    monkeypatch.chdir(tmp_path / "root")
    assert find_git(str(tmp_path / "root")) is None
    assert Git(str(tmp_path / "root")).toplevel() is None
