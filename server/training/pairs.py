"""Step 2: pairs of what a person might ask and the code that answers, from the fetched packages.

`python -m training.pairs WORK [--evaluation FOLDER ...] [--queries FILE]` reads the packages that `training.fetch`
left in `WORK` through the product's own outlines and writes `WORK/pairs/`, one file a package; a run that was stopped
goes on where it was. What occurs in the excluded projects, in the trees of `--evaluation` or as a query in `--queries`
goes into `WORK/fingerprints.msgpack`, and `read_pairs` leaves out whatever is like it.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import subprocess
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from pilotfish.syntax.languages import HEAD_SIZE, detect
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import decode
from training.archives import MAX_BYTES, members
from training.csharp import csharp_examples
from training.examples import Example, Kind, examples_of
from training.exclusions import Fingerprints, is_copy, is_generated, is_test
from training.fetch import Source

log = logging.getLogger("training.pairs")

FAMILIES = {
    "python": "python",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
    "go": "go",
    "rust": "rust",
    "java": "java",
    "c": "c",
    "cpp": "c",
    "ruby": "ruby",
}
"""The languages that are learnt from, by the family in which they are counted; C# comes on top."""

_CSHARP = ".cs"

PAIRS, FINGERPRINTS = "pairs", "fingerprints.msgpack"

MAX_FILES = {"dsc": 200, "deb": 30, "npm": 60, "pypi": 60}
"""Files of a package, in random order, by registry: many packages teach more than much of one, but Java, C, C++ and C#
come from few, large source packages."""

MAX_CSHARP_FILES = 1_500
"""C# comes from a handful of packages."""

MAX_PAIRS: dict[Kind, int] = {"documentation": 400, "remark": 150, "name": 100}
"""Pairs of a package; of a Debian source package, which is often several projects in one, three times as many."""

_MIN_BYTES = 300


class Pair(msgspec.Struct, array_like=True):
    """A question and the passage that answers it; `kind` says how the question came about."""

    question: str
    passage: str
    package: str
    family: str
    kind: str


class Reader:
    """Reads source files, through the same code as the product does where it reads their language."""

    def __init__(self) -> None:
        self._outliner = Outliner()

    def examples(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Example]]:
        """Yield what the files in one of the languages teach, with the family of the language."""
        for path, data in files:
            if len(data) < _MIN_BYTES:
                continue
            language = detect(path, data[:HEAD_SIZE])
            if language in FAMILIES:
                text = decode(data).text
                for example in examples_of(text, self._outliner.outline(text, language)):
                    yield FAMILIES[language], example
            elif path.endswith(_CSHARP):
                for example in csharp_examples(decode(data).text.replace(b"\r\n", b"\n")):
                    yield "csharp", example


def pairs_of(source: Source, reader: Reader) -> list[Pair]:
    """The pairs of one package: at most `MAX_PAIRS` of a kind, drawn evenly."""
    rng = random.Random(source.name)
    found: dict[tuple[str, str], Pair] = {}
    package = f"{source.registry}:{source.name}"
    for family, example in reader.examples(_sources(source, rng)):
        pair = Pair(example.sentence, example.passage, package, family, example.kind)
        found.setdefault((example.kind, example.sentence.lower()), pair)
    kinds = [[pair for pair in found.values() if pair.kind == kind] for kind in MAX_PAIRS]
    room = [3 * most if source.registry == "dsc" else most for most in MAX_PAIRS.values()]
    drawn = (rng.sample(pairs, min(most, len(pairs))) for pairs, most in zip(kinds, room, strict=True))
    return [pair for pairs in drawn for pair in pairs]


def _code_part(passage: str) -> str:
    return passage.partition("\n")[2] or passage


def _sources(source: Source, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """The files of a package that may be learnt from, in random order, so that a limit draws evenly."""

    def wanted(path: str) -> bool:
        return (
            _is_source(path)
            and not (is_copy(_inside(path)) or is_test(_inside(path)) or is_generated(path))
            and source.terms.covers(path)
        )

    files = [file for archive in source.archives for file in members(Path(archive), wanted)]
    rng.shuffle(files)
    csharp = [file for file in files if file[0].endswith(_CSHARP)]
    yield from csharp[:MAX_CSHARP_FILES]
    yield from [file for file in files if not file[0].endswith(_CSHARP)][: MAX_FILES[source.registry]]


def _inside(path: str) -> str:
    """A path without the folders in which packaging puts a package, which say what it is for and not what it is."""
    for place in (
        "usr/share/gocode/src/",
        "usr/share/cargo/registry/",
        "usr/share/rubygems-integration/all/gems/",
        "package/",
    ):
        path = path.removeprefix(place)
    return path


def _is_source(path: str) -> bool:
    language = detect(path, None)
    return language in FAMILIES or path.endswith((".h", _CSHARP))


def fingerprints_of(archives: Sequence[Path], trees: Sequence[Path], queries: Path | None) -> Fingerprints:
    """What must not occur: sentences, documentation and code of packages and trees, and the queries of a set."""
    barred, reader = Fingerprints(), Reader()
    packaged = (file for archive in archives for file in members(archive, _is_source))
    for files in (packaged, *(_tree(tree) for tree in trees)):
        for _, example in reader.examples(files):
            if example.kind != "name":
                barred.add((example.sentence, example.prose, _code_part(example.passage)))
    if queries is not None:
        lines = queries.read_text("utf-8").splitlines()
        barred.add(json.loads(line)["query"] for line in lines)
    return barred


def _tree(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if _is_source(relative) and path.is_file() and path.stat().st_size <= MAX_BYTES:
            yield relative, path.read_bytes()


def collect(sources: Sequence[Source], folder: Path) -> None:
    """Make the pairs of all packages, one file each; those that are there already are kept."""
    reader, counts = Reader(), Counter[str]()
    for number, source in enumerate(sources):
        target = folder / f"{source.registry}+{source.name.replace('/', '+')}.msgpack"
        if target.exists():
            continue
        try:
            pairs = pairs_of(source, reader)
        except (OSError, ValueError, tarfile.TarError, zipfile.BadZipFile, subprocess.CalledProcessError) as error:
            log.warning("%s: %s", source.name, error)
            continue
        partial = target.with_suffix(".partial")
        partial.write_bytes(msgspec.msgpack.encode(pairs))
        partial.replace(target)
        counts.update(f"{pair.family} {pair.kind}" for pair in pairs)
        if number % 20 == 19:
            log.info("%d of %d packages: %s", number + 1, len(sources), dict(counts))
    log.info("all packages: %s", dict(counts))


def read_pairs(work: Path) -> list[Pair]:
    """All pairs that may be learnt from, each passage once for every kind.

    Raises:
        FileNotFoundError: where there are no pairs or no fingerprints.

    """
    barred = Fingerprints(msgspec.msgpack.decode((work / FINGERPRINTS).read_bytes(), type=set[bytes]))
    seen: set[tuple[str, str]] = set()
    pairs: list[Pair] = []
    for file in sorted((work / PAIRS).glob("*.msgpack")):
        for pair in msgspec.msgpack.decode(file.read_bytes(), type=list[Pair]):
            place = (pair.kind, pair.passage)
            if place not in seen and pair.question not in barred and _code_part(pair.passage) not in barred:
                seen.add(place)
                pairs.append(pair)
    if not pairs:
        raise FileNotFoundError(f"{work / PAIRS} holds no pairs: run training.pairs first")
    return pairs


def main() -> None:
    """Make the pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--evaluation", type=Path, nargs="*", default=[], help="trees whose content must not occur")
    parser.add_argument("--queries", type=Path, help="JSON lines whose `query` must not occur")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    sources = msgspec.json.decode((arguments.work / "sources.json").read_bytes(), type=list[Source])
    (arguments.work / PAIRS).mkdir(exist_ok=True)
    training = [source for source in sources if source.use == "train"]
    random.Random(1).shuffle(training)
    collect(training, arguments.work / PAIRS)
    excluded = [Path(archive) for source in sources if source.use == "exclude" for archive in source.archives]
    barred = fingerprints_of(excluded, arguments.evaluation, arguments.queries)
    (arguments.work / FINGERPRINTS).write_bytes(msgspec.msgpack.encode(barred.seen))
    log.info("%d fingerprints of what must not be learnt", len(barred.seen))


if __name__ == "__main__":
    main()
