"""The branch that is followed: how far it is, and fetching it from a repository beside."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.workspace.test_git import program

from pilotfish.workspace.git import Git
from pilotfish.workspace.upstream import Distance, FetchError, distance, fetch, upstream

Make = Callable[..., Any]


@pytest.fixture
def cloned(repository: Make, tmp_path: Path) -> tuple[Any, Any]:
    """A clone, and another one whose pushed commits the first does not have yet."""
    first = repository("first").fill({"a.py": "1"}).commit()
    bare = tmp_path / "bare.git"
    first.git("clone", "-q", "--bare", str(first.root), str(bare))
    first.git("remote", "add", "origin", str(bare))
    first.git("fetch", "-q", "origin")
    first.git("branch", "-q", "--set-upstream-to=origin/main")
    first.git("clone", "-q", str(bare), str(tmp_path / "second"))
    second = type(first)(tmp_path / "second")
    return first, second


def push(tree: Any, *files: str) -> None:
    for file in files:
        tree.fill({file: file}).commit()
    tree.git("push", "-q", "origin", "main")


def refs(tree: Any) -> dict[str, str]:
    listed = tree.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return {name: commit for name, _, commit in (line.partition(" ") for line in listed)}


def test_distance_is_read_from_local_refs_and_grows_by_a_fetch(cloned: tuple[Any, Any]) -> None:
    first, second = cloned
    push(second, "b.py", "c.py")
    first.fill({"own.py": ""}).commit()
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    assert (followed.name, followed.remote, followed.branch) == ("origin/main", "origin", "refs/heads/main")
    assert distance(git, followed) == Distance(behind=0, ahead=1)
    before, listed = refs(first), first.listed()

    fetch(git, followed)

    assert distance(git, followed) == Distance(behind=2, ahead=1)
    assert first.listed() == listed
    after = refs(first)
    assert {name for name in after if after[name] != before.get(name)} == {"refs/remotes/origin/main"}
    assert first.git("status", "--porcelain") == ""


def test_nothing_is_followed_without_a_branch_a_remote_or_a_repository(
    repository: Make, cloned: tuple[Any, Any], tmp_path: Path
) -> None:
    assert upstream(Git(str(repository("alone").fill({"a": ""}).commit().root))) is None
    assert upstream(Git(str(tmp_path))) is None
    first, _ = cloned
    first.git("checkout", "-q", "--detach")
    assert upstream(Git(str(first.root))) is None


def test_an_upstream_that_was_never_fetched_has_no_distance(cloned: tuple[Any, Any]) -> None:
    first, _ = cloned
    first.git("update-ref", "-d", "refs/remotes/origin/main")
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    assert distance(git, followed) is None
    fetch(git, followed)
    assert distance(git, followed) == Distance(0, 0)


def test_a_local_upstream_needs_no_fetch(cloned: tuple[Any, Any]) -> None:
    first, _ = cloned
    first.git("checkout", "-q", "-b", "topic")
    first.git("branch", "-q", "--set-upstream-to=main")
    first.fill({"t.py": ""}).commit()
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    fetch(git, followed)
    assert (followed.name, distance(git, followed)) == ("main", Distance(0, 1))


def test_a_fetch_runs_nothing_that_the_repository_names(cloned: tuple[Any, Any], tmp_path: Path) -> None:
    first, second = cloned
    push(second, "b.py")
    proof = tmp_path / "it-ran"
    evil = program(tmp_path / "evil", proof)
    for hook in ("reference-transaction", "post-fetch", "pre-auto-gc", "post-merge", "fsmonitor-watchman"):
        program(first.root / ".git/hooks" / hook, proof)
    for name, value in {
        "core.sshCommand": evil,
        "core.askPass": evil,
        "core.fsmonitor": evil,
        "core.hooksPath": str(first.root / ".git/hooks"),
        "credential.helper": f"!{evil}",
        "remote.origin.uploadpack": evil,
        "core.alternateRefsCommand": evil,
        "alias.fetch": f"!{evil}",
        "protocol.ext.allow": "always",
        "gc.auto": "1",
        "maintenance.auto": "true",
        "fetch.prune": "true",
        "remote.origin.prune": "true",
    }.items():
        first.git("config", name, value)
    first.git("config", "--add", "remote.origin.fetch", "+refs/heads/*:refs/heads/stolen/*")
    first.git("config", "--add", "remote.origin.fetch", "+refs/heads/main:refs/tags/stolen")
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    fetch(git, followed)
    assert distance(git, followed) == Distance(1, 0)
    assert not proof.exists(), proof.read_text()
    assert not [name for name in refs(first) if "stolen" in name]


@pytest.mark.parametrize("how", ["ext", "vcs", "option", "upload-pack in the address"])
def test_no_remote_runs_a_command(cloned: tuple[Any, Any], tmp_path: Path, how: str) -> None:
    first, _ = cloned
    proof = tmp_path / "it-ran"
    evil = program(tmp_path / "evil", proof)
    if how == "ext":
        first.git("config", "remote.origin.url", f"ext::{evil} %S")
        first.git("config", "protocol.ext.allow", "always")
    elif how == "vcs":
        first.git("config", "remote.origin.vcs", "ext")
    elif how == "option":
        first.git("config", "remote.origin.url", f"ssh://-oProxyCommand={evil}/x")
    else:
        first.git("config", "remote.origin.url", f"--upload-pack={evil}")
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    with pytest.raises(FetchError) as caught:
        fetch(git, followed)
    assert str(caught.value)
    assert not proof.exists()


def test_the_user_may_forbid_a_transport(cloned: tuple[Any, Any]) -> None:
    first, _ = cloned
    with (Path(os.environ["HOME"]) / ".gitconfig").open("a") as configuration:
        configuration.write('[protocol "file"]\n\tallow = never\n')
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    with pytest.raises(FetchError, match="not allowed"):
        fetch(git, followed)


def test_a_fetch_that_fails_says_why_without_a_password(cloned: tuple[Any, Any]) -> None:
    first, _ = cloned
    first.git("config", "remote.origin.url", "http://user:hunter2@127.0.0.1:9/x.git")
    git = Git(str(first.root))
    followed = upstream(git)
    assert followed is not None
    with pytest.raises(FetchError) as caught:
        fetch(git, followed)
    assert "127.0.0.1" in str(caught.value)
    assert "hunter2" not in str(caught.value)
