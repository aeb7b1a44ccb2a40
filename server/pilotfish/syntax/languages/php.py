"""PHP."""

from __future__ import annotations

import re

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, LOCALS, Language, Locals, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_METHOD, _CONSTRUCTOR, _CONSTANT = SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.CONSTANT
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    __CLASS__ __DIR__ __FILE__ __FUNCTION__ __LINE__ __METHOD__ __NAMESPACE__ __TRAIT__ abstract and array as bool
    break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare
    endfor endforeach endif endswitch endwhile eval exit extends false final finally float fn for foreach function
    global goto if implements include include_once instanceof insteadof int interface isset iterable list match mixed
    namespace never new null object or parent print private protected public readonly require require_once return
    self static string switch this throw trait true try unset use var void while xor yield
    """
)

_LOCALS: Locals = {kind: holders for kind, holders in LOCALS.items() if kind is not _CONSTANT}
"""What a function makes with `define` is seen everywhere."""

_SEEN = re.compile(rb"\b(?:private|protected)\b")

# A heredoc or nowdoc up to the line that begins with its name.
_HEREDOC = (
    rb"<<<[ \t]*(?P<php_quote>[\"']?)(?P<php_end>[A-Za-z_]\w*)(?P=php_quote)[^\n]*\n.*?(?:^[ \t]*(?P=php_end)\b|\Z)"
)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """By the last modifier before the name: attributes come before it."""
    if kind is _METHOD and name.lower() == "__construct":
        kind = _CONSTRUCTOR
    if b"pr" in head and (seen := _SEEN.findall(head)):
        return kind, _PRIVATE if seen[-1] == b"private" else _RESTRICTED
    return kind, _PUBLIC


LANGUAGES = (
    Language(
        "php",
        "PHP",
        grammar="php",
        extensions=("php", "phtml", "php3", "php4", "php5", "php7", "php8", "phps"),
        filenames=(".php_cs", ".php_cs.dist"),
        interpreters=("php", "php-cgi"),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="phpdoc",
        joint="\\",
        called={SymbolKind.INTERFACE: ("trait",)},
        rule=_verdict,
        locals=_LOCALS,
        attributes=("#[",),
        annotations=True,
        sigils=b"$",
        word_marks=b"",
        keywords=_KEYWORDS,
        opaque=(
            lexemes.BLOCK,
            lexemes.LINE_SLASH,
            rb"#(?!\[)[^\r\n]*",
            _HEREDOC,
            lexemes.MULTI_DOUBLE,
            lexemes.MULTI_SINGLE,
        ),
        interpolating=b'"',
    ),
)
