"""What builds and deploys: images, makefiles, infrastructure."""

from __future__ import annotations

from pilotfish.syntax.languages import lexemes
from pilotfish.syntax.languages.language import C_COMMENTS, Language, words

_TERRAFORM_KEYWORDS = words("each false for if in local module null path self true var")


LANGUAGES = (
    Language(
        "dockerfile",
        "Dockerfile",
        grammar="dockerfile",
        extensions=("dockerfile", "containerfile"),
        filenames=("Dockerfile", "Containerfile"),
        line_comments=("#",),
        word_marks=b"-",
        keywords=words("ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR"),
        opaque=(rb"#(?<=^#)[^\r\n]*",),
    ),
    Language(
        "make",
        "Make",
        grammar="make",
        extensions=("mk", "mak", "make"),
        filenames=("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in", "Kbuild"),
        interpreters=("make", "gmake"),
        ids=("makefile",),
        line_comments=("#",),
        locals={},
        word_marks=b".-%",
        keywords=words("define else endef endif export ifdef ifeq ifndef ifneq include override unexport vpath"),
        opaque=(rb"#(?<!\\#)[^\r\n]*",),
    ),
    Language(
        "hcl",
        "HCL",
        grammar="hcl",
        extensions=("hcl", "nomad"),
        family="hcl",
        line_comments=("#", "//"),
        block_comments=C_COMMENTS,
        word_marks=b"-",
        keywords=_TERRAFORM_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.LINE_HASH),
    ),
    Language(
        "terraform",
        "Terraform",
        grammar="terraform",
        extensions=("tf", "tfvars", "tofu"),
        ids=("terraform-vars", "opentofu"),
        family="hcl",
        line_comments=("#", "//"),
        block_comments=C_COMMENTS,
        word_marks=b"-",
        keywords=_TERRAFORM_KEYWORDS,
        opaque=(lexemes.BLOCK, lexemes.LINE_SLASH, lexemes.LINE_HASH),
    ),
)
