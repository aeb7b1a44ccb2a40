"""The doctor: a grammar that ends its process is named and survived, and a broken check does not hide the others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pilotfish import doctor

# Stands in for grammars that a tree-sitter of another version brings down; the probe's protocol is the real one.
CHILD = """
import os, signal, sys
for name in sys.argv[1:]:
    print("begin", name, flush=True)
    if name.startswith("crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if name.startswith("quit"):
        os._exit(3)
    if name.startswith("bad"):
        print("failed", name, "incompatible version 99")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_each_grammar_that_fails_is_named_whatever_way_it_fails() -> None:
    names = ["a", "crash1", "b", "bad", "crash2", "quit", "c"]
    failures = doctor.probe(names, [sys.executable, "-I", "-c", CHILD])
    assert set(failures) == {"crash1", "crash2", "quit", "bad"}
    assert "signal 11" in failures["crash1"]
    assert "exit code 3" in failures["quit"]
    assert failures["bad"] == "incompatible version 99"


def test_a_probe_that_cannot_start_is_a_failure_of_all() -> None:
    failures = doctor.probe(["a", "b"], [sys.executable, "-I", "-c", "import sys; sys.exit(9)"])
    assert set(failures) == {"a", "b"}


def test_the_languages_of_the_registry_all_load() -> None:
    from pilotfish.syntax.languages import REGISTRY

    assert doctor.probe(sorted(REGISTRY)) == {}


def test_problems_of_the_settings_are_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))
    root = tmp_path / "root"
    root.mkdir()
    (root / "pilotfish.toml").write_text("[limits]\nworkers = 3\n", encoding="utf-8")
    report = doctor.examine(str(root))
    (finding,) = [finding for finding in report.findings if finding.subject == "settings" and finding.level != "ok"]
    assert "limits.workers" in finding.detail
    assert {"pilotfish", "SQLite", "grammars", "model", "store", "git"} <= {
        finding.subject for finding in report.findings
    }


@pytest.mark.vectors
def test_the_model_is_loaded_and_one_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path))
    (finding,) = doctor._model(str(tmp_path))
    assert finding.level == "ok"
    assert "built-in" in finding.detail
    monkeypatch.setenv("PILOTFISH_SEMANTIC_MODEL", str(tmp_path / "nowhere"))
    (finding,) = doctor._model(str(tmp_path))
    assert finding.level == "error"
    assert "nowhere is no folder" in finding.detail
