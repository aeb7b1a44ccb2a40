"""All languages by name."""

from __future__ import annotations

from collections.abc import Mapping

from pilotfish.syntax.languages import c, data, ecmascript, go, java, prose, python, ruby, rust, shell
from pilotfish.syntax.languages.language import Language

REGISTRY: Mapping[str, Language] = {
    language.name: language
    for room in (python, ecmascript, go, rust, java, c, ruby, shell, prose, data)
    for language in room.LANGUAGES
}
"""Every language by name."""
