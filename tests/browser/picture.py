"""Takes the README's picture of the map's page in a real browser.

    pilotfish map --format html --root REPOSITORY > map.html
    python -m tests.browser.picture map.html [FILE]

writes `docs/pictures/map.png` with FILE of the repository chosen (the highest ranked one, if none is named), and
`docs/pictures/architecture.png`. Needs Chromium, and fonts.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from tests.browser.chromium import Chromium

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WIDTH, HEIGHT = 1280, 760


def main(page: Path, file: str) -> None:
    """Take both pictures."""
    with tempfile.TemporaryDirectory(prefix="pf-") as profile, Chromium(Path(profile), WIDTH, HEIGHT) as chromium:
        chromium.open(f"{page.resolve().as_uri()}#{quote(file, safe='')}")
        if not file:
            chromium.click(".tile")
        chromium.point("#name")
        chromium.picture(PICTURES / "map.png")
        chromium.click("#architecture-tab")
        chromium.point("#name")
        chromium.picture(PICTURES / "architecture.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
