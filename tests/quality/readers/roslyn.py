"""What Microsoft's C# compiler reads in files: paths on standard input, one JSON object a line on standard output.

Run in the environment that `tests/quality/fetch_oracles.sh` makes, since it starts a .NET runtime in its process:

    FOLDER/bin/python tests/quality/readers/roslyn.py --version | [ROOT] <paths
"""

# ruff: noqa: E402 -- the runtime starts before what lies in it is imported

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"] = "1"  # or it asks for a library of Unicode's

import clr_loader
import dotnetcore2
import pythonnet

_RUNTIME = Path(dotnetcore2.__file__).parent / "bin"
_COMPILER = Path(sys.prefix) / "roslyn"
pythonnet.set_runtime(
    clr_loader.get_coreclr(runtime_config=str(_COMPILER / "runtimeconfig.json"), dotnet_root=str(_RUNTIME))
)
import clr

sys.path.append(str(_COMPILER))
clr.AddReference("Microsoft.CodeAnalysis")
clr.AddReference("Microsoft.CodeAnalysis.CSharp")
from Microsoft.CodeAnalysis import DiagnosticSeverity
from Microsoft.CodeAnalysis.CSharp import CSharpParseOptions, CSharpSyntaxTree, LanguageVersion, SyntaxKind
from Microsoft.CodeAnalysis.CSharp.Syntax import (
    BranchingDirectiveTriviaSyntax,
    LocalFunctionStatementSyntax,
    MemberDeclarationSyntax,
)
from Microsoft.CodeAnalysis.Text import SourceText
from System.Linq import Enumerable

_TYPES = {
    SyntaxKind.ClassDeclaration,
    SyntaxKind.StructDeclaration,
    SyntaxKind.InterfaceDeclaration,
    SyntaxKind.EnumDeclaration,
    SyntaxKind.RecordDeclaration,
    SyntaxKind.RecordStructDeclaration,
    SyntaxKind.DelegateDeclaration,
}
_FUNCTIONS = {SyntaxKind.MethodDeclaration, SyntaxKind.ConstructorDeclaration, SyntaxKind.LocalFunctionStatement}


def definitions(path: str, text: str) -> Iterator[dict[str, Any]]:
    """What one file defines, with the lines of which the compiler read nothing; only that it refused it on an error."""
    source = SourceText.From(text)
    tree = CSharpSyntaxTree.ParseText(source, CSharpParseOptions(LanguageVersion.Preview))
    if any(each.Severity == DiagnosticSeverity.Error for each in tree.GetDiagnostics()):
        yield {"path": path, "kind": "refused"}
        return
    yield {"path": path, "kind": "file"}
    root, lines = tree.GetRoot(), source.Lines
    # Chosen over there: each look at a node from here costs some microseconds.
    nodes = root.DescendantNodes()
    for node in (
        *Enumerable.OfType[MemberDeclarationSyntax](nodes),
        *Enumerable.OfType[LocalFunctionStatementSyntax](nodes),
    ):
        kind = node.Kind()
        if kind in _TYPES or kind in _FUNCTIONS:
            start, name = node.Identifier.SpanStart, node.Identifier.ValueText
        elif kind == SyntaxKind.DestructorDeclaration:
            start, name = node.TildeToken.SpanStart, "~" + node.Identifier.ValueText
        elif kind == SyntaxKind.OperatorDeclaration:
            start, name = node.OperatorKeyword.SpanStart, "operator " + node.OperatorToken.ValueText
        elif kind == SyntaxKind.ConversionOperatorDeclaration:
            start, name = node.OperatorKeyword.SpanStart, "operator " + node.Type.ToString()
        else:
            continue
        line = lines.GetLineFromPosition(start).LineNumber + 1
        yield {"path": path, "name": name, "line": line, "kind": "type" if kind in _TYPES else "function"}
    if root.ContainsDirectives:
        for directive in Enumerable.OfType[BranchingDirectiveTriviaSyntax](root.DescendantNodes(None, True)):
            if directive.IsActive and not directive.BranchTaken:
                first, end = (
                    lines.GetLineFromPosition(each.SpanStart).LineNumber + 1
                    for each in itertools.islice(
                        (each for each in directive.GetRelatedDirectives() if each.SpanStart >= directive.SpanStart), 2
                    )
                )
                yield {"path": path, "kind": "dark", "line": first, "last": end}


def main() -> None:
    if "--version" in sys.argv:
        version = CSharpSyntaxTree.ParseText("").GetType().Assembly.GetName().Version
        print(f"Roslyn {version.Major}.{version.Minor}")
        return
    root = Path(sys.argv[1])
    for line in sys.stdin:
        path = line.rstrip("\n")
        for found in definitions(path, (root / path).read_text("utf-8-sig", "replace")):
            print(json.dumps(found))


if __name__ == "__main__":
    main()
