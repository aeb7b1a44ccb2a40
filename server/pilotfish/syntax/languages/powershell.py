"""PowerShell."""

from __future__ import annotations

import re

from pilotfish.syntax.languages.language import Language, Verdict, words
from pilotfish.syntax.outline import Symbol, SymbolKind, Visibility

# Members of an enumeration cost a look-up through its metaclass each time; rules run for every definition.
_METHOD, _CONSTRUCTOR, _VARIABLE = SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.VARIABLE
_PUBLIC, _RESTRICTED, _PRIVATE = Visibility.PUBLIC, Visibility.RESTRICTED, Visibility.PRIVATE

_KEYWORDS = words(
    """
    begin break catch class continue data define do dynamicparam else elseif end enum exit filter finally for foreach
    from function hidden if in param process return static switch throw trap try until using var while workflow
    """
)

_BUILTINS = frozenset(
    b"array begin bool byte char configuration datetime decimal double end float guid hashtable int int32 int64 long "
    b"object ordered param process pscustomobject psobject ref regex scriptblock single string switch timespan type "
    b"uri using version void xml".split()
)

_LARGEST_HELP = 16_384
_HELP_WITHIN = re.compile(rb"\s*(?:\([^()]*\)\s*)?\{\s*<#(.*?)#>", re.DOTALL)
_SYNOPSIS = re.compile(rb"^[ \t]*\.(?:SYNOPSIS|DESCRIPTION)[ \t]*$(.*?)(?=^[ \t]*\.[A-Z]{4,}|\Z)", re.M | re.S | re.I)


def _verdict(name: str, kind: SymbolKind, head: bytes, parent: Symbol | None, container: str, text: bytes) -> Verdict:
    """`hidden` members and what has a scope of its own (`private:`, `script:`)."""
    if kind is _METHOD and parent is not None and name.lower() == parent.name.lower():
        kind = _CONSTRUCTOR
    head = head.lower()
    if head.endswith((b"private:", b"local:")) or b"hidden" in head:
        return kind, _PRIVATE
    if head.endswith(b"script:") or (kind is _VARIABLE and not head.endswith((b"global:", b"env:"))):
        return kind, _RESTRICTED
    return kind, _PUBLIC


def _own_name(written: bytes) -> tuple[int, int, int]:
    """`Cache` of `$script:Cache` and `${script:Cache}`, `Get-It` of `global:Get-It`; the scope is no container."""
    end = len(written) - written.endswith(b"}")
    start = max(written.rfind(b":"), written.rfind(b"$"), written.rfind(b"{")) + 1
    return 0, start, end


def _documented(text: bytes, symbol: Symbol) -> bytes:
    """The synopsis of a help comment."""
    synopsis = _SYNOPSIS.search(_help(text, symbol))
    return synopsis[1].strip() if synopsis is not None else b""


def _help(text: bytes, symbol: Symbol) -> bytes:
    """The help comment at the beginning of the body or above the definition, b"" where there is none."""
    name_end = symbol.name_end
    if found := _HELP_WITHIN.match(text, name_end, min(symbol.end, name_end + _LARGEST_HELP)):
        return found[1]
    above = text[max(0, symbol.start - _LARGEST_HELP) : symbol.start].rstrip()
    return above[above.rfind(b"<#") + 2 : -2] if above.endswith(b"#>") else b""


_PARAMETERS = re.compile(
    rb"\s*\{(?>(?:\s*+(?:<#.*?#>|#[^\n]*|\[(?:[^][]|\[[^][]*\])*\]))*)\s*param\s*\(", re.DOTALL | re.IGNORECASE
)
_PARENTHESIS = re.compile(rb"<#.*?#>|#[^\n]*|\"(?:`.|[^\"`])*\"|'[^']*'|[()]", re.DOTALL)
_ABOUT_PARAMETER = re.compile(rb"\[\w+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\]\s*")
_LONGEST_PARAMETERS = 8_192


def _signed(text: bytes, symbol: Symbol) -> bytes:
    """A function with what its `param` block takes, as if that stood in parentheses behind its name."""
    opening = _PARAMETERS.match(text, symbol.name_end, symbol.end) if symbol.kind is SymbolKind.FUNCTION else None
    if opening is None:
        return b""
    depth, end = 1, symbol.end
    for mark in _PARENTHESIS.finditer(text, opening.end(), min(symbol.end, opening.end() + _LONGEST_PARAMETERS)):
        depth += {b"(": 1, b")": -1}.get(mark[0], 0)
        if not depth:
            end = mark.start()
            break
    taken = _ABOUT_PARAMETER.sub(b"", text[opening.end() : end]).strip()
    return text[symbol.start : symbol.name_end] + b"(" + taken + b")"


LANGUAGES = (
    Language(
        "powershell",
        "PowerShell",
        grammar="powershell",
        name_key=str.lower,
        extensions=("ps1", "psm1", "psd1"),
        interpreters=("pwsh", "powershell"),
        ids=("ps1",),
        line_comments=("#",),
        block_comments=(("<#", "#>"),),
        custom="help",
        own_name=_own_name,
        rule=_verdict,
        signed=_signed,
        documented=_documented,
        documented_whole=_help,
        builtins=_BUILTINS,
        sigils=b"$@",
        word_marks=b"-",
        keywords=_KEYWORDS,
        opaque=(
            rb"<#.*?(?:#>|\Z)",
            rb"#[^\r\n]*",
            rb'@"[ \t]*\r?\n.*?(?:^"@|\Z)',
            rb"@'[ \t]*\r?\n.*?(?:^'@|\Z)",
            rb"'[^']*+(?>(?:''[^']*+)*)'?",
        ),
    ),
)
