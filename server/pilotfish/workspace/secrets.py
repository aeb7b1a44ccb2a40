"""What is secret: files by their names, and stretches of text by what they look like (DESIGN invariant 12).

A secret file is listed and found by its name; its content is read by nobody. A secret stretch of any other file is
blanked wherever the text goes: into chunks, full text, vectors, answers. Both err on the side of readable code: only
forms that nothing else has, and values that look random where a name says that they are secret.
"""

# ruff: noqa: SIM905 - lists of names read better as one string
from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

_SECRET_NAMES: Final = frozenset(
    ".env .envrc .netrc _netrc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .dockerconfigjson .vault-token "
    ".s3cfg .boto .terraformrc terraform.rc credentials.json client_secret.json client_secrets.json secrets.json "
    "secrets.yml secrets.yaml secrets.toml service_account.json service-account.json serviceaccount.json "
    "application_default_credentials.json credentials.yml.enc master.key terraform.tfvars id_rsa id_dsa id_ecdsa "
    "id_ed25519 id_ecdsa_sk id_ed25519_sk".split()
)
_SECRET_SUFFIXES: Final = (
    ".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".kdbx", ".ppk", ".tfstate", ".tfstate.backup",
    ".auto.tfvars", ".asc.key", ".ovpn", ".agekey",
)  # fmt: skip
_SECRET_PATHS: Final = (
    "/.aws/credentials", "/.docker/config.json", "/.kube/config", "/.ssh/config", "/.config/gh/hosts.yml",
)  # fmt: skip
_SAMPLES: Final = (
    ".example", ".sample", ".template", ".dist", ".defaults", ".default", ".tpl", ".tmpl", ".schema", ".test",
)  # fmt: skip
_SAMPLE_PARTS: Final = re.compile(r"[._-](?:example|sample|template)(?=[._-]|$)")
_ENVIRONMENT: Final = re.compile(r"\.env(?:[._-].*)?$|.+\.env$")
_PACKAGE_SETTINGS: Final = frozenset((".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", "pip.conf", ".condarc"))
_CREDENTIAL: Final = re.compile(rb"_auth|password|token|://[^/\s:@]+:[^/\s:@]+@", re.IGNORECASE)
_PRIVATE_KEY: Final = re.compile(rb"\s*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")


def is_secret(path: str) -> bool:
    """Whether a file of this name, given as a path or a URI, is likely to hold secrets and little else."""
    folded = path.replace("\\", "/").lower()
    name = folded.rpartition("/")[2]
    if name.endswith(_SAMPLES) or _SAMPLE_PARTS.search(name):
        return False
    return (
        name in _SECRET_NAMES
        or _ENVIRONMENT.match(name) is not None
        or name.endswith(_SECRET_SUFFIXES)
        or f"/{folded}".endswith(_SECRET_PATHS)
    )


def secret_content(path: str, text: bytes) -> str:
    """Say why a text is secret as a whole whose name is not; "" when it is not: a private key, or the settings of a
    package manager with credentials in them."""
    if _PRIVATE_KEY.match(text):
        return "it begins with a private key"
    if path.rpartition("/")[2].lower() in _PACKAGE_SETTINGS and _CREDENTIAL.search(text):
        return "settings of a package manager with credentials"
    return ""


def redact(text: bytes) -> bytes:
    """Return a text with every byte of its secrets replaced by `*`; length and lines stay as they are.

    The text itself comes back when there is none, which costs a few plain searches.
    """
    parts: list[bytes] = []
    place = 0
    for start, end in secret_stretches(text):
        if end > place:
            start = max(start, place)
            parts += (text[place:start], _NOT_LINE_END.sub(b"*", text[start:end]))
            place = end
    return b"".join((*parts, text[place:])) if parts else text


def redact_line(line: str) -> str:
    """Return one line of text, as answers show it, without its secrets."""
    if _DIGIT.search(line) is None:  # as most lines, and no secret
        return line
    data = line.encode("utf-8", "surrogatepass")
    shown = redact(data)
    return line if shown is data else shown.decode("utf-8", "replace")


def secret_stretches(text: bytes) -> list[tuple[int, int]]:
    """Return start and end of all secrets in a text, ascending; they may overlap."""
    return sorted((*_private_keys(text), *_tokens(text), *_assigned(text), *_in_addresses(text)))


_DIGIT: Final = re.compile("[0-9]")
_NOT_LINE_END: Final = re.compile(rb"[^\r\n]")


# --- forms that nothing else has -------------------------------------------------------------------------------------

_KEY_START: Final = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END: Final = re.compile(rb"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES: Final = re.compile(rb"[^\n]*(?:\n[^\n]*[A-Za-z0-9+/=]{20}[^\n]*)+")
_KEY_DATA: Final = re.compile(rb"[A-Za-z0-9+/]{32}")
_LONGEST_KEY: Final = 20_000


def _private_keys(text: bytes) -> Iterator[tuple[int, int]]:
    """What stands between the marks of a private key; where the second is missing, the lines that could be a key's."""
    if b"PRIVATE KEY" not in text:
        return
    openings = [*_KEY_START.finditer(text)]
    for opening, following in zip_longest(openings, openings[1:]):
        start = opening.end()
        limit = min(following.start() if following else len(text), start + _LONGEST_KEY)
        if closing := _KEY_END.search(text, start, limit):
            if _KEY_DATA.search(text, start, closing.start()):
                yield start, closing.start()
        elif lines := _KEY_LINES.match(text, start, limit):
            yield lines.span()


_TOKENS: Final = tuple(
    (mark, re.compile(rb"(?<![A-Za-z0-9_-])" + pattern))
    for mark, pattern in (
        (b"AKIA", rb"AKIA[A-Z2-7]{16}(?![A-Za-z0-9])"),  # Amazon
        (b"ASIA", rb"ASIA[A-Z2-7]{16}(?![A-Za-z0-9])"),
        (b"AIza", rb"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),  # Google
        (b"ya29.", rb"ya29\.[A-Za-z0-9_-]{20,}"),
        (b"GOCSPX-", rb"GOCSPX-[A-Za-z0-9_-]{20,}"),
        (b"ghp_", rb"ghp_[A-Za-z0-9]{30,}"),  # GitHub
        (b"gho_", rb"gho_[A-Za-z0-9]{30,}"),
        (b"ghu_", rb"ghu_[A-Za-z0-9]{30,}"),
        (b"ghs_", rb"ghs_[A-Za-z0-9]{30,}"),
        (b"ghr_", rb"ghr_[A-Za-z0-9]{30,}"),
        (b"github_pat_", rb"github_pat_[A-Za-z0-9_]{40,}"),
        (b"glpat-", rb"glpat-[A-Za-z0-9_-]{20,}"),  # GitLab
        (b"xox", rb"xox[abeoprs]-[A-Za-z0-9-]{10,}"),  # Slack
        (b"hooks.slack.com/services/", rb"hooks\.slack\.com/services/T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9_]+"),
        (b"sk-", rb"sk-(ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]*[A-Za-z0-9]{20,}[A-Za-z0-9_-]*"),  # OpenAI and others
        (b"sk_live_", rb"sk_live_[A-Za-z0-9]{16,}"),  # Stripe
        (b"rk_live_", rb"rk_live_[A-Za-z0-9]{16,}"),
        (b"whsec_", rb"whsec_[A-Za-z0-9+/=]{24,}"),
        (b"SG.", rb"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}"),  # SendGrid
        (b"npm_", rb"npm_[A-Za-z0-9]{36}"),
        (b"pypi-AgE", rb"pypi-AgE[A-Za-z0-9_-]{50,}"),
        (b"hf_", rb"hf_[A-Za-z]{30,}"),  # Hugging Face
        (b"dop_v1_", rb"dop_v1_[a-f0-9]{60,}"),  # DigitalOcean
        (b"shpat_", rb"shpat_[a-fA-F0-9]{32}"),  # Shopify
        (b"hvs.", rb"hvs\.[A-Za-z0-9_-]{24,}"),  # Vault
        (b"AGE-SECRET-KEY-1", rb"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
        (b"AccountKey=", rb"AccountKey=[A-Za-z0-9+/=]{40,}"),  # Azure
        (b"eyJ", rb"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),  # a JSON web token
    )
)
"""Tokens by the mark that they begin with, which is searched first: few texts hold any."""


def _tokens(text: bytes) -> Iterator[tuple[int, int]]:
    for mark, pattern in _TOKENS:
        if mark in text:
            for found in pattern.finditer(text):
                if mark != b"sk-" or found[1] or _is_random(found[0][3:]):
                    yield found.span()


# --- values that a name calls secret ---------------------------------------------------------------------------------

_KEYWORDS: Final = (
    b"password", b"passwd", b"passphrase", b"secret", b"token", b"apikey", b"api_key", b"api-key", b"accesskey",
    b"access_key", b"private_key", b"privatekey", b"encryption_key", b"signing_key", b"credential", b"authorization",
)  # fmt: skip
_VALUE: Final = re.compile(
    rb"""[\w\-.]{0,40}+
         (?:
             # Quoted: behind a type, an operator, a parenthesis; on the next line too. Or the next of two in quotes.
             (?:["'`\])]{0,2}[ \t\w&*'.:\[\]<>|?!={(\-]{0,60}?(?:\r?\n[ \t]*)?(?=[bru]{0,2}["'`])
             |["'`],[ \t]*(?=["'`]))
             [bru]{0,2}["'`](?:Bearer[ ]|Basic[ ])?([^"'`\s<>]{12,200})["'`]
         |
             (?:["'`\])]{0,2}[ \t]*(?::=|=>|[:=>]|\?\?=?|\|\|=?)[ \t]*)
             ([A-Za-z0-9+/=_.\-]{12,200})(?=[\s"'`,;&)<])
         )""",
    re.VERBOSE,
)
_FILLED_IN: Final = re.compile(rb"[$#%]?\{|[$%]\(")
"""What a template puts a value in place of."""

_ADDRESS: Final = re.compile(rb"://[^/\s:@\"'`<>{}$%]{0,100}:([^/\s:@\"'`<>{}$%*]{8,200})@")


def _assigned(text: bytes) -> Iterator[tuple[int, int]]:
    """Values that look random, given to what is called a password, a token and so on."""
    lower = text.lower()
    if not lower.endswith(b"\n"):
        text += b"\n"
    for keyword in _KEYWORDS:
        place = lower.find(keyword)
        while place >= 0:
            place += len(keyword)
            value = _VALUE.match(text, place)
            if value is not None:
                group = 1 if value[1] is not None else 2
                if _is_random(value[group]) and not _FILLED_IN.search(value[group]):
                    yield value.span(group)
            place = lower.find(keyword, place)


def _in_addresses(text: bytes) -> Iterator[tuple[int, int]]:
    """Passwords that look random, in addresses: `scheme://user:password@host`."""
    place = text.find(b"://")
    while place >= 0:
        address = _ADDRESS.match(text, place)
        if address is not None and _is_random(address[1]):
            yield address.span(1)
        place = text.find(b"://", place + 3)


_RUN: Final = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_LEAST_DISTINCT: Final = 8
_LONG: Final = 32


def _is_random(value: bytes) -> bool:
    """Whether a value looks as if nobody had thought it up: letters and digits that change every three characters or
    less, as neither words nor names nor versions do."""
    if len(value) < 8 or len(set(value)) < _LEAST_DISTINCT:
        return False
    runs = _RUN.findall(value)
    if value.isdigit() or not any(map(bytes.isdigit, runs)):
        return False
    return len(value) < (3 if len(value) < _LONG else 3.5) * len(runs)
