"""Text files inside packages, read from the archives themselves: nothing is unpacked, so no name can lead astray."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

MAX_BYTES = 400_000
"""Larger files are data or generated."""


def members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the wanted files of a package: a wheel, a tarball, or a Debian package.

    Raises:
        ValueError: for a file that is no archive of a known kind.
        OSError, tarfile.TarError, zipfile.BadZipFile: where the archive is damaged.
    """
    name = archive.name
    if name.endswith((".whl", ".zip")):
        yield from _zipped(archive, wanted)
    elif name.endswith(".deb"):
        content = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(content)) as opened:
            yield from _tarred(opened, wanted)
    elif ".tar." in name or name.endswith((".tgz", ".tar")):
        with tarfile.open(archive) as opened:
            yield from _tarred(opened, wanted)
    else:
        raise ValueError(f"{archive} is no wheel, tarball or Debian package")


def _zipped(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if not info.is_dir() and info.file_size <= MAX_BYTES and wanted(info.filename):
                yield info.filename, opened.read(info)


def _tarred(opened: tarfile.TarFile, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    for info in opened:
        path = info.name.removeprefix("./")
        if info.isreg() and info.size <= MAX_BYTES and wanted(path):
            content = opened.extractfile(info)
            if content is not None:
                yield path, content.read()
