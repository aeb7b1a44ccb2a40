"""The parts of the VS Code extension that need no VS Code, on the pinned node; its types; and what is generated."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pilotfish import config, reference_vscode
from pilotfish.operations import OPERATIONS

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
NODE = FOLDER / "node_modules" / "node" / "bin" / "node"
PATIENCE_S = 120

installed = pytest.mark.skipif(not NODE.exists(), reason=f"not installed: npm ci --prefix editors/{FOLDER.name}")


def run(*arguments: str) -> None:
    done = subprocess.run(
        [str(NODE), *arguments],
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@installed
def test_the_types_agree() -> None:
    run("node_modules/typescript/bin/tsc", "--noEmit")


@installed
def test_parts_that_need_no_editor() -> None:
    run("--test", "test/*.test.ts")


@installed
def test_it_can_be_bundled() -> None:
    run("build.mjs")
    assert (FOLDER / "dist" / "extension.cjs").stat().st_size > 100_000


def test_the_manifest_and_the_types_are_the_ones_that_the_declarations_give() -> None:
    manifest = (FOLDER / "package.json").read_text(encoding="utf-8")
    assert manifest == reference_vscode.manifest(manifest), "run `make docs` and commit the result"
    types = (FOLDER / "src" / "operations.ts").read_text(encoding="utf-8")
    assert types == reference_vscode.operation_types(), "run `make docs` and commit the result"


def test_commands_that_are_operations_are_called_as_these_are() -> None:
    commands = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]["commands"]
    titles = {command["title"].removeprefix("Copy ") for command in commands}
    declared = {operation.title for operation in OPERATIONS if operation.title}
    assert declared <= titles


def test_what_shapes_the_index_or_names_places_is_the_machine_s_alone() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    declared: dict[str, dict[str, object]] = {}
    for section in manifest["contributes"]["configuration"]:
        declared.update(section["properties"])
    for key in config.keys().values():
        setting = declared[f"pilotfish.{key.name}"]
        assert (setting["scope"] == "machine") == (key.scope != "S"), key.name
    machine = {name for name, setting in declared.items() if setting["scope"] == "machine"}
    assert {"pilotfish.server.path", "pilotfish.server.python", "pilotfish.semantic.model"} <= machine
    assert machine == set(manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])


def test_the_page_says_what_its_tests_ran_in_last() -> None:
    tests = FOLDER.parents[1] / "tests" / "editors" / "vscode"
    pinned = json.loads((tests / "package.json").read_text(encoding="utf-8"))["dependencies"]["code-server"]
    page = (FOLDER.parents[1] / "docs" / "editors" / "vscode.md").read_text(encoding="utf-8")
    run = rf"^Run in code-server {re.escape(pinned)} \(VS Code [\d.]+\) with Chromium .+, on\s\d{{4}}-\d\d-\d\d:"
    assert re.search(run, page, re.MULTILINE), "run PILOTFISH_PICTURES=1 make test-editors, and commit the result"


def test_lock_files_name_no_registry() -> None:
    for lock in FOLDER.glob("**/package-lock.json"):
        if "node_modules" not in lock.parent.parts:
            assert '"resolved"' not in lock.read_text(encoding="utf-8"), lock


@pytest.mark.parametrize("page", ["docs/editors/vscode.md", "editors/vscode/README.md"])
def test_the_pages_name_the_commands_and_keys_that_there_are(page: str) -> None:
    contributes = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    titles = {each["command"]: each["title"] for each in contributes["commands"]}
    keys = {titles[each["command"]]: each["key"] for each in contributes["keybindings"]}
    text = (FOLDER.parents[1] / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][^|]+) \| (?:`([^`]+)`)? ?\|", text, re.MULTILINE)
    assert {name: key.lower() for name, key in rows if key} == keys
    for name in (name for row, _ in rows for name in row.split(", ")):
        assert name in titles.values(), name


def test_the_pages_install_the_package_that_is_made() -> None:
    made = re.search(r"--out (\S+\.vsix)", (FOLDER.parents[1] / "Makefile").read_text(encoding="utf-8"))
    assert made is not None
    for page in ("README.md", "docs/editors/vscode.md"):
        text = (FOLDER.parents[1] / page).read_text(encoding="utf-8")
        assert f"code --install-extension editors/vscode/{made[1]}" in text, page
