"""C#'s usings: namespaces by what projects and folders are called, and the types in them."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "csharp",
    [
        "src/Core/Account.cs",
        "src/Core/Rates/Rates.cs",
        "src/Core/Rates/Rates.Parts.cs",
        "src/Core/Rates/Money.cs",
        "src/Web/Rates/Page.cs",
        "src/My-App/Program.cs",
        "tools/Bank.Tools/Printing/Printer.cs",
        "README.md",
    ],
    {
        "src/Core/Core.csproj": "<Project><RootNamespace> Bank </RootNamespace></Project>",
        "src/Core/Other.csproj": "<Project/>",
        "src/Web/Bank.Web.csproj": "<RootNamespace>$(MSBuildProjectName)</RootNamespace>",
        "src/My-App/My-App.csproj": "\x00<<<",
    },
)
IMPORTER = "src/Web/Rates/Page.cs"
RATES = "src/Core/Rates/Money.cs src/Core/Rates/Rates.Parts.cs src/Core/Rates/Rates.cs"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Bank", " = *: src/Core/Account.cs"),
        ("Bank.Rates", f" = *: {RATES}"),
        ("global::Bank.Rates", f" = *: {RATES}"),
        ("Bank.Web.Rates", " = *: src/Web/Rates/Page.cs"),
        ("My_App", " = *: src/My-App/Program.cs"),
        ("Bank.Tools.Printing", " = *: tools/Bank.Tools/Printing/Printer.cs"),
        ("static Bank.Rates.Rates", " = *: src/Core/Rates/Rates.Parts.cs src/Core/Rates/Rates.cs"),
        ("R = Bank.Rates", f"R = *: {RATES}"),
        ("M = Bank.Rates.Money", "M = Money: src/Core/Rates/Money.cs"),
        # A type without a file of its own may be in any of its namespace's.
        ("H = Bank.Rates.Hidden<int>", f"H = Hidden: {RATES}"),
    ],
)
def test_namespaces_and_types(statement: str, expected: str) -> None:
    assert TREE.bound(IMPORTER, f"using {statement};") == [expected]


@pytest.mark.parametrize("name", ["System", "System.Collections.Generic", "Rates.Missing", "Core.Bank"])
def test_what_is_outside_has_no_files(name: str) -> None:
    assert TREE.bound(IMPORTER, f"using {name};") == []


def test_files_of_a_namespace_see_each_other() -> None:
    package = TREE.resolver.package
    assert package("src/Core/Rates/Money.cs") == package("src/Core/Rates/Rates.cs") == "Bank.Rates"
    assert package("src/Web/Rates/Page.cs") == "Bank.Web.Rates"
    assert package("tools/Bank.Tools/Printing/Printer.cs") == "tools.Bank.Tools.Printing"
