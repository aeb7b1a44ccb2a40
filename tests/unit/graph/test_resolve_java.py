"""Java's imports: classes and packages by the ends of paths, in the closest module."""

from __future__ import annotations

import pytest
from resolution import Workspace

GSON = "gson/src/main/java/com/google/gson"
TOKENS = f"{GSON}/reflect/TypeToken.java gson/src/test/java/com/google/gson/reflect/TypeTokenTest.java"
TREE = Workspace(
    "java",
    [
        f"{GSON}/Gson.java",
        f"{GSON}/reflect/TypeToken.java",
        "gson/src/test/java/com/google/gson/GsonTest.java",
        "gson/src/test/java/com/google/gson/reflect/TypeTokenTest.java",
        "shaded/src/main/java/com/google/gson/Gson.java",
        "shaded/src/main/java/app/Main.java",
        "plain/src/util/List.java",
        "plain/test/util/ListTest.java",
        "com/test/util/Odd.java",
    ],
)
IMPORTER = "gson/src/test/java/com/google/gson/GsonTest.java"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("com.google.gson.Gson", f"Gson = Gson: {GSON}/Gson.java"),
        ("com.google.gson.reflect.TypeToken.Kind", f"Kind = Kind: {GSON}/reflect/TypeToken.java"),
        ("static com.google.gson.Gson.create", f"create = create: {GSON}/Gson.java"),
        ("static com.google.gson.Gson.*", f" = *: {GSON}/Gson.java"),
        ("com.google.gson.reflect.*", f" = *: {TOKENS}"),
        # A class without a file of its own may be in any of its package's.
        ("com.google.gson.reflect.Hidden", f"Hidden = Hidden: {TOKENS}"),
        ("util.List", "List = List: plain/src/util/List.java"),
    ],
)
def test_classes_and_packages(statement: str, expected: str) -> None:
    assert TREE.bound(IMPORTER, f"import {statement};") == [expected]


def test_the_closest_of_several_modules_is_meant() -> None:
    found = TREE.bound("shaded/src/main/java/app/Main.java", "import com.google.gson.Gson; import com.google.gson.*;")
    path = "shaded/src/main/java/com/google/gson/Gson.java"
    assert found == [f"Gson = Gson: {path}", f" = *: {path}"]


@pytest.mark.parametrize(
    "name", ["java.util.List", "org.junit.Test", "google.gson.missing.A", "oogle.gson.Gson", "Gson"]
)
def test_what_is_outside_has_no_files(name: str) -> None:
    assert TREE.bound(IMPORTER, f"import {name}; import {name}.*;") == []


def test_a_package_is_the_same_in_every_source_root_of_its_module() -> None:
    package = TREE.resolver.package
    assert package(f"{GSON}/Gson.java") == package(IMPORTER)
    assert package(f"{GSON}/Gson.java") != package("shaded/src/main/java/com/google/gson/Gson.java")
    assert package(f"{GSON}/Gson.java") != package(f"{GSON}/reflect/TypeToken.java")
    assert package("plain/src/util/List.java") == package("plain/test/util/ListTest.java")
    assert package("com/test/util/Odd.java") == "com/test/util"
