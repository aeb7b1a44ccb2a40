"""Step 2: pairs of what a person might ask and the code that answers, from the fetched packages.

`python -m training.pairs WORK [--evaluation FOLDER ...] [--queries FILE]` reads the packages that `training.fetch` left
in `WORK` through the product's own outlines and writes `WORK/pairs/`, one file a package. Whatever occurs in the
excluded projects, in the trees of `--evaluation` or as a query in `--queries` is left out.
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
from pilotfish.syntax.outline import Outline
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import decode
from training.archives import MAX_BYTES, members
from training.examples import Kind, examples_of
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
    "csharp": "csharp",
}
"""The languages that are learnt from, by the family in which they are counted."""

MAX_FILES = 80
"""Files of a package, in random order: many packages teach more than much of one."""

MAX_PAIRS: dict[Kind, int] = {"documentation": 400, "remark": 150, "name": 100}
_MIN_BYTES = 300


class Pair(msgspec.Struct, array_like=True):
    """A question and the passage that answers it; `kind` says how the question came about."""

    question: str
    passage: str
    package: str
    family: str
    kind: str


class Reader:
    """Reads source files, through the same code as the product does."""

    def __init__(self) -> None:
        self._outliner = Outliner()

    def outlines(self, files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes, Outline]]:
        """Yield path, text and outline of each file in one of the languages."""
        for path, data in files:
            language = detect(path, data[:HEAD_SIZE])
            if language in FAMILIES and len(data) >= _MIN_BYTES:
                text = decode(data).text
                yield path, text, self._outliner.outline(text, language)


def pairs_of(source: Source, reader: Reader, barred: Fingerprints) -> list[Pair]:
    """The pairs of one package: at most `MAX_PAIRS` of a kind, drawn evenly."""
    rng = random.Random(source.name)
    found: dict[tuple[str, str], Pair] = {}
    for _, text, outline in reader.outlines(_sources(source, rng)):
        family = FAMILIES[outline.language]
        for example in examples_of(text, outline):
            if not _is_barred(example.sentence, example.prose, example.passage, barred):
                pair = Pair(example.sentence, example.passage, f"{source.registry}:{source.name}", family, example.kind)
                found.setdefault((example.kind, example.sentence.lower()), pair)
    kinds = ([pair for pair in found.values() if pair.kind == kind] for kind in MAX_PAIRS)
    return [
        pair
        for pairs, most in zip(kinds, MAX_PAIRS.values(), strict=True)
        for pair in rng.sample(pairs, min(most, len(pairs)))
    ]


def _is_barred(sentence: str, prose: str, passage: str, barred: Fingerprints) -> bool:
    return sentence in barred or prose in barred or _code_part(passage) in barred


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
    yield from files[:MAX_FILES]


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
    return language in FAMILIES or path.endswith(".h")


def fingerprints_of(archives: Sequence[Path], trees: Sequence[Path], queries: Path | None) -> Fingerprints:
    """What must not occur: sentences, documentation and code of packages and trees, and the queries of a set."""
    barred, reader = Fingerprints(), Reader()
    packaged = (file for archive in archives for file in members(archive, _is_source))
    for files in (packaged, *(_tree(tree) for tree in trees)):
        for _, text, outline in reader.outlines(files):
            for item in examples_of(text, outline):
                if item.kind != "name":
                    barred.add((item.sentence, item.prose, _code_part(item.passage)))
    if queries is not None:
        lines = queries.read_text("utf-8").splitlines()
        barred.add(json.loads(line)["query"] for line in lines)
    return barred


def _tree(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if _is_source(relative) and path.is_file() and path.stat().st_size <= MAX_BYTES:
            yield relative, path.read_bytes()


def collect(sources: Sequence[Source], barred: Fingerprints, folder: Path) -> None:
    """Make the pairs of all packages, one file each; those that are there already are kept."""
    reader, counts = Reader(), Counter[str]()
    for number, source in enumerate(sources):
        target = folder / f"{source.registry}+{source.name.replace('/', '+')}.msgpack"
        if target.exists():
            continue
        try:
            pairs = pairs_of(source, reader, barred)
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


def read_pairs(folder: Path) -> list[Pair]:
    """All pairs, each passage once for every kind; raises FileNotFoundError where there are none."""
    seen: set[tuple[str, str]] = set()
    pairs: list[Pair] = []
    for file in sorted(folder.glob("*.msgpack")):
        for pair in msgspec.msgpack.decode(file.read_bytes(), type=list[Pair]):
            if (pair.kind, pair.passage) not in seen:
                seen.add((pair.kind, pair.passage))
                pairs.append(pair)
    if not pairs:
        raise FileNotFoundError(f"{folder} holds no pairs: run training.pairs first")
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
    excluded = [Path(archive) for source in sources if source.use == "exclude" for archive in source.archives]
    barred = fingerprints_of(excluded, arguments.evaluation, arguments.queries)
    log.info("%d fingerprints", len(barred.seen))
    folder = arguments.work / "pairs"
    folder.mkdir(exist_ok=True)
    training = [source for source in sources if source.use == "train"]
    random.Random(1).shuffle(training)
    collect(training, barred, folder)


if __name__ == "__main__":
    main()
