"""Which packages may be learnt from: those under permissive licences, by what they say themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from email.parser import HeaderParser
from fnmatch import fnmatchcase
from typing import NamedTuple

_PERMISSIVE = (
    ("MIT", r"\bmit\b|\bexpat\b|permission is hereby granted, free of charge, to any person obtaining"),
    ("Apache-2.0", r"\bapache\b"),
    ("BSD", r"\bbsd\b|\bbsd-?[0-9]|redistribution and use in source and binary forms"),
    ("ISC", r"\bisc\b|permission to use, copy, modify, and(/or)? distribute this software"),
    ("BSL-1.0", r"\bboost\b|\bbsl-1"),
    ("zlib", r"\bzlib\b"),
    ("PSF", r"\bpsf\b|python software foundation|\bpython-2"),
    ("PostgreSQL", r"\bpostgresql\b"),
    ("Unlicense", r"\bunlicen[sc]e\b"),
    ("CC0", r"\bcc0"),
    ("MS-PL", r"\bms-?pl\b"),
    ("curl", r"^curl$"),
    ("public-domain", r"public[- ]domain"),
    ("HPND", r"\bhpnd\b"),
    ("TCL", r"\btcl"),
    ("Ruby-or-BSD", r"^ruby$"),
)
_RESTRICTED = re.compile(
    r"\ba?l?gpl|\bgnu\b|\bmpl\b|mozilla public|\bepl\b|eclipse public|\bcddl\b|\bcc-by|non-?commercial|proprietary",
    re.I,
)
LICENCE_FILE = re.compile(r"(^|/)(licen[sc]e|copying|copyright|unlicense)[^/]*$", re.IGNORECASE)


class Terms(NamedTuple):
    """What a package allows: the short name of its licence, "" where it is not permissive, and globs of files apart
    from that, which are not."""

    licence: str
    restricted: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Tell whether a file may be learnt from."""
        return bool(self.licence) and not any(fnmatchcase(path, pattern) for pattern in self.restricted)


def terms_of(registry: str, texts: Mapping[str, str]) -> Terms:
    """Read a package's terms from its metadata and licence files, which are given by path."""
    if registry == "pypi":
        return Terms(_from_metadata(texts) or _from_licence_files(texts))
    if registry == "npm":
        return Terms(_from_manifest(texts) or _from_licence_files(texts))
    return _from_copyright(texts)


def permissive(expression: str) -> str:
    """Return the short name of the first permissive alternative of a licence expression, "" if it has none."""
    for alternative in re.split(r"\s+or\s+|\s*\|\s*|/(?=\s*[A-Z])", expression.strip(" ()"), flags=re.IGNORECASE):
        if not _RESTRICTED.search(alternative):
            for name, pattern in _PERMISSIVE:
                if re.search(pattern, alternative, re.IGNORECASE):
                    return name
    return ""


def _from_metadata(texts: Mapping[str, str]) -> str:
    for path, text in texts.items():
        if path.endswith((".dist-info/METADATA", "PKG-INFO")):
            headers = HeaderParser().parsestr(text)
            stated = [headers.get("License-Expression", ""), *_classifiers(headers.get_all("Classifier", []))]
            for expression in [*stated, headers.get("License", "")[:60]]:
                if name := permissive(expression):
                    return name
    return ""


def _classifiers(lines: Iterable[str]) -> list[str]:
    return [line.rsplit("::", 1)[-1] for line in lines if line.startswith("License ::")]


def _from_manifest(texts: Mapping[str, str]) -> str:
    try:
        stated = json.loads(texts.get("package/package.json", "{}")).get("license", "")
    except ValueError:
        return ""
    return permissive(stated if isinstance(stated, str) else str(stated.get("type", "")))


def _from_licence_files(texts: Mapping[str, str]) -> str:
    for path, text in sorted(texts.items(), key=lambda item: item[0].count("/")):
        if LICENCE_FILE.search(path) and (name := permissive(" ".join(text[:1_500].split()))):
            return name
    return ""


def _from_copyright(texts: Mapping[str, str]) -> Terms:
    """Debian's machine-readable copyright file; one that is not machine-readable counts as not permissive."""
    main, restricted = "", []
    for path, text in texts.items():
        if not path.endswith("/copyright"):
            continue
        for stanza in re.split(r"\n\s*\n", text):
            fields = HeaderParser().parsestr(stanza.strip() + "\n")
            licence = permissive(fields.get("License", "").split("\n")[0])
            files = fields.get("Files", "").split()
            if "*" in files:
                main = licence
            elif not licence:
                restricted += [f"*{pattern}" for pattern in files if not pattern.startswith("debian")]
    return Terms(main, tuple(restricted))
