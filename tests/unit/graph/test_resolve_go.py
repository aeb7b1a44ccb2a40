"""Go's imports: modules, vendored and replaced ones, and the folders of a GOPATH."""

from __future__ import annotations

import pytest
from resolution import Workspace

MODULES = Workspace(
    "go",
    [
        "main.go",
        "store/store.go",
        "store/index.go",
        "store/store_test.go",
        "internal/yaml/yaml.go",
        "log/log.go",
        "docs/readme.md",
        "vendor/github.com/pkg/errors/errors.go",
        "forks/toml/toml.go",
        "forks/toml/v2/scan/scan.go",
        "sdk/client.go",
        "sdk/auth/auth.go",
        "sdk/examples/list/main.go",
    ],
    {
        "go.mod": """
            module example.com/app // the service
            require example.com/sdk/v2 v2.1.0
            replace example.com/lone => ./docs
            replace (
                github.com/BurntSushi/toml v1.0.0 => ./forks/toml
                example.com/away => ../away
                example.com/other => example.com/fork v1.2.3
            )
        """,
        "sdk/go.mod": 'module "example.com/sdk/v2"\n',
        "damaged/go.mod": "module\nreplace (\n=> ./x\n",
    },
)


@pytest.mark.parametrize(
    ("importer", "statement", "expected"),
    [
        ("main.go", '"example.com/app/store"', "store = *: store/index.go store/store.go"),
        ("store/store_test.go", 'db "example.com/app/store"', "db = *: store/index.go store/store.go"),
        ("main.go", '. "example.com/app/store"', " = *: store/index.go store/store.go"),
        ("main.go", "_ `example.com/app/store`", " = *: store/index.go store/store.go"),
        ("main.go", '"example.com/app"', "app = *: main.go"),
        ("main.go", '"github.com/pkg/errors"', "errors = *: vendor/github.com/pkg/errors/errors.go"),
        ("main.go", '"github.com/BurntSushi/toml"', "toml = *: forks/toml/toml.go"),
        ("main.go", '"github.com/BurntSushi/toml/v2/scan"', "scan = *: forks/toml/v2/scan/scan.go"),
        ("main.go", '"example.com/sdk/v2"', "sdk = *: sdk/client.go"),
        ("sdk/examples/list/main.go", '"example.com/sdk/v2/auth"', "auth = *: sdk/auth/auth.go"),
        ("main.go", '"./store"', "store = *: store/index.go store/store.go"),
    ],
)
def test_a_package_is_a_folder(importer: str, statement: str, expected: str) -> None:
    assert MODULES.bound(importer, f"package p\nimport {statement}\n") == [expected]


@pytest.mark.parametrize(
    "path",
    [
        "log",  # the standard library's, not the folder of that name
        "fmt",
        "C",
        "example.com/app/docs",  # holds no Go
        "example.com/application/store",
        "example.com/away/store",
        "example.com/other/store",
        "example.com/lone",
        "github.com/other/app/store",  # a tree with a module holds what its modules say
        "../../store",
        "",
    ],
)
def test_what_is_no_package_of_the_tree_has_no_files(path: str) -> None:
    assert MODULES.bound("main.go", f'package p\nimport "{path}"\n') == []


def test_without_modules_paths_are_taken_from_the_gopath_or_below_the_repository() -> None:
    gopath = Workspace("go", ["src/app/main.go", "src/lib/text/text.go", "other/text.go"])
    assert gopath.bound("src/app/main.go", 'package p\nimport "lib/text"') == ["text = *: src/lib/text/text.go"]
    assert gopath.bound("other/text.go", 'package p\nimport "lib/text"') == []
    bare = Workspace("go", ["gin.go", "render/json.go"])
    assert bare.bound("gin.go", 'package p\nimport "github.com/gin-gonic/gin/render"') == ["render = *: render/json.go"]
    assert bare.bound("gin.go", 'package p\nimport "github.com/gin-gonic/render"') == []


def test_go_s_own_tree_imports_its_packages_without_a_module() -> None:
    own = Workspace("go", ["src/fmt/print.go", "src/os/os.go", "test/a.go"], {"src/go.mod": "module std\n"})
    assert own.bound("src/fmt/print.go", 'package fmt\nimport "os"') == ["os = *: src/os/os.go"]
    assert own.bound("test/a.go", 'package main\nimport "fmt"') == ["fmt = *: src/fmt/print.go"]


def test_of_a_module_at_two_places_the_closest_is_meant() -> None:
    paths = ["a/app/main.go", "a/lib/lib.go", "b/app/main.go", "b/lib/lib.go"]
    twice = Workspace("go", paths, dict.fromkeys(("a/lib/go.mod", "b/lib/go.mod"), "module x.io/lib"))
    for side in "ab":
        assert twice.bound(f"{side}/app/main.go", 'package p\nimport "x.io/lib"') == [f"lib = *: {side}/lib/lib.go"]


def test_the_files_of_a_folder_are_one_package() -> None:
    assert MODULES.resolver.package("store/store.go") == MODULES.resolver.package("store/store_test.go") == "store"
    assert MODULES.resolver.package("main.go") == ""
