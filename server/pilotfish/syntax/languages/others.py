"""Languages without a query of their own, whose outline comes from the names of their grammar's nodes.

`nodes` says where the names of a grammar's nodes mislead or say too little (`syntax.generic`); a language that has a
query after all has no `nodes`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, by_modifiers, unix_lines, words
from pilotfish.syntax.outline import SymbolKind

_CLASS, _STRUCT, _ENUM, _INTERFACE = SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.INTERFACE
_FUNCTION, _METHOD, _MODULE = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MODULE
_VARIABLE, _CONSTANT, _FIELD = SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD
_PROPERTY, _ENUM_MEMBER = SymbolKind.PROPERTY, SymbolKind.ENUM_MEMBER
_SECTION, _OBJECT, _EVENT = SymbolKind.STRING, SymbolKind.OBJECT, SymbolKind.EVENT


def _c_like(
    name: str, title: str, *extensions: str, nodes: Mapping[str, SymbolKind | None] | None = None, names: str = ""
) -> Language:
    return Language(
        name,
        title,
        grammar=name,
        extensions=extensions,
        line_comments=("//",),
        block_comments=C_COMMENTS,
        attributes=("@", "#["),
        name_marks=b"$\"'",
        rule=by_modifiers,
        nodes=nodes or {},
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE),
        name_nodes=words(names),
    )


def _hash(
    name: str,
    title: str,
    *extensions: str,
    filenames: tuple[str, ...] = (),
    interpreters: tuple[str, ...] = (),
    nodes: Mapping[str, SymbolKind | None] | None = None,
    names: str = "",
) -> Language:
    return Language(
        name,
        title,
        grammar=name,
        extensions=extensions,
        filenames=filenames,
        interpreters=interpreters,
        line_comments=("#",),
        name_marks=b"\"'@$",
        rule=by_modifiers,
        nodes=nodes,
        opaque=(lexemes.LINE_HASH, lexemes.DOUBLE),
        name_nodes=words(names),
    )


_C_NODES = {"function_declarator": None, "preproc_def": _CONSTANT, "preproc_function_def": _FUNCTION}

# The first six columns of a line hold its number, or what it was changed for. A quote there keeps the grammar's scanner
# busy for ever.
_SEQUENCE_NUMBER = re.compile(rb"^[^\r\n]{1,6}", re.MULTILINE)


def _without_sequence_numbers(text: bytes) -> bytes:
    return _SEQUENCE_NUMBER.sub(lambda found: b" " * len(found[0]), text)


def _first_word(written: bytes) -> tuple[int, int, int]:
    """The bounds of `MAIN` in `MAIN SECTION.`, of `NAME` in `NAME.`."""
    words_of = written.split()
    return 0, 0, len(words_of[0].rstrip(b".")) if words_of else 0


LANGUAGES = (
    _c_like("actionscript", "ActionScript", "as"),
    Language(
        "agda",
        "Agda",
        grammar="agda",
        extensions=("agda",),
        line_comments=("--",),
        block_comments=(("{-", "-}"),),
        nodes={"data": _ENUM, "record": _STRUCT, "signature": _FIELD, "function": None, "function_name": _FUNCTION},
    ),
    replace(_c_like("apex", "Apex", "cls", "trigger", "apex", nodes={"variable_declarator": None}), name_key=str.lower),
    _c_like("arduino", "Arduino", "ino", "pde", nodes=_C_NODES),
    Language(
        "asm",
        "Assembly",
        grammar="asm",
        extensions=("s", "asm", "nasm"),
        line_comments=(";", "#", "//", "@"),
        block_comments=C_COMMENTS,
        nodes={"label": _FUNCTION, "const": _CONSTANT},
    ),
    _c_like(
        "bicep",
        "Bicep",
        "bicep",
        "bicepparam",
        nodes={
            "parameter_declaration": _VARIABLE,
            "output_declaration": _VARIABLE,
            "user_defined_function": _FUNCTION,
            "resource_declaration": _OBJECT,
        },
    ),
    _hash(
        "bitbake",
        "BitBake",
        "bb",
        "bbappend",
        "bbclass",
        nodes={
            "variable_assignment": _VARIABLE,
            "python_function_definition": _FUNCTION,
            "anonymous_python_function": None,
        },
    ),
    replace(_c_like("bsl", "1C (BSL)", "bsl", "os"), name_key=str.lower),
    _c_like("cairo", "Cairo", "cairo", nodes={"enum_item": _ENUM, "field_declaration": _FIELD}),
    _hash(
        "capnp",
        "Cap'n Proto",
        "capnp",
        nodes={
            "field": _FIELD,
            "enum_field": _ENUM_MEMBER,
            "enum_member": None,
            "const": _CONSTANT,
            "enum_identifier": None,
        },
        names="type_identifier field_identifier enum_identifier enum_member method_identifier const_identifier",
    ),
    _hash(
        "chatito",
        "Chatito",
        "chatito",
        nodes={"intent_def": _FUNCTION, "alias_def": _VARIABLE, "slot_def": _VARIABLE},
        names="intent alias slot",
    ),
    Language(
        "clarity",
        "Clarity",
        grammar="clarity",
        extensions=("clar",),
        line_comments=(";;",),
        nodes={"mapping_definition": _VARIABLE, "token_definition": _OBJECT},
    ),
    Language(
        "cobol",
        "COBOL",
        grammar="cobol",
        extensions=("cbl", "cob", "cobol", "cpy"),
        line_comments=("*",),
        prepared=_without_sequence_numbers,
        name_key=str.lower,
        own_name=_first_word,
        word_marks=b"-",
        nodes={
            "paragraph_header": _FUNCTION,
            "section_header": _FUNCTION,
            "data_description": _VARIABLE,
            "constant_entry": _CONSTANT,
            "class_item": None,
            "function_": None,
        },
    ),
    _c_like(
        "d",
        "D",
        "d",
        "di",
        nodes={
            "module_declaration": None,
            "module_def": None,
            "module_fqn": None,
            "constructor": None,
            "template_declaration": _FUNCTION,
            "union_declaration": _STRUCT,
        },
    ),
    Language(
        "dtd",
        "DTD",
        grammar="dtd",
        extensions=("dtd",),
        block_comments=(("<!--", "-->"),),
        nodes={"elementdecl": _CLASS, "GEDecl": _CONSTANT, "PEDecl": _CONSTANT, "AttDef": _FIELD},
        name_nodes=words("Name"),
    ),
    Language(
        "elm",
        "Elm",
        grammar="elm",
        extensions=("elm",),
        line_comments=("--",),
        block_comments=(("{-|", "-}"), ("{-", "-}")),
        locals={_FUNCTION: frozenset((_FUNCTION,))},
        nodes={
            "value_declaration": _FUNCTION,
            "function_declaration_left": None,
            "union_variant": _ENUM_MEMBER,
            "type_declaration": _ENUM,
            "type_alias_declaration": _STRUCT,
            "field_type": _FIELD,
            "port_annotation": _FUNCTION,
        },
    ),
    Language(
        "firrtl",
        "FIRRTL",
        grammar="firrtl",
        extensions=("fir",),
        line_comments=(";",),
        nodes={"circuit": _MODULE, "port": _FIELD, "field": None, "memory_field": None},
    ),
    _hash("fish", "fish", "fish", interpreters=("fish",), nodes={}),
    Language(
        "func",
        "FunC",
        grammar="func",
        extensions=("fc", "func"),
        line_comments=(";;",),
        nodes={"const_var_declarations": _CONSTANT, "global_var_declarations": _VARIABLE},
    ),
    Language(
        "gleam",
        "Gleam",
        grammar="gleam",
        extensions=("gleam",),
        line_comments=("////", "///", "//"),
        attributes=("@",),
        nodes={
            "module": None,
            "constant": _CONSTANT,
            "type_alias": _CLASS,
            "type_definition": _ENUM,
            "data_constructor": _ENUM_MEMBER,
        },
    ),
    _hash("gn", "GN", "gn", "gni"),
    _c_like(
        "hack",
        "Hack",
        "hack",
        "hhi",
        nodes={
            "type_specifier": None,
            "property_declaration": None,
            "property_declarator": _PROPERTY,
            "enumerator": _ENUM_MEMBER,
        },
    ),
    _c_like("hare", "Hare", "ha", nodes={"module": None}),
    _c_like("haxe", "Haxe", "hx", nodes={"module": None, "package_statement": None}),
    _c_like("ispc", "ISPC", "ispc", nodes=_C_NODES),
    Language(
        "janet",
        "Janet",
        grammar="janet",
        extensions=("janet", "jdn"),
        interpreters=("janet",),
        line_comments=("#",),
        nodes={"def": _CONSTANT, "var": _VARIABLE, "extra_defs": _FUNCTION},
    ),
    _c_like(
        "jsonnet",
        "Jsonnet",
        "jsonnet",
        "libsonnet",
        nodes={"bind": _VARIABLE, "field": _FIELD},
    ),
    _hash(
        "kconfig",
        "Kconfig",
        filenames=("Kconfig", "Config.in"),
        nodes={"type_definition": None, "mainmenu": None, "config": _VARIABLE, "menuconfig": _VARIABLE},
    ),
    _c_like(
        "linkerscript",
        "Linker script",
        "ld",
        "lds",
        nodes={"entry_command": None, "memory_command": _OBJECT, "output_section": _OBJECT, "assignment": _VARIABLE},
    ),
    Language(
        "llvm",
        "LLVM IR",
        grammar="llvm",
        extensions=("ll",),
        line_comments=(";",),
        name_marks=b"@%",
        nodes={
            "module": None,
            "function_header": None,
            "fn_define": _FUNCTION,
            "declare": _FUNCTION,
            "global_global": _VARIABLE,
            "global_type": _STRUCT,
        },
        name_nodes=words("global_var local_var"),
    ),
    Language(
        "luau",
        "Luau",
        grammar="luau",
        extensions=("luau",),
        line_comments=("--",),
        block_comments=(("--[[", "]]"),),
        nodes={},
    ),
    _hash("magik", "Magik", "magik", nodes={"package": None}),
    Language(
        "matlab",
        "MATLAB",
        grammar="matlab",
        extensions=("mlx",),
        line_comments=("%",),
        rule=by_modifiers,
        nodes={"property": _PROPERTY, "enum": _ENUM_MEMBER, "class_definition": _CLASS},
    ),
    Language(
        "mermaid",
        "Mermaid",
        grammar="mermaid",
        extensions=("mmd", "mermaid"),
        prepared=unix_lines,
        line_comments=("%%",),
        nodes={"class_stmt_relation": None, "class_stmt_class": _CLASS},
    ),
    _hash("meson", "Meson", filenames=("meson.build", "meson_options.txt", "meson.options")),
    _c_like(
        "netlinx",
        "NetLinx",
        "axs",
        "axi",
        nodes={"declaration": _VARIABLE, "program_name": _MODULE, "preproc_define": _CONSTANT},
    ),
    _hash("ninja", "Ninja", "ninja"),
    _c_like("nqc", "NQC", "nqc", nodes=_C_NODES),
    _c_like("odin", "Odin", "odin", nodes={"package_declaration": None, "union_declaration": _STRUCT, "field": _FIELD}),
    Language(
        "org",
        "Org",
        grammar="org",
        extensions=("org",),
        name_marks=b" \t\r\n",
        form="section",
        nodes={"section": _SECTION, "headline": None},
        name_nodes=words("item"),
    ),
    Language(
        "pony",
        "Pony",
        grammar="pony",
        extensions=("pony",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        docstrings=True,
        rule=by_modifiers,
        nodes={
            "field": _FIELD,
            "behavior": _METHOD,
            "type_alias": _CLASS,
            "primitive_definition": _CLASS,
            "variable_declaration": _VARIABLE,
        },
    ),
    _c_like(
        "prisma",
        "Prisma",
        "prisma",
        nodes={"key_value_block": _OBJECT, "model_block": _CLASS, "model_field": _FIELD, "enum_block": _ENUM},
    ),
    _hash(
        "puppet",
        "Puppet",
        "pp",
        nodes={"defined_resource_type": _CLASS, "node_definition": _OBJECT, "resource_declaration": None},
    ),
    Language(
        "purescript",
        "PureScript",
        grammar="purescript",
        extensions=("purs",),
        line_comments=("-- |", "--"),
        block_comments=(("{-", "-}"),),
        locals={_FUNCTION: frozenset((_FUNCTION,))},
        nodes={
            "data": _ENUM,
            "constructor": None,
            "newtype": _STRUCT,
            "type_alias": _CLASS,
            "foreign_import": _FUNCTION,
            "class_declaration": _INTERFACE,
        },
    ),
    _c_like(
        "qmljs",
        "QML",
        "qml",
        nodes={
            "ui_object_definition": None,
            "ui_property": _PROPERTY,
            "ui_signal": _EVENT,
            "variable_declarator": None,
        },
    ),
    _c_like("re2c", "re2c", "re", nodes={"named_definition": _CONSTANT}),
    _hash("rego", "Rego", "rego", nodes={"module": None, "rule": _FUNCTION}, names="var"),
    _hash(
        "smali",
        "Smali",
        "smali",
        nodes={"class_directive": None},
        names="class_identifier field_identifier method_identifier",
    ),
    _c_like(
        "smithy",
        "Smithy",
        "smithy",
        nodes={
            "trait_statement": None,
            "shape_statement": None,
            "shape_body": None,
            "enum_members": None,
            "list_statement": _CLASS,
            "map_statement": _CLASS,
            "resource_statement": _CLASS,
        },
        names="identifier field enum_field",
    ),
    _c_like("squirrel", "Squirrel", "nut", nodes={"local_declaration": None}),
    Language(
        "starlark",
        "Starlark",
        grammar="starlark",
        extensions=("bzl", "star", "sky"),
        filenames=("BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", "Tiltfile", "BUCK"),
        line_comments=("#",),
        docstrings=True,
        nodes={},
    ),
    _c_like("tablegen", "TableGen", "td", nodes={"def": _OBJECT, "multiclass": _CLASS, "defm": _OBJECT}),
    _hash("tcl", "Tcl", "tcl", "tm", "exp", interpreters=("tclsh", "wish", "expect")),
    _c_like(
        "thrift",
        "Thrift",
        "thrift",
        nodes={"namespace_declaration": None, "field": _FIELD, "typedef_definition": _CLASS},
        names="identifier typedef_identifier",
    ),
    Language(
        "twig",
        "Twig",
        grammar="twig",
        extensions=("twig",),
        block_comments=(("{#", "#}"),),
        nodes={"macro_statement": _FUNCTION, "assignment_statement": _VARIABLE, "method": None},
        name_nodes=words("method variable"),
    ),
    Language(
        "typst",
        "Typst",
        grammar="typst",
        extensions=("typ",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        form="section",
        nodes={"section": _SECTION, "heading": None, "let": _FUNCTION},
    ),
    _c_like("ungrammar", "Ungrammar", "ungram", nodes={"rule": None, "node": _FUNCTION}, names="definition"),
    Language(
        "uxntal",
        "Uxntal",
        grammar="uxntal",
        extensions=("tal",),
        block_comments=(("(", ")"),),
        nodes={"macro": _FUNCTION, "label": _FUNCTION},
    ),
    _c_like(
        "v",
        "V",
        "vv",
        "vsh",
        nodes={
            "const_declaration": None,
            "const_spec": _CONSTANT,
            "interface_spec": _METHOD,
            "short_var_declaration": None,
        },
    ),
    Language(
        "vim",
        "Vim script",
        grammar="vim",
        extensions=("vim", "vimrc"),
        filenames=(".vimrc", "_vimrc", ".gvimrc", ".exrc"),
        line_comments=('"',),
        nodes={
            "function_declaration": None,
            "let_statement": _VARIABLE,
            "command_statement": _FUNCTION,
            "augroup_statement": _OBJECT,
        },
    ),
    *(
        Language(
            name,
            title,
            grammar=name,
            extensions=(name,),
            line_comments=(";;",),
            name_marks=b"$",
            nodes={
                "module": None,
                "module_field_func": _FUNCTION,
                "module_field_global": _VARIABLE,
                "module_field_memory": _VARIABLE,
                "module_field_table": _VARIABLE,
                "module_field_type": _CLASS,
                "block_block": None,
            },
        )
        for name, title in (("wast", "WebAssembly script"), ("wat", "WebAssembly text"))
    ),
)
