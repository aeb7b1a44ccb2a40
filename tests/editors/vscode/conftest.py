"""Says in the docs when all tests here have passed in one run, and in what."""

from collections.abc import Iterator

import pytest
from tests.editors import last_run
from tests.editors.vscode import code_server


@pytest.fixture(scope="session", autouse=True)
def _noted(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if last_run.WRITES and last_run.is_whole(request.session):
        last_run.note("vscode.md", code_server.versions())
