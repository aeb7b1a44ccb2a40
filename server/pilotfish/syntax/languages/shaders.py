"""Languages of shaders."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.c import C_KEYWORDS, CPP_KEYWORDS, cpp_container, cpp_name, cpp_verdict
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words

LANGUAGES = (
    Language(
        "glsl",
        "GLSL",
        grammar="glsl",
        extensions=(
            "glsl",
            "vert",
            "frag",
            "geom",
            "tesc",
            "tese",
            "comp",
            "rgen",
            "rchit",
            "rmiss",
            "rahit",
        ),
        family="shaders",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        keywords=C_KEYWORDS
        | words(
            """
            attribute buffer centroid coherent discard false flat highp in inout invariant layout lowp mediump
            noperspective out precise precision readonly restrict shared smooth true uniform varying writeonly
            """
        ),
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "hlsl",
        "HLSL",
        grammar="hlsl",
        extensions=("hlsl", "hlsli", "fx", "fxh", "cginc", "compute", "usf", "ush"),
        family="shaders",
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="doxygen",
        rule=cpp_verdict,
        container=cpp_container,
        own_name=cpp_name,
        keywords=CPP_KEYWORDS
        | words("cbuffer discard groupshared in inout out register row_major static tbuffer technique uniform"),
        opaque=lexemes.C_LIKE,
    ),
    Language(
        "wgsl",
        "WGSL",
        grammar="wgsl",
        extensions=("wgsl",),
        line_comments=("//",),
        block_comments=C_COMMENTS,
        custom="markdown",
        keywords=words(
            """
            alias break case const const_assert continue continuing default diagnostic discard else enable false fn for
            if let loop override requires return struct switch true var while
            """
        ),
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH),
    ),
)
