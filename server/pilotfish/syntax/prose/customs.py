"""The customs of documentation by name, as `Language.custom` has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from pilotfish.syntax.prose.docstrings import read_docstring
from pilotfish.syntax.prose.draft import Draft, code, code_block, escaped
from pilotfish.syntax.prose.haddock import read_haddock
from pilotfish.syntax.prose.help_comments import read_help
from pilotfish.syntax.prose.hypertext import read_hypertext
from pilotfish.syntax.prose.marked import read_docc, read_godoc, read_markdown
from pilotfish.syntax.prose.pod import read_pod
from pilotfish.syntax.prose.tagged import (
    BODY,
    CODE,
    HIDDEN,
    LUA_TYPES,
    Tags,
    braced,
    braced_name,
    bracketed,
    bracketed_name,
    bracketed_option,
    first_as_type,
    lua,
    lua_field,
    lua_name,
    lua_of_type,
    lua_typed,
    named,
    php,
    php_name,
    read_tagged,
    spans,
    text,
)
from pilotfish.syntax.prose.xml_comments import read_xml_comment

Reader = Callable[[str, str], str]
"""Makes Markdown of a comment's lines; the second is the language that examples are in, as Markdown calls it."""

_LINK = re.compile(
    r"\{@(?:link|linkplain|linkcode|see|inheritLink)\s+((?:[^{}\s|(]|\([^(){}]{0,500}\)|\((?![^(){}]{0,500}\)))+)(?:[\s|]([^{}]*))?\}"
)
_WEB = re.compile(r"https?://")
_BRACED_CODE = re.compile(r"\{@(?:code|literal|value|systemProperty|index)\s+((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_PRE_CODE = re.compile(
    r"<pre\b[^>]*>\s*\{@code\b[ \t]*((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}\s*</pre>", re.DOTALL | re.I
)
_SNIPPET = re.compile(r"\{@snippet\b[^:{}]*:((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", re.DOTALL)
_OTHER_INLINE = re.compile(r"\{@(?:inheritDoc|docRoot|summary|return)\s*([^{}]*)\}")
_TICKS = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK_WITH_TEXT = re.compile(r"\[([^\[\]\n]+)\]\{@link\s+[^{}]*\}")


def _reference(found: re.Match[str]) -> str:
    target, label = " ".join(found[1].split()), (found[2] or "").strip(" \t\r\n|")
    if _WEB.match(target):
        return f"{escaped(label)} ({code(target)})" if label else code(target)
    return code(label or target.lstrip("#").replace("#", "."))


def _javadoc(draft: Draft) -> None:
    draft.finish(_PRE_CODE, lambda found: code_block(found[1], "java"))
    draft.finish(_SNIPPET, lambda found: code_block(found[1], "java"))
    draft.finish(_BRACED_CODE, lambda found: code(found[1]))
    draft.finish(_LINK, _reference)
    draft.rewrite(_OTHER_INLINE, r"\1")
    draft.finish(_TICKS, lambda found: code(found[2]))
    read_hypertext(draft)


def _jsdoc(draft: Draft) -> None:
    draft.finish(_LINK_WITH_TEXT, lambda found: code(found[1]))
    draft.finish(_LINK, _reference)
    draft.finish(_BRACED_CODE, lambda found: code(found[1]))
    read_hypertext(draft)


_SCALA_CODE = re.compile(r"(?<!\{)\{\{\{(?!\{)(.*?)\}\}\}", re.DOTALL)
_WIKI = spans((r"(?<!')'''(?!')(.+?)'''", "**"), (r"(?<!')''(?!')(.+?)''", "*"), (r"__(\S.*?)__", "**"))
_SCALA_LINK = re.compile(r"\[\[([^\[\]\s]+)(?:\s+([^\[\]]*))?\]\]")
_SCALA_HEADING = re.compile(r"^[ \t]*(=+)[ \t]*([^=\n]+?)[ \t]*\1[ \t]*$", re.MULTILINE)


def _scaladoc(draft: Draft) -> None:
    draft.finish(_SCALA_CODE, lambda found: code_block(found[1], "scala"))
    draft.finish(_TICKS, lambda found: code(found[2]))
    draft.finish(_SCALA_LINK, lambda found: code((found[2] or found[1]).strip()))
    draft.finish(_SCALA_HEADING, lambda found: f"\n\n**{found[2]}**\n\n")
    read_hypertext(draft)
    _WIKI(draft)


_DOXYGEN_CODE = re.compile(
    r"[@\\](code|verbatim|dot|msc|startuml)\b(?:\{\.?(\w+)\})?[ \t]*(.*?)[@\\](?:end\1|enduml)\b", re.DOTALL
)
_DOXYGEN_WORD = re.compile(r"[@\\](?:c|p|a|ref|link)[ \t]+([^\s,;]+?)(?=[.,;:)]*(?:\s|$))(?:[ \t]+\"[^\"\n]*\")?")
_DOXYGEN_STRONG = re.compile(r"[@\\](b|e|em)[ \t]+([^\s,;]+)")
_DOXYGEN_ITEM = re.compile(r"^([ \t]*)(?:[@\\](?:li|arg)|-#)[ \t]+", re.MULTILINE)
_DOXYGEN_LOUD = re.compile(r"(?<=\s)[#%](?=[A-Za-z_]\w*)")
_DOXYGEN_FIRST = re.compile(r"\A\s*[@\\](?:brief|short)\b[ \t]*")


def _doxygen(draft: Draft) -> None:
    draft.finish(_DOXYGEN_CODE, lambda found: code_block(found[3], found[2] or ""))
    draft.finish(_DOXYGEN_WORD, lambda found: code(found[1]))
    draft.finish(_DOXYGEN_STRONG, lambda found: "**"[: 2 if found[1] == "b" else 1].join(("", found[2], "")))
    draft.finish(_TICKS, lambda found: code(found[2]))
    read_hypertext(draft)
    draft.rewrite(_DOXYGEN_FIRST, "")
    draft.rewrite(_DOXYGEN_ITEM, r"\1- ")
    draft.rewrite(_DOXYGEN_LOUD, "")


def _generic(draft: Draft) -> None:
    draft.finish(_TICKS, lambda found: code(found[2]))
    _doxygen(draft)


_RDOC = spans(
    (r"(?<![\w+])\+([\w:.#?!=@$\[\]<>-]+)\+(?![\w+])", "code"),
    (r"(?<![\w*])\*(\w+)\*(?![\w*])", "**"),
    (r"(?<![\w_])_(\w+)_(?!\w)", "*"),
)
_YARD_LINK = re.compile(r"\{((?:[A-Z]\w*|[#.]\w+)[\w:#.?!=]*)(?:[ \t]+([^{}|]*))?\}")
_RDOC_LINK = re.compile(r"\[(?:rdoc-ref:|https?:)[^\]\n]*\]")
_RDOC_HEADING = re.compile(r"^(=+)[ \t]+(\S[^\n]*)$", re.MULTILINE)
_RDOC_DIRECTIVE = re.compile(r"^[ \t]*:(?:call-seq|method|singleton-method|nodoc|startdoc|stopdoc):", re.MULTILINE)
_NO_LINK = re.compile(r"\\(?=[A-Za-z_])")
_LISTED = re.compile(r"[ \t]*(?:[-*•+]|\d+[.)]|\[[^\]\n]+\]|[^\s:][^\n:]*::)(?:[ \t]|$)")


def _indented_code(draft: Draft, language: str) -> None:
    """Lines that are indented deeper than a paragraph's are code; those below a tag or in a list are not."""
    lines: list[str] = []
    code_lines: list[str] = []
    opening = ""  # the last line that is not indented
    for line in [*draft.text.split("\n"), "."]:
        is_code = line.startswith("  ") and not _LISTED.match(opening) and not opening.startswith("@")
        if is_code and not (_LISTED.match(line) and not code_lines):
            code_lines.append(line)
            continue
        if code_lines and not line.strip():
            code_lines.append("")
            continue
        if code_lines:
            lines += [draft.keep(code_block("\n".join(code_lines), language)), ""]
            code_lines = []
        if line.strip():
            opening = line
        lines.append(line)
    draft.text = "\n".join(lines[:-1])


def _yard(draft: Draft) -> None:
    draft.finish(_TICKS, lambda found: code(found[2]))
    draft.finish(_LINK, _reference)
    _indented_code(draft, "ruby")
    draft.finish(_YARD_LINK, lambda found: code((found[2] or found[1]).strip()))
    read_hypertext(draft)
    draft.finish(_RDOC_HEADING, lambda found: f"\n\n**{draft.plain(found[2])}**\n\n")
    draft.rewrite(_RDOC_DIRECTIVE, "")
    draft.rewrite(_RDOC_LINK, "")
    _RDOC(draft)
    draft.rewrite(_NO_LINK, "")


_R_CODE = re.compile(
    r"\\(?:code|link|linkS4class|pkg|func|var|env|option|file|command|verb)(?:\[[^\]]*\])?\{([^{}]*)\}"
)
_R_STRONG = re.compile(r"\\(strong|bold|emph|dfn)\{([^{}]*)\}")
_R_HREF = re.compile(r"\\(?:href\{([^{}]*)\}\{([^{}]*)\}|url\{([^{}]*)\})")
_R_ITEM = re.compile(r"\\item\s*(?:\{([^{}]*)\}\s*\{([^{}]*)\}|\{([^{}]*)\})?")
_R_BLOCK = re.compile(
    r"\\(?:itemize|enumerate|describe|tabular\{[^{}]*\}|preformatted|dontrun|donttest)\{|^[ \t]*\}[ \t]*$", re.M
)


def _roxygen(draft: Draft) -> None:
    for _ in range(3):  # code within links within code
        draft.rewrite(
            re.compile(r"\\(?:code|link)(?:\[[^\]]*\])?\{\\(?:code|link)(?:\[[^\]]*\])?\{([^{}]*)\}\}"), r"\\code{\1}"
        )
    draft.finish(_R_CODE, lambda found: code(found[1]))
    draft.finish(_R_STRONG, lambda found: "**"[: 2 if found[1] in ("strong", "bold") else 1].join(("", found[2], "")))
    draft.finish(_R_HREF, lambda found: code(found[3]) if found[3] else f"{found[2]} ({code(found[1])})")
    draft.rewrite(_R_ITEM, lambda found: f"\n- {found[1] + ': ' + found[2] if found[1] else found[3] or ''}")
    draft.rewrite(_R_BLOCK, "")


_EDOC_CODE = re.compile(r"(?<!`)```(?!`)(.*?)'''", re.DOTALL)
_EDOC_SPAN = re.compile(r"`([^`'\n]+)[`']")


def _edoc(draft: Draft) -> None:
    draft.finish(_EDOC_CODE, lambda found: code_block(found[1], "erlang"))
    draft.finish(_EDOC_SPAN, lambda found: code(found[1]))
    draft.rewrite(re.compile(r"\{@(?:link|section)\s+([^{}.]*)\.?[^{}]*\}"), r"\1")
    read_hypertext(draft)


_OCAML_CODE = re.compile(r"\{(?:@(\w+)[^\[{}]*)?\[(.*?)\]\}", re.DOTALL)
_OCAML_VERBATIM = re.compile(r"\{v\s(.*?)\sv\}", re.DOTALL)
_OCAML_REFERENCE = re.compile(r"\{\{?!(?:\w+:)?([^{}\s]+)\}(?:([^{}]*)\})?")
_OCAML_SPAN = re.compile(r"(?<!\\)\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*)\]")
_OCAML_HEADING = re.compile(r"\{\d(?::\w+)?[ \t]+([^{}]*)\}")
_OCAML_STYLE = re.compile(r"\{([bie])\s+([^{}]*)\}")
_OCAML_LINK = re.compile(r"\{\{:([^{}\s]+)\}([^{}]*)\}|\{:([^{}\s]+)\}")
_OCAML_LIST = re.compile(r"\{(?:-|li)\s+([^{}]*)\}")
_OCAML_LEFT = re.compile(r"\{(?:ul|ol|C|L|R|\^|_)\b|\{[%^_]|%\}|(?<!\\)[{}]")


def _ocamldoc(draft: Draft) -> None:
    draft.finish(_OCAML_CODE, lambda found: code_block(found[2], found[1] or "ocaml"))
    draft.finish(_OCAML_VERBATIM, lambda found: code_block(found[1]))
    draft.finish(_OCAML_REFERENCE, lambda found: code((found[2] or "").strip() or found[1]))
    draft.finish(_OCAML_SPAN, lambda found: code(draft.restored(found[1])))
    draft.finish(_OCAML_LINK, lambda found: code(found[3]) if found[3] else f"{found[2].strip()} ({code(found[1])})")
    draft.finish(_OCAML_HEADING, lambda found: f"\n\n**{draft.plain(found[1])}**\n\n")
    draft.finish(_OCAML_STYLE, lambda found: "**"[: 2 if found[1] == "b" else 1].join(("", found[2].strip(), "")))
    draft.rewrite(_OCAML_LIST, r"\n- \1")
    draft.rewrite(_OCAML_LEFT, "")


_BB_BLOCK = re.compile(r"\[(codeblock|gdscript|csharp)(?:\s[^\]]*)?\](.*?)\[/\1\]", re.DOTALL)
_BB_CODE = re.compile(r"\[(?:code|kbd)(?:\s[^\]]*)?\](.*?)\[/(?:code|kbd)\]", re.DOTALL)
_BB_STYLE = re.compile(r"\[(b|i)\](.*?)\[/\1\]", re.DOTALL)
_BB_REFERENCE = re.compile(
    r"\[(?:param|method|member|signal|constant|enum|annotation|constructor|operator|theme_item)\s+([^\]\s]+)\]|\[([A-Z]\w*)\]"
)
_BB_LINK = re.compile(r"\[url(?:=([^\]]*))?\](.*?)\[/url\]", re.DOTALL)
_BB_LEFT = re.compile(r"\[/?(?:codeblocks|br|center|u|s|color|img|lb|rb)(?:[=\s][^\]]*)?\]")


_GD_TAG = re.compile(r"^([ \t]*@(?:tutorial|deprecated|experimental))(?:\([^()\n]*\))?:?", re.MULTILINE)


def _gdscript(draft: Draft) -> None:
    draft.rewrite(_GD_TAG, r"\1 ")
    draft.finish(_BB_BLOCK, lambda found: code_block(found[2], "csharp" if found[1] == "csharp" else "gdscript"))
    draft.finish(_BB_CODE, lambda found: code(found[1]))
    draft.finish(_BB_LINK, lambda found: f"{found[2]} ({code(found[1])})" if found[1] else code(found[2]))
    draft.finish(_BB_STYLE, lambda found: "**"[: 2 if found[1] == "b" else 1].join(("", found[2], "")))
    draft.finish(_BB_REFERENCE, lambda found: code(found[1] or found[2]))
    draft.rewrite(_BB_LEFT, "\n\n")


def _ticks(draft: Draft) -> None:
    draft.finish(_TICKS, lambda found: code(found[2]))


_NATSPEC = spans((r"(?<!`)`([^`\n]+)`(?!`)", "code"), (r"\{([\w.-]+)\}", "code"))
_LUA = spans((r"@\{([^{}|]+)(?:\|[^{}]*)?\}", "code"), (r"(?<!`)`([^`\n]+)`(?!`)", "code"))

_THROWS = ("Throws", named)
TAGS: Mapping[str, Tags] = {
    "javadoc": Tags(
        {"serialData": (HIDDEN, text), "apiNote": ("Note", text), "implSpec": ("Implementation", text)}, _javadoc
    ),
    "kdoc": Tags(
        {"receiver": ("Receiver", text), "property": ("Fields", named), "param": ("Parameters", bracketed_name)},
        _ticks,
        is_markdown=True,
    ),
    "scaladoc": Tags({"groupdesc": (HIDDEN, text), "group": (HIDDEN, text)}, _scaladoc),
    "jsdoc": Tags(
        {
            **dict.fromkeys(("param", "arg", "argument"), ("Parameters", braced_name)),
            **dict.fromkeys(("property", "prop"), ("Fields", braced_name)),
            **dict.fromkeys(("return", "returns"), ("Returns", braced)),
            **dict.fromkeys(("throws", "exception"), ("Throws", braced)),
            **dict.fromkeys(
                ("type", "typedef", "enum", "this", "const", "member", "extends", "augments"), (HIDDEN, text)
            ),
            "yields": ("Yields", braced),
            "template": ("Type parameters", braced_name),
            "remarks": (BODY, text),
        },
        _jsdoc,
        is_markdown=True,
    ),
    "phpdoc": Tags(
        {
            "param": ("Parameters", php_name),
            "return": ("Returns", php),
            "throws": ("Throws", php),
            "var": ("Type", php_name),
            "method": ("Methods", text),
            "uses": ("See also", text),
            "link": ("See also", text),
            **dict.fromkeys(("property", "property-read", "property-write"), ("Fields", php_name)),
            **dict.fromkeys(("template", "template-covariant"), ("Type parameters", named)),
        },
        _jsdoc,
        is_markdown=True,
    ),
    "yard": Tags(
        {
            "param": ("Parameters", bracketed_name),
            "option": ("Options", bracketed_option),
            "return": ("Returns", bracketed),
            "raise": ("Throws", bracketed),
            "yield": ("Yields", bracketed),
            "yieldparam": ("Yields", bracketed_name),
            "yieldreturn": ("Yields", bracketed),
            "overload": (BODY, lambda rest: ("", "", rest)),
        },
        _yard,
    ),
    "roxygen": Tags(
        {
            "slot": ("Fields", named),
            "inheritParams": (HIDDEN, text),
            "title": (BODY, text),
            "rdname": (HIDDEN, text),
            "md": (HIDDEN, text),
            "noRd": (HIDDEN, text),
            "include": (HIDDEN, text),
            "export": (HIDDEN, text),
            "value": ("Returns", text),
            "format": ("Format", text),
            "source": ("Source", text),
            "references": ("References", text),
            "section": ("Section", text),
        },
        _roxygen,
        is_markdown=True,
    ),
    "doxygen": Tags(
        {"exception": _THROWS, "headerfile": (HIDDEN, text), "param": ("Parameters", named)},
        _doxygen,
        marks="@\\",
        ends_at_blank=True,
    ),
    "edoc": Tags({"spec": (HIDDEN, text), "equiv": ("Same as", text)}, _edoc, has_fences=False),
    "luals": Tags(
        {
            "param": ("Parameters", lua_name),
            "tparam": ("Parameters", lua_typed),
            "field": ("Fields", lua_field),
            **{kind: ("Parameters", partial(lua_of_type, kind)) for kind in LUA_TYPES},
            "return": ("Returns", lua),
            "treturn": ("Returns", first_as_type),
            "vararg": ("Parameters", lambda rest: ("...", *lua(rest)[1:])),
            "class": ("Class", lambda rest: ("", rest.strip(), "")),
            "alias": ("Alias", text),
            "type": ("Type", text),
            "overload": ("Overload", lambda rest: ("", rest.strip(), "")),
            "usage": (CODE, text),
            "meta": (HIDDEN, text),
            "diagnostic": (HIDDEN, text),
            "nodiscard": (HIDDEN, text),
            "cast": (HIDDEN, text),
            "as": (HIDDEN, text),
            "package": (HIDDEN, text),
        },
        _LUA,
        is_markdown=True,
    ),
    "natspec": Tags(
        {"return": ("Returns", text), "title": (BODY, text), "inheritdoc": ("Inherits from", text)}, _NATSPEC
    ),
    "ocamldoc": Tags({"raise": _THROWS, "before": ("Before", text), "canonical": (HIDDEN, text)}, _ocamldoc),
    "gdscript": Tags({"tutorial": ("See also", text), "experimental": ("Experimental", text)}, _gdscript),
    "": Tags({}, _generic, marks="@\\"),
}


def _tagged(custom: str) -> Reader:
    return partial(read_tagged, TAGS[custom])


CUSTOMS: Mapping[str, Reader] = {
    **{custom: _tagged(custom) for custom in TAGS},
    "docstring": read_docstring,
    "xml": read_xml_comment,
    "haddock": read_haddock,
    "pod": read_pod,
    "help": read_help,
    "markdown": read_markdown,
    "docc": read_docc,
    "godoc": read_godoc,
}

TITLES: Mapping[str, str] = {
    "": "comments",
    "javadoc": "Javadoc",
    "kdoc": "KDoc",
    "scaladoc": "Scaladoc",
    "jsdoc": "JSDoc, TSDoc",
    "phpdoc": "PHPDoc",
    "yard": "YARD, RDoc",
    "roxygen": "roxygen",
    "doxygen": "Doxygen",
    "edoc": "EDoc, ExDoc",
    "luals": "LuaLS, LDoc",
    "natspec": "NatSpec",
    "ocamldoc": "ocamldoc",
    "gdscript": "GDScript",
    "docstring": "docstrings: reST, Google, NumPy",
    "xml": "XML documentation",
    "haddock": "Haddock",
    "pod": "POD",
    "help": "comment-based help",
    "markdown": "Markdown",
    "docc": "DocC",
    "godoc": "Go doc",
}
"""What each custom is called."""
