"""Settings: the table, the scopes, the order of sources, and that nothing that is written there ends a process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pilotfish import config, reference

REPOSITORY = Path(__file__).parents[2]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)


class Places:
    """A root and a user's file of their own, and what `load` makes of them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir()
        self.user_file = folder / "config.toml"
        self.environment = {"PILOTFISH_CONFIG": str(self.user_file)}

    def write_user(self, text: str) -> None:
        self.user_file.write_text(text, encoding="utf-8")

    def write_root(self, text: str) -> None:
        (self.root / config.ROOT_FILE).write_text(text, encoding="utf-8")

    def load(self, session: object = None, **variables: str) -> config.Loaded:
        return config.load(self.root, environment=self.environment | variables, session=session)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def value(loaded: config.Loaded, key: config.Key) -> Any:
    return getattr(getattr(loaded.settings, key.section), key.field)


def other_value(key: config.Key) -> Any:
    """A valid value of the key that is not its default, as a client would write it."""
    base = msgspec.inspect.type_info(key.type)
    match base:
        case msgspec.inspect.Metadata(type=inner):
            base = inner
    match base:
        case msgspec.inspect.BoolType():
            return not key.default
        case msgspec.inspect.LiteralType(values=values):
            return next(choice for choice in values if choice != key.default)
        case msgspec.inspect.IntType():
            return key.default - 1 if key.default else 1
        case msgspec.inspect.FloatType():
            return key.default / 2
        case msgspec.inspect.StrType():
            return "one"
        case msgspec.inspect.DictType():
            return {"*.inc": "cpp"}
        case _:
            return ["go"]


ALL_KEYS = list(config.keys().values())


def test_without_any_source_everything_is_at_its_default(places: Places) -> None:
    loaded = places.load()
    assert loaded == config.Loaded(settings=config.Settings(), origins={}, problems=[])


@pytest.mark.parametrize("key", ALL_KEYS, ids=lambda key: key.name)
def test_each_key_is_taken_from_the_sources_of_its_scope_and_refused_from_the_others(
    places: Places, key: config.Key
) -> None:
    wanted = other_value(key)
    nested = {key.section: {key.field: wanted}}
    converted = msgspec.convert(wanted, key.type)

    as_json = wanted if isinstance(wanted, str) else msgspec.json.encode(wanted).decode()
    assert value(places.load(**{key.variable: as_json}), key) == converted
    places.write_user(_toml(nested))
    loaded = places.load()
    assert (value(loaded, key), loaded.origins, loaded.problems) == (converted, {key.name: str(places.user_file)}, [])
    places.write_user("")

    places.write_root(_toml(nested))
    loaded = places.load()
    assert (value(loaded, key) == converted) == (key.scope in "RS")
    assert len(loaded.problems) == (key.scope == "U")
    places.write_root("")

    loaded = places.load(session=nested)
    assert (value(loaded, key) == converted) == (key.scope == "S")
    assert len(loaded.problems) == (key.scope != "S")
    assert all(key.name in problem for problem in loaded.problems)


def _toml(nested: dict[str, dict[str, Any]]) -> str:
    lines = []
    for section, fields in nested.items():
        for field, item in fields.items():
            if isinstance(item, dict):
                lines += [f"[{section}.{field}]", *(f'"{name}" = "{text}"' for name, text in item.items())]
            else:
                lines += [f"[{section}]", f"{field} = {msgspec.json.encode(item).decode()}"]
    return "\n".join(lines)


def test_only_settings_of_the_session_may_come_from_the_editor() -> None:
    shaping = {"index", "limits", "languages", "chunks", "semantic", "git", "network"}
    ranking = {key.name for key in ALL_KEYS if key.section == "map"} - {"map.max_tokens"} | {"search.history_weight"}
    assert all((key.scope == "S") != (key.section in shaping or key.name in ranking) for key in ALL_KEYS)


def test_later_sources_win_and_the_root_only_lowers_limits(places: Places) -> None:
    places.write_user("[limits]\nfile_kb = 500\nparse_s = 2\n[features]\nhover = 'off'\n")
    places.write_root("[limits]\nfile_kb = 600\nparse_s = 1\n[features]\nhover = 'full'\n")
    loaded = places.load(session={"pilotfish": {"features.hover": "summary"}}, PILOTFISH_LIMITS_PARSE_S="3")
    assert loaded.settings.limits.file_kb == 500
    assert loaded.settings.limits.parse_s == 3
    assert loaded.settings.features.hover == "summary"
    assert loaded.origins["features.hover"] == "session"
    assert [("file_kb" in problem, "lowered" in problem) for problem in loaded.problems] == [(True, True)]


def test_a_wrong_name_is_answered_with_the_one_meant(places: Places) -> None:
    places.write_root("[index]\nwatchs = true\n")
    (problem,) = places.load(PILOTFISH_INDEX_EXCLUDES="x").problems[:1]
    assert "`index.watch`" in problem
    assert "`index.exclude`" in places.load(PILOTFISH_INDEX_EXCLUDES="x").problems[1]


def test_languages_are_known_by_any_name_and_unknown_ones_reported() -> None:
    names = ["Vue", "shellscript", "objective-c", "C#", "typescriptreact", "systemverilog", "vue", "pyhton"]
    loaded = config.load(None, session={"features": {"full_for": names}}, environment={})
    assert loaded.settings.features.full_for == ("vue", "bash", "objc", "csharp", "tsx", "verilog")
    (problem,) = loaded.problems
    assert "pyhton" in problem
    assert "`python`" in problem


@pytest.mark.parametrize(
    "path", ["/etc", "../x", "a/../../x", "C:/x", "C:x", "\\\\host\\x", "a\\..\\x", "..", "", "a\0b"]
)
def test_indexed_paths_never_lead_out_of_the_root(places: Places, path: str) -> None:
    loaded = places.load(PILOTFISH_INDEX_PATHS=msgspec.json.encode([path]).decode())
    assert loaded.settings.index.paths == (".",)
    assert len(loaded.problems) == 1


@pytest.mark.parametrize("path", ["src", "a/..b", "a..", "..a/b", ".", "ü x/y"])
def test_paths_that_only_look_like_it_are_taken(places: Places, path: str) -> None:
    assert places.load(PILOTFISH_INDEX_PATHS=path).settings.index.paths == (path,)


@pytest.mark.parametrize(
    "text",
    [
        "[index",
        "index = ",
        "\x00",
        "a = " + "[" * 5_000,
        "x = " + "1" * 5_000,
        "a." * 30_000 + "a = 1",
        "# " + "x" * config.MAX_FILE_BYTES,
    ],
    ids=["cut", "no value", "NUL", "deep", "long number", "long key", "long file"],
)
def test_a_broken_file_costs_its_settings_and_nothing_else(places: Places, text: str) -> None:
    places.write_root(text)
    places.write_user("[limits]\nworkers = 3\n")
    loaded = places.load()
    assert loaded.settings.limits.workers == 3
    assert [problem.split(":")[0] for problem in loaded.problems] == [config.ROOT_FILE]
    assert loaded.problems[0].isprintable()


def test_of_any_number_of_problems_a_few_are_told(places: Places) -> None:
    places.write_root("".join(f'"do as key {number} says\\u001b[31m"=1\n' for number in range(1_000)))
    problems = places.load().problems
    assert len(problems) == config.MAX_PROBLEMS + 1
    assert problems[-1] == f"{config.ROOT_FILE}: and {1_000 - config.MAX_PROBLEMS:,} more problems."
    assert all(problem.isprintable() and len(problem) < 200 for problem in problems)


def test_text_in_an_encoding_that_is_not_utf8_is_a_problem(places: Places) -> None:
    places.user_file.write_bytes("[index]\nexclude = ['ä']".encode("latin-1"))
    assert len(places.load().problems) == 1


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_the_roots_file_is_read_through_no_link_and_waits_for_no_pipe(places: Places) -> None:
    secret = places.root.parent / "elsewhere.toml"
    secret.write_text("[index]\nwatch = false\n", encoding="utf-8")
    file = places.root / config.ROOT_FILE
    file.symlink_to(secret)
    assert places.load().settings.index.watch
    file.unlink()
    os.mkfifo(file)
    assert "regular file" in places.load().problems[0]


def test_switches_are_read_from_the_environment_as_people_write_them(places: Places) -> None:
    for word, wanted in (("1", True), ("Yes", True), ("off", False), ("FALSE", False)):
        assert places.load(PILOTFISH_INDEX_WATCH=word).settings.index.watch is wanted
    assert places.load(PILOTFISH_INDEX_WATCH="perhaps").problems


def test_what_editors_keep_under_our_name_is_left_alone(places: Places) -> None:
    sent = {"trace": {"server": "off"}, "server": {"path": "x"}, "features": {"hover": None}}
    assert places.load(session=sent) == places.load()


def test_the_users_file_moves_with_the_environment(tmp_path: Path) -> None:
    assert config.user_file({"PILOTFISH_HOME": str(tmp_path)}) == tmp_path / "config.toml"
    relative = config.load(None, environment={"PILOTFISH_HOME": "here"})
    assert [problem for problem in relative.problems if "absolute" in problem]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    sent=st.dictionaries(
        st.sampled_from([*{key.section for key in ALL_KEYS}, *config.keys(), "pilotfish", "x"]) | st.text(max_size=8),
        st.dictionaries(st.sampled_from([key.field for key in ALL_KEYS]), json_values, max_size=3) | json_values,
        max_size=4,
    )
)
def test_whatever_an_editor_sends_only_valid_session_settings_result(places: Places, sent: dict[str, Any]) -> None:
    loaded = places.load(session=sent)
    assert msgspec.convert(msgspec.to_builtins(loaded.settings), config.Settings) == loaded.settings
    changed = {key.name for key in ALL_KEYS if value(loaded, key) != key.default}
    assert changed <= set(loaded.origins)
    assert all(config.keys()[name].scope == "S" for name in loaded.origins)
    assert all(problem.isprintable() and len(problem) < 400 for problem in loaded.problems)


def test_every_key_is_used() -> None:
    sources = [path for path in (REPOSITORY / "server").rglob("*.py") if path.name not in ("config.py", "doctor.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    # Features are also looked up by the name of the method that they switch.
    assert [key.name for key in ALL_KEYS if f".{key.field}" not in text and f'"{key.field}"' not in text] == []


@pytest.mark.parametrize("page", ["settings.md", "operations.md", "languages.md"])
def test_the_reference_pages_are_the_ones_that_the_code_gives(page: str) -> None:
    generated = reference.pages(REPOSITORY / "docs")[page]
    committed = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    assert committed == generated, "run `make docs` and commit the result"
