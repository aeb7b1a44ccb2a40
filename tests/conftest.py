"""What holds for all tests."""

from __future__ import annotations

import signal

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a script starts behind itself
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs under test inherit only what is ignored


@pytest.fixture(autouse=True)
def _without_vectors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines do without vectors unless a test is about them (`pytest.mark.vectors`): each imports LanceDB for
    them, which takes a core for three seconds, and hundreds of engines are started here."""
    if request.node.get_closest_marker("vectors") is None:
        monkeypatch.setenv("PILOTFISH_SEMANTIC_COVERAGE", "off")
