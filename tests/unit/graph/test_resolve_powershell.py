"""PowerShell's imports: scripts from the folder of the script, modules by name."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "powershell",
    [
        "Shop/Shop.psd1",
        "Shop/Shop.psm1",
        "Shop/Public/Get-Account.ps1",
        "Shop/Private/Format.ps1",
        "Shop/helpers.ps1",
        "Modules/Pay/Pay.psm1",
        "tests/Get-Account.Tests.ps1",
        "build.ps1",
    ],
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("Shop/Shop.psm1", ". $PSScriptRoot\\Private\\Format.ps1", "Shop/Private/Format.ps1"),
        ("Shop/Shop.psm1", '. "$PSScriptRoot/Private/Format.ps1"', "Shop/Private/Format.ps1"),
        ("Shop/Shop.psm1", ". (Join-Path $PSScriptRoot 'Private\\Format.ps1')", "Shop/Private/Format.ps1"),
        ("Shop/Shop.psm1", ". (Join-Path -Path $here -ChildPath helpers.ps1)", "Shop/helpers.ps1"),
        ("Shop/Public/Get-Account.ps1", '. "$(Split-Path $PSScriptRoot)/helpers.ps1"', "Shop/helpers.ps1"),
        ("tests/Get-Account.Tests.ps1", ". .\\build.ps1", "build.ps1"),
        ("tests/a.ps1", 'Import-Module "$PSScriptRoot\\..\\Shop\\Shop.psd1" -Force', "Shop/Shop.psd1 Shop/Shop.psm1"),
        ("tests/Get-Account.Tests.ps1", "Import-Module Shop", "Shop/Shop.psd1 Shop/Shop.psm1"),
        ("build.ps1", "Import-Module -Name Pay", "Modules/Pay/Pay.psm1"),
        ("build.ps1", "using module ./Modules/Pay/Pay.psm1", "Modules/Pay/Pay.psm1"),
    ],
)  # fmt: skip
def test_scripts_and_modules(importer: str, statement: str, expected: str) -> None:
    assert TREE.bound(importer, statement) == [f"* = *: {expected}"]


@pytest.mark.parametrize(
    "statement",
    [". $file", ". $env:TEMP/build.ps1", "Import-Module Pester", ". ../../build.ps1", "Import-Module helpers.ps1"],
)
def test_what_is_elsewhere_has_no_files(statement: str) -> None:
    assert TREE.bound("tests/Get-Account.Tests.ps1", statement) == []


def test_a_module_sees_all_its_scripts() -> None:
    package = TREE.resolver.package
    assert package("Shop/Public/Get-Account.ps1") == package("Shop/Private/Format.ps1") == "Shop"
    assert package("tests/Get-Account.Tests.ps1") == "tests"
