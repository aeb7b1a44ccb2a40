"""What training must never see: the projects that retrieval is measured on, and copies of them in other packages.

Names decide by path, fingerprints by content. Fingerprints are taken from the projects' own packages (the rows of
`sources.tsv` whose use is `exclude`) and from checked-out trees of the evaluation set, so that a vendored copy is found
under any name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

PROJECTS = frozenset(
    [
        "flask",
        "django",
        "scrapy",
        "aider",
        "httpx",
        "requests",
        "fastapi",
        "pytest",
        "express",
        "axios",
        "hono",
        "nest",
        "nestjs",
        "typeorm",
        "prisma",
        "rxjs",
        "gin",
        "gin-gonic",
        "cobra",
        "chi",
        "echo",
        "etcd",
        "ripgrep",
        "axum",
        "tokio",
        "serde",
        "cargo",
        "gson",
        "jsoup",
        "guava",
        "spring",
        "springframework",
        "redis",
        "rails",
        "_pytest",
        "rest_framework",
        "actionpack",
        "actionview",
        "activerecord",
        "activesupport",
        "activemodel",
        "activejob",
        "actionmailer",
        "actioncable",
        "activestorage",
        "railties",
        "globset",
    ]
)
"""The projects and the folders and files by which their copies are recognised, in lower case."""

_VENDORED = frozenset(
    [
        "vendor",
        "vendored",
        "_vendor",
        "_vendored",
        "node_modules",
        "bower_components",
        "third_party",
        "thirdparty",
        "third-party",
        "3rdparty",
        "external",
        "externals",
        "extern",
        "bundled",
    ]
)
_TESTS = frozenset(
    [
        "test",
        "tests",
        "testing",
        "testdata",
        "testsuite",
        "__tests__",
        "spec",
        "specs",
        "fixtures",
        "benches",
        "bench",
        "benchmark",
        "benchmarks",
        "examples",
        "example",
        "_examples",
        "samples",
        "sample",
        "demo",
        "demos",
    ]
)
_TEST_FILE = re.compile(
    r"^(tests?\.\w+|test_.*|conftest\.py)$|(_test|\.test|\.spec|-spec|_spec|Test|Tests|TestCase|_tests)\.\w+$"
)
_GENERATED = re.compile(
    r"\.min\.|\.bundle\.|\.umd\.|\.pb\.|_pb2|zz_generated|\.d\.[cm]?ts$|(^|/)generated/", re.IGNORECASE
)
_WORD = re.compile(r"\w+")


def is_copy(path: str) -> bool:
    """Tell whether a path within a package lies in a copy of other software, the excluded projects before all."""
    parts = [part.lower() for part in path.split("/")]
    stem = parts[-1].split(".")[0]
    return stem in PROJECTS or any(part in PROJECTS or part in _VENDORED or _release(part) for part in parts[:-1])


def is_test(path: str) -> bool:
    """Tell whether a path belongs to tests, examples or benchmarks."""
    parts = path.split("/")
    return bool(_TEST_FILE.search(parts[-1])) or any(part.lower() in _TESTS for part in parts[:-1])


def is_generated(path: str) -> bool:
    """Tell whether a file was written by a program rather than a person, by its name."""
    return bool(_GENERATED.search(path))


def _release(part: str) -> bool:
    """Tell whether a folder is a release of an excluded project: `gin-1.8.1`, `tokio_1.24`."""
    name, _, version = part.replace("_", "-").rpartition("-")
    return version[:1].isdigit() and name in PROJECTS


@dataclass(slots=True)
class Fingerprints:
    """Hashes of sentences and of code that training must not contain."""

    seen: set[bytes] = field(default_factory=set)

    def add(self, texts: Iterable[str]) -> None:
        """Remember texts (sentences, documentation, code)."""
        self.seen.update(_fingerprint(text) for text in texts)

    def __contains__(self, text: str) -> bool:
        return _fingerprint(text) in self.seen


def _fingerprint(text: str) -> bytes:
    """Hash a text's words: neither case, punctuation nor layout makes a copy look new."""
    return hashlib.blake2b(" ".join(_WORD.findall(text.lower())).encode(), digest_size=8).digest()
