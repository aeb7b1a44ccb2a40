from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pilotfish.store.catalog import Catalog


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path / "index")
    yield opened
    opened.close()
