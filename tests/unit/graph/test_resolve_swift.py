"""Swift's imports: modules by the folders of their targets."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace(
    "swift",
    [
        "Sources/Bank/Account.swift",
        "Sources/Bank/Rates/Rate.swift",
        "Tests/BankTests/AccountTests.swift",
        "Source/Core/Request.swift",
        "Vendor/Money/Sources/Money/Money.swift",
        "App/Views/Main.swift",
    ],
    {
        "Package.swift": """
        let package = Package(name: "Bank", targets: [
            .target(name: "Bank", dependencies: ["Net"]),
            .target(name: "Net", path: "Source"),
            .testTarget(name: "Outside", path: "../../etc"),
        ])
        """,
    },
)
IMPORTER = "Tests/BankTests/AccountTests.swift"
BANK = " = *: Sources/Bank/Account.swift Sources/Bank/Rates/Rate.swift"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import Bank", [BANK]),
        ("@testable import Bank", [BANK]),
        ("import struct Bank.Rate", [BANK]),
        ("import Net", [" = *: Source/Core/Request.swift"]),
        ("import Money", [" = *: Vendor/Money/Sources/Money/Money.swift"]),
        ("import App", [" = *: App/Views/Main.swift"]),
        ("import Foundation", []),
        ("import Outside", []),
    ],
)
def test_modules(statement: str, expected: list[str]) -> None:
    assert TREE.bound(IMPORTER, statement) == expected


def test_files_of_a_module_see_each_other() -> None:
    package = TREE.resolver.package
    assert package("Sources/Bank/Account.swift") == package("Sources/Bank/Rates/Rate.swift") == "Sources/Bank"
    assert package("Source/Core/Request.swift") == "Source"
    assert package("main.swift") is None
