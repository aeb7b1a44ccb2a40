"""The ranker's weights: by feature, for names, changes and other words. Written by `python -m tests.quality.retrieval
--fit`, not by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, tuple[float, float, float]]

FIRST: Final[Table] = {
    "lexical": (0.559, 0.413, 0.429),
    "meaning": (0.319, 0.348, 0.391),
    "file_lexical": (0.169, 0.124, 0.107),
    "file_meaning": (0.045, -0.070, 0.037),
    "history": (0.106, 0.148, 0.138),
    "history_lift": (0.054, 0.103, 0.096),
    "changes": (-0.040, 0.039, -0.067),
    "name": (0.703, 0.450, 0.494),
    "name_covered": (0.084, 0.031, 0.057),
    "exact_name": (0.155, -0.019, 0.020),
    "scope": (0.102, 0.211, 0.159),
    "folder": (0.106, 0.267, 0.118),
    "file_name": (-0.031, -0.020, -0.004),
    "supporting": (-0.640, -0.664, -0.621),
    "undefined": (-0.104, -0.047, -0.105),
    "size": (0.118, 0.147, 0.073),
    "file_size": (-0.166, -0.210, -0.201),
}
SECOND: Final[Table] = {
    "lexical": (0.432, 0.323, 0.331),
    "meaning": (0.182, 0.279, 0.269),
    "file_lexical": (0.127, 0.049, 0.057),
    "file_meaning": (0.038, -0.074, 0.027),
    "history": (0.137, 0.167, 0.149),
    "history_lift": (0.038, 0.094, 0.060),
    "changes": (-0.072, 0.006, -0.086),
    "name": (0.354, 0.174, 0.180),
    "name_covered": (0.073, 0.038, 0.015),
    "exact_name": (0.133, -0.027, 0.006),
    "scope": (0.049, 0.129, 0.095),
    "folder": (0.060, 0.217, 0.066),
    "file_name": (-0.088, -0.105, -0.073),
    "supporting": (-0.587, -0.616, -0.578),
    "undefined": (0.029, -0.005, -0.002),
    "size": (0.075, 0.126, 0.050),
    "file_size": (-0.128, -0.190, -0.160),
    "covered": (0.009, 0.118, 0.055),
    "file_covered": (0.141, 0.121, 0.123),
    "signature": (0.254, 0.276, 0.286),
    "definition_covered": (-0.095, -0.058, -0.063),
    "neighbours": (0.269, 0.294, 0.259),
    "name_meaning": (0.197, 0.064, 0.151),
    "signature_meaning": (0.108, 0.036, 0.196),
}
QUOTED: Final = 0.5
"""Of `quoted`, which no question of the development set has: a text in quotes is meant as it stands."""
