"""Languages whose imports are paths, each from the folders that its tool searches."""

from __future__ import annotations

import pytest
from resolution import Workspace

PATHS = [
    "proto/shop/v1/order.proto",
    "proto/shop/v1/base.proto",
    "third_party/google/protobuf/timestamp.proto",
    "api/user.graphql",
    "api/parts.graphql",
    "Makefile",
    "rules.mk",
    "src/Makefile",
    "src/app.py",
    "Dockerfile",
    "main.tf",
    "modules/rules/main.tf",
    "modules/rules/outputs.tf",
    "modules/rules/README.md",
    "CMakeLists.txt",
    "cmake/FindShop.cmake",
    "cmake/rules.cmake",
    "lib/CMakeLists.txt",
    "docs/index.rst",
    "docs/intro.rst",
    "docs/api/index.rst",
    "paper/main.tex",
    "paper/chapters/intro.tex",
    "paper/shop.sty",
    "shaders/common.glsl",
    "shaders/light/main.frag",
]


@pytest.mark.parametrize(
    ("language", "importer", "text", "expected"),
    [
        ("proto", "proto/shop/v1/order.proto", 'import "shop/v1/base.proto";', "proto/shop/v1/base.proto"),
        (
            "proto",
            "proto/shop/v1/order.proto",
            'import "google/protobuf/timestamp.proto";',
            "third_party/google/protobuf/timestamp.proto",
        ),
        ("graphql", "api/user.graphql", '#import "./parts.graphql"\n', "api/parts.graphql"),
        ("graphql", "api/user.graphql", '# import Money, Cent from "parts"\n', "api/parts.graphql"),
        ("make", "src/Makefile", "include ../rules.mk\n", "rules.mk"),
        ("make", "src/Makefile", "include $(TOP)/rules.mk\n", "rules.mk"),
        ("cmake", "lib/CMakeLists.txt", "include(rules)\n", "cmake/rules.cmake"),
        ("cmake", "lib/CMakeLists.txt", "include(${TOP}/cmake/rules.cmake)\n", "cmake/rules.cmake"),
        ("cmake", "CMakeLists.txt", "add_subdirectory(lib)\n", "lib/CMakeLists.txt"),
        ("cmake", "lib/CMakeLists.txt", "find_package(Shop REQUIRED)\n", "cmake/FindShop.cmake"),
        ("rst", "docs/index.rst", ".. toctree::\n\n   Start <intro>\n", "docs/intro.rst"),
        ("rst", "docs/intro.rst", ".. include:: /docs/api/index.rst\n", "docs/api/index.rst"),
        ("markdown", "modules/rules/README.md", "# A\n\n[a]: ./main.tf\n", "modules/rules/main.tf"),
        ("latex", "paper/main.tex", "\\input{chapters/intro}\n", "paper/chapters/intro.tex"),
        ("latex", "paper/chapters/intro.tex", "\\usepackage{shop}\n", "paper/shop.sty"),
        ("glsl", "shaders/light/main.frag", '#include "common.glsl"\n', "shaders/common.glsl"),
        ("dockerfile", "Dockerfile", "FROM scratch\nCOPY src/app.py /app/\n", "src/app.py"),
        (
            "terraform",
            "main.tf",
            'module "rules" {\n  source = "./modules/rules"\n}\n',
            "modules/rules/main.tf modules/rules/outputs.tf",
        ),
    ],
)
def test_a_path_is_a_file(language: str, importer: str, text: str, expected: str) -> None:
    assert Workspace(language, PATHS).bound(importer, text) == [f"* = *: {expected}"]


@pytest.mark.parametrize(
    ("language", "importer", "text"),
    [
        ("proto", "proto/shop/v1/order.proto", 'import "base.protos";'),
        ("graphql", "api/user.graphql", "# important: read\n"),
        ("make", "src/Makefile", "include $(RULES)\n"),
        ("dockerfile", "Dockerfile", "FROM scratch\nCOPY ../secret /\n"),
        ("terraform", "main.tf", 'module "m" {\n  source = "../elsewhere"\n}\n'),
        ("terraform", "main.tf", 'module "m" {\n  source = "terraform-aws-modules/vpc/aws"\n}\n'),
    ],
)
def test_what_is_no_path_of_the_tree_has_no_files(language: str, importer: str, text: str) -> None:
    assert Workspace(language, PATHS).bound(importer, text) == []


def test_the_files_of_a_terraform_module_see_each_other() -> None:
    assert Workspace("terraform", PATHS).resolver.package("modules/rules/main.tf") == "modules/rules"
