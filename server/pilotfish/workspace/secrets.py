"""What is secret: files by their names, and stretches of text by what they look like (DESIGN invariant 12).

A secret file is listed and found by its name; its content is read by nobody. A secret stretch of any other file is
blanked wherever the text goes: into chunks, full text, vectors, answers. Both err on the side of readable code: only
forms that nothing else has, and values that look random where a name says that they are secret.
"""

# ruff: noqa: SIM905 - lists of names read better as one string
from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator
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
_PRIVATE_KEY: Final = re.compile(
    rb"\s*(?:-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9])"
)


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

    The text itself comes back when there is none, which costs some plain searches.
    """
    return _blanked(text, 0, len(text), secret_stretches(text)) or text


def redact_within(text: bytes, start: int, end: int) -> bytes:
    """Return a stretch of a text without its secrets, as far as it and what stands shortly before it tell of them."""
    stretch = text[start:end]
    if _MAY_BE_SECRET.search(stretch) is None:  # as most lines
        return stretch
    before = max(start - _CONTEXT, 0)
    around = text[before:end]
    return _blanked(around, start - before, end - before, secret_stretches(around)) or stretch


def redact_line(line: str) -> str:
    """Return one line of text, as answers show it, without its secrets."""
    data = line.encode("utf-8", "surrogatepass")
    shown = redact_within(data, 0, len(data))
    return line if shown == data else shown.decode("utf-8", "replace")


def secret_stretches(text: bytes) -> list[tuple[int, int]]:
    """Return start and end of all secrets in a text, ascending; they may overlap.

    Where there are any, a second look is taken when they are blanked: one can hide that its neighbour is another.
    """
    found = _found(text)
    if blanked := _blanked(text, 0, len(text), found):
        found = sorted((*found, *_found(blanked)))
    return found


def _found(text: bytes) -> list[tuple[int, int]]:
    return sorted((*_private_keys(text), *_tokens(text), *_in_commands(text), *_in_addresses(text), *_assigned(text)))


def _blanked(text: bytes, start: int, end: int, secrets: Iterable[tuple[int, int]]) -> bytes | None:
    """Return a stretch of a text with its secrets blanked; None where it has none."""
    parts: list[bytes] = []
    place = start
    for first, last in secrets:
        if last > place and first < end:
            first, last = max(first, place), min(last, end)
            parts += (text[place:first], _NOT_LINE_END.sub(b"*", text[first:last]))
            place = last
    return b"".join((*parts, text[place:end])) if parts else None


_MAY_BE_SECRET: Final = re.compile(rb"[0-9]|[A-Za-z]{20}")
_NOT_LINE_END: Final = re.compile(rb"[^\r\n]")
_CONTEXT: Final = 1_000
"""So many bytes before a line are looked at for what it belongs to."""


# --- forms that nothing else has -------------------------------------------------------------------------------------

_KEY_START: Final = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END: Final = re.compile(rb"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES: Final = re.compile(rb"[^\n]*(?:\n[^\n]*[A-Za-z0-9+/=]{20}[^\n]*)+")
_KEY_DATA: Final = re.compile(rb"[A-Za-z0-9+/]{32}")
_PUTTY_LINES: Final = re.compile(
    rb"Private-Lines:[ \t]*[0-9]{1,4}((?:(?:\r?\n|\\n)[ \t]*[A-Za-z0-9+/]{4,}+={0,2}(?=[\s\"'\\]|\Z))+)"
)
_ENCODED_START: Final = b"LS0tLS1CRUdJTi"  # "-----BEGIN" in base64
_ENCODED: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}(?:(?:\\n|\r?\n[ \t]*)[A-Za-z0-9+/]{16,}+={0,2}(?=[\s\"'\\]|\Z))*")
_NOT_BASE64: Final = re.compile(rb"\\n|[^A-Za-z0-9+/]+")
_LONGEST_KEY: Final = 20_000


def _private_keys(text: bytes) -> Iterator[tuple[int, int]]:
    """What stands between the marks of a private key; where the second is missing, the lines that could be a key's.
    Keys of PuTTY, and what is a private key when it is decoded."""
    if b"PRIVATE KEY" in text:
        openings = [*_KEY_START.finditer(text)]
        for opening, following in zip_longest(openings, openings[1:]):
            start = opening.end()
            limit = min(following.start() if following else len(text), start + _LONGEST_KEY)
            if closing := _KEY_END.search(text, start, limit):
                if _KEY_DATA.search(text, start, closing.start()):
                    yield start, closing.start()
            elif lines := _KEY_LINES.match(text, start, limit):
                yield lines.span()
    for place in _places(text, b"Private-Lines:"):
        if lines := _PUTTY_LINES.match(text, place):
            yield lines.span(1)
    yield from _encoded_keys(text)


def _encoded_keys(text: bytes) -> Iterator[tuple[int, int]]:
    place = text.find(_ENCODED_START)
    while place >= 0:
        run = _ENCODED.match(text, place, place + _LONGEST_KEY)
        end = place + len(_ENCODED_START) if run is None else run.end()
        data = _NOT_BASE64.sub(b"", text[place:end])
        if b"PRIVATE KEY" in a2b_base64(data[: len(data) // 4 * 4]):
            yield place, end
        place = text.find(_ENCODED_START, end)


def _places(text: bytes, mark: bytes) -> Iterator[int]:
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + len(mark))


def _forms(*forms: tuple[bytes, bytes]) -> tuple[tuple[bytes, re.Pattern[bytes]], ...]:
    return tuple((mark, re.compile(rb"(?<![A-Za-z0-9_-])" + re.escape(mark) + rest)) for mark, rest in forms)


_MARKED: Final = _forms(
    (b"AIzaSy", rb"[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),  # Google
    (b"ya29.", rb"[A-Za-z0-9_-]{20,}"),
    (b"GOCSPX-", rb"[A-Za-z0-9_-]{20,}"),
    (b"xox", rb"[abeoprs]-[A-Za-z0-9-]{10,}"),  # Slack
    (b"xapp-", rb"[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]{20,}"),
    (b"hooks.slack.com/services/", rb"T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9_]+"),
    (b"sk-", rb"(ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]*[A-Za-z0-9]{20,}[A-Za-z0-9_-]*"),  # OpenAI and others
    (b"whsec_", rb"[A-Za-z0-9+/=]{24,}"),  # Stripe
    (b"SG.", rb"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}"),  # SendGrid
    (b"pypi-AgE", rb"[A-Za-z0-9_-]{50,}"),
    (b"hvs.", rb"[A-Za-z0-9_-]{24,}"),  # Vault
    (b"hvb.", rb"[A-Za-z0-9_-]{24,}"),
    (b"hvr.", rb"[A-Za-z0-9_-]{24,}"),
    (b"atlasv1.", rb"[A-Za-z0-9_-]{60,}"),  # Terraform
    (b"AccountKey=", rb"[A-Za-z0-9+/=]{40,}"),  # Azure
    (b"dckr_pat_", rb"[A-Za-z0-9_-]{27}"),  # Docker
    (b"figd_", rb"[A-Za-z0-9_-]{40,}"),  # Figma
    (b"ATATT3", rb"[A-Za-z0-9_=-]{60,}"),  # Atlassian
    (b"HRKU-", rb"[A-Za-z0-9_-]{36,}"),  # Heroku
    (b"eyJ", rb"[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),  # a JSON web token
)
"""Tokens by the mark that they begin with, which is searched first: few texts hold any."""

_JOINED: Final = _forms(
    (b"ghp_", rb"[A-Za-z0-9]{30,}"),  # GitHub
    (b"gho_", rb"[A-Za-z0-9]{30,}"),
    (b"ghu_", rb"[A-Za-z0-9]{30,}"),
    (b"ghs_", rb"[A-Za-z0-9]{30,}"),
    (b"ghr_", rb"[A-Za-z0-9]{30,}"),
    (b"github_pat_", rb"[A-Za-z0-9_]{40,}"),
    (b"sk_live_", rb"[A-Za-z0-9]{16,}"),  # Stripe
    (b"sk_test_", rb"[A-Za-z0-9]{16,}"),
    (b"rk_live_", rb"[A-Za-z0-9]{16,}"),
    (b"rk_test_", rb"[A-Za-z0-9]{16,}"),
    (b"npm_", rb"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    (b"rubygems_", rb"[0-9a-f]{48}(?![A-Za-z0-9])"),
    (b"hf_", rb"[A-Za-z]{30,}"),  # Hugging Face
    (b"r8_", rb"[A-Za-z0-9]{37}(?![A-Za-z0-9])"),  # Replicate
    (b"gsk_", rb"[A-Za-z0-9]{52}(?![A-Za-z0-9])"),  # Groq
    (b"xai-", rb"[A-Za-z0-9]{80}(?![A-Za-z0-9])"),
    (b"pplx-", rb"[A-Za-z0-9]{48}(?![A-Za-z0-9])"),
    (b"dop_v1_", rb"[0-9a-f]{60,}"),  # DigitalOcean
    (b"doo_v1_", rb"[0-9a-f]{60,}"),
    (b"dor_v1_", rb"[0-9a-f]{60,}"),
    (b"shpat_", rb"[0-9a-fA-F]{32}"),  # Shopify
    (b"shpca_", rb"[0-9a-fA-F]{32}"),
    (b"shppa_", rb"[0-9a-fA-F]{32}"),
    (b"shpss_", rb"[0-9a-fA-F]{32}"),
    (b"lin_api_", rb"[A-Za-z0-9]{40}(?![A-Za-z0-9])"),  # Linear
    (b"ntn_", rb"[A-Za-z0-9]{40,}"),  # Notion
    (b"secret_", rb"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    (b"key-", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),  # Mailgun
    (b"pul-", rb"[0-9a-f]{40}(?![A-Za-z0-9])"),  # Pulumi
    (b"dp.pt.", rb"[A-Za-z0-9]{40,44}(?![A-Za-z0-9])"),  # Doppler
    (b"dp.ct.", rb"[A-Za-z0-9]{40,44}(?![A-Za-z0-9])"),
    (b"dp.sa.", rb"[A-Za-z0-9]{40,44}(?![A-Za-z0-9])"),
    (b"sntryu_", rb"[0-9a-f]{64}"),  # Sentry
    (b"sntrys_", rb"[A-Za-z0-9+/=_-]{40,}"),
    (b"glsa_", rb"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),  # Grafana
    (b"glc_", rb"eyJ[A-Za-z0-9+/=]{40,}"),
    (b"v1.0-", rb"[0-9a-f]{24}-[0-9a-f]{100,}"),  # Cloudflare
    (b"AGE-SECRET-KEY-", rb"1[A-Z0-9]{50,}"),
    (b"PMAK-", rb"[0-9a-f]{24}-[0-9a-f]{34}"),  # Postman
    (b"NRAK-", rb"[A-Z0-9]{27}(?![A-Za-z0-9])"),  # New Relic
    (b"sbp_", rb"[0-9a-f]{40}(?![A-Za-z0-9])"),  # Supabase
    (b"sgp_", rb"[0-9a-f]{40}(?![A-Za-z0-9])"),  # Sourcegraph
    (b"bkua_", rb"[0-9a-f]{40}(?![A-Za-z0-9])"),  # Buildkite
    (b"CCIPAT_", rb"[A-Za-z0-9]{22}_[0-9a-f]{40}"),  # CircleCI
    (b"lsv2_pt_", rb"[0-9a-f]{32}_[0-9a-f]{10}"),  # LangSmith
    (b"lsv2_sk_", rb"[0-9a-f]{32}_[0-9a-f]{10}"),
)
"""Tokens whose mark ends in a joint, behind which sixteen letters and digits follow at once."""

_BEGUN: Final = _forms(
    (b"AKIA", rb"[A-Z2-7]{16}(?![A-Za-z0-9])"),  # Amazon
    (b"ASIA", rb"[A-Z2-7]{16}(?![A-Za-z0-9])"),
    (b"SK", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),  # Twilio
    (b"dapi", rb"[0-9a-f]{32}(?![A-Za-z0-9])"),  # Databricks
)
"""Tokens without a joint."""

_JOINED_MARKS: Final = tuple(mark for mark, _ in _JOINED)
_BEGUN_MARKS: Final = tuple(mark for mark, _ in _BEGUN)
_LONGEST_MARK: Final = max(map(len, _JOINED_MARKS))
_RUN_BYTES: Final = b"a" * 16
_AS_RUNS: Final = bytes(ord("a") if chr(byte).isascii() and chr(byte).isalnum() else ord(" ") for byte in range(256))

_GITLAB: Final = re.compile(rb"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{20,}")


def _tokens(text: bytes) -> Iterator[tuple[int, int]]:
    for mark, pattern in _MARKED:
        for place in _places(text, mark):
            found = pattern.match(text, place)
            if found is not None and (mark != b"sk-" or found[1] or _is_random(found[0][3:])):
                yield found.span()
    for found in _GITLAB.finditer(text):
        if not text[max(found.start() - 1, 0) : found.start()].isalnum():
            yield found.span()
    for start in _runs(text):
        if text.endswith(_JOINED_MARKS, max(start - _LONGEST_MARK, 0), start):
            candidates = [pattern.match(text, max(start - len(mark), 0)) for mark, pattern in _JOINED]
        elif text.startswith(_BEGUN_MARKS, start):
            candidates = [pattern.match(text, start) for _mark, pattern in _BEGUN]
        else:
            continue
        yield from (found.span() for found in candidates if found is not None)


def _runs(text: bytes) -> Iterator[int]:
    """Where sixteen letters and digits or more begin; one search for most forms of tokens instead of one for each."""
    runs = text.translate(_AS_RUNS) + b" "
    place = runs.find(_RUN_BYTES)
    while place >= 0:
        yield place
        place = runs.find(_RUN_BYTES, runs.index(b" ", place))


_BEARER: Final = re.compile(rb"(?<=[Bb])earer[ ]{1,4}([A-Za-z0-9._~+/=\-]{16,500})")
_OPTIONS: Final = (
    (b"curl", b"-u", re.compile(rb"-u[ ]{0,2}[\"']?[^\s:\"'`]{1,100}:([^\s\"'`]{8,200})")),
    (b"curl", b"--user", re.compile(rb"--user[ =][\"']?[^\s:\"'`]{1,100}:([^\s\"'`]{8,200})")),
    (b"mysql", b"-p", re.compile(rb"-p([^\s\"'`]{8,200})")),
)
_LONGEST_COMMAND: Final = 300
_LINE_GOES_ON: Final = re.compile(rb"\\\r?\n")
_ADDRESS: Final = re.compile(rb"://[^/\s:@\"'`<>{}$%]{0,100}:([^/\s:@\"'`<>{}$%*]{8,200})@")


def _in_commands(text: bytes) -> Iterator[tuple[int, int]]:
    """What looks random behind `Bearer`, and as a password among the options of commands."""
    for place in _places(text, b"earer "):
        if (found := _BEARER.match(text, place)) and _is_secret_value(found[1]):
            yield found.span(1)
    for command, option, pattern in _OPTIONS:
        if command not in text:
            continue
        for place in _places(text, b" " + option):
            found = pattern.match(text, place + 1)
            if found and _is_secret_value(found[1]) and _is_option_of(command, text, place):
                yield found.span(1)


def _is_option_of(command: bytes, text: bytes, place: int) -> bool:
    start = text.rfind(command, max(place - _LONGEST_COMMAND, 0), place)
    return start >= 0 and b"\n" not in _LINE_GOES_ON.sub(b"", text[start:place])


def _in_addresses(text: bytes) -> Iterator[tuple[int, int]]:
    """Passwords that look random, in addresses: `scheme://user:password@host`."""
    for place in _places(text, b"://"):
        address = _ADDRESS.match(text, place)
        if address is not None and _is_random(address[1]):
            yield address.span(1)


# --- values that a name calls secret ---------------------------------------------------------------------------------

_KEYS: Final = tuple(
    b"access account aes api app application auth cipher client consumer crypto deploy deployment encryption hmac "
    b"integration jwt license master private service session shared sign signature signing ssh storage subscription "
    b"webhook".split()
)
"""What a key is called that is a secret; `secret_key` is one by its first word."""

_PASSWORD: Final = re.compile(rb"w(?:or)?d|wort|phrase|code|key")
_AUTHORIZATION: Final = re.compile(rb"ori[sz]ation")
_JOINERS: Final = b"_- ."


def _names(text: bytes) -> list[int]:
    """Return where words end that call a value secret, alone or in a longer name in any spelling, ascending."""
    lower = text.lower()
    ends = [place + 6 for place in _places(lower, b"secret")]
    ends += [place + 10 for place in _places(lower, b"credential")]
    ends += [place + 5 for place in _places(lower, b"token") if not lower.startswith((b"iz", b"is"), place + 5)]
    for place in _places(lower, b"key"):
        if place and lower.endswith(_KEYS, 0, place - (lower[place - 1] in _JOINERS)):
            ends.append(place + 3)
    for stem, longer in ((b"pass", _PASSWORD), (b"auth", _AUTHORIZATION), (b"pwd", None)):
        for place in _places(lower, stem):
            end = place + len(stem)
            if longer is not None and (rest := longer.match(lower, end)):
                ends.append(rest.end())
            elif _is_word(text, place, end) and not (stem == b"auth" and text[end : end + 1].isalpha()):
                ends.append(end)  # `auth` begins many names
    return sorted(ends)


def _is_word(text: bytes, start: int, end: int) -> bool:
    """Whether letters are a word of their own, in a name too: `DB_PASS`, `dbPass`, `passFor`."""
    before, first = text[start - 1 : start], text[start : start + 1]
    last, after = text[end - 1 : end], text[end : end + 1]
    return (not before.isalpha() or (before.islower() and first.isupper())) and (
        not after.isalpha() or (last.islower() and after.isupper())
    )


_INTRODUCTION: Final = re.compile(
    rb"""[\w\-.]{0,40}+[?!]?(?P<closers>[\\"'`\])]{0,6}+)[ \t]*+
         (?:
             # In a list of names and values: what the next key gives.
             (?:,|\r?\n)[ \t\r\n]{0,40}["']?(?i:value|default)["']?[ \t]*(?=[:=])
         |
             (?=[:=>|?!<(\[{+,"'`])
         |
             # In a Dockerfile, or as an option: nothing but blanks between the name and the last word of the line.
             (?<=[ \t])(?P<spaced>[A-Za-z0-9+/=_.~\-]{16,200}+)(?=[ \t"'`]{0,4}(?:[\r\n\\]|\Z))
         |
             # A type first: what is in quotes then counts.
             (?=[\w&*'][ \t\w&*'.:\[\]<>|?!={(\-]{0,60}?["'`])
         )""",
    re.VERBOSE,
)
_IS_GIVEN: Final = re.compile(
    rb"(?:(?:^|[\s\"'\[(])--?[\w\-]*|(?i:(?:env|arg|setenv|setx|set)[ \t]+(?:-\w+[ \t]+)?|login[ \t]+\S+[ \t]+)\w*)\Z"
)
_LONGEST_NAME: Final = 60
_STEP: Final = re.compile(
    rb"""(?P<blank>[ \t]+|\\\r?\n)
       | (?P<line>\r?\n[ \t]*)
       | (?P<comment>/\*[^*]{0,200}\*/|//[^\r\n]*|\#(?![{"'])[^\r\n]*)
       | (?P<lifetime>[&<]'[a-z_]+\b(?!')|<[\w .\[\]|?&<>]{1,40},[\w ,.\[\]|?&<>]{1,80}>)
       | (?P<string>[bBrRuUfFL@$]{0,2}(?:
             (?:"{3}|'{3}|`)(?P<long>[^"'`]{0,600})["'`]{0,3}
         |
             \\{0,3}["'](?P<short>[^"'`\r\n]{0,600})["'`]?
         ))
       | (?P<words>%[qQwW]?[(\[{<|!](?P<listed>[^)\]}>|!\r\n]{0,600})[)\]}>|!]?)
       | (?P<open>[(\[{])
       | (?P<close>[)\]}])
       | (?P<comma>,)
       | (?P<end>;)
       | (?P<operator>(?:(?![&<]')[:=<>|?!&*+.~@^$/\-])+)
       | (?P<word>\w+)
       | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_BARE: Final = re.compile(
    rb"""(?:(?i:bearer|basic|token|bot|api-?key|key|jwt|splunk|ssws|negotiate)[ \t]+|base64:)?
         ([A-Za-z0-9+/=_.~\-]{12,200}+)(?=[\s"'`,;&)<\\\]}|\#*]|\Z)""",
    re.VERBOSE,
)
_DIRECT: Final = re.compile(rb"(?::=|=>|[:=>])[ \t]*")
_ALONE: Final = re.compile(rb"[ \t]*(?:[\r\n]|\Z)")
_CONTINUES: Final = re.compile(rb"[+&|.\"'`]|or\b")
_ITEM: Final = re.compile(rb"-[ \t]+")
_IN_QUOTES: Final = re.compile(rb"[^\s<>]{12,}+")
_LONGEST_VALUE: Final = 200
_FILLED_IN: Final = re.compile(rb"[$#%]?\{|[$%]\(|://|a-z|A-Z|0-9\]|\\[dwsbxu0]|\][+*?]|\(\?|\[\^|\|[^|]*\|")
"""What a template puts a value in place of; and what is in addresses and patterns."""
_OR_ELSE: Final = frozenset((b"or", b"and", b"if", b"else"))
_JOINS: Final = frozenset((b"+", b".", b"..", b"&", b"|", b"||", b"?", b"??", b"-", b"<<"))

_TO_OPERATOR: Final = 80
_TO_VALUE: Final = 160
_TO_NEXT: Final = 400
_MOST_WORDS: Final = 3
"""A text of more words in quotes is prose."""


def _assigned(text: bytes) -> Iterator[tuple[int, int]]:
    """Values that look random, given to what is called a password, a token and so on."""
    read = 0
    for name_end in _names(text):
        introduction = _INTRODUCTION.match(text, name_end)
        if introduction is None:
            continue
        start = introduction.end()
        if introduction["spaced"] is not None:
            is_given = _IS_GIVEN.search(text, max(name_end - _LONGEST_NAME, 0), name_end) is not None
            if is_given and _is_secret_value(introduction["spaced"]):
                yield introduction.span("spaced")
        elif name_end < read:
            # What is in quotes here has been seen, as part of an outer value.
            operator = _DIRECT.match(text, start)
            if operator and (bare := _BARE.match(text, operator.end())) and _is_secret_value(bare[1]):
                yield bare.span(1)
        else:
            values = _Values(text, start, quoted=introduction["closers"][-1:] in (b'"', b"'", b"`"))
            values.read()
            yield from values.found
            read = values.place


class _Values:
    """Reads what is given to one name: to the end of the statement, as far as one can tell in any language.

    Each step takes one character at least, and no text is read for two names.
    """

    def __init__(self, text: bytes, start: int, *, quoted: bool) -> None:
        self.found: list[tuple[int, int]] = []
        self.place = start
        self._text = text
        self._start = start
        self._limit = start + _TO_OPERATOR
        self._depth = 0
        self._lines = 0
        self._last = "quote" if quoted else ""
        self._operator = b""
        self._is_ready = False  # for a value without quotes
        self._has_value = False

    def read(self) -> None:
        """Collect the values."""
        while self.place < self._limit:
            if self._is_ready and not self._depth and self._take_bare():
                continue
            step = _STEP.match(self._text, self.place)
            if step is None or not self._goes_on(step, step.lastgroup or ""):
                return
            self.place = step.end()

    def _take_bare(self) -> bool:
        bare = _BARE.match(self._text, self.place)
        if bare is None or not _is_secret_value(bare[1]):
            return False
        if self._lines and not _ALONE.match(self._text, bare.end()):
            return False
        self._add(*bare.span(1))
        self.place, self._has_value, self._is_ready = bare.end(), True, False
        return True

    def _add(self, start: int, end: int) -> None:
        self.found.append((start, end))
        self._limit = end + _TO_NEXT

    def _goes_on(self, step: re.Match[bytes], kind: str) -> bool:
        """Take a step; False where the statement ends before it."""
        if kind in ("blank", "lifetime", "other"):
            return True
        if kind == "line":
            return self._next_line(step.end())
        if kind == "comment":
            return self._depth > 0 or not self._has_value
        before, self._last = self._last, kind
        if kind in ("string", "words"):
            self._take_text(step)
            self._has_value, self._is_ready, self._lines = not self._depth, False, 0
            return True
        if kind == "operator":
            return self._take_operator(step[0], before)
        if kind == "word":
            self._is_ready = False
            goes_on = step[0] in _OR_ELSE if self._has_value else before != "comma" and not self._lines
            return self._depth > 0 or goes_on
        if kind == "open":
            return self._enter(step[0], before)
        if kind == "close":
            self._depth -= 1
            self._has_value = self._depth == 0 and step[0] != b"]"
            return self._depth >= 0
        return kind == "comma" and (self._depth > 0 or before == "quote")

    def _next_line(self, behind: int) -> bool:
        if self._depth:
            return True
        if self._has_value:
            if _ITEM.match(self._text, behind):
                self._has_value, self._is_ready = False, True
                return True
            return self._last in ("string", "operator") and _CONTINUES.match(self._text, behind) is not None
        self._lines += 1
        return self._last == "operator" and self._lines <= 2

    def _take_text(self, step: re.Match[bytes]) -> None:
        group = next(name for name in ("short", "long", "listed") if step[name] is not None)
        start, end = step.span(group)
        if _FILLED_IN.search(self._text, start, end):
            return
        if group == "listed" or len(self._text[start:end].split(None, _MOST_WORDS)) <= _MOST_WORDS:
            for word in _IN_QUOTES.finditer(self._text, start, end):
                value = word[0].rstrip(b"\\")
                if len(value) <= _LONGEST_VALUE and _is_secret_value(value):
                    self._add(word.start(), word.start() + len(value))

    def _take_operator(self, operator: bytes, before: str) -> bool:
        if self._has_value and not self._depth:
            if operator not in _JOINS and not (operator == b":" and before == "string"):
                return False
            self._has_value = False
            return True
        self._operator = operator
        gives = not operator.strip(b":=>|-<?!") and operator.strip(b"-<|?!") != b""
        self._is_ready = self._is_ready or gives
        if not self._depth:
            self._limit = max(self._limit, self.place + _TO_VALUE)
        return True

    def _enter(self, bracket: bytes, before: str) -> bool:
        if self._depth == 0:
            if self._has_value:
                return False
            if bracket == b"{" and not self._is_literal(before):
                return False
            self._limit = max(self._limit, self.place + _TO_NEXT)
        self._depth += 1
        return True

    def _is_literal(self, before: str) -> bool:
        """Whether a brace begins a value rather than a body."""
        if before == "operator":
            return self._operator != b"=>"
        if before == "word":
            return self._operator != b"" and not self._text[self.place - 1 : self.place].isspace()
        return before in ("quote", "close", "open")


def _is_secret_value(value: bytes) -> bool:
    return _is_random(value) and not _FILLED_IN.search(value)


# --- what looks random -----------------------------------------------------------------------------------------------

_RUN: Final = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_HEX: Final = re.compile(rb"(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{32,}")
_LETTERS: Final = re.compile(rb"[a-z]{2,}")
_LEAST_DISTINCT: Final = 8
_LEAST_DISTINCT_HEX: Final = 6
_LONG: Final = 32
_SPEAKABLE: Final = (20, 0.55)
_SPEAKABLE_WITH_DIGITS: Final = (8, 0.42)
_ALPHABET: Final = b"abcdefgh"
_PAIRS: Final = frozenset(
    b"th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro "
    b"ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so "
    b"rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl "
    b"ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt "
    b"oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck "
    b"ew mu br bi pt ak pu ui rg ib ki rk ys ob mm ph fu og".split()
)
"""Pairs of letters that make up nineteen in twenty of English, and three in ten of letters drawn at random."""


def _is_random(value: bytes) -> bool:
    """Whether a value looks as if nobody had thought it up.

    That are letters and digits that change every three characters or less, as neither words nor names nor versions do;
    many hexadecimal digits, whatever they spell; and letters that follow each other as in no language.
    """
    distinct = len(set(value))
    if len(value) >= _LONG and _HEX.fullmatch(value):
        return distinct >= _LEAST_DISTINCT_HEX
    if len(value) < 8 or distinct < _LEAST_DISTINCT or value.isdigit():
        return False
    runs = _RUN.findall(value)
    has_digits = any(map(bytes.isdigit, runs))
    if has_digits and len(value) < (3 if len(value) < _LONG else 3.5) * len(runs):
        return True
    return not _is_speakable(value.lower(), *(_SPEAKABLE_WITH_DIGITS if has_digits else _SPEAKABLE))


def _is_speakable(lower: bytes, least: int, share: float) -> bool:
    """Whether letters follow each other as in words: that `share` of their pairs is common, or they are too few."""
    if _ALPHABET in lower:
        return True
    pairs = [word[place : place + 2] for word in _LETTERS.findall(lower) for place in range(len(word) - 1)]
    return len(pairs) < least or sum(map(_PAIRS.__contains__, pairs)) >= share * len(pairs)
