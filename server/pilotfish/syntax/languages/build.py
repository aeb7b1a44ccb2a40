"""What builds and deploys: images, makefiles, infrastructure."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words
from pilotfish.syntax.outline import Symbol, SymbolKind

_TERRAFORM_KEYWORDS = words("each false for if in local module null path self true var")


# Commands of CMake itself, as they are written nearly everywhere.
_CMAKE_COMMANDS = (
    "add_compile_definitions add_compile_options add_custom_command add_custom_target add_definitions add_dependencies "
    "add_executable add_library add_subdirectory add_test block break cmake_minimum_required cmake_parse_arguments "
    "cmake_path cmake_policy configure_file continue define_property else elseif enable_language enable_testing endif "
    "execute_process export file find_file find_library find_package find_path find_program get_cmake_property "
    "get_directory_property get_filename_component get_property get_target_property if include include_directories "
    "include_guard install link_directories link_libraries list mark_as_advanced math message option project return "
    "separate_arguments set set_property set_source_files_properties set_target_properties set_tests_properties string "
    "target_compile_definitions target_compile_features target_compile_options target_include_directories "
    "target_link_directories target_link_libraries target_link_options target_sources try_compile try_run unset "
    "PRIVATE PUBLIC INTERFACE REQUIRED general optimized debug"
)


def _unix_lines(text: bytes) -> bytes:
    """A text of the same length and lines without carriage returns: a blank at the beginning of the next line harms
    nothing, save before the word that ends a here document."""
    return _BEFORE_LONE_WORD.sub(b" \n", text).replace(b"\r\n", b"\n ") if b"\r" in text else text


_BEFORE_LONE_WORD = re.compile(rb"\r\n(?=\w+\r\n)")

_DESCRIPTION = re.compile(
    rb"\n[ \t]*description[ \t]*=[ \t]*(?:\"((?:[^\"\\\n]|\\.)*)\"|<<-?(\w+)\n(.*?)\n[ \t]*\2\b)", re.DOTALL
)
_TYPE_OR_DEFAULT = re.compile(rb"\n[ \t]*((?:type|default)[ \t]*=[ \t]*[^\n]{1,80})")
_MOST_OF_A_BLOCK = 4_000


def _described(text: bytes, symbol: Symbol) -> bytes:
    """What a variable or an output says of itself in its block."""
    found = _DESCRIPTION.search(text, symbol.start, min(symbol.end, symbol.start + _MOST_OF_A_BLOCK))
    if found is None or symbol.kind not in (SymbolKind.VARIABLE, SymbolKind.PROPERTY):
        return b""
    return found[1].replace(b'\\"', b'"') if found[1] is not None else found[3]


def _declared(text: bytes, symbol: Symbol) -> bytes:
    """The head of a block, or the first line; of a variable with its type and default, which are all there is to it."""
    start, end = symbol.start + symbol.head, min(symbol.end, symbol.start + _MOST_OF_A_BLOCK)
    if symbol.kind is not SymbolKind.VARIABLE:
        line = text.find(b"\n", symbol.name_end, end)
        return text[start : symbol.start + symbol.body if symbol.body >= 0 else line if line >= 0 else end]
    said = [each[1].strip() for each in _TYPE_OR_DEFAULT.finditer(text, start, end)]
    opened = text.find(b"{", symbol.name_end, end)
    return text[start : opened if opened >= 0 else end].strip() + (
        b" { " + b"; ".join(said[:2]) + b" }" if said else b""
    )


LANGUAGES = (
    Language(
        "cmake",
        "CMake",
        grammar="cmake",
        name_key=str.lower,
        keyed_kinds=frozenset({SymbolKind.FUNCTION}),
        extensions=("cmake",),
        filenames=("CMakeLists.txt",),
        line_comments=("#",),
        block_comments=(("#[[", "]]"),),
        builtins=frozenset(word.encode() for word in _CMAKE_COMMANDS.split()),
        word_marks=b"",
        keywords=words("else elseif endforeach endfunction endif endmacro endwhile foreach function if macro while"),
        opaque=(rb"#\[(=*)\[.*?(?:\]\1\]|\Z)", lexemes.LINE_HASH),
    ),
    Language(
        "dockerfile",
        "Dockerfile",
        grammar="dockerfile",
        extensions=("dockerfile", "containerfile"),
        filenames=("Dockerfile", "Containerfile"),
        prepared=_unix_lines,
        line_comments=("#",),
        word_marks=b"-",
        keywords=words("ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR"),
        opaque=(rb"#(?<=^#)[^\r\n]*",),
    ),
    Language(
        "make",
        "Make",
        grammar="make",
        extensions=("mk", "mak", "make"),
        filenames=("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in", "Kbuild"),
        interpreters=("make", "gmake"),
        ids=("makefile",),
        line_comments=("#",),
        locals={},
        word_marks=b".-%",
        keywords=words("define else endef endif export ifdef ifeq ifndef ifneq include override unexport vpath"),
        opaque=(rb"#(?<!\\#)[^\r\n]*",),
    ),
    Language(
        "hcl",
        "HCL",
        grammar="hcl",
        extensions=("hcl", "nomad"),
        family="hcl",
        line_comments=("#", "//"),
        block_comments=C_COMMENTS,
        custom="markdown",
        word_marks=b"-",
        keywords=_TERRAFORM_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.LINE_HASH, lexemes.DOUBLE),
        interpolating=b'"',
    ),
    Language(
        "terraform",
        "Terraform",
        grammar="terraform",
        extensions=("tf", "tfvars", "tofu"),
        ids=("terraform-vars", "opentofu"),
        family="hcl",
        line_comments=("#", "//"),
        block_comments=C_COMMENTS,
        custom="markdown",
        documented=_described,
        signed=_declared,
        word_marks=b"-",
        keywords=_TERRAFORM_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.LINE_HASH, lexemes.DOUBLE),
        interpolating=b'"',
    ),
)
