"""What is written for people: documents in sections."""

from __future__ import annotations

from pilotfish.syntax.languages.language import Language

LANGUAGES = (
    Language(
        "markdown",
        "Markdown",
        grammar="markdown",
        extensions=("md", "markdown", "mdown", "mkd", "mdx"),
        name_marks=b" \t\r\n",
        form="section",
        injected=(b"```", b"~~~"),
    ),
)
