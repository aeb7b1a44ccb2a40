"""Which files and which stretches of text are secret. No value here opens anything; the forms are put together so that
no scanner takes them for real ones."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.workspace.content import ContentLimits, Skipped, SkipReason, inspect
from pilotfish.workspace.secrets import is_secret, redact, redact_within

RANDOM = "aB3xK9mQ2pLw7Z"
OTHER = "Zq8Lw3Vn5Rt1Yx6Kd"
HEX = "d41d8cd98f00b204e9800998ecf8427e"
LETTERS = "qZxWvKjYbNpRtGhMfDcSlQwXzVkBnJyTmHgPdFrL"
DATA = "\n".join(["MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0buYr7c8S4R5Xb0Xb0Xb0Xb0Xb0Xb0"] * 3)
OPENING, CLOSING = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"
ENCODED = base64.b64encode(f"{OPENING}\n{DATA}\n{CLOSING}\n".encode()).decode()
PUTTY = f"PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 3«\n{DATA}»\n"


@pytest.mark.parametrize(
    "path",
    [
        *(".env", "api/.env.local", ".env-prod", "production.env", ".envrc", "certs/server.PEM", "tls.key", "app.p12"),
        *("store.pfx", "debug.keystore", "id_rsa", ".ssh/id_ed25519", ".netrc", "home/.aws/credentials", "secrets.yml"),
        *("client_secret.json", "terraform.tfvars", "infra/terraform.tfstate", "file:///tmp/project/.env"),
    ],
)
def test_secret_files(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        *(".env.example", ".env.sample", "api/.env.template", ".env.production.example", "env.py", "environment.ts"),
        *("secrets.py", "id_rsa.pub", "keys.go", "credentials.rb", "tokens.py", "password_form.html", "src/env.d.ts"),
        *("key.json", "keyboard.key.md", ".environment", "pem.c"),
    ],
)
def test_files_that_only_sound_secret(path: str) -> None:
    assert not is_secret(path)


def test_settings_of_package_managers_are_secret_when_they_hold_credentials() -> None:
    limits = ContentLimits()
    answer = inspect(b"//registry.example/:_authToken=abc\n", "web/.npmrc", limits)
    assert isinstance(answer, Skipped)
    assert answer.reason is SkipReason.SECRET
    assert not isinstance(inspect(b"save-exact=true\n", "web/.npmrc", limits), Skipped)


SECRETS = [
    f'password = "«{RANDOM}»"',
    f"DB_PASSWORD=«{RANDOM}»\n",
    f"api_key: «{RANDOM}»\r\nother: 1",
    f"define('DB_PASSWORD', '«{RANDOM}»');",
    f'{{"client_secret": "«{HEX}»"}}',
    f"const apiToken = `«{RANDOM}»`",
    f'token: Optional[str] = "«{RANDOM}»"',
    f'var apiToken string = "«{RANDOM}»"',
    f'const TOKEN: &\'static str = "«{RANDOM}»";',
    f'secret = (\r\n    "«{RANDOM}»"\r\n)',
    f'setPassword("«{RANDOM}»")',
    f'if token != "«{RANDOM}»"',
    f"<password>«{RANDOM}»</password>",
    f"headers = {{'Authorization': 'Bearer «{RANDOM}»'}}",
    f'<add key="Password" value="«{RANDOM}»"/>',
    f"curl -H 'X-Api-Key: «{RANDOM}»' localhost",
    f"postgres://admin:«{RANDOM}»@localhost/shop",
    "SECRET_KEY = '«django-insecure-3$k2j%1l9z@x8c7v6b5n4m»'",
    f"key = '«AKIA{'A2B3' * 4}»'",
    f"git clone https://«ghp_{'a1B2' * 9}»@example.org/x",
    f"glp = '«glpat-{'a1B2' * 5}»'",
    f"slack('«xoxb-{'1234' * 3}-{'aB3d' * 6}»')",
    f"openai = '«sk-proj-{'aB3d' * 8}»'",
    f"«eyJ{'hbGciOi' * 3}.ey{'Jzd' * 8}.{'aB3d' * 8}»",
    f"{OPENING}«\n{DATA}\n»{CLOSING}\nx = 1\n",
    f"key = '{OPENING}«\\n{DATA}»{CLOSING}'",
    f"{OPENING}«\n{DATA}»\n\ndef f(): pass\n",
    f"{OPENING}«\r\n{DATA}»",
    f"{PUTTY}Private-MAC: 1234\n",
    f"  tls.key: «{ENCODED}»\n  tls.crt: {base64.b64encode(b'-----BEGIN ' + b'CERTIFICATE-----' * 9).decode()}\n",
    # Headers and commands.
    f"Authorization: Bearer «{RANDOM}»\n",
    f"Authorization: Basic «{RANDOM}==»\n",
    f'curl -H "Authorization: Bearer «{RANDOM}»" localhost',
    f'headers["Authorization"] = f"token «{RANDOM}»"',
    f"authenticate with Bearer «{RANDOM}{RANDOM}» as before",
    f"curl -sS \\\n  -u me:«{RANDOM}» https://localhost/",
    f"mysql -h db1 -u root -p«{RANDOM}» shop",
    f"vault login --token «{RANDOM}{OTHER}»\n",
    f"ENV API_TOKEN «{RANDOM}{OTHER}»\n",
    # More than one value, and values within values.
    f'tokens = ["«{RANDOM}»", "«{OTHER}»"]',
    f'secret = "«{RANDOM}»" + "«{OTHER}»"',
    f'secret = (\n    "«{RANDOM}»"\n    "«{OTHER}»"\n)\nname = "{HEX}"',
    f'{{"password": {{"value": "«{RANDOM}»"}}, "hash": "{HEX}"}}',
    f'tokens = map[string]string{{"a": "«{RANDOM}»", "b": "«{OTHER}»"}}',
    f'token = os.environ.get("TOKEN") or "«{RANDOM}»"',
    f'token = first ? "«{RANDOM}»" : "«{OTHER}»"',
    f"tokens:\n  - «{RANDOM}»\n  - «{OTHER}»\n",
    f'variable "db_password" {{\n  default = "«{RANDOM}»"\n}}\n',
    f"PASSWORD = %q(«{RANDOM}»)",
    # Values that do not stand right behind the name.
    f"api_key:\n    «{RANDOM}»\nother: 1",
    f"token: >-\n  «{RANDOM}»\n",
    f'token = \\\n    "«{RANDOM}»"',
    f'password = (\n    # of the test server\n    "«{RANDOM}»")',
    f'passphrase: str = """«{RANDOM}»"""',
    f'"source": ["token = \\"«{RANDOM}»\\"\\n"]',
    f'"{{\\"password\\": \\"«{RANDOM}»\\"}}"',
    f'let token: &\'static str = "«{RANDOM}»";',
    f"- name: API_TOKEN\n  value: «{RANDOM}»\n",
    f'{{ key: "api_token", value: "«{RANDOM}»" }}',
    f'const tokens: Record<string, string> = {{ a: "«{RANDOM}»", b: "«{OTHER}»" }}',
    f'#define API_KEY "«{RANDOM}»"',
    f"machine db1 login me password «{RANDOM}{OTHER}»\n",
    f"Password: **«{RANDOM}»**",
    # Names in any spelling.
    f'EncryptionKey = "«{HEX * 2}»"',
    f"signing-key: «{HEX}»\n",
    f"DB_PASS=«{RANDOM}»\n",
    f'dbPass = "«{RANDOM}»"',
    f"pwd: «{RANDOM}»\n",
    f"APP_KEY=base64:«{RANDOM}=»\n",
    # What is random.
    'secret: "«deadbeefcafebabedeadbeefcafebabe1»"',
    f'x_password = "«{LETTERS}»"',
    f"token = '«{LETTERS.lower()}»'",
    "totp_secret = '«JBSWY3DPEHPK3PXPGQZT»'",
    # Forms that nothing else has.
    *(
        f"x = '«{token}»'"
        for token in (
            f"sk_test_{'aB3d' * 6}", f"hvb.{'aB3d' * 8}", f"glrt-{'aB_3' * 5}", f"xapp-1-A012B-34-{'a1b2' * 8}",
            f"SK{HEX}", f"key-{HEX}", f"dapi{HEX}", f"pul-{HEX}{HEX[:8]}", f"lin_api_{'aB3d' * 10}",
            f"ntn_{'aB3d' * 11}", f"dp.pt.{'aB3d' * 10}", f"sntrys_{'eyJp' * 15}", f"sntryu_{HEX}{HEX}",
            f"npm_{'aB3d' * 9}", f"github_pat_{'a1B2' * 20}", f"SG.{'aB_d' * 5}.{'aB-d' * 10}",
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("marked", SECRETS, ids=range(len(SECRETS)))
def test_secret_stretches_are_blanked(marked: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    blanked = re.sub("«([^»]*)»", lambda secret: re.sub("[^\r\n]", "*", secret[1]), marked)
    assert redact(text.encode()).decode() == blanked


@pytest.mark.parametrize(
    "text",
    [
        "password = input('Password: ')",
        "token = next_token_value_2",
        "TOKEN_REFRESH_INTERVAL_SECONDS = 3600",
        'password: "${DB_PASSWORD_2_OF_3}"',
        'secret: "{{ vault.a1.b2.c3.d4 }}"',
        'token_type = "authorization_code"',
        "getToken(): Promise<string>",
        "<input type='password' name='new_password_1'>",
        ".sk-fading-circle .sk-circle12 {}",
        "a risk-assessment2022 of task-12345678",
        "https://user:password@example.org/",
        "auth/tokens.py,sha256=ljqQWO0dAkd45-bBJ6W85oZZU9pEjzNh3VbZfeANwxQ,118",
        "sha = '" + HEX + "'",
        f"if text.startswith('{OPENING}'): pass",
        f"pem = `{OPENING}\\n${{base64Key}}\\n{CLOSING}`",
        "password = '****************'",
        f'class Token:\n    digest = "{HEX}"',
        f'function getSecret() {{\n  const hash = "{HEX}";\n}}',
        f'if token == expected {{\n    hash := "{HEX}"\n}}',
        f'{{"token": "name", "sha": "{HEX}"}}',
        f'check(token="name", sha="{HEX}")',
        f'items.filter(token => {{ const id = "{HEX}" }})',
        f'tokenizer = "{HEX}"',
        f'compass: "{HEX}"\nauthor: "{HEX}"\nkey: "{HEX}"\npublic_key: "{HEX}"\n',
        'message = "the token %s of the session 1a2b3c4d5e6f7a8b was refused"',
        "secret = 'your-secret-goes-here-please-replace-it'",
        "apiKey: 'thisIsTheNameOfAVeryLongVariableForTesting'",
        "tokens = {'root': [(r'0x[0-9a-fA-F]+', Hex), (r'(?i)0o[0-7]+', Octal), (r'DD|DM|DO|A1|B2|C3|D4', Word)]}",
        'provider("SecretKeyFactory", "PBKDF2WithHmacSHA384")',
        "password_pattern = '^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,}$'",
        "token: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'",
        "Bearer authentication2 of RFC6750, basic authentication of RFC7617",
        "curl -o out.tar.gz https://localhost/v1.2.3/a1b2c3d4e5f6a7b8.tar.gz",
        f"image: nginx@sha256:{HEX}{HEX}",
        f"commit {HEX}{HEX[:8]}\n",
        f"example.org/x/go-aws-auth {HEX}{HEX[:8]}\nanother.org/token {HEX}\n",
        f'Block(type="RSA PRIVATE KEY", info="{HEX}")',
        f"crt: {base64.b64encode(b'-----BEGIN ' + b'CERTIFICATE-----' * 9).decode()}",
        "def test_dapi_and_SKIP(): return hf_hub_download(), key_from_0123456789abcdef0123456789abcdef",
    ],
)
def test_code_about_secrets_stays(text: str) -> None:
    data = text.encode()
    assert redact(data) is data


HOSTILE = {
    "keys": OPENING * 30_000,
    "lines of keys": f"{OPENING}\n" * 30_000,
    "names": "token" * 200_000,
    "tokens": "eyJ." * 250_000,
    "addresses": "://" * 300_000,
    "brackets": "token=(" * 140_000,
    "one value for all": "token=" + "[(" * 500_000,
    "quotes": "pass='" * 160_000,
    "values": f'key="{RANDOM}"' * 50_000,
    "commands": "curl -u " * 120_000,
    "options": "mysql " * 160_000,
    "encoded keys": "LS0tLS1CRUdJTiA" * 60_000,
    "joints": "_abcdefghijklmnop" * 60_000,
    "kinds of keys": "apikey" * 160_000,
    "lines": "secret:\n" * 120_000,
    "base64": "token: " + "aB3d" * 250_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_read_once(text: str) -> None:
    assert len(redact(text.encode())) == len(text)


PIECES = st.sampled_from(
    [
        *("token", "Password", "api_key", "Authorization", "secret", " ", "\n", "\r\n", "\r", "=", ":", "+", ",", "|"),
        *('"', "'", "`", '"""', "\\", '\\"', "(", ")", "[", "]", "{", "}", "<", ">", "#", "//", "- ", "%q(", "Bearer "),
        *(RANDOM, HEX, LETTERS, "word", "é", "ghp_" + "aB3d" * 9, OPENING, DATA, CLOSING, ENCODED, PUTTY, "://a:", "@"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join).map(str.encode))
def test_length_line_ends_and_what_is_no_letter_of_a_secret_stay(text: bytes) -> None:
    shown = redact(text)
    assert len(shown) == len(text)
    pairs = zip(text, shown, strict=True)
    assert all(after == before or (after == ord("*") and before not in b"\r\n") for before, after in pairs)
    assert all(redact_within(text, place, place + 5) is not None for place in range(0, len(text), 7))


def test_line_is_shown_without_what_the_lines_before_it_call_secret() -> None:
    text = f"api_key:\n    {RANDOM}\nother: 1\n".encode()
    start = text.index(RANDOM.encode())
    assert redact_within(text, start - 4, start + len(RANDOM) + 1) == b"    " + b"*" * len(RANDOM) + b"\n"
