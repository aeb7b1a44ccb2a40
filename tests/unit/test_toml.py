"""Keys on which `tomllib` takes the square of their length are refused, however they are written."""

from __future__ import annotations

import tomllib

import pytest

from pilotfish.toml import MOST_KEY_PARTS, parsed_toml

PARTS = ["a", '""', "''", '"\\""', '"a.b\\\\"', "'\\'", '"\\u00e9 "', "1-_"]
PLACES = ["{} = 1", "[{}]", "[[ {} ]]", "x = {{{} = 1}}", "x = {{y = 1,{} = 1}}", "x = 1\r\n\t{} = 1"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dot", [".", " .\t"])
def test_a_key_has_no_more_parts_than_the_bound(part: str, place: str, dot: str) -> None:
    longest = place.format(dot.join([part] * MOST_KEY_PARTS))
    assert parsed_toml(longest) == tomllib.loads(longest)
    longer = place.format(dot.join([part] * (MOST_KEY_PARTS + 1)))
    with pytest.raises(ValueError, match="parts"):
        parsed_toml(longer)


@pytest.mark.parametrize("text", ["x = '1.2.3'", f"x = '{'a.' * 100}'", f'x = 1 # "{"a." * 10}', "[a.b]\nc.d = 1.5"])
def test_other_dots_are_no_parts(text: str) -> None:
    assert parsed_toml(text) == tomllib.loads(text)
