"""Settings shipped for editors: they can be read, Pilotfish takes them, and the pages print what is shipped."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pilotfish import config
from pilotfish.lsp.commands import BY_COMMAND

REPOSITORY = Path(__file__).parents[2]
EDITORS = REPOSITORY / "editors"

PRINTED = {
    "docs/editors/helix.md": ("helix/languages.toml", "helix/config.toml"),
    "docs/editors/emacs.md": ("emacs/with-lsp-mode.el", "emacs/with-eglot.el", "emacs/keys.el"),
    "docs/editors/others.md": ("sublime/LanguageServers.sublime-settings", "kate/settings.json"),
}
"""The blocks of each page, in their order, and the files that they are."""

HELIX_FEATURES = {"workspace-symbols", "workspace-command", "code-action"}


def options_sent() -> Iterator[tuple[str, Any]]:
    """What each editor sends as `initializationOptions`."""
    helix = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    yield "helix", helix["language-server"]["pilotfish"]["config"]
    kate = json.loads((EDITORS / "kate" / "settings.json").read_text())
    yield "kate", kate["servers"]["python"]["initializationOptions"]
    sublime = json.loads((EDITORS / "sublime" / "LanguageServers.sublime-settings").read_text())
    yield "sublime", sublime["pilotfish"]["initialization_options"]


@pytest.mark.parametrize(("editor", "options"), list(options_sent()))
def test_pilotfish_takes_what_an_editor_sends(editor: str, options: Any) -> None:
    loaded = config.load(environment={}, session=options)
    assert not loaded.problems, editor
    assert loaded.settings.features.code_actions


def test_helix_is_told_of_features_and_commands_that_there_are() -> None:
    languages = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    for language in languages["language"]:
        primary, ours = language["language-servers"]
        assert primary != "pilotfish"
        assert set(ours["only-features"]) == HELIX_FEATURES
    keys = tomllib.loads((EDITORS / "helix" / "config.toml").read_text())["keys"]["normal"]["space"]["i"]
    assert {key.split()[1] for key in keys.values()} <= BY_COMMAND.keys()


def test_every_command_that_emacs_names_is_one() -> None:
    named = re.findall(r'"(pilotfish\.\w+)"', (EDITORS / "emacs" / "pilotfish.el").read_text())
    assert named
    assert set(named) <= BY_COMMAND.keys()


@pytest.mark.parametrize("page", PRINTED)
def test_a_page_prints_what_is_shipped(page: str) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:toml|elisp|json)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks == [(EDITORS / file).read_text(encoding="utf-8") for file in PRINTED[page]]


def test_the_readme_prints_what_is_shipped_for_helix() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```toml\n(\[language-server.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    shipped = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert tomllib.loads(block.replace("PILOTFISH", "pilotfish")) == shipped


def test_the_readme_prints_what_is_shipped_for_emacs() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```elisp\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert blocks == [(EDITORS / "emacs" / "with-lsp-mode.el").read_text(encoding="utf-8")]
