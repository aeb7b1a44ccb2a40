"""The command line follows the registry: every operation, every parameter, every example."""

from __future__ import annotations

import argparse
import re
import shlex
import typing
from pathlib import Path

import msgspec
import pytest

import pilotfish
from pilotfish.cli.arguments import PAGED, build_parser, given, parameters_of, parsed
from pilotfish.cli.commands import _NOTHING_SAID
from pilotfish.operations import OPERATIONS
from pilotfish.operations.registry import Operation

OFFERED = [operation for operation in OPERATIONS if operation.cli]
EXAMPLES = [(operation, example) for operation in OFFERED for example in operation.examples]


@pytest.mark.parametrize(("operation", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_every_example_is_a_valid_command_line(operation: Operation, example: str) -> None:
    options = build_parser().parse_args(shlex.split(example))
    assert options.operation is operation
    assert isinstance(parameters_of(operation, options), operation.parameters)


@pytest.mark.parametrize("operation", OFFERED, ids=lambda operation: operation.cli)
def test_every_parameter_can_be_given(operation: Operation) -> None:
    fields = {field.name: field for field in msgspec.structs.fields(operation.parameters) if field.name not in PAGED}
    line = [operation.cli]
    expected = {}
    hints = typing.get_type_hints(operation.parameters)
    for name, field in fields.items():
        flag = [] if name in operation.positional else [f"--{name.replace('_', '-')}"]
        plain = next(iter(typing.get_args(hints[name]) or [hints[name]]))
        if isinstance(field.default, bool):
            line += [flag[0].replace("--", "--no-") if field.default else flag[0]]
            expected[name] = not field.default
        elif plain is int:
            expected[name] = 70 if name.endswith("tokens") else 7
            line += [*flag, str(expected[name])]
        elif plain is float:
            line += [*flag, "0.5"]
            expected[name] = 0.5
        elif typing.get_origin(hints[name]) is typing.Literal:
            expected[name] = typing.get_args(hints[name])[-1]
            line += [*flag, expected[name]]
        else:
            line += [*flag, "x"]
            expected[name] = ["x"] if field.default_factory is list else "x"
    parameters = parameters_of(operation, build_parser().parse_args(line))
    assert {name: getattr(parameters, name) for name in fields} == expected


def test_a_batch_needs_no_question_and_its_options_hold_for_all() -> None:
    options = build_parser().parse_args(["search", "--batch", "--max-results", "3"])
    assert (options.batch, given(options.operation, options)) == (True, {"max_results": 3})


@pytest.mark.parametrize(
    "line", ["--root R --json symbols q", "symbols q --root R --json", "--json symbols --root R q"]
)
def test_common_options_may_stand_on_either_side(line: str) -> None:
    options = build_parser().parse_args(line.split())
    assert (options.root, options.json, options.query) == ("R", True, "q")


@pytest.mark.parametrize("line", ["symbols", "symbols q --wrong", "nothing", "", "symbols q --max-results many"])
def test_a_mistake_is_one_line_and_code_2(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        build_parser().parse_args(line.split())
    out, err = capsys.readouterr()
    assert (ending.value.code, out) == (2, "")
    assert err.startswith("pilotfish: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("search merge request config", "in quotes: pilotfish search 'merge request config'"),
        ("context --json fix the $bug", "in quotes: pilotfish context 'fix the $bug'"),
        ("refs Engine open", "in quotes: pilotfish refs 'Engine open'"),
        ("search merge --wrong request", "unrecognized arguments: --wrong request"),
        ("status now", "unrecognized arguments: now"),
    ],
)
def test_words_that_belong_into_quotes_are_shown_so(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        parsed(line.split())
    assert ending.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("pilotfish: ")
    assert said in err
    assert err.count("\n") == 1


def test_what_a_command_takes_by_place_is_asked_for_in_words() -> None:
    for operation in OFFERED:
        hints = typing.get_type_hints(operation.parameters)
        texts = {name for name in operation.positional if typing.get_origin(hints[name]) is not list}
        assert texts <= _NOTHING_SAID.keys()


def test_the_readme_names_every_command() -> None:
    text = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    section = text.partition("## On the command line")[2].partition("\n## ")[0]
    commands = [operation.cli for operation in OFFERED] + ["index", "cache", "logs", "doctor", "serve", "mcp"]
    assert [command for command in commands if not re.search(rf"\b{command}\b", section)] == []


def test_a_value_out_of_bounds_is_refused() -> None:
    options = build_parser().parse_args(["symbols", "q", "--max-results", "0"])
    with pytest.raises(msgspec.ValidationError):
        parameters_of(options.operation, options)


def test_the_version_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        build_parser().parse_args(["--version"])
    assert ending.value.code == 0
    assert capsys.readouterr().out == f"pilotfish {pilotfish.__version__}\n"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(["--help"])
    shown = capsys.readouterr().out
    commands = [operation.cli for operation in OFFERED] + ["index", "cache", "logs", "doctor", "serve"]
    assert all(re.search(rf"^    {command}\s", shown, re.MULTILINE) for command in commands)
    assert isinstance(build_parser(), argparse.ArgumentParser)


@pytest.mark.parametrize("command", [operation.cli for operation in OFFERED] + ["index", "cache", "logs", "doctor"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args([command, "--help"])
    assert ended.value.code == 0
    assert "--root" in capsys.readouterr().out


def commands_of_the_readme() -> list[str]:
    text = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\$ pilotfish (.+)$", text, re.MULTILINE) + re.findall(r"`pilotfish (\w[^`]*)`", text)
    commands = {line.partition("#")[0].partition(">")[0].strip() for line in lines}
    # The servers read their own arguments; `tests/mcp/test_configurations.py` tries those of `mcp`.
    return sorted(command for command in commands if command.split()[0] not in ("serve", "mcp"))


@pytest.mark.parametrize("line", commands_of_the_readme())
def test_commands_in_the_readme_are_understood(line: str) -> None:
    options = build_parser().parse_args(shlex.split(line))
    if hasattr(options, "operation"):
        parameters_of(options.operation, options)


def test_an_option_given_twice_adds_up() -> None:
    options = build_parser().parse_args(shlex.split("map --mentions retry --mentions timeout upload"))
    assert parameters_of(options.operation, options).mentions == ["retry", "timeout", "upload"]  # type: ignore[attr-defined]
