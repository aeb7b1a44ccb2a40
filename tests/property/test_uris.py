"""Paths survive the way to a URI and back, in every spelling that clients use."""

from __future__ import annotations

import re
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from pilotfish.workspace.paths import is_relative_path, path_from_uri, relative, uri_from_path

name = st.one_of(
    st.sampled_from(["a b", "c#1", "100%", "%41", "😀", "e\u0301", "é", "q?x", "a:b", "[x]", "+", "caf\udce9", "\\"]),
    st.text(st.characters(exclude_characters="/\0\\", exclude_categories=["Cs"]), min_size=1, max_size=6),
)
parts = st.lists(name, min_size=1, max_size=4)
windows_name = name.filter(lambda text: not re.search(r'[\\:?|<>"*\udc80-\udcff]', text))
windows_parts = st.lists(windows_name, min_size=1, max_size=4)


@given(parts)
def test_posix_round_trip(path_parts: list[str]) -> None:
    path = "/" + "/".join(path_parts)
    uri = uri_from_path(path, windows=False)
    assert re.fullmatch(r"file:///[A-Za-z0-9._~%/-]*", uri)
    assert path_from_uri(uri, windows=False) == path


@given(windows_parts, st.sampled_from("cZ"), st.sampled_from(["{}:", "{}%3A", "{}%3a"]), st.booleans())
def test_windows_drives_in_every_spelling(path_parts: list[str], drive: str, spelling: str, raw: bool) -> None:
    tail = "/".join(path_parts)
    quoted = quote(tail, safe="/!$&'()*+,;=:@") if not raw or "%" in tail else tail
    path = f"{drive.upper()}:\\" + tail.replace("/", "\\")
    assert path_from_uri(f"file:///{spelling.format(drive)}/{quoted}", windows=True) == path
    assert path_from_uri(uri_from_path(path, windows=True), windows=True) == path
    assert path_from_uri(uri_from_path("\\\\?\\" + path, windows=True), windows=True) == path


@given(windows_parts)
def test_network_shares(path_parts: list[str]) -> None:
    path = "\\\\server\\share\\" + "\\".join(path_parts)
    uri = uri_from_path(path, windows=True)
    assert uri.startswith("file://server/share/")
    assert path_from_uri(uri, windows=True) == path
    assert path_from_uri(uri_from_path("\\\\?\\UNC" + path[1:], windows=True), windows=True) == path


@given(st.text(max_size=12), st.text(max_size=12))
def test_nothing_climbs_out(root_name: str, tail: str) -> None:
    found = relative(f"/top/{root_name.replace('/', '')}x", f"/top/{root_name.replace('/', '')}x/{tail}")
    assert found is None or found == "" or ".." not in found.split("/")
    if is_relative_path(tail):
        assert found == tail


@given(st.text(max_size=30))
def test_any_uri_gives_a_path_or_none(uri: str) -> None:
    for windows in (False, True):
        for candidate in (uri, f"file:{uri}", f"file://{uri}", f"file:///{uri}"):
            path = path_from_uri(candidate, windows=windows)
            assert path is None or "\0" not in path
