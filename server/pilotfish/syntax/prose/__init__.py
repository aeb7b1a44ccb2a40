"""Documentation as people write it beside their code, each language by its custom, as Markdown."""

from __future__ import annotations

from typing import Final

from pilotfish.syntax.languages import REGISTRY
from pilotfish.syntax.prose.customs import CUSTOMS

_LONGEST: Final = 8_000
"""So many characters are looked at: more than a page shows, and few enough for any text, however it is made."""

_FENCES: Final = {
    "tsx": "tsx",
    "ocaml_interface": "ocaml",
    "fortran_fixed": "fortran",
    "objc": "objective-c",
    "jupyter": "python",
}


def as_markdown(documentation: str, language: str) -> str:
    """Return documentation in Markdown.

    Nobody has looked at it yet: what it holds of HTML and links is as active as its author wrote it.

    Args:
        documentation: its lines without the markers of comments (`syntax.documentation.whole_documentation`).
        language: the registry's name of the language of the code around.

    """
    return CUSTOMS[REGISTRY[language].custom](documentation[:_LONGEST], fence_name(language)).strip("\n")


def fence_name(language: str) -> str:
    """What Markdown calls a language."""
    return _FENCES.get(language, language)
