"""Where indexes lie, and which of them go."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pilotfish.store import locations
from pilotfish.store.errors import CatalogError
from pilotfish.store.locations import (
    claim,
    claim_vectors,
    clear,
    index_folder,
    indexes_folder,
    list_indexes,
    prune,
    vectors_folder,
)

DAY = 86_400.0


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"PILOTFISH_HOME": str(tmp_path / "home")}


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "work" / name for name in ("one", "two", "ß ü")]
    for root in made:
        root.mkdir(parents=True)
    return made


def held(*roots: Path) -> locations.IsHeld:
    return lambda root: root in map(str, roots)


def test_each_root_and_version_has_a_folder(
    roots: list[Path], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {index_folder(root, environment=environment) for root in roots}
    assert len(folders) == len(roots)
    monkeypatch.setattr(locations, "SCHEMA_VERSION", 99)
    assert index_folder(roots[0], environment=environment) not in folders
    assert not Path(environment["PILOTFISH_HOME"]).exists()  # asking makes nothing


def test_the_places(
    roots: list[Path], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert index_folder(roots[0], "workspace", {}).parent == roots[0] / ".pilotfish"
    assert indexes_folder({}).is_relative_to(tmp_path / "cache") or os.name != "posix" or os.uname().sysname == "Darwin"
    assert index_folder(roots[0], "workspace", environment).is_relative_to(environment["PILOTFISH_HOME"])


def test_a_claimed_folder_is_private_and_listed(roots: list[Path], environment: dict[str, str]) -> None:
    for number, root in enumerate(roots):
        place = claim(root, environment=environment, now=100.0 + number)
        assert place.warning == ""
        assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700
    entries = list_indexes(indexes_folder(environment))
    assert [entry.root for entry in entries] == [str(root) for root in reversed(roots)]
    assert [entry.gone_since for entry in entries] == [None] * 3


def test_in_the_workspace_it_hides_from_git(roots: list[Path]) -> None:
    place = claim(roots[0], "workspace", {})
    assert "*\n" in (roots[0] / ".pilotfish" / ".gitignore").read_text()
    assert place.folder.is_dir()


def test_a_link_in_the_workspace_leads_nowhere(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locations.tempfile, "tempdir", str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (roots[0] / ".pilotfish").symlink_to(elsewhere)
    place = claim(roots[0], "workspace", {})
    assert "link" in place.warning
    assert list(elsewhere.iterdir()) == []


def test_without_a_writable_home_a_temporary_folder_serves_with_a_warning(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(locations.tempfile, "tempdir", str(temporary))
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    environment = {"PILOTFISH_HOME": str(blocked)}
    place = claim(roots[0], environment=environment)
    assert place.folder.is_relative_to(temporary)
    assert str(blocked) in place.warning
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700
    temporary_home = temporary / f"pilotfish-{os.getuid()}"
    temporary_home.chmod(0o777)  # someone else may write there: it is not ours any more
    assert not claim(roots[0], environment=environment).folder.is_relative_to(temporary_home)
    monkeypatch.setattr(locations.tempfile, "tempdir", str(blocked))
    with pytest.raises(CatalogError, match="PILOTFISH_HOME"):
        claim(roots[0], environment=environment)


def test_pruning_waits_thirty_days_for_a_root_to_come_back(roots: list[Path], environment: dict[str, str]) -> None:
    base = indexes_folder(environment)
    for root in roots:
        claim(root, environment=environment, now=0.0)
    roots[0].rmdir()
    roots[1].rmdir()
    assert prune(base, is_held=held(), now=0.0) == []
    roots[1].mkdir()
    assert prune(base, is_held=held(), now=29 * DAY) == []
    roots[1].rmdir()  # gone again: its thirty days begin anew
    gone = prune(base, is_held=held(), now=30 * DAY)
    assert [entry.root for entry in gone] == [str(roots[0])]
    assert prune(base, is_held=held(roots[1]), now=99 * DAY) == []
    assert {entry.root for entry in list_indexes(base)} == {str(roots[1]), str(roots[2])}


def test_under_the_ceiling_the_longest_unused_go_first(roots: list[Path], environment: dict[str, str]) -> None:
    base = indexes_folder(environment)
    for number, root in enumerate(roots):
        place = claim(root, environment=environment, now=float(number))
        (place.folder / "catalog.sqlite").write_bytes(b"x" * 10_000)
    gone = prune(base, is_held=held(roots[0], roots[2]), ceiling_bytes=25_000)
    assert [entry.root for entry in gone] == [str(roots[1])]
    assert prune(base, is_held=held(roots[0], roots[2]), ceiling_bytes=0) == []


def test_clearing_spares_an_engine_at_work(roots: list[Path], environment: dict[str, str]) -> None:
    base = indexes_folder(environment)
    for root in roots:
        claim(root, environment=environment)
    (base / "not ours").mkdir()
    deleted, left = clear(base, is_held=held(roots[1]))
    assert {entry.root for entry in deleted} == {str(roots[0]), str(roots[2])}
    assert [entry.root for entry in left] == [str(roots[1])]
    assert clear(base, is_held=held(), root=str(roots[1]))[0][0].root == str(roots[1])
    assert [path.name for path in base.iterdir()] == ["not ours"]


def test_vector_caches_lie_by_repository_and_are_pruned_like_indexes(
    roots: list[Path], environment: dict[str, str]
) -> None:
    first, second = (claim_vectors(root, environment, now=100.0).folder for root in roots[:2])
    assert first == claim_vectors(roots[0], environment, now=200.0).folder != second
    assert stat.S_IMODE(first.stat().st_mode) == 0o700
    base = vectors_folder(environment)
    assert [entry.root for entry in list_indexes(base)] == [str(roots[0]), str(roots[1])]
    roots[1].rmdir()
    prune(base, is_held=held(), now=1_000.0)
    assert [entry.root for entry in prune(base, is_held=held(), now=1_000.0 + 31 * DAY)] == [str(roots[1])]
    assert first.exists()
    assert not second.exists()


def test_a_place_for_vectors_that_cannot_be_written_is_replaced(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    place = claim_vectors(roots[0], {"PILOTFISH_HOME": str(tmp_path / "file")})
    assert place.folder.is_dir()
    assert "PILOTFISH_HOME" in place.warning


def test_a_cache_in_the_temporary_folder_goes_when_nobody_has_used_it_for_a_day(
    roots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locations.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "a file").touch()
    assert locations.spare_folders() == ()
    environment = {"PILOTFISH_HOME": str(tmp_path / "a file" / "home")}
    used = [claim(root, environment=environment, now=now) for root, now in zip(roots, (0, 0, DAY), strict=True)]
    assert all(place.warning for place in used)
    assert all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in used[0].folder.parents[:2])
    gone = prune(*locations.spare_folders(), is_held=held(roots[0]), now=DAY, unused_s=locations.SPARE_KEPT_S)
    assert [entry.root for entry in gone] == [str(roots[1])]
    assert [place.folder.is_dir() for place in used] == [True, False, True]
