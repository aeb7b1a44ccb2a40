"""What an outline costs against tree-sitter's bare parsing of the same text, language by language.

    python -m tests.bench.outlines FOLDER … [--files N] [--least N] [--rounds N]

Real files of the first-class languages are looked for below the folders; of each language a sample is taken, with the
same choice in every run. For each file, in turns within one process: CPU of parsing the text as its language's grammar
has it (*parse*), CPU of parsing that and each text that is embedded in it by itself (*parses*), and CPU of the outline.
Of several rounds the fastest counts, since load on the machine only adds. What is printed are medians over the files of
the outline's share of the one and of the other, and the ratio of the sums beside them: a median speaks for the file, a
sum for the megabyte.

For a text with embedded languages *parse* is that of the outer text alone: the scripts of a page, the code of a
notebook's cells are strings to it. Nobody can outline them without parsing them as what they are, so that the bound is
held by the second ratio there; the first is what reading all languages costs over reading one.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from unittest import mock

from tests.bench import corpus
from tree_sitter import Language, Parser, Range, Tree

from pilotfish.syntax.languages import HEAD_SIZE, REGISTRY, detect
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.text import decode

SEED = 7
MOST = 3.0  # times parse-only
SMALLEST, LARGEST = 200, 300_000  # bytes of a file


@dataclass
class Costs:
    """CPU in seconds of each file of a language."""

    parse: list[float] = field(default_factory=list)
    parses: list[float] = field(default_factory=list)
    outline: list[float] = field(default_factory=list)

    def against(self, bare: list[float]) -> tuple[float, float]:
        """Return the median of the outline's ratios to `bare`, and the ratio of the sums."""
        ratios = [outline / each for outline, each in zip(self.outline, bare, strict=True)]
        return statistics.median(ratios), sum(self.outline) / sum(bare)


class Witness:
    """Stands for tree-sitter's parser and keeps what that is given, so that the same can be parsed without us."""

    def __init__(self, grammar: Language, seen: list[tuple[Language, bytes]]) -> None:
        self.included_ranges: list[Range] = []
        self._grammar = grammar
        self._parser = Parser(grammar)
        self._seen = seen

    def parse(self, text: bytes) -> Tree:
        """Parse as any parser, and keep the parts of the text that it was told to look at."""
        parts = [text[each.start_byte : each.end_byte] for each in self.included_ranges]
        self._seen.append((self._grammar, b"\n".join(parts) if parts else text))
        self._parser.included_ranges = self.included_ranges
        return self._parser.parse(text)


def samples(folders: Iterable[Path], files: int) -> dict[str, list[bytes]]:
    """Return texts of each first-class language, at most `files` of each."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        for path in corpus.files(folder):
            if SMALLEST < path.stat().st_size < LARGEST:
                with path.open("rb") as file:
                    language = detect(path.name, file.read(HEAD_SIZE), {})
                if language is not None and REGISTRY[language].nodes is None:
                    found.setdefault(language, []).append(path)
    choice = random.Random(SEED)
    return {
        language: [decode(path.read_bytes()).text for path in choice.sample(paths, min(files, len(paths)))]
        for language, paths in sorted(found.items())
    }


def parsed_for(texts: Iterable[bytes], language: str) -> list[list[tuple[Language, bytes]]]:
    """Return what the outline of each text parses: which grammar reads what; the text itself comes first."""
    seen: list[tuple[Language, bytes]] = []
    outliner, found = Outliner(), []
    with mock.patch("tree_sitter.Parser", partial(Witness, seen=seen)):
        for text in texts:
            outliner.outline(text, language)
            found.append(seen[:])
            seen.clear()
    return found


def measure(language: str, texts: list[bytes], rounds: int) -> Costs:
    """Return what each text costs: parsed, parsed with what is embedded in it, and outlined."""
    costs = Costs()
    outliner, parsers = Outliner(), dict[Language, Parser]()
    for text, pieces in zip(texts, parsed_for(texts, language), strict=True):
        outliner.outline(text, language)  # whatever is loaded only once
        for grammar, _ in pieces:
            parsers.setdefault(grammar, Parser(grammar))
        parse, parses, outline = [], [], []
        for _ in range(rounds):
            times = [time.process_time()]
            for grammar, piece in pieces:
                parsers[grammar].parse(piece)
                times.append(time.process_time())
            outliner.outline(text, language)
            parse.append(times[1] - times[0])
            parses.append(times[-1] - times[0])
            outline.append(time.process_time() - times[-1])
        costs.parse.append(min(parse))
        costs.parses.append(min(parses))
        costs.outline.append(min(outline))
    return costs


def main() -> int:
    """Measure and print a table; 1 where a language is over the bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--files", type=int, default=60, help="so many of a language")
    parser.add_argument("--least", type=int, default=4, help="fewer files of a language are no sample of it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--language", action="append", help="only this one")
    options = parser.parse_args()
    print("| language | files | MB | MB/s parsed | outline / parse | of sums | outline / parses | of sums |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    over, few = [], []
    for language, texts in samples(options.folders, options.files).items():
        if options.language and language not in options.language:
            continue
        if len(texts) < options.least:
            few.append(REGISTRY[language].title)
            continue
        costs = measure(language, texts, options.rounds)
        size = sum(map(len, texts)) / 1e6
        ratios = [*costs.against(costs.parse), *costs.against(costs.parses)]
        if ratios[2] > MOST:
            over.append(REGISTRY[language].title)
        shown = " | ".join(f"{ratio:.2f}" for ratio in ratios)
        speed = size / sum(costs.parse)
        print(f"| {REGISTRY[language].title} | {len(texts)} | {size:.2f} | {speed:.1f} | {shown} |", flush=True)
    print(f"\nOver {MOST:.0f} times all parses in the median: {', '.join(over) or 'none'}.")
    if few:
        print(f"\nFewer than {options.least} files: {', '.join(few)}.")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
