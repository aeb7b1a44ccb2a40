"""Shells."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, words

_KEYWORDS = words(
    """
    case coproc declare do done elif else esac export fi for function if in local readonly select then time typeset
    unset until while
    """
)


LANGUAGES = (
    Language(
        "bash",
        "Bash",
        grammar="bash",
        extensions=("sh", "bash", "ksh", "zsh", "bats", "ebuild"),
        filenames=(
            ".bashrc",
            ".bash_profile",
            ".bash_aliases",
            ".bash_logout",
            ".profile",
            ".zshrc",
            ".zprofile",
            ".zshenv",
            "PKGBUILD",
        ),
        interpreters=("bash", "sh", "dash", "ksh", "zsh", "ash"),
        ids=("shellscript", "sh", "zsh"),
        line_comments=("#",),
        name_marks=b"=",
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(rb"#(?:(?<=^#)|(?<=[\s;|&(]#))[^\r\n]*", lexemes.MULTI_SINGLE),
    ),
)
