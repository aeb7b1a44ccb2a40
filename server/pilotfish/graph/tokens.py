"""How many tokens a text costs: an estimate that needs nothing, or a tokenizer's own count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

Counter = Callable[[str], int]

CHARACTERS_A_TOKEN: Final = 4
"""What language models take of code and English on average; Aider and others count so too."""

_PATTERN: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How `cl100k_base` cuts a text into pieces; a file of ranks does not say it."""


_TRIAL: Final = "def naïve_名前(x: int) -> str:\n\treturn f'{x}'  # 🐟 … \u0000\n"
"""A vocabulary may lack what texts hold: better found out before the first map."""


class TokenizerError(Exception):
    """A tokenizer's file cannot be used: which, and why."""


def estimate(text: str) -> int:
    """Return the number of tokens at four characters each, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def counter_from(file: Path) -> Counter:
    """Return the counter of a tokenizer that lies in a file: `tokenizer.json` of the library `tokenizers`, or ranks as
    `tiktoken` keeps them (`*.tiktoken`).

    Raises:
        TokenizerError: the file or the library that reads it cannot be used.

    """
    try:
        count = _ranks(file) if file.suffix == ".tiktoken" else _tokenizer(file)
        count(_TRIAL)
        return count
    except ImportError as error:
        raise TokenizerError(f"{file} needs the package {error.name}: pip install {error.name}") from error
    except Exception as error:  # the libraries raise plain ones
        raise TokenizerError(f"{file} is no tokenizer that can be read: {error}") from error


def _tokenizer(file: Path) -> Counter:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()  # what a model would cut off or fill up to is counted as it is
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _ranks(file: Path) -> Counter:
    import base64

    from tiktoken import Encoding

    ranks = {}
    for line in file.read_bytes().splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    # The library does not fail on these, it panics.
    if not {bytes([byte]) for byte in range(256)} <= ranks.keys():
        raise ValueError("it has no rank for some bytes")
    if len({*ranks.values()}) < len(ranks):
        raise ValueError("it gives two tokens the same rank")
    encoding = Encoding(file.stem, pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))
