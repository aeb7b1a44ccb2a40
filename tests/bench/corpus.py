"""Fetches the pinned corpus of `corpus.toml` into a folder: packages from PyPI, npm and Debian, not installed.

    python -m tests.bench.corpus [FOLDER]      # default: $PILOTFISH_CORPUS, else the user's cache folder

A package that is there already is not fetched again. Debian drops old versions: where the pinned one is gone the
newest of the same upstream version is taken, and the table says so.
"""

from __future__ import annotations

import collections
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

LIST = Path(__file__).with_name("corpus.toml")
MAX_SHARE = 0.35


@dataclass(frozen=True)
class Package:
    """One line of the list."""

    registry: str
    name: str
    version: str
    keep: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The name under which it is unpacked."""
        return f"{self.name.replace('/', '-').lstrip('@')}-{self.version.replace(':', '_')}"


def packages() -> list[Package]:
    """Return the pinned list."""
    entries = tomllib.loads(LIST.read_text("utf-8"))["package"]
    return [Package(each["registry"], each["name"], each["version"], tuple(each.get("keep", ()))) for each in entries]


def default_folder() -> Path:
    """Return where the corpus is kept."""
    chosen = os.environ.get("PILOTFISH_CORPUS")
    return Path(chosen) if chosen else platformdirs.user_cache_path("pilotfish-bench") / "corpus"


def fetch(folder: Path) -> Path:
    """Bring every package of the list into `folder` and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in packages():
        target = folder / package.folder
        if target.exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as scratch:
            top = _FETCH[package.registry](package, Path(scratch))
            _keep(top, package.keep, target)
    return folder


def _run(*command: str, cwd: Path) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _fetch_pypi(package: Package, scratch: Path) -> Path:
    """Take the wheel: to fetch a source distribution, pip would run its build."""
    requirement = f"{package.name}=={package.version}"
    _run(sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary", ":all:", requirement, cwd=scratch)
    return _unzip(next(scratch.glob("*.whl")), scratch / "unpacked")


def _fetch_npm(package: Package, scratch: Path) -> Path:
    _run("npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}", cwd=scratch)
    return _unpack(next(scratch.glob("*.tgz")), scratch / "unpacked")


def _fetch_debian(package: Package, scratch: Path) -> Path:
    try:
        _run("apt-get", "-q", "download", f"{package.name}={package.version}", cwd=scratch)
    except subprocess.CalledProcessError:
        print(f"{package.name} {package.version} is gone from the archive; taking the newest", file=sys.stderr)
        _run("apt-get", "-q", "download", package.name, cwd=scratch)
    unpacked = scratch / "unpacked"
    _run("dpkg", "-x", str(next(scratch.glob("*.deb"))), str(unpacked), cwd=scratch)
    for inner in sorted(unpacked.rglob("src.zip")):  # the JDK's sources
        return _unzip(inner, scratch / "inner")
    for inner in sorted(unpacked.rglob("*.tar.xz")):  # `-source` packages
        return _unpack(inner, scratch / "inner")
    return _largest(unpacked)


_FETCH = {"pypi": _fetch_pypi, "npm": _fetch_npm, "debian": _fetch_debian}


def _unzip(archive: Path, target: Path) -> Path:
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(target)
    return target


def _unpack(archive: Path, target: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(target, filter="data")
    return _largest(target)


def _largest(folder: Path) -> Path:
    """Go down while there is nothing but one folder."""
    children = list(folder.iterdir())
    while len(children) == 1 and children[0].is_dir():
        folder = children[0]
        children = list(folder.iterdir())
    return folder


def _keep(top: Path, keep: tuple[str, ...], target: Path) -> None:
    if not keep:
        shutil.move(top, target)
        return
    for inner in keep:
        found = top / inner
        if not found.exists():
            found = next(path for path in sorted(top.rglob(Path(inner).name)) if path.as_posix().endswith(f"/{inner}"))
        shutil.copytree(found, target / inner, symlinks=True)


def files(folder: Path) -> Iterator[Path]:
    """Yield the regular files below a folder, in order."""
    for directory, names, found in os.walk(folder):
        names.sort()
        for name in sorted(found):
            path = Path(directory, name)
            if path.is_file() and not path.is_symlink():
                yield path


def main() -> int:
    """Fetch, and print how many files and bytes each language has."""
    from pilotfish.syntax.languages import detect

    folder = fetch(Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder())
    count: collections.Counter[str] = collections.Counter()
    size: collections.Counter[str] = collections.Counter()
    for path in files(folder):
        with path.open("rb") as file:
            language = detect(path.relative_to(folder).as_posix(), file.read(4_096), {}) or "(none)"
        count[language] += 1
        size[language] += path.stat().st_size
    code = sum(amount for language, amount in size.items() if language != "(none)")
    print(f"{folder}: {sum(count.values()):,} files, {sum(size.values()) / 1e6:.1f} MB, code {code / 1e6:.1f} MB")
    for language, amount in size.most_common():
        share = amount / code if language != "(none)" else 0
        print(f"{language:12} {count[language]:7,} files {amount / 1e6:8.1f} MB {share:6.1%}")
    largest = max(amount for language, amount in size.items() if language != "(none)")
    return 0 if largest <= MAX_SHARE * code else 1


if __name__ == "__main__":
    sys.exit(main())
