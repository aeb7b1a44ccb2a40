"""Draws repo maps with Aider. Runs in an environment that has it, and is no part of ours.

    PYTHON_WITH_AIDER tests/quality/aider_maps.py < questions.json > maps.json

A question: {"root", "files", "text", "mentions", "budgets"}; its answer: the map by budget. The files that the text
mentions are found as Aider finds them in a message; none of the files is in the chat. A token is four characters.
"""

from __future__ import annotations

import json
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from aider.coders.base_coder import Coder
from aider.io import InputOutput
from aider.repomap import RepoMap


class Counter:
    """Stands where Aider asks its language model how long a text is."""

    def token_count(self, text: str) -> float:
        return len(text) / 4


class Names:
    """What Aider's reading of a message asks of a conversation: which files there are, and that none is in it."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def get_all_relative_files(self) -> list[str]:
        return self.paths

    def get_addable_relative_files(self) -> set[str]:
        return set(self.paths)

    def get_inchat_relative_files(self) -> list[str]:
        return []

    abs_read_only_fnames: tuple[str, ...] = ()


class Ranked(RepoMap):
    """Ranks once for all budgets of a question; the ranking does not know the budget."""

    def get_ranked_tags(self, chat, other, files, names, progress=None):  # type: ignore[no-untyped-def]
        return list(self._ranked(frozenset(other), frozenset(files), frozenset(names)))

    @lru_cache(maxsize=1)  # noqa: B019 - lives as long as the process
    def _ranked(self, other, files, names):  # type: ignore[no-untyped-def]
        return super().get_ranked_tags(set(), other, set(files), set(names))


def main() -> None:
    io = InputOutput(pretty=False, yes=True, fancy_input=False)
    stdout, sys.stdout = sys.stdout, sys.stderr
    with tempfile.TemporaryDirectory() as cache_folder:
        maps = {}
        answers = []
        for question in json.load(sys.stdin):
            root = question["root"]
            if root not in maps:
                RepoMap.TAGS_CACHE_DIR = f"{cache_folder}/{len(maps)}"
                maps[root] = Ranked(root=root, io=io, main_model=Counter())
            drawn = maps[root]
            files = {str(Path(root, path)) for path in question["files"]}
            names = Names(question["files"])
            mentioned = Coder.get_file_mentions(names, question["text"])
            mentioned |= Coder.get_ident_filename_matches(names, Coder.get_ident_mentions(names, question["text"]))
            answer = {}
            for budget in question["budgets"]:
                drawn.max_map_tokens = budget
                answer[budget] = drawn.get_ranked_tags_map(set(), files, budget, mentioned, set(question["mentions"]))
            answers.append(answer)
    json.dump(answers, stdout)


if __name__ == "__main__":
    main()
