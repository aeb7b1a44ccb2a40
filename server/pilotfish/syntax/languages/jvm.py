"""Kotlin, Scala and Groovy, which share their names with Java."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, TYPES, Language, Verdict, by_modifiers, words
from pilotfish.syntax.outline import ImportedName, Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_FUNCTION, _METHOD, _VARIABLE = SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.VARIABLE
_CONSTANT, _PROPERTY, _FIELD = SymbolKind.CONSTANT, SymbolKind.PROPERTY, SymbolKind.FIELD
_CONSTRUCTOR = SymbolKind.CONSTRUCTOR
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KOTLIN_KEYWORDS = words(
    """
    as break class continue do else false for fun if in interface is null object package return super this throw true
    try typealias typeof val var when while
    """
)
_KOTLIN_SOFT_KEYWORDS = words(
    """
    abstract actual annotation by catch companion const constructor crossinline data delegate dynamic enum expect
    external field file final finally get import infix init inline inner internal it lateinit noinline open operator out
    override param private property protected public receiver reified sealed set setparam suspend tailrec value vararg
    where
    """
)

_SCALA_KEYWORDS = words(
    """
    _ abstract case catch class def do else enum export extends false final finally for forSome given if implicit import
    lazy match new null object override package private protected return sealed super then this throw trait true try
    type val var while with yield
    """
)
_SCALA_SOFT_KEYWORDS = words("as derives end extension infix inline opaque open transparent using")

_MODIFIER = re.compile(rb"(?<![\w.])(?:private|protected|internal)(?=[\s\[])")
_QUOTED = re.compile(rb'"[^"]*"')
_CONST = re.compile(rb"(?<![\w.])const\s")
_RECEIVER = re.compile(rb"\.\s*\Z")

_QUALIFIED = re.compile(rb"(?<![\w.])(?:private|protected)\[(?!this\])")
_OBJECT = re.compile(rb"(?:.*\s)?object\s+\Z", re.DOTALL)

# One path of an import, up to its names in braces.
_SCALA_PATH = re.compile(r"\s*((?:[\w.`$*]|\s(?=[.\w`]))+)({[^}]*})?")
_WILDCARDS = frozenset(("_", "*"))
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

_KOTLIN_IMPORT = re.compile(r"import\s+([\w.`\s]+?)(?:\.\s*(\*)|\s+as\s+(\S+))?[\s;]*\Z")


def _kotlin_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Members by what they lie in, public without a modifier; what extends a type stays what it is."""
    in_type = parent is not None and parent.kind in TYPES
    if kind is _FUNCTION and in_type:
        kind = _METHOD
    elif kind is _VARIABLE:
        if _CONST.search(head):
            kind = _CONSTANT
        elif in_type or _RECEIVER.search(head):
            kind = _PROPERTY
    return kind, _seen(head)


def _scala_verdict(
    name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes
) -> Verdict:
    """Members by what they lie in; what is `private[a]` is seen in a."""
    in_type = parent is not None and parent.kind in TYPES
    if kind is _FUNCTION and (in_type or container):
        kind = _CONSTRUCTOR if name == "this" else _METHOD
    elif kind is _VARIABLE and in_type:
        is_constant = _OBJECT.match(text, parent.start, parent.name_start) and name[0].isupper() if parent else False
        kind = _CONSTANT if is_constant else _FIELD
    return kind, _RESTRICTED if _QUALIFIED.search(head) else _seen(head)


def _seen(head: bytes) -> Visibility:
    if b'"' in head:  # in an annotation
        head = _QUOTED.sub(b"", head)
    modifier = _MODIFIER.search(head)
    if modifier is None:
        return _PUBLIC
    return _PRIVATE if modifier[0] == b"private" else _RESTRICTED


def _kotlin_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The package or class and the name of `import a.b.C`, `import a.b.*` and `import a.b.C as D`."""
    found = _KOTLIN_IMPORT.match(written)
    if found is None:
        return []
    path = re.sub(r"[`\s]", "", found[1])
    if found[2]:
        return [(path, ImportedName("*", "*"))]
    module, _, name = path.rpartition(".")
    return [(module, ImportedName(name, (found[3] or name).strip("`")))]


def _scala_imports(written: str) -> list[tuple[str, ImportedName | None]]:
    """The packages and names of `import a.b.{C, D => E, F as G, _}, x.Y`; `given` and `*` are as `_`."""
    found: list[tuple[str, ImportedName | None]] = []
    for path, names in _SCALA_PATH.findall(_COMMENT.sub(" ", written).removeprefix("import")):
        module = re.sub(r"[`\s]", "", path).strip(".")
        if not names:
            module, _, names = module.rpartition(".")
        for each in names.strip("{}").split(","):
            name, *alias = [part.strip("` \t\r\n") for part in re.split(r"=>|\bas\b", each)]
            if name in _WILDCARDS or name.startswith("given"):
                found.append((module, ImportedName("*", "*")))
            elif name and module and alias != ["_"]:
                found.append((module, ImportedName(name, alias[0] if alias else name)))
    return found


def _before_brace(text: bytes, symbol: Symbol) -> bytes:
    """Groovy's grammar has no node for a body."""
    brace = text.find(b"{", symbol.name_end, symbol.end)
    return text[symbol.start : brace if brace >= 0 else symbol.end]


LANGUAGES = (
    Language(
        "kotlin",
        "Kotlin",
        grammar="kotlin",
        extensions=("kt", "kts"),
        interpreters=("kotlin", "kotlinc", "kscript"),
        family="jvm",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="kdoc",
        attributes=("@",),
        annotations=True,
        name_marks=b"`",
        rule=_kotlin_verdict,
        redeclares=True,
        imports=_kotlin_imports,
        keywords=_KOTLIN_KEYWORDS,
        soft_keywords=_KOTLIN_SOFT_KEYWORDS,
        opaque=(lexemes.TRIPLE_DOUBLE, *lexemes.C_LIKE),
        interpolating=b'"',
    ),
    Language(
        "scala",
        "Scala",
        grammar="scala",
        called={SymbolKind.INTERFACE: ("trait",)},
        extensions=("scala", "sc", "sbt"),
        interpreters=("scala", "scala-cli", "amm"),
        family="jvm",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="scaladoc",
        attributes=("@",),
        annotations=True,
        name_marks=b"`",
        rule=_scala_verdict,
        imports=_scala_imports,
        keywords=_SCALA_KEYWORDS,
        soft_keywords=_SCALA_SOFT_KEYWORDS,
        opaque=(lexemes.TRIPLE_DOUBLE, *lexemes.C_LIKE),
        interpolating=b'"',
    ),
    Language(
        "groovy",
        "Groovy",
        grammar="groovy",
        extensions=("groovy", "gradle", "gvy", "gsh"),
        filenames=("Jenkinsfile",),
        interpreters=("groovy",),
        family="jvm",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="javadoc",
        annotations=True,
        rule=by_modifiers,
        signed=_before_brace,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.DOUBLE, lexemes.SINGLE),
    ),
)
