"""The vectors that are kept in the engine."""

from __future__ import annotations

import numpy as np

from pilotfish.engine.searching.meaning import KeptVectors


def vectors(*texts: str) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]]:
    return {text: np.full(256, ord(text[0]), np.float32) for text in texts}


def test_vectors_that_nobody_asks_for_make_room() -> None:
    kept = KeptVectors(most_bytes=4_000)  # room for three
    kept.keep("table", vectors("a", "b", "c"))
    assert kept.found("table", ["a", "x", "a"]).keys() == {"a"}
    kept.keep("table", vectors("d"))
    found = kept.found("table", ["a", "b", "c", "d"])
    assert found.keys() == {"a", "c", "d"}
    assert [vector[0] for vector in found.values()] == list(map(ord, "acd"))


def test_vectors_of_another_model_are_no_answer() -> None:
    kept = KeptVectors()
    kept.keep("table", vectors("a"))
    assert kept.found("other", ["a"]) == {}
    kept.keep("other", vectors("b"))
    assert kept.found("other", ["a", "b"]).keys() == {"b"}
    assert kept.found("table", ["a", "b"]) == {}
