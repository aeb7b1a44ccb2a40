"""The ranker's weights: by feature, for names, changes and other words. Written by `python -m tests.quality.retrieval
--fit`, not by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, tuple[float, float, float]]

FIRST: Final[Table] = {
    "lexical": (0.696, 0.492, 0.469),
    "meaning": (0.233, 0.415, 0.424),
    "file_lexical": (0.143, 0.043, 0.036),
    "file_meaning": (0.060, -0.150, 0.024),
    "history": (0.041, 0.224, 0.168),
    "name": (0.956, 0.509, 0.574),
    "exact_name": (0.121, -0.014, 0.020),
    "scope": (0.106, 0.358, 0.227),
    "folder": (0.076, 0.401, 0.103),
    "supporting": (-0.675, -0.724, -0.598),
    "undefined": (-0.130, -0.010, -0.105),
    "size": (0.110, 0.153, 0.065),
}
SECOND: Final[Table] = {
    "lexical": (0.671, 0.335, 0.367),
    "meaning": (0.100, 0.369, 0.281),
    "file_lexical": (0.274, 0.041, 0.062),
    "file_meaning": (0.077, -0.161, 0.013),
    "history": (0.127, 0.231, 0.149),
    "name": (0.608, 0.267, 0.192),
    "exact_name": (0.144, -0.022, -0.008),
    "scope": (0.039, 0.218, 0.129),
    "folder": (0.029, 0.360, 0.041),
    "supporting": (-0.631, -0.689, -0.572),
    "size": (0.087, 0.129, 0.041),
    "covered": (-0.181, 0.201, 0.035),
    "signature": (0.152, 0.244, 0.254),
    "neighbours": (0.293, 0.335, 0.248),
    "name_meaning": (0.173, 0.050, 0.133),
    "signature_meaning": (0.057, 0.017, 0.239),
}
QUOTED: Final = 0.5
"""Of `quoted`, which no question of the development set has: a text in quotes is meant as it stands."""
