"""Imports to files: one module per language, each a pure function of the import, the importer's path and the tree.

A resolver says what every name that an import brings in stands for: a name in certain files, or those files as a
whole. It never guesses by name alone: an import that leads out of the workspace has no files. Each is registered in
`RESOLVERS` under the languages whose imports it reads; a language without one has only its names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from fnmatch import translate

from pilotfish.graph.resolve.ada import Ada
from pilotfish.graph.resolve.bash import Bash
from pilotfish.graph.resolve.beam import Elixir, Erlang
from pilotfish.graph.resolve.binding import Binding, Resolver
from pilotfish.graph.resolve.c import C
from pilotfish.graph.resolve.clojure import Clojure
from pilotfish.graph.resolve.csharp import CSharp
from pilotfish.graph.resolve.dart import Dart
from pilotfish.graph.resolve.ecmascript import EcmaScript
from pilotfish.graph.resolve.fortran import Fortran
from pilotfish.graph.resolve.gdscript import GdScript
from pilotfish.graph.resolve.go import Go
from pilotfish.graph.resolve.hardware import Verilog, Vhdl
from pilotfish.graph.resolve.haskell import Haskell
from pilotfish.graph.resolve.java import Java
from pilotfish.graph.resolve.julia import Julia
from pilotfish.graph.resolve.lua import Lua
from pilotfish.graph.resolve.ml import FSharp, OCaml
from pilotfish.graph.resolve.nim import Nim
from pilotfish.graph.resolve.nix import Nix
from pilotfish.graph.resolve.pascal import Pascal
from pilotfish.graph.resolve.paths import (
    CMake,
    Dockerfile,
    GraphQL,
    Latex,
    Make,
    Pages,
    Proto,
    Shaders,
    Terraform,
)
from pilotfish.graph.resolve.perl import Perl
from pilotfish.graph.resolve.php import Php
from pilotfish.graph.resolve.powershell import PowerShell
from pilotfish.graph.resolve.python import Python
from pilotfish.graph.resolve.r import R
from pilotfish.graph.resolve.ruby import Ruby
from pilotfish.graph.resolve.rust import Rust
from pilotfish.graph.resolve.solidity import Solidity
from pilotfish.graph.resolve.swift import Swift
from pilotfish.graph.resolve.web import Markup, Styles
from pilotfish.graph.resolve.zig import Zig

__all__ = ["RESOLVERS", "Binding", "Resolver", "is_manifest"]

RESOLVERS: Mapping[str, type[Resolver]] = {
    "ada": Ada,
    "astro": Markup,
    "bash": Bash,
    "c": C,
    "clojure": Clojure,
    "cmake": CMake,
    "cpp": C,
    "cuda": C,
    "objc": C,
    "csharp": CSharp,
    "dart": Dart,
    "css": Styles,
    "dockerfile": Dockerfile,
    "elixir": Elixir,
    "erlang": Erlang,
    "fortran": Fortran,
    "fortran_fixed": Fortran,
    "fsharp": FSharp,
    "fsharp_signature": FSharp,
    "gdscript": GdScript,
    "glsl": Shaders,
    "go": Go,
    "graphql": GraphQL,
    "haskell": Haskell,
    "hlsl": Shaders,
    "html": Markup,
    "java": Java,
    "javascript": EcmaScript,
    "julia": Julia,
    "jupyter": Python,
    "kotlin": Java,
    "latex": Latex,
    "lua": Lua,
    "make": Make,
    "markdown": Pages,
    "nim": Nim,
    "nix": Nix,
    "ocaml": OCaml,
    "ocaml_interface": OCaml,
    "pascal": Pascal,
    "perl": Perl,
    "php": Php,
    "powershell": PowerShell,
    "proto": Proto,
    "python": Python,
    "r": R,
    "rst": Pages,
    "ruby": Ruby,
    "rust": Rust,
    "scala": Java,
    "scss": Styles,
    "solidity": Solidity,
    "svelte": Markup,
    "swift": Swift,
    "terraform": Terraform,
    "tsx": EcmaScript,
    "typescript": EcmaScript,
    "verilog": Verilog,
    "vhdl": Vhdl,
    "vue": Markup,
    "wgsl": Shaders,
    "xml": Pages,
    "zig": Zig,
}
"""By language name (`syntax.languages`)."""

_MANIFESTS = re.compile(
    "|".join(sorted(translate(pattern) for made in {*RESOLVERS.values()} for pattern in made.manifests))
)


def is_manifest(path: str) -> bool:
    """Whether a file says how modules are found, so that a resolver needs its text."""
    return _MANIFESTS.match(posixpath.basename(path)) is not None
