"""Which languages there are: how each is recognised, which grammar reads it, and what its comments and rules are.

The next language is one entry here, one `queries/<name>.scm`, and one folder of fixtures. Importing this module loads
no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from pilotfish.syntax import rules
from pilotfish.syntax.outline import ImportedName


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    `grammar` is the name in tree_sitter_language_pack. `interpreters` are the program names of a `#!` line, without
    version numbers. `line_comments` and `block_comments` are markers of comments that may document the definition below
    them; `docstrings` says that a string as the first statement of a body documents it. `name_marks` are cut off both
    ends of a name's token (quotes, the colon of a symbol); `own_name` takes a qualified name apart:
    the end of its qualifier, the bounds of the name proper. `query_depth` is how deep in the tree a pattern may begin,
    `max_symbols` how many definitions of a file are kept, those of the query's first patterns first: a data file must
    not outweigh the code. `rule` decides
    kind and visibility of a definition, `locals` what is none by its place, `container` reads a container that the text
    names. Where `exports_show`, a file that exports anything keeps its other definitions to itself. `imports` takes the
    module of an import apart where it holds the names as well; `module_within` names it as seen from the whole file
    where the import stands within modules of that file. Lines that begin with one of `attributes` may stand between a
    comment and its definition; `annotations` (`@Name(…)`) before a definition are no part of its signature. References
    to `builtins` are not kept. `form` is set for what is no code: prose in a `section` each, and `configuration`, which
    is one piece where it is small.
    """

    name: str
    title: str
    grammar: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    line_comments: tuple[str, ...] = ()
    block_comments: tuple[tuple[str, str], ...] = ()
    docstrings: bool = False
    name_marks: bytes = b""
    own_name: Callable[[bytes], tuple[int, int, int]] | None = None
    query_depth: int | None = None
    max_symbols: int | None = None
    rule: rules.Rule = rules.plain
    locals: rules.Locals = field(default_factory=lambda: rules.LOCALS)
    container: Callable[[str], str] = rules.dotted
    imports: Callable[[str], list[tuple[str, ImportedName | None]]] | None = None
    module_within: Callable[[str, Sequence[str]], str] | None = None
    exports_show: bool = False
    attributes: tuple[str, ...] = ()
    annotations: bool = False
    builtins: frozenset[bytes] = frozenset()
    form: Literal["", "section", "configuration"] = ""


_GO_TYPES = frozenset(
    b"any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint "
    b"uint8 uint16 uint32 uint64 uintptr".split()
)
_C_COMMENTS = (("/*", "*/"),)
_MAX_KEYS = 1_000

_LANGUAGES = (
    Language(
        "python",
        "Python",
        grammar="python",
        extensions=("py", "pyi", "pyw"),
        filenames=("SConstruct", "SConscript", "wscript"),
        interpreters=("python", "pypy"),
        line_comments=("#",),
        docstrings=True,
        rule=rules.python,
    ),
    Language(
        "javascript",
        "JavaScript",
        grammar="javascript",
        extensions=("js", "jsx", "mjs", "cjs"),
        filenames=("Jakefile",),
        interpreters=("node", "bun"),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        rule=rules.ecma,
        locals=rules.ECMA_LOCALS,
        container=rules.ecma_container,
        exports_show=True,
        attributes=("@",),
        annotations=True,
    ),
    Language(
        "typescript",
        "TypeScript",
        grammar="typescript",
        extensions=("ts", "mts", "cts"),
        interpreters=("deno", "ts-node", "tsx"),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        rule=rules.ecma,
        locals=rules.ECMA_LOCALS,
        container=rules.ecma_container,
        exports_show=True,
        attributes=("@",),
        annotations=True,
    ),
    Language(
        "tsx",
        "TSX",
        grammar="tsx",
        extensions=("tsx",),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        rule=rules.ecma,
        locals=rules.ECMA_LOCALS,
        container=rules.ecma_container,
        exports_show=True,
        attributes=("@",),
        annotations=True,
    ),
    Language(
        "go",
        "Go",
        grammar="go",
        extensions=("go",),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        builtins=_GO_TYPES,
        rule=rules.go,
    ),
    Language(
        "rust",
        "Rust",
        grammar="rust",
        extensions=("rs",),
        interpreters=("rust-script",),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        attributes=("#[",),
        builtins=frozenset((b"Self",)),
        rule=rules.rust,
        container=rules.rust_container,
        imports=rules.rust_imports,
        module_within=rules.rust_module_within,
    ),
    Language(
        "java",
        "Java",
        grammar="java",
        extensions=("java",),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        annotations=True,
        rule=rules.java,
        locals=rules.JAVA_LOCALS,
    ),
    Language(
        "c",
        "C",
        grammar="c",
        extensions=("c", "h"),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        rule=rules.c,
    ),
    Language(
        "cpp",
        "C++",
        grammar="cpp",
        extensions=("cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh"),
        line_comments=("//",),
        block_comments=_C_COMMENTS,
        rule=rules.cpp,
        container=rules.cpp_container,
        own_name=rules.cpp_name,
    ),
    Language(
        "ruby",
        "Ruby",
        grammar="ruby",
        extensions=("rb", "rake", "gemspec", "ru", "rbi", "podspec"),
        filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Capfile", "Brewfile", "Fastfile"),
        interpreters=("ruby", "jruby", "macruby", "rake"),
        line_comments=("#",),
        block_comments=(("=begin", "=end"),),
        name_marks=b":\"'",
        rule=rules.ruby,
    ),
    Language(
        "bash",
        "Bash",
        grammar="bash",
        extensions=("sh", "bash", "ksh", "zsh", "bats", "ebuild"),
        filenames=(
            ".bashrc",
            ".bash_profile",
            ".bash_aliases",
            ".bash_logout",
            ".profile",
            ".zshrc",
            ".zprofile",
            ".zshenv",
            "PKGBUILD",
        ),
        interpreters=("bash", "sh", "dash", "ksh", "zsh", "ash"),
        line_comments=("#",),
        name_marks=b"=",
    ),
    Language(
        "markdown",
        "Markdown",
        grammar="markdown",
        extensions=("md", "markdown", "mdown", "mkd", "mdx"),
        name_marks=b" \t\r\n",
        form="section",
    ),
    Language(
        "json",
        "JSON",
        grammar="json",
        extensions=("json", "jsonc", "json5", "geojson", "webmanifest", "code-workspace"),
        filenames=(".prettierrc", ".eslintrc", ".babelrc", ".swcrc"),
        line_comments=("//",),
        name_marks=b'"',
        query_depth=0,
        max_symbols=_MAX_KEYS,
        form="configuration",
    ),
    Language(
        "toml",
        "TOML",
        grammar="toml",
        extensions=("toml",),
        filenames=("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"),
        line_comments=("#",),
        name_marks=b"\"'",
        query_depth=4,
        max_symbols=_MAX_KEYS,
        form="configuration",
    ),
    Language(
        "yaml",
        "YAML",
        grammar="yaml",
        extensions=("yaml", "yml"),
        filenames=(".clang-format", ".clang-tidy", ".yamllint"),
        line_comments=("#",),
        name_marks=b"\"'<",  # the key `<<` merges another mapping and names nothing
        max_symbols=_MAX_KEYS,
        form="configuration",
    ),
)

REGISTRY: Mapping[str, Language] = {language.name: language for language in _LANGUAGES}
"""Every language by name."""

_BY_EXTENSION = {extension: language.name for language in _LANGUAGES for extension in language.extensions}
_BY_FILENAME = {filename: language.name for language in _LANGUAGES for filename in language.filenames}
_BY_INTERPRETER = {program: language.name for language in _LANGUAGES for program in language.interpreters}

HEAD_SIZE = 16_384
"""How many bytes of a file's beginning `detect` wants to see, at most."""

_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(\S+)|#![ \t]*(?:\S*/)?(\S+)")
_VERSION = re.compile(r"[\d.]+$")
# What a header holds that no C header does; comments and strings are not excluded, so only whole, line-leading forms.
_CPP_ONLY = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b|template[ \t]*<|class[ \t]+\w+[^;]*?[{:]|using[ \t]+\w|"
    rb"(?:public|private|protected)[ \t]*:|(?:explicit|virtual|constexpr|friend)[ \t]|"
    rb"#[ \t]*include[ \t]*<(?:[a-z_]+|c(?:std\w+|math|time|assert|errno))>)|\b(?:static_cast|std::\w|noexcept)\b",
    re.MULTILINE,
)
# Headers for both languages wrap their declarations for C++ and are read as C.
_BOTH = re.compile(rb'^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b.{0,80}?extern[ \t]+"C"', re.MULTILINE | re.DOTALL)


def detect(path: str, head: bytes | None, associations: Mapping[str, str] | None = None) -> str | None:
    """The name of the language of a file, or None.

    `path` is relative with `/`; `head` the file's beginning (`HEAD_SIZE` bytes suffice) or None where it has not been
    read: then a file without a telling name has no language, and a `.h` is C. `associations` maps extensions or
    patterns of file names to language names (the setting `languages.associations`) and wins; an unknown language in it
    means none.
    """
    filename = path.rsplit("/", 1)[-1]
    if associations:
        for pattern, name in associations.items():
            if _associated(path, filename, pattern):
                return name if name in REGISTRY else None
    if known := _BY_FILENAME.get(filename):
        return known
    stem, dot, extension = filename.rpartition(".")
    if not dot or not stem:
        return _by_shebang(head)
    extension = extension.lower()
    if extension == "h":
        return "cpp" if head is not None and is_cpp_header(head) else "c"
    if filename.endswith(".C"):
        return "cpp"
    return _BY_EXTENSION.get(extension) or _by_shebang(head)


def _associated(path: str, filename: str, pattern: str) -> bool:
    if "/" in pattern:
        return fnmatchcase(path, pattern.lstrip("/"))
    if "*" in pattern or "?" in pattern or "[" in pattern:
        return fnmatchcase(filename, pattern)
    return filename == pattern or filename.endswith("." + pattern.lstrip("."))


def _by_shebang(head: bytes | None) -> str | None:
    if head is None or not head.startswith(b"#!"):
        return None
    match = _SHEBANG.match(head.split(b"\n", 1)[0])
    if match is None:
        return None
    program = (match[1] or match[2]).decode("latin-1").rsplit("/", 1)[-1]
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(_VERSION.sub("", program))


def is_cpp_header(head: bytes) -> bool:
    """Whether a `.h` is C++, by its content: read as C, a C++ header parses slowly and badly (facts: perf §6.4)."""
    return _CPP_ONLY.search(head) is not None and _BOTH.search(head) is None
