"""The ranker's weights: by feature, for names, changes and other words. Written by `python -m tests.quality.retrieval
--fit`, not by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, tuple[float, float, float]]

FIRST: Final[Table] = {
    "lexical": (0.464, 0.327, 0.387),
    "meaning": (0.246, 0.537, 0.538),
    "file_lexical": (0.015, 0.096, -0.088),
    "file_meaning": (0.072, -0.227, 0.046),
    "history": (0.025, 0.216, 0.180),
    "name": (1.058, 0.546, 0.640),
    "exact_name": (0.147, -0.013, 0.020),
    "scope": (0.054, 0.261, 0.192),
    "folder": (0.026, 0.264, 0.010),
    "supporting": (-0.223, -0.356, -0.266),
    "undefined": (-0.071, 0.005, -0.133),
    "size": (0.109, 0.137, 0.072),
}
SECOND: Final[Table] = {
    "lexical": (0.185, 0.008, 0.028),
    "meaning": (0.169, 0.469, 0.372),
    "file_lexical": (0.183, 0.160, 0.056),
    "file_meaning": (0.038, -0.219, -0.011),
    "history": (0.022, 0.218, 0.155),
    "name": (0.661, 0.222, 0.172),
    "exact_name": (0.115, -0.037, 0.000),
    "scope": (0.029, 0.234, 0.093),
    "folder": (0.034, 0.259, -0.042),
    "supporting": (-0.165, -0.240, -0.186),
    "size": (0.096, 0.109, 0.042),
    "covered": (0.170, 0.511, 0.375),
    "signature": (0.226, 0.252, 0.363),
    "neighbours": (0.341, 0.362, 0.254),
    "name_meaning": (0.181, 0.165, 0.131),
    "signature_meaning": (0.029, -0.049, 0.293),
}
QUOTED: Final = 0.5
"""Of `quoted`, which no question of the development set has: a text in quotes is meant as it stands."""
