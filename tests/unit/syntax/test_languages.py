"""How languages are recognised, and texts decoded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pilotfish.syntax.languages import REGISTRY, detect
from pilotfish.syntax.text import decode

CPP_HEADER = b"#pragma once\n#include <vector>\n\nnamespace shapes {\nclass Shape {\n public:\n};\n}\n"
C_HEADER = b"#include <stdio.h>\n/* template < class */\nstruct namespace_list { int class_count; };\n"
OBJC_HEADER = b"#import <Foundation/Foundation.h>\n\n@interface Shape : NSObject\n- (void)draw;\n@end\n"
SHARED_HEADER = (
    b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\nclass Guard {\n};\n}\n#endif\n'
)


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a/b.py", None, "python"),
        ("a/B.PY", None, "python"),
        ("Rakefile", None, "ruby"),
        ("src/Main.java", b"", "java"),
        ("x.d.ts", None, "typescript"),
        ("x.tsx", None, "tsx"),
        ("x.C", None, "cpp"),
        ("x.h", None, "c"),
        ("x.h", C_HEADER, "c"),
        ("x.h", CPP_HEADER, "cpp"),
        ("x.h", SHARED_HEADER, "c"),
        ("x.h", OBJC_HEADER, "objc"),
        ("x.m", None, "objc"),
        ("x.m", OBJC_HEADER, "objc"),
        ("x.m", b"% a = b\nfunction y = f(x)\ny = x;\nend\n", "matlab"),
        ("x.m", b"x = 1;\ny = [x 2];\nplot(x, y);\n", "matlab"),
        ("x.m", b"// C\nint end;\n", "objc"),
        ("x.m", b"static int count = 1;\n", "objc"),
        ("x.cu", None, "cuda"),
        ("bin/run", b"#!/usr/bin/env python3.11\n", "python"),
        ("bin/run", b"#!/usr/bin/env -S FOO=1 node --flag\n", "javascript"),
        ("bin/run", b"#! /bin/sh -e\r\n", "bash"),
        ("bin/run", b"#!/usr/local/bin/ruby2.7\n", "ruby"),
        ("bin/run", b"#!/usr/bin/perl -w\n", "perl"),
        ("x.pl", None, "perl"),
        ("x.pl", b"% Family.\n:- module(family, [parent/2]).\n\nparent(a, b).\n", None),
        ("x.pl", b"ancestor(X, Y) :-\n    parent(X, Y).\n", None),
        ("x.pl", b"use strict;\nmy %parent = (a => 'b');\n", "perl"),
        ("bin/run", b"#!/usr/bin/unheard-of\n", None),
        ("bin/run", None, None),
        (".bashrc", None, "bash"),
        (".gitignore", b"*.pyc\n", None),
        ("notes.xyz", b"plain", None),
        ("x.v", b"module adder(input a);\nassign b = a;\nendmodule\n", "verilog"),
        ("x.v", b"Require Import List.\nTheorem t : True.\n", None),
        ("x.v", b"module main\n\nfn main() {\n}\n", "v"),
        ("x.pp", b"class shop {\n}\n", "puppet"),
        ("x.pp", b"unit shop;\ninterface\n", "pascal"),
        ("x.ts", b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS></TS>\n', "xml"),
        ("x.ts", b"export const a = <T>(x: T) => x;\n", "typescript"),
        ("x.fs", b"#version 330\nvoid main() {}\n", "glsl"),
        ("x.fs", b"module Shop\nlet a = 1\n", "fsharp"),
        ("x.cls", b"\\ProvidesClass{shop}\n", "latex"),
        ("x.cls", b"public class Shop {}\n", "apex"),
        ("x.bb", b"#!/usr/bin/env bb\n(ns shop)\n", "clojure"),
        ("x.bb", b'SUMMARY = "A shop"\n', "bitbake"),
        ("x.d", b"shop.o: shop.c shop.h\n", None),
        ("x.d", b"module shop;\n", "d"),
        ("x.cl", b"__kernel void add() {}\n", "c"),
        ("x.inc", b"<?php\n", "php"),
        ("x.h", b"// -*- mode: C++; tab-width: 4 -*-\nint f();\n", "cpp"),
        ("x.h", b"/* -*- c -*- */\nclass Named {\n", "c"),
        ("shop", b"# -*- coding: utf-8; mode: python -*-\n", "python"),
        ("shop", b"# -*- coding: utf-8 -*-\n", None),
        ("shop.conf", b"# vim: set ts=4 ft=ruby:\n", "ruby"),
        ("shop.conf", b"# vim:filetype=lua\n", "lua"),
    ],
)
def test_a_language_is_recognised(path: str, head: bytes | None, language: str | None) -> None:
    assert detect(path, head) == language


def test_associations_win() -> None:
    associations = {
        "inc": "cpp",
        "*.tpl.py": "javascript",
        "vendor/*.js": "typescript",
        "BUILD": "python",
        "md": "none",
    }
    assert detect("a/x.inc", None, associations) == "cpp"
    assert detect("a/x.tpl.py", None, associations) == "javascript"
    assert detect("vendor/a.js", None, associations) == "typescript"
    assert detect("lib/a.js", None, associations) == "javascript"
    assert detect("pkg/BUILD", None, associations) == "python"
    assert detect("README.md", None, associations) is None


def test_names_extensions_and_interpreters_belong_to_one_language_each() -> None:
    for claims in ("extensions", "filenames", "interpreters"):
        claimed = [claim for language in REGISTRY.values() for claim in getattr(language, claims) if claim != "h"]
        assert len(claimed) == len(set(claimed))


def test_the_registry_loads_no_grammar() -> None:
    code = "import sys, pilotfish.syntax.languages; sys.exit('tree_sitter' in sys.modules)"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", b"", "utf-8"),
        ("é".encode(), "é".encode(), "utf-8"),
        (b"\xef\xbb\xbfx", b"x", "utf-8-bom"),
        ("é\n".encode("utf-16"), "é\n".encode(), "utf-16"),
        (b"\xfe\xff\x00a", b"a", "utf-16"),
        (b"\xff\xfea\x00\x00\xd8", "a\ufffd".encode(), "utf-16"),
        (b"caf\xe9", "café".encode(), "latin-1"),
        (b"\xed\xa0\x80", b"\xc3\xad\xc2\xa0\xc2\x80", "latin-1"),
    ],
)
def test_a_text_is_decoded(data: bytes, text: bytes, encoding: str) -> None:
    assert decode(data) == (text, encoding)
