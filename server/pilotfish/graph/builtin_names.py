"""What the types and functions of a language itself are called, where a call says nothing of whose it is: `x.get()`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_PYTHON = (
    "abs add add_note aiter all anext any append args as_integer_ratio ascii bin bit_count bit_length bool breakpoint "
    "buffer bytearray bytes callable capitalize casefold center chr classmethod clear close closed compile complex "
    "conjugate copy count decode delattr denominator detach dict difference difference_update dir discard divmod "
    "encode encoding endswith enumerate errors eval exec expandtabs extend fileno filter find float flush format "
    "format_map from_bytes fromhex fromkeys frozenset get getattr getbuffer getvalue globals hasattr hash help hex id "
    "imag index input insert int intersection intersection_update is_integer isalnum isalpha isascii isatty isdecimal "
    "isdigit isdisjoint isidentifier isinstance islower isnumeric isprintable isspace issubclass issubset issuperset "
    "istitle isupper items iter join keys len line_buffering list ljust locals lower lstrip maketrans map max "
    "memoryview min name newlines next numerator object oct open ord partition pop popitem pow print property range "
    "read read1 readable readinto readinto1 readline readlines real reconfigure remove removeprefix removesuffix "
    "replace repr reverse reversed rfind rindex rjust round rpartition rsplit rstrip seek seekable set setattr "
    "setdefault slice sort sorted split splitlines startswith staticmethod str strip sum super swapcase "
    "symmetric_difference symmetric_difference_update tell title to_bytes translate truncate tuple type union update "
    "upper values vars with_traceback writable write write_through writelines zfill zip"
)
_ECMASCRIPT = (
    "add all apply assign at bind call catch charAt charCodeAt clear codePointAt concat copyWithin create debug "
    "delete endsWith entries error every exec fill filter finally find findIndex findLast flat flatMap forEach get "
    "has hasOwnProperty includes indexOf info join keys lastIndexOf localeCompare log map match matchAll next "
    "normalize padEnd padStart parse pop push race reduce reduceRight reject repeat replace replaceAll resolve return "
    "reverse search set shift slice some sort splice split startsWith stringify substring test then throw toJSON "
    "toLowerCase toString toUpperCase trim trimEnd trimStart unshift valueOf values warn"
)

BUILTIN_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "python": frozenset(_PYTHON.split()),
    "ecmascript": frozenset(_ECMASCRIPT.split()),
}
"""By language family (`syntax.facts.language_family`)."""
