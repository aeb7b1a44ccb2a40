"""Imports of JavaScript and TypeScript: probing of endings, folders, packages of the workspace, path aliases."""

from __future__ import annotations

import json

import pytest
from resolution import Workspace

UI = {
    "name": "@acme/ui",
    "exports": {
        ".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"},
        "./icons/*": {"browser": "./browser/*.js", "default": "./dist/icons/*.js"},
        "./internal/*": None,
        "./theme": ["./missing.js", "./src/theme/dark.ts"],
    },
    "imports": {"#log": "./src/log.ts", "#core": "@acme/core", "#self": "#self"},
}
CORE = {"name": "@acme/core", "main": "lib/main.js", "types": "build/main.d.ts"}
MONOREPO = Workspace(
    "typescript",
    [
        "app/main.ts",
        "app/util.ts",
        "app/util.js",
        "app/view.tsx",
        "app/legacy.js",
        "app/legacy.d.ts",
        "app/data.json",
        "app/Page.vue",
        "app/fs.ts",
        "app/models/index.ts",
        "app/models/user.service.ts",
        "app/esm/loader.mts",
        "app/generated/api.ts",
        "packages/ui/src/index.ts",
        "packages/ui/src/log.ts",
        "packages/ui/src/theme/dark.ts",
        "packages/ui/src/icons/arrow.tsx",
        "packages/core/src/main.ts",
        "packages/core/src/extra.ts",
        "packages/plain/index.js",
        "packages/plain/client/src/hooks.js",
        "scripts/lib/cli.js",
    ],
    {
        "app/tsconfig.json": """{
            // Comments and trailing commas are usual here: "//" in a string is none.
            "extends": ["../tsconfig.base.json", "./tsconfig.json"], /* itself */
            "compilerOptions": {"baseUrl": "./", },
        }""",
        "tsconfig.base.json": json.dumps(
            {"compilerOptions": {"paths": {"@app/*": ["nowhere/*", "*"], "@app/api": ["generated/api"], "~": 3}}}
        ),
        "packages/ui/package.json": json.dumps(UI),
        "packages/core/package.json": json.dumps(CORE),
        "packages/plain/package.json": '{"name": "plain"}',
        "scripts/package.json": '{"name": "scripts", "main": "./lib/cli"}',
    },
)


@pytest.mark.parametrize(
    ("importer", "module", "expected"),
    [
        ("app/main.ts", "./util", "app/util.ts"),
        ("app/main.ts", "./util.js", "app/util.ts"),
        ("app/legacy.js", "./util.js", "app/util.js"),
        ("app/main.ts", "./legacy", "app/legacy.d.ts"),
        ("app/legacy.js", "./legacy", "app/legacy.js"),
        ("app/main.ts", "./view.jsx", "app/view.tsx"),
        ("app/main.ts", "./esm/loader.mjs", "app/esm/loader.mts"),
        ("app/main.ts", "./models", "app/models/index.ts"),
        ("app/models/user.service.ts", ".", "app/models/index.ts"),
        ("app/main.ts", "./models/user.service", "app/models/user.service.ts"),
        ("app/main.ts", "./data.json", "app/data.json"),
        ("app/main.ts", "./Page.vue?raw", "app/Page.vue"),
        ("app/main.ts", "../scripts", "scripts/lib/cli.js"),
        ("app/main.ts", "@app/models", "app/models/index.ts"),
        ("app/main.ts", "@app/api", "app/generated/api.ts"),
        ("app/main.ts", "models/user.service", "app/models/user.service.ts"),
        ("app/main.ts", "@acme/ui", "packages/ui/src/index.ts"),
        ("app/main.ts", "@acme/ui/icons/arrow", "packages/ui/src/icons/arrow.tsx"),
        ("app/main.ts", "@acme/ui/theme", "packages/ui/src/theme/dark.ts"),
        ("app/main.ts", "@acme/core", "packages/core/src/main.ts"),
        ("app/main.ts", "@acme/core/extra", "packages/core/src/extra.ts"),
        ("app/main.ts", "plain", "packages/plain/index.js"),
        ("packages/ui/src/index.ts", "#log", "packages/ui/src/log.ts"),
        ("packages/ui/src/index.ts", "#core", "packages/core/src/main.ts"),
        ("packages/plain/client/src/view.js", "@/client/src/hooks", "packages/plain/client/src/hooks.js"),
    ],
)
def test_a_module_is_a_file(importer: str, module: str, expected: str) -> None:
    assert MONOREPO.bound(importer, f"import * as m from '{module}'") == [f"m = *: {expected}"]


@pytest.mark.parametrize(
    "module",
    ["react", "fs", "node:fs", "https://x.org/m.js", "./missing", "../../app/util", "/app/util", "#self", "@acme/none"],
)
def test_what_lies_elsewhere_is_not_bound(module: str) -> None:
    assert MONOREPO.bound("app/main.ts", f"import m from '{module}'") == []
    assert MONOREPO.bound("packages/ui/src/index.ts", f"import m from '{module}'") == []


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_every_form_of_import_binds_its_names(language: str) -> None:
    workspace = Workspace(language, ["m.ts"])
    text = """
        import d, {a, b as c} from "./m"; import "./m"; import * as all from "./m"; import {default as e} from "./m"
        export {x as y, default as z} from "./m"; export * as ns from "./m"; export * from "./m"
        const whole = require("./m"), {p, q: r} = require("./m"); import("./m")
    """
    expected = """
        d = default; a = a; c = b; all = *; e = default; y = x; z = default; ns = *; * = *; whole = *; p = p; r = q
    """
    bound = [each.removesuffix(": m.ts") for each in workspace.bound("main.ts", text)]
    assert sorted(bound) == sorted([" = *", " = *", *(each.strip() for each in expected.split(";"))])


def test_a_configuration_that_only_refers_to_others_speaks_through_them() -> None:
    workspace = Workspace(
        "tsx",
        ["web/src/lib/api.ts", "web/src/main.tsx"],
        {
            "web/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}, 7]}',
            "web/tsconfig.app.json": '{"compilerOptions": {"paths": {"$lib/*": ["${configDir}/src/lib/*"]}}}',
        },
    )
    assert workspace.bound("web/src/main.tsx", 'import {get} from "$lib/api"') == ["get = get: web/src/lib/api.ts"]
