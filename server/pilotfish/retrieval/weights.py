"""The ranker's weights: by feature, for names, changes and other words. Written by `python -m tests.quality.retrieval
--fit`, not by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, tuple[float, float, float]]

FIRST: Final[Table] = {
    "lexical": (0.568, 0.444, 0.485),
    "meaning": (0.159, 0.460, 0.392),
    "file_lexical": (0.055, 0.005, -0.105),
    "file_meaning": (0.044, -0.221, 0.089),
    "history": (0.044, 0.239, 0.174),
    "name": (1.061, 0.549, 0.659),
    "exact_name": (0.138, 0.002, 0.017),
    "scope": (0.049, 0.215, 0.191),
    "folder": (-0.011, 0.234, -0.042),
    "supporting": (-0.214, -0.351, -0.255),
    "undefined": (-0.122, -0.022, -0.116),
    "size": (0.111, 0.127, 0.063),
}
SECOND: Final[Table] = {
    "lexical": (0.320, 0.112, 0.128),
    "meaning": (0.083, 0.369, 0.226),
    "file_lexical": (0.208, 0.086, 0.008),
    "file_meaning": (0.046, -0.179, 0.044),
    "history": (0.116, 0.222, 0.156),
    "name": (0.660, 0.305, 0.192),
    "exact_name": (0.139, -0.020, 0.003),
    "scope": (0.047, 0.248, 0.132),
    "folder": (0.009, 0.212, -0.071),
    "supporting": (-0.129, -0.224, -0.154),
    "size": (0.089, 0.110, 0.036),
    "covered": (0.211, 0.520, 0.396),
    "signature": (0.266, 0.245, 0.381),
    "neighbours": (0.362, 0.351, 0.274),
    "name_meaning": (0.240, 0.110, 0.132),
    "signature_meaning": (-0.044, -0.028, 0.250),
}
QUOTED: Final = 0.5
"""Of `quoted`, which no question of the development set has: a text in quotes is meant as it stands."""
