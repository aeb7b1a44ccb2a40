"""The last paragraph of a page in `docs/editors`: in what its tests ran last, and when."""

from __future__ import annotations

import os
import platform
import re
import textwrap
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "editors"
LAST = re.compile(r"^Run in (?:[^\n]+\n)+\Z", re.MULTILINE)
WIDTH = 120

WRITES = bool(os.environ.get("PILOTFISH_PICTURES"))
"""Whether this run writes docs: pictures, and when they were taken."""


def is_whole(session: pytest.Session) -> bool:
    """Whether a session that is over ran whole files, and none of its tests failed."""
    config = session.config
    return not (session.testsfailed or config.option.keyword or any("::" in argument for argument in config.args))


def primary() -> str:
    """Name the server that ours runs beside in the tests, and its version."""
    return f"jedi-language-server {metadata.version('jedi-language-server')}"


def note(page: str, programs: str) -> None:
    """Say in a page that its tests have just run in `programs`, on this system."""
    system = platform.freedesktop_os_release()
    where = f"{programs} on {system['NAME'].removesuffix(' GNU/Linux')} {system['VERSION_ID']}"
    how = "`make test-editors` ([how](../../tests/editors/README.md))"
    line = f"Run in {where}, on {datetime.now(UTC):%Y-%m-%d}: {how}."
    path = PAGES / page
    text, found = LAST.subn(textwrap.fill(line, WIDTH, break_on_hyphens=False) + "\n", path.read_text(encoding="utf-8"))
    assert found == 1, f"no last paragraph `Run in …` in {path}"
    path.write_text(text, encoding="utf-8")
