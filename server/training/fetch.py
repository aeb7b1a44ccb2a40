"""Step 1: fetch the packages that the table is trained on, and check what they allow.

`python -m training.fetch WORK` downloads every row of `sources.tsv` by its name and version through the ordinary
clients (pip, npm, apt-get) into `WORK/archives`, checks the hashes, reads the licences and writes `WORK/sources.json`.
`--pin` asks for the newest version of rows without one and writes versions, licences and hashes back into the list.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from training.archives import members
from training.licences import LICENCE_FILE, Terms, terms_of

log = logging.getLogger("training.fetch")
LIST = Path(__file__).with_name("sources.tsv")
_HEADER = "registry\tname\tversion\tlicence\tuse\tsha256"
_APT_BATCH = 40
_PIP = ("download", "--quiet", "--no-deps", "--only-binary=:all:", "--ignore-requires-python")
"""Wheels only: a source distribution would run its own code to say what it is."""


class Source(msgspec.Struct):
    """One package: where it comes from, and what it is for.

    `registry` is `pypi`, `npm`, `deb` (a Debian binary package) or `dsc` (a Debian source package: its original
    tarball and Debian's own part). `use` is `train`, `teacher` (the model that is distilled) or `exclude` (evaluation
    projects, read only for their fingerprints).
    """

    registry: str
    name: str
    version: str = ""
    licence: str = ""
    use: str = "train"
    sha256: str = ""
    restricted: list[str] = []
    archives: list[str] = []

    @property
    def terms(self) -> Terms:
        """What the package allows."""
        return Terms(self.licence, tuple(self.restricted))


def read_list(path: Path = LIST) -> list[Source]:
    """Read the list of packages; raises ValueError for a line that is not one."""
    lines = path.read_text("utf-8").splitlines()
    if lines[0] != _HEADER:
        raise ValueError(f"{path} does not begin with the columns {_HEADER!r}")
    rows = (line.split("\t") for line in lines[1:] if line)
    return [Source(registry, name, version, licence, use, sha) for registry, name, version, licence, use, sha in rows]


def write_list(sources: Iterable[Source], path: Path = LIST) -> None:
    """Write the list of packages in order of registry and name."""
    rows = sorted((s.use, s.registry, s.name, s.version, s.licence, s.sha256) for s in sources)
    lines = [
        "\t".join([registry, name, version, licence, use, sha]) for use, registry, name, version, licence, sha in rows
    ]
    path.write_text("\n".join([_HEADER, *lines]) + "\n", "utf-8")


class Registries:
    """The package clients, each downloading into one folder per package."""

    def __init__(self, work: Path) -> None:
        self._archives = work / "archives"
        self._apt = _AptSources(work / "apt")

    def fetch(self, sources: Sequence[Source]) -> None:
        """Download what is not there yet; what cannot be had is logged and left without archives."""
        missing = [source for source in sources if not self.archives(source)]
        for registry in ("deb", "dsc"):
            wanted = [source for source in missing if source.registry == registry]
            for start in range(0, len(wanted), _APT_BATCH):
                self._from_apt(registry, wanted[start : start + _APT_BATCH])
        others = [source for source in missing if source.registry in {"pypi", "npm"}]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self._from_client, others))
        for source in sources:
            source.archives = [str(path) for path in self.archives(source)]

    def archives(self, source: Source) -> list[Path]:
        """The files of a package that are here, the original before Debian's part."""
        folder = self._folder(source)
        return (
            sorted(folder.iterdir(), key=lambda path: (".debian." in path.name, path.name)) if folder.is_dir() else []
        )

    def _folder(self, source: Source) -> Path:
        return self._archives / source.registry / source.name.replace("/", "+")

    def _from_client(self, source: Source) -> None:
        wanted = f"{source.name}=={source.version}" if source.version else source.name
        if source.registry == "npm":
            wanted = f"{source.name}@{source.version or 'latest'}"
        with tempfile.TemporaryDirectory(dir=self._archives.parent) as scratch:
            commands = {
                "pypi": ["pip", *_PIP, "--dest", scratch, wanted],
                "npm": ["npm", "pack", "--silent", "--pack-destination", scratch, wanted],
            }
            if _run(commands[source.registry], self._archives.parent):
                self._keep(source, list(Path(scratch).iterdir()))

    def _from_apt(self, registry: str, batch: Sequence[Source]) -> None:
        with tempfile.TemporaryDirectory(dir=self._archives.parent) as scratch:
            names = [f"{source.name}={source.version}" if source.version else source.name for source in batch]
            command = (
                ["apt-get", "download", "--quiet", *names]
                if registry == "deb"
                else ["apt-get", *self._apt.options(), "source", "--quiet", "--download-only", "--only-source", *names]
            )
            if not _run(command, Path(scratch)) and len(batch) > 1:
                for source in batch:
                    self._from_apt(registry, [source])
                return
            for source in batch:
                found = [path for path in Path(scratch).glob(f"{source.name}_*") if _is_archive(path)]
                if not found and registry == "dsc":
                    log.warning("%s is built from a source package of another name", source.name)
                self._keep(source, found)

    def _keep(self, source: Source, files: Sequence[Path]) -> None:
        if files:
            folder = self._folder(source)
            folder.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.move(file, folder / file.name)


class _AptSources:
    """A private view of the configured Debian archive with its source packages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = False

    def options(self) -> list[str]:
        options = [
            "-oDir::Etc::sourcelist=/dev/null",
            f"-oDir::Etc::sourceparts={self._folder / 'parts'}",
            f"-oDir::State::lists={self._folder / 'lists'}",
            f"-oDir::Cache={self._folder / 'cache'}",
            "-oAPT::Sandbox::User=root",
        ]
        if not self._ready:
            for part in ("parts", "lists/partial", "cache/archives/partial"):
                (self._folder / part).mkdir(parents=True, exist_ok=True)
            for file in Path("/etc/apt/sources.list.d").glob("*.sources"):
                text = re.sub(r"^Types: deb$", "Types: deb-src", file.read_text("utf-8"), flags=re.MULTILINE)
                (self._folder / "parts" / file.name).write_text(text, "utf-8")
            _run(["apt-get", *options, "--quiet", "update"], self._folder)
            self._ready = True
        return options


def _is_archive(path: Path) -> bool:
    return path.name.endswith(".deb") or (".tar." in path.name and not path.name.endswith(".asc"))


def _run(command: list[str], folder: Path) -> bool:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1_800, check=False)
    if done.returncode:
        log.warning("%s: %s", " ".join(command[:4]), (done.stderr or done.stdout).strip()[-300:])
    return done.returncode == 0


def examine(source: Source, archives: Sequence[Path]) -> None:
    """Fill in version, licence and hash from the downloaded files.

    Raises:
        ValueError: when the files are not those of the list.
    """
    digest = hashlib.sha256()
    for archive in archives:
        digest.update(archive.read_bytes())
    if source.sha256 and source.sha256 != digest.hexdigest():
        raise ValueError(f"{source.registry} package {source.name} {source.version} is not the file that was listed")
    terms = terms_of(source.registry, dict(_legal_texts(archives)))
    source.sha256, source.licence, source.restricted = digest.hexdigest(), terms.licence, list(terms.restricted)
    source.version = source.version or _version(source, archives[0])


def _legal_texts(archives: Sequence[Path]) -> Iterator[tuple[str, str]]:
    def is_legal(path: str) -> bool:
        return path.count("/") <= 5 and (
            path.endswith((".dist-info/METADATA", "PKG-INFO", "package/package.json"))
            or bool(LICENCE_FILE.search(path))
        )

    # Debian's own part of a source package says it all, and the original may be large.
    is_source = any(".orig" in archive.name for archive in archives)
    for archive in archives:
        if is_source and ".debian.tar" not in archive.name:
            continue
        for path, content in members(archive, is_legal):
            yield path, content.decode("utf-8", "replace")


def _version(source: Source, archive: Path) -> str:
    if source.registry in {"deb", "dsc"}:
        command = ["apt-cache", "policy", source.name]
        if source.registry == "deb":
            return archive.name.split("_")[1].replace("%3a", ":")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return archive.name.split("_")[1].split(".orig")[0] if done else ""
    stem = re.sub(r"\.(tgz|tar\.gz|whl|zip)$", "", archive.name)
    if source.registry == "pypi":
        return stem.split("-")[1]
    return stem.removeprefix(source.name.replace("@", "").replace("/", "-") + "-")


def fetch(work: Path, sources: list[Source], keep: Callable[[Source], bool]) -> list[Source]:
    """Download and examine packages; returns those that are here and may be used, and says what was left out."""
    registries = Registries(work)
    (work / "archives").mkdir(parents=True, exist_ok=True)
    registries.fetch(sources)
    usable = []
    for source in sources:
        archives = registries.archives(source)
        if not archives:
            log.warning("%s package %s could not be had", source.registry, source.name)
            continue
        examine(source, archives)
        if keep(source):
            usable.append(source)
        else:
            log.warning("%s package %s has no permissive licence", source.registry, source.name)
    (work / "sources.json").write_bytes(msgspec.json.format(msgspec.json.encode(usable), indent=1))
    return usable


def main() -> None:
    """Fetch what the list names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for downloads and results, outside the repository")
    parser.add_argument("--pin", action="store_true", help="write versions, licences and hashes back into the list")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    work = arguments.work.resolve()
    usable = fetch(work, read_list(), lambda source: source.use == "exclude" or bool(source.licence))
    if arguments.pin:
        write_list(usable)
    log.info("%d packages", len(usable))


if __name__ == "__main__":
    main()
