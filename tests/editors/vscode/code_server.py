"""A code-server of its own for a test, and a person in front of it: `scenario.mjs` in Debian's Chromium."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.browser import chromium
from tests.editors import last_run

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
PICTURES = REPOSITORY / "docs" / "pictures"
VSIX = REPOSITORY / "editors" / "vscode" / "pilotfish.vsix"
NODE = HERE / "node24" / "node_modules" / "node" / "bin" / "node"
ENTRY = HERE / "node_modules" / "code-server" / "out" / "node" / "entry.js"
PILOTFISH = Path(sys.executable).parent / "pilotfish"
START_S = 60
SCENARIO_S = 1_500

LOOKS = {
    "workbench.colorTheme": "Default Light Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "window.commandCenter": False,
    "editor.minimap.enabled": False,
}

NEEDED = [
    pytest.mark.editors_e2e,
    pytest.mark.vectors,
    pytest.mark.skipif(not (HERE / "node_modules" / ".installed").exists(), reason="no code-server: make workbench"),
    pytest.mark.skipif(not VSIX.exists(), reason="no package of the extension: make vsix"),
    pytest.mark.skipif(chromium.program() is None, reason="no Chromium is installed"),
]
"""The marks of tests that run here."""


class CodeServer:
    """One with the extension installed, and a home without any settings of the person's."""

    def __init__(
        self, home: Path, machine_settings: dict[str, Any], path: str = os.environ["PATH"], *, trusts: bool = True
    ) -> None:
        """`trusts`: every workspace, without asking."""
        self._home = home
        self._trusts = trusts
        data = home / "data"
        for folder, settings in (("User", LOOKS), ("Machine", machine_settings)):
            (data / folder).mkdir(parents=True)
            (data / folder / "settings.json").write_text(json.dumps(settings))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PILOTFISH_"))}
        self._environment = kept | {
            "HOME": str(home),
            "PILOTFISH_HOME": str(home / "pilotfish"),
            "PATH": os.pathsep.join([str(NODE.parent), path]),
            "SHELL": "/bin/sh",
        }
        self._command = [
            *(str(NODE), str(ENTRY), "--config", str(home / "config.yaml")),
            *("--user-data-dir", str(data), "--extensions-dir", str(home / "extensions")),
        ]
        install = ["--install-extension", str(VSIX)]
        subprocess.run(
            [*self._command, *install], env=self._environment, check=True, capture_output=True, timeout=START_S
        )

    def play(self, opened: Path, steps: list[str], **given: str) -> dict[str, Any]:
        """Do what a person does in a folder, or in a workspace that is a file; return what was seen."""
        pictures = self._home / "pictures"
        pictures.mkdir(exist_ok=True)
        kind = "folder" if opened.is_dir() else "workspace"
        with self._running() as (address, process):
            task = given | {
                "steps": steps,
                "address": f"{address}/?{kind}={opened}",
                "folder": str(opened),
                "browser": chromium.program(),
                "pictures": str(pictures),
                "process": process,
            }
            done = subprocess.run(
                [str(NODE), str(HERE / "scenario.mjs"), json.dumps(task)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                timeout=SCENARIO_S,
                check=True,
            )
        seen: dict[str, Any] = json.loads(done.stdout)
        assert "failure" not in seen, f"{seen['failure']}\n{pictures / 'failure.png'}"
        if last_run.WRITES:
            for picture in pictures.glob("vscode-*.png"):
                keep_small(picture, PICTURES / picture.name)
        return seen

    @contextmanager
    def _running(self) -> Iterator[tuple[str, int]]:
        """Serve on loopback; yield the address and the process."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        switches = ["--disable-telemetry", "--disable-update-check"]
        switches += ["--disable-workspace-trust"] if self._trusts else []
        with (self._home / "code-server.log").open("w") as log:
            process = subprocess.Popen(
                [*self._command, "--auth", "none", "--bind-addr", f"127.0.0.1:{port}", *switches],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/healthz")
            yield address, process.pid
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(START_S)


def versions() -> str:
    """Name code-server, its VS Code and the browser with their versions."""
    package = ENTRY.parents[2]
    server, workbench = (
        json.loads((folder / "package.json").read_text())["version"] for folder in (package, package / "lib" / "vscode")
    )
    asked = [str(chromium.program()), "--version"]
    browser = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=START_S).stdout.split()[1]
    return f"code-server {server} (VS Code {workbench}) with Chromium {browser.partition('.')[0]}"


def keep_small(picture: Path, target: Path) -> None:
    """Write a picture with as many colours as a page of code needs."""
    from PIL import Image

    with Image.open(picture) as image:
        image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(target, optimize=True)


def wait_for(address: str) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            assert time.monotonic() < deadline, f"nothing answers at {address}"
            time.sleep(0.2)


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.invalid")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, stdout=subprocess.DEVNULL)
