"""Which files and which stretches of text are secret. No value here opens anything; the forms are put together so that
no scanner takes them for real ones."""

from __future__ import annotations

import pytest

from pilotfish.workspace.content import ContentLimits, Skipped, SkipReason, inspect
from pilotfish.workspace.secrets import is_secret, redact

RANDOM = "aB3xK9mQ2pLw7Z"
HEX = "d41d8cd98f00b204e9800998ecf8427e"
DATA = "\n".join(["MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0buYr7c8S4R5Xb0Xb0Xb0Xb0Xb0Xb0"] * 3)
OPENING, CLOSING = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"


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
]


@pytest.mark.parametrize("marked", SECRETS, ids=range(len(SECRETS)))
def test_secret_stretches_are_blanked(marked: str) -> None:
    before, secret, behind = marked.replace("«", "»").split("»")
    blanked = "".join(character if character in "\r\n" else "*" for character in secret)
    assert redact((before + secret + behind).encode()).decode() == before + blanked + behind


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
    ],
)
def test_code_about_secrets_stays(text: str) -> None:
    data = text.encode()
    assert redact(data) is data


@pytest.mark.parametrize(
    "text",
    [f"{OPENING}" * 30_000, f"{OPENING}\n" * 30_000, "token" * 100_000, "eyJ." * 100_000, "://" * 200_000],
    ids=["keys", "lines of keys", "names", "tokens", "addresses"],
)
def test_hostile_text_is_read_once(text: str) -> None:
    assert len(redact(text.encode())) == len(text)
