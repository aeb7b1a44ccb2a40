"""What the README has people write down is what Pilotfish takes; its commands are tried in `cli/test_arguments`."""

from __future__ import annotations

import io
import re
from pathlib import Path

import msgspec
import pytest

from pilotfish import config
from pilotfish.cli.render import render
from pilotfish.cli.terminal import Terminal
from pilotfish.operations import OPERATIONS
from pilotfish.operations.search import SearchCodeResult, SearchHit

REPOSITORY = Path(__file__).parents[2]


def blocks(language: str) -> list[str]:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", [text for text in blocks("toml") if text.startswith("#")])
def test_settings_are_taken(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    loaded = config.load(environment={"PILOTFISH_HOME": str(tmp_path)})
    assert loaded.problems == []
    assert loaded.origins


@pytest.mark.parametrize("text", blocks("json"))
def test_requests_are_understood(text: str) -> None:
    request = msgspec.json.decode(text)
    (operation,) = (each for each in OPERATIONS if each.lsp_command == request["command"])
    (parameters,) = request["arguments"]
    msgspec.convert(parameters, operation.parameters)


def test_answers_look_as_they_are_shown() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"without the source and the numbers:\n\n```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    form = r"(\S+):(\d+)-(\d+)  (\w+) (?:(\w+)\.)?(\w+)  … \((.+)\)"
    hits = []
    for line in shown.splitlines():
        parts = re.fullmatch(form, line)
        assert parts is not None, line
        path, first, last, kind, parent, name, why = parts.groups()
        place = {"path": path, "line_start": int(first), "line_end": int(last)}
        hits.append(SearchHit(**place, symbol_type=kind, parent=parent or "", symbol_name=name, why=why))
    output = io.StringIO()
    render(SearchCodeResult(results=hits), Terminal(output, io.StringIO(), {}))
    assert output.getvalue().replace("0.00", "…") == shown


PAGES = [
    page.relative_to(REPOSITORY).as_posix()
    for folder, pattern in (("", "*.md"), ("docs", "**/*.md"), ("editors", "*/*.md"), ("tests", "**/README.md"))
    for page in (REPOSITORY / folder).glob(pattern)
    if "node_modules" not in page.parts
]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    file = REPOSITORY / page
    text = file.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = file if not path else file.parent / path
        assert linked.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, target


def test_files_that_the_architecture_names_are_there() -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:tests|server)/[\w./]+|[a-z]+/[\w/]+\.py)`", text))
    places = [REPOSITORY, REPOSITORY / "server" / "pilotfish"]
    assert sorted(path for path in named if not any((place / path).exists() for place in places)) == []
