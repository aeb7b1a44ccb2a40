"""Workspaces that are no single folder to be trusted: one that is not, and one of several folders."""

from __future__ import annotations

import json
from pathlib import Path

from tests.editors.vscode.code_server import NEEDED, PILOTFISH, CodeServer, git

STOCK = '''\
"""What lies on the shelves."""


def count_items(shelf):
    """Count what lies on a shelf."""
    return len(shelf)
'''
ORDERS = '''\
"""What is to be bought."""

from stock import count_items


def order_more(shelf):
    """Order what is missing on a shelf."""
    return 10 - count_items(shelf)
'''
AUDIT = '''\
"""A star does not tell where a name comes from."""

from elsewhere import *


def audit(shelf):
    """Compare a shelf with the books."""
    return count_items(shelf)
'''
MOTOR = '''\
"""A motor that lifts a shelf."""


def lift_shelf(shelf):
    """Lift the shelf to where a person reaches what lies on it."""
'''
QUESTIONS = {"question": "what lies on a shelf", "answer": "count_items", "name": "count_items"}

pytestmark = NEEDED


def repository(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q")
    return root


def test_a_workspace_that_is_not_trusted_is_searched_and_has_no_say(tmp_path: Path) -> None:
    """Its settings name a program, switch the index off and open the network: scope `machine` is not theirs."""
    ran, program = tmp_path / "ran", tmp_path / "shop" / "server.sh"
    hostile = {
        "pilotfish.server.path": str(program),
        "pilotfish.server.python": str(program),
        "pilotfish.index.enabled": False,
        "pilotfish.semantic.model": "nobody/nothing",
        "pilotfish.network.enabled": True,
    }
    files = {"stock.py": STOCK, "server.sh": f"#!/bin/sh\ntouch {ran}\n", ".vscode/settings.json": json.dumps(hostile)}
    root = repository(tmp_path / "shop", files)
    program.chmod(0o755)
    code_server = CodeServer(tmp_path / "home", {"pilotfish.server.path": str(PILOTFISH)}, trusts=False)
    seen = code_server.play(root, ["restricted"], **QUESTIONS)["restricted"]
    assert "Restricted Mode: agents are not offered" in seen["status"]["label"]
    assert seen["picks"]
    assert not any("Pilotfish" in pick["label"] for pick in seen["offered"])
    assert "Agents are not offered" in seen["limits"]
    assert any("Pilotfish" in pick["label"] for pick in seen["trusted"])
    assert not ran.exists()


def test_one_server_answers_for_all_folders(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", {"stock.py": STOCK, "orders.py": ORDERS, "audit.py": AUDIT})
    garage = repository(tmp_path / "garage", {"motor.py": MOTOR})
    workspace = tmp_path / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": str(shop)}, {"path": str(garage)}]}))
    code_server = CodeServer(tmp_path / "home", {"pilotfish.server.path": str(PILOTFISH)})
    seen = code_server.play(workspace, ["indexed", "folders"], **QUESTIONS)
    assert {line.split(":")[0] for line in seen["indexed"]["label"].removeprefix("Pilotfish: ").split("\n")} == {
        "shop",
        "garage",
    }
    places = [pick["description"] for pick in seen["folders"]["picks"]]
    assert any(place.startswith("shop • stock.py") for place in places)
    assert any(place.startswith("garage • motor.py") for place in places)
    assert len(seen["folders"]["servers"]) == 1
    headings = [row for row in seen["folders"]["rows"] if row.startswith(("Bound to", "Name only"))]
    assert [heading.rstrip(" 0123456789") for heading in headings] == ["Bound to the definition", "Name only"]
    assert seen["folders"]["rows"][-1].endswith("· in audit"), "what is below the last heading is there at once"
