from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilotfish.workspace.paths import (
    OutsideRootError,
    canonical,
    choose_root,
    contained,
    display,
    is_unsafe_root,
    open_inside,
    path_from_uri,
    resolve_inside,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/a.py").write_text("inside")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/a.py").write_text("outside")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "file-link.py").symlink_to(tmp_path / "secret/a.py")
    (root / "inner-link.py").symlink_to("pkg/a.py")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    return Path(canonical(root))


@pytest.mark.parametrize(
    "path",
    ["../secret/a.py", "pkg/../../secret/a.py", "/etc/passwd", "link/a.py", "file-link.py", "link", "a\0b"],
)
def test_nothing_outside_is_named_or_read(root: Path, path: str) -> None:
    with pytest.raises(OutsideRootError):
        resolve_inside(str(root), path)
    with pytest.raises((OutsideRootError, IsADirectoryError)):
        open_inside(str(root), path)
    assert contained(str(root), str(root / path) if path[0] != "/" else path) is None


def test_what_is_inside_is_read_without_passing_links(root: Path) -> None:
    with open(open_inside(str(root), "pkg/a.py")) as file:
        assert file.read() == "inside"
    assert resolve_inside(str(root), "pkg/a.py") == str(root / "pkg/a.py")
    assert contained(str(root), str(root / "inner-link.py")) == "pkg/a.py"
    assert contained(str(root), str(root / "not/yet.py")) == "not/yet.py"
    for path in ("inner-link.py", "pipe", "pkg", "pkg//a.py", "./pkg/a.py", ""):
        with pytest.raises(OutsideRootError):
            open_inside(str(root), path)
    with pytest.raises(FileNotFoundError):
        open_inside(str(root), "pkg/none.py")
    assert len(os.listdir("/proc/self/fd")) < 100


def test_root_reached_through_a_link_is_the_same_root(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert canonical(tmp_path / "alias") == str(root)
    assert contained(str(root), str(tmp_path / "alias/pkg/a.py")) == "pkg/a.py"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b", "/a/b"),
        ("FILE:///a%20b", "/a b"),
        ("file:/a/b", "/a/b"),
        ("file://localhost/a", "/a"),
        ("file:///a%2Fb#c?d", "/a/b#c?d"),
        ("file:///100%", "/100%"),
        ("file://host/a", None),
        ("untitled:Untitled-1", None),
        ("vscode-remote://x/a", None),
        ("file:///a%00b", None),
        ("file:", None),
    ],
)
def test_uris_as_clients_write_them(uri: str, path: str | None) -> None:
    assert path_from_uri(uri, windows=False) == path


def test_unsafe_roots() -> None:
    home = "/home/me"
    for path in ("/", "/home/me", "/home", "/etc", "/usr", "/proc/self", "/tmp"):
        assert is_unsafe_root(path, home=home, windows=False), path
    for path in ("/home/me/src", "/home/you", "/srv/app", "/tmp/x", "/usr/src/linux"):
        assert is_unsafe_root(path, home=home, windows=False) is None, path
    home = "C:\\Users\\me"
    for path in ("C:\\", "D:", "c:\\users\\ME", "C:\\Users", "C:\\Windows\\System32", "C:\\Program Files"):
        assert is_unsafe_root(path, home=home, windows=True), path
    for path in ("C:\\Users\\me\\src", "D:\\work", "\\\\server\\share\\x"):
        assert is_unsafe_root(path, home=home, windows=True) is None, path
    assert is_unsafe_root(canonical(Path.home()))


def test_choice_of_the_root(tmp_path: Path) -> None:
    top = Path(canonical(tmp_path)) / "top"
    folder = top / "repo/pkg/deep"
    folder.mkdir(parents=True)
    (top / "repo/inner/.git").mkdir(parents=True)
    repo = str(top / "repo")

    def choose(where: Path, live: list[str], toplevel: str | None) -> str:
        return choose_root(where, live, lambda _folder: toplevel).root

    assert choose(folder, [str(top), repo, str(folder / "x")], None) == repo
    assert choose(folder, [str(folder)], repo) == str(folder)
    assert choose(top, [repo], None) == repo
    assert choose(top, [repo, str(top / "other")], None) == str(top)
    assert choose(folder, [], repo) == repo
    assert choose(folder, [], "/") == str(folder)
    assert choose(folder, [], None) == str(folder)
    assert choose(top / "repo/inner", [repo], str(top / "repo/inner")) == str(top / "repo/inner")
    assert choose(folder, [f"{folder}-sibling"], None) == str(folder)
    for refused in (Path("/"), Path.home(), Path("/etc")):
        assert choose(refused, [f"{canonical(refused).rstrip('/')}/only"], None) == canonical(refused)


def test_display_is_printable_and_leaves_text_alone() -> None:
    assert display("é/😀.py") == "é/😀.py"
    assert display(os.fsdecode(b"caf\xe9/\xff\xc3\xa9")) == "caf%E9/%FFé"
