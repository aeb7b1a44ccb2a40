"""Words without a parser: where they stand, and that comments and strings are passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pilotfish
from pilotfish.syntax.words import code_only, occurrences, word_at


@pytest.mark.parametrize(
    ("text", "offset", "word"),
    [
        (b"foo.bar", 0, b"foo"),
        (b"foo.bar", 3, b"foo"),
        (b"foo.bar", 5, b"bar"),
        (b"foo  bar", 4, None),
        ("größe = 1".encode(), 3, "größe".encode()),
        (b"x = 42", 5, None),
        (b"$el", 1, b"$el"),
        (b"", 0, None),
        (b"abc", 9, None),
    ],
)
def test_word_at(text: bytes, offset: int, word: bytes | None) -> None:
    bounds = word_at(text, offset)
    assert (None if bounds is None else text[slice(*bounds)]) == word


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", 'NAME = 1  # name\n"""name\nname"""\nx = f"{name} name"\ny = \'name\'\n'),
        ("javascript", "name; // name\n/* name */ 'name'; `name ${name}`;"),
        ("rust", 'name; // name\nr#"name "name" "#; let c: &\'a str = name; \'n\'; "name"'),
        ("go", 'name // name\n`name\nname` + "name" + name'),
        ("c", "/* name\n name */ name(\"name\", 'n'); // name"),
        ("ruby", "name # name\n=begin\nname\n=end\nx = \"name #{name}\" + 'name'"),
        ("bash", "name # name\necho 'name' $#name"),
        ("java", 'name; /* name */ """\nname\n""" + "name" // name'),
        ("php", 'name; // name\n# name\n/* name */ $name . "name" . \'name\' . "{$name}"; #[name]\n<<<X\n name\nX;'),
        ("perl", "$name # name\n=pod\n\nname\n\n=cut\n@name 'name'\n__END__\nname\n"),
        ("powershell", "name # name\n<# name\nname #> 'name' @'\nname '\n'@ Get-Name $name"),
        ("r", 'name # name\n"name\\"name" \'name\' r"(name)" `name` name'),
        ("julia", 'name # name\n#= name\nname =# name + """\nname\n""" * "name"'),
        ("gdscript", 'name # name\n"""name\nname""" + \'name\' + name'),
        ("solidity", "name; /* name */ // name\n\"name\" + 'name' + name"),
        ("zig", "name; // name\n\"name\" + 'n' + name"),
        ("nim", 'name # name\n#[ name\nname ]# "name" & """\nname\n""" & name'),
        ("lua", "name -- name\n--[==[ name\n]] name ]==] \"name\" [[name]] 'name'"),
        ("elixir", 'name # name\n"""\nname\n"""\n?" <> name <> ~r/name/ <> "name #{name}"'),
        ("erlang", 'name() -> "name", $", name. % name'),
        ("haskell", "name -- name\n{- name -} + name' \"name\" 'n'"),
        ("ocaml", "name (* name *) \"name\" {|name|} 'n' + name"),
        ("fsharp", 'name // name\n(* name *) """name""" @"name" name'),
        ("clojure", '(name "name") ; name\n'),
        ("nix", "name # name\n/* name */ \"name\" ''name'' + name"),
        ("fortran", "name ! name\n'name' \"name\" name"),
        ("ada", 'name -- name\n"name" name'),
        ("pascal", "name { name } (* name *) // name\n'name' + name"),
        ("vhdl", 'name -- name\n"name" /* name */ name'),
        ("verilog", 'name // name\n/* name */ "name" name'),
    ],
)
def test_code_only_keeps_what_is_code(language: str, text: str) -> None:
    data = text.encode()
    kept = code_only(data, language, occurrences(data, b"name"))
    lines = {data.count(b"\n", 0, offset) for offset in kept}
    assert kept, "the uses in code are found"
    for offset in kept:
        before = data[:offset]
        assert not before.rstrip().endswith((b"//", b"# ", b"/*", b'"""', b"'")), (kept, lines)


def test_code_only_without_a_lexer_keeps_all() -> None:
    assert code_only(b"name # name", "markdown", [0, 7]) == [0, 7]


def test_what_belongs_to_a_word_is_the_languages() -> None:
    assert word_at(b"$el", 1, "javascript") == (0, 3)
    assert word_at(b"$el", 1, "bash") == (1, 3)
    assert occurrences(b"echo $run run", b"run", "bash") == [6, 10]
    assert [word_at(b"v = empty?(x)", offset, "ruby") for offset in (4, 9, 10)] == [(4, 10)] * 3
    assert word_at(b"empty!=x", 2, "ruby") == (0, 5)
    assert occurrences(b"empty empty? empty! empty", b"empty", "ruby") == [0, 20]
    assert occurrences(b"empty empty? empty!", b"empty?", "ruby") == [6]


def test_occurrences_are_whole_words() -> None:
    assert occurrences(b"run runner rerun run_it $run run", b"run") == [0, 29]


def test_no_group_is_repeated_possessively() -> None:
    """Before Python 3.11.5 such a group fails where it should not (gh-106052); an atomic group says the same."""
    sources = Path(pilotfish.__file__).parent.rglob("*.py")
    assert [path.name for path in sources if re.search(r"\)[*+?]\+(?!=)", path.read_text("utf-8"))] == []
