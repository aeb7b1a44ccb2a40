"""A vocabulary that knows the words of code: MiniLM's, and whole words that it would take apart.

`parse` is `par` and `##se` to MiniLM, `json` is `j` and `##son`; as tokens of their own they have a row that tuning can
give their meaning, and texts become shorter.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from tokenizers import Tokenizer

from training.pairs import Pair

WORDS = 20_000
_PACKAGES = 3
"""A word must occur in so many packages, or it is one project's own."""

_LONGEST = 24


def frequent_words(pairs: Iterable[Pair], tokenizer: Tokenizer, most: int = WORDS) -> list[str]:
    """The most frequent words that a tokenizer takes apart, by the number of packages that use them."""
    packages: dict[str, set[str]] = defaultdict(set)
    normalise = tokenizer.normalizer.normalize_str
    for pair in pairs:
        for word in set(normalise(f"{pair.question} {pair.passage}").split()):
            packages[word].add(pair.package)
    vocabulary = tokenizer.get_vocab()
    counts = Counter(
        {
            word: len(users)
            for word, users in packages.items()
            if len(users) >= _PACKAGES and word not in vocabulary and 2 <= len(word) <= _LONGEST and _is_word(word)
        }
    )
    return [word for word, _ in counts.most_common(most)]


def _is_word(word: str) -> bool:
    """Numbers, and hashes that hold some, are no words."""
    return word.isascii() and word[0].isalpha() and sum(map(str.isdigit, word)) <= 2


def extended(tokenizer: Tokenizer, added: Sequence[str]) -> Tokenizer:
    """A tokenizer that knows more words, and none of MiniLM's unused places."""
    state = json.loads(tokenizer.to_str())
    known = sorted(state["model"]["vocab"], key=state["model"]["vocab"].__getitem__)
    kept = [token for token in known if not token.startswith("[unused")]
    state["model"]["vocab"] = {token: number for number, token in enumerate([*kept, *added])}
    numbers = state["model"]["vocab"]
    for token in state["added_tokens"]:
        token["id"] = numbers[token["content"]]
    for token in state["post_processor"]["special_tokens"].values():
        token["ids"] = [numbers[content] for content in token["tokens"]]
    return Tokenizer.from_str(json.dumps(state))
