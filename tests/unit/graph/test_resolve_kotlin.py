"""Kotlin's imports: classes, what a package holds, and Java beside it."""

from __future__ import annotations

import pytest
from resolution import Workspace

CLIENT = "okhttp/src/main/kotlin/okhttp3"
TREE = Workspace(
    "kotlin",
    [
        f"{CLIENT}/Client.kt",
        f"{CLIENT}/internal/Util.kt",
        f"{CLIENT}/internal/Strings.kt",
        "okhttp/src/main/java/okhttp3/Call.java",
        "okhttp/src/test/kotlin/okhttp3/ClientTest.kt",
        "build.gradle.kts",
    ],
)
IMPORTER = "okhttp/src/test/kotlin/okhttp3/ClientTest.kt"
INTERNAL = f"{CLIENT}/internal/Strings.kt {CLIENT}/internal/Util.kt"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("okhttp3.Client", f"Client = Client: {CLIENT}/Client.kt"),
        ("okhttp3.Client as Http", f"Http = Client: {CLIENT}/Client.kt"),
        ("okhttp3.Client.Companion.create", f"create = create: {CLIENT}/Client.kt"),
        ("okhttp3.Call", "Call = Call: okhttp/src/main/java/okhttp3/Call.java"),
        # A function may stand in any file of its package.
        ("okhttp3.internal.closed", f"closed = closed: {INTERNAL}"),
        ("okhttp3.internal.*", f" = *: {INTERNAL}"),
    ],
)
def test_classes_functions_and_packages(statement: str, expected: str) -> None:
    assert TREE.bound(IMPORTER, f"import {statement}\n") == [expected]


@pytest.mark.parametrize("name", ["kotlin.math.abs", "java.util.List", "okhttp3"])
def test_what_is_outside_has_no_files(name: str) -> None:
    assert TREE.bound(IMPORTER, f"import {name}\n") == []


def test_a_package_is_the_same_in_every_source_root_and_language_of_its_module() -> None:
    package = TREE.resolver.package
    assert package(f"{CLIENT}/Client.kt") == package(IMPORTER) == package("okhttp/src/main/java/okhttp3/Call.java")
