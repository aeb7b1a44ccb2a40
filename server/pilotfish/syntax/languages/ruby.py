"""Ruby."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_METHOD, _CONSTRUCTOR = SymbolKind.METHOD, SymbolKind.CONSTRUCTOR
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined do else elsif end ensure
    false for if in module next nil not or redo rescue retry return self super then true undef unless until when
    while yield
    """
)

# What RDoc keeps from readers: from `#--` to `#++` or the end. Where a comment begins behind a `#--`, so does that.
_UNSEEN = (
    rb"^[ \t]*#--[ \t\r]*$.*?(?:^[ \t]*#\+\+[ \t\r]*(?:\n|\Z)|\Z)"
    rb"|\A(?:(?!^[ \t]*#--[ \t\r]*$).)*?^[ \t]*#\+\+[ \t\r]*(?:\n|\Z)"
)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`private def …`; sections of a class are the query's."""
    if kind is _METHOD:
        if name == "initialize":
            kind = _CONSTRUCTOR
        if head.startswith(b"private"):
            return kind, _PRIVATE
        if head.startswith(b"protected"):
            return kind, _RESTRICTED
    return kind, _PUBLIC


LANGUAGES = (
    Language(
        "ruby",
        "Ruby",
        grammar="ruby",
        joint="::",
        extensions=("rb", "rake", "gemspec", "ru", "rbi", "podspec"),
        filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Capfile", "Brewfile", "Fastfile"),
        interpreters=("ruby", "jruby", "macruby", "rake"),
        line_comments=("#",),
        block_comments=(("=begin", "=end"),),
        custom="yard",
        unseen=_UNSEEN,
        name_marks=b":\"'",
        word_ends=b"?!",
        rule=_verdict,
        keywords=_KEYWORDS,
        opaque=(
            rb"=begin\b(?<=^=begin).*?(?:^=end\b|\Z)",
            lexemes.LINE_HASH,
            lexemes.MULTI_DOUBLE,
            lexemes.MULTI_SINGLE,
        ),
        interpolating=b'"',
        injected=(b"SQL", b"GRAPHQL", b"HTML", b"CSS", b"JS"),
    ),
)
