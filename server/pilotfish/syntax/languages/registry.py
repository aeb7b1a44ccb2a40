"""All languages by name."""

from __future__ import annotations

from collections.abc import Mapping

from pilotfish.syntax.languages import (
    ada,
    beam,
    build,
    c,
    clojure,
    csharp,
    data,
    ecmascript,
    fortran,
    gdscript,
    go,
    haskell,
    java,
    julia,
    jvm,
    lua,
    ml,
    nim,
    nix,
    others,
    pascal,
    perl,
    php,
    powershell,
    prose,
    python,
    r,
    ruby,
    rust,
    shaders,
    shell,
    solidity,
    swift,
    sql,
    web,
    zig,
)
from pilotfish.syntax.languages.language import Language

REGISTRY: Mapping[str, Language] = {
    language.name: language
    for room in (
        nim,
        zig,
        solidity,
        gdscript,
        julia,
        swift,
        r,
        jvm,
        powershell,
        perl,
        lua,
        php,
        python,
        ecmascript,
        go,
        rust,
        java,
        c,
        ruby,
        shell,
        prose,
        data,
        beam,
        haskell,
        ml,
        clojure,
        nix,
        fortran,
        ada,
        pascal,
        csharp,
        web,
        shaders,
        build,
        sql,
        others,
    )
    for language in room.LANGUAGES
}
"""Every language by name."""
