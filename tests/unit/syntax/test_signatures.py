"""What signature and documentation say of a definition, where the text around it holds more than they."""

from __future__ import annotations

import pytest

from pilotfish.syntax.documentation import documentation, signature, whole_documentation
from pilotfish.syntax.outlines import Outliner


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "class A(B):  # a comment\n    # another\n    x = 1\n", "class A(B)"),
        ("python", "def f(a='#no', b=1) -> int:  # noqa: X\n    pass\n", "def f(a='#no', b=1) -> int"),
        ("ruby", "class A < B # a comment\n  C = 1\nend\n", "class A < B"),
        (
            "java",
            '@Ignored // Why.\n@Get("a // b") /* no */ T get(int a, // the first\n  int b) {}\n',
            "T get(int a, int b)",
        ),
        ("kotlin", 'class A(/** What. */ @get:JvmName("b") val b: Int,\n)', 'class A(@get:JvmName("b") val b: Int)'),
        ("rust", "fn f<'a>(\n  a: &'a str, // one\n  b: u8,\n) -> u8 {}", "fn f<'a>(a: &'a str, b: u8) -> u8"),
        ("bash", "f() { # a comment\n  echo ${#x}\n}\n", "f()"),
    ],
)
def test_comments_are_no_part_of_a_signature(language: str, text: str, expected: str) -> None:
    encoded = text.encode()
    first = Outliner().outline(encoded, language).symbols[0]
    assert signature(encoded, first, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ruby", "def run(filter, name)\nend\n", "def run(filter, name)"),
        ("ruby", "A = Struct.new(:x) do\nend\n", "A = Struct.new(:x) do end"),
        ("lua", "local function f(a) end\n", "local function f(a)"),
        ("julia", "abstract type A <: B end\n", "abstract type A <: B"),
        ("nix", "{ add = a: { b, c ? 1 }@all: a + b; }\n", "add = a: { b, c ? 1 }@all: …"),
        (
            "powershell",
            "function Get-It {\n  [CmdletBinding()]\n  param (\n[Parameter(Mandatory)]$Name, # (a\n    $B = (1))\n}\n",
            "function Get-It($Name, $B = (1))",
        ),
        (
            "verilog",
            "module count #(parameter W = 8) (\n  input clk, // (the clock\n  output [W-1:0] q\n);\nendmodule\n",
            "module count #(parameter W = 8) (input clk, output [W-1:0] q)",
        ),
        ("zig", "pub fn add(a: i32) i32 {\n    return a;\n}\n", "pub fn add(a: i32) i32"),
    ],
)
def test_a_signature_says_what_is_taken_and_no_more(language: str, text: str, expected: str) -> None:
    encoded = text.encode()
    first = Outliner().outline(encoded, language).symbols[0]
    assert signature(encoded, first, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "# -*- coding: latin-1 -*-\ndef f(): pass\n", ""),
        ("python", "#!/usr/bin/env python\n# What it does.\n# noqa: D103\ndef f(): pass\n", "What it does."),
        ("go", "package a\n\n// Run runs.\n//go:noinline\nfunc Run() {}\n", "Run runs."),
        ("cpp", "//! What it does.\nint f() { return 1; }\n", "What it does."),
        ("typescript", "// Says it.\n// eslint-disable-next-line\nfunction f() {}\n", "Says it."),
    ],
)
def test_comments_that_speak_to_programs_are_no_documentation(language: str, text: str, expected: str) -> None:
    encoded = text.encode()
    last = Outliner().outline(encoded, language).symbols[-1]
    assert documentation(encoded, last, language) == expected
    assert whole_documentation(encoded, last, language) == expected


def test_a_variable_of_terraform_says_its_type_default_and_description() -> None:
    text = b'variable "a" {\n  type = list(string)\n  default     = []\n  description = "Which \\"ones\\"."\n}\n'
    (symbol,) = Outliner().outline(text, "terraform").symbols
    assert signature(text, symbol, "terraform") == 'variable "a" { type = list(string); default = [] }'
    assert documentation(text, symbol, "terraform") == 'Which "ones".'


@pytest.mark.parametrize(
    ("language", "text", "last"),
    [
        ("scala", "object A {\n  def f: Int =\n    3\n\n  /** Of g. */\n  def g: Int =\n    4\n}\n", "3"),
        ("make", "all:\n\techo all\n\n# Of the next.\ndeps:\n\techo deps\n", "echo all"),
    ],
)
def test_a_definition_ends_with_its_last_token(language: str, text: str, last: str) -> None:
    encoded = text.encode()
    found = {each.name: each for each in Outliner().outline(encoded, language).symbols}
    symbol = found.get("f") or found["all"]
    assert encoded[symbol.start : symbol.end].decode().endswith(last)
