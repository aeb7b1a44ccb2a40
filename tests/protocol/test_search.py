"""Searching as clients do it: commands of an editor, one question on the shell, many as JSON lines, a real engine."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.raw_client import PATIENCE, RawClient
from tests.protocol.test_cli import FAILED, FOUND, NO_MATCH, Shell
from tests.protocol.test_lsp_end_to_end import command, editor, open_document

pytestmark = [pytest.mark.usefixtures("private_home"), pytest.mark.vectors]

INVALID_PARAMS = -32602
KEY = "AKIA" + "QX7ZP3MNB2VK5TLD"
FILES = {
    "shop/checkout.py": '''\
"""Paying for a basket."""


class Checkout:
    """Turns a basket into an order."""

    def charge_card(self, basket, card):
        """Take the money, and try again when the bank does not answer."""
        for attempt in range(3):
            if self.bank.take(card, basket.total()):
                return attempt
        raise PaymentError("the bank does not answer")


class PaymentError(Exception):
    """The money was not taken."""
''',
    "shop/stock.py": '''\
"""What lies in the store house."""


def count_items(shelf):
    """Count what is left on a shelf."""
    return sum(box.items for box in shelf)


def reserve(shelf, number):
    if count_items(shelf) < number:
        raise LookupError("not enough on the shelf")
''',
    "web/basket.ts": """\
// The basket that a customer fills.
export class Basket {
  addItem(name: string, price: number): void {
    this.items.push({ name, price });
  }
}
""",
    "tests/test_checkout.py": """\
def test_charge_card_fails():
    raise PaymentError("the bank does not answer")
""",
    ".env": "BANK_TOKEN=the-bank-does-not-answer\n",
    "settings.py": f'ACCESS = "{KEY}"\nREGION = "the bank does not answer in time"\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def shell(root: Path, private_home: Path) -> Shell:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", "init", "-q", str(root)], check=True, env=environment)
    return Shell(root, private_home)


async def search(client: RawClient, query: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await command(client, "pilotfish.searchCode", query=query, **more)
    return answer


async def _outlined(client: RawClient, name: str) -> None:
    """Wait until an unsaved text with this name has been read: a busy machine takes longer than a question waits."""
    async with asyncio.timeout(PATIENCE):
        while not (await search(client, name, search_type="symbol"))["results"]:
            await asyncio.sleep(0.05)


def places(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(hit["path"], hit["symbol_name"]) for hit in answer["results"]]


# --- editors ---------------------------------------------------------------------------------------------------------


async def test_a_name_is_answered_as_symbol_search_does(root: Path) -> None:
    async with editor(root) as client:
        answer = await search(client, "charge_card", absolute_paths=True)
        hit = answer["results"][0]
        lines = FILES["shop/checkout.py"].splitlines()
        assert (hit["path"], hit["symbol_name"], hit["symbol_type"]) == ("shop/checkout.py", "charge_card", "method")
        assert (hit["parent"], hit["language"], hit["score"]) == ("Checkout", "python", 1.0)
        assert hit["code_snippet"].splitlines() == lines[hit["line_start"] - 1 : hit["line_end"]]
        assert hit["code_snippet"].lstrip().startswith(hit["signature"])
        assert hit["absolute_path"] == str(root / "shop/checkout.py")
        assert "vector" not in hit
        assert answer["index"]["files"] == len(FILES)
        assert places(await search(client, "Checkout.charge_card"))[0] == ("shop/checkout.py", "charge_card")
        assert places(await search(client, "addItem", search_type="symbol"))[0] == ("web/basket.ts", "addItem")


async def test_text_is_found_where_it_stands(root: Path) -> None:
    async with editor(root) as client:
        answer = await search(client, '"the bank does not answer"')
        assert places(answer) == [("shop/checkout.py", "charge_card"), ("settings.py", "REGION")]
        assert "tests=include" in answer["hint"]
        with_tests = await search(client, "the bank does  not\nanswer", search_type="text", tests="include")
        assert ("tests/test_checkout.py", "test_charge_card_fails") in places(with_tests)
        only = await search(client, "the bank does not answer", search_type="text", tests="only")
        assert places(only) == [("tests/test_checkout.py", "test_charge_card_fails")]
        assert places(await search(client, r"/raise \w+Error\(/", file_filter="shop/")) == [
            ("shop/checkout.py", "charge_card"),
            ("shop/stock.py", "reserve"),
        ]
        assert places(await search(client, "Push(", search_type="text")) == []
        assert places(await search(client, "/PUSH\\(/i", language="typescript")) == [("web/basket.ts", "addItem")]
        assert (await search(client, "no such text here", search_type="text"))["outcome"] == "no_match"


async def test_pages_follow_each_other(root: Path) -> None:
    async with editor(root) as client:
        whole = await search(client, "/e/", tests="include", max_results=500)
        paged: list[Any] = []
        for page in range(1, 100):
            answer = await search(client, "/e/", tests="include", max_results=3, page=page)
            paged += answer["results"]
            assert answer["total"] == len(whole["results"])
            if not answer["truncated"]:
                break
        assert paged == whole["results"]
        beyond = await search(client, "/e/", max_results=3, page=99)
        assert (beyond["results"], beyond["outcome"]) == ([], "no_match")
        assert "earlier page" in beyond["hint"]


async def test_unsaved_text_is_searched_as_it_is(root: Path) -> None:
    async with editor(root) as client:
        changed = FILES["shop/stock.py"].replace("count_items", "count_boxes") + f'\nKEY = "{KEY}"\n'
        await open_document(client, (root / "shop/stock.py").as_uri(), "\n\n" + changed)
        await _outlined(client, "count_boxes")
        assert places(await search(client, "count_items", search_type="text")) == []
        answer = await search(client, "count_boxes")
        assert answer["results"][0]["line_start"] == 6
        assert answer["results"][0]["code_snippet"].startswith("def count_boxes(shelf):")
        assert places(await search(client, "def count_boxes", search_type="text")) == [("shop/stock.py", "count_boxes")]


async def test_unsaved_text_is_found_by_meaning_too_once_nobody_types(root: Path) -> None:
    typed = (
        "def delete_user(account):\n"
        '    """Remove the account and erase every personal record from the database."""\n'
        '    database.execute("delete from users where id = ?", account.id)\n'
    )

    async def found(client: RawClient) -> list[tuple[str, str]]:
        return places(await search(client, "wipe somebody's profile", search_type="semantic"))  # no word in common

    uri = (root / "accounts.py").as_uri()
    async with editor(root) as client, editor(root) as other:
        await command(client, "pilotfish.control", action="wait", semantic=True)
        await open_document(client, uri, typed)
        async with asyncio.timeout(PATIENCE):
            while await found(client) != [("accounts.py", "delete_user")]:
                await asyncio.sleep(0.1)
        assert await found(other) == []
        await client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert await found(client) == []


async def test_secrets_are_never_found_nor_shown(root: Path) -> None:
    async with editor(root) as client:
        await open_document(client, (root / "keys.py").as_uri(), f'UNSAVED_KEY = "{KEY}"\nTHE_END = 1\n')
        await open_document(client, (root / ".env").as_uri(), f"BANK_KEY={KEY}\n")
        await _outlined(client, "THE_END")
        for query in (KEY, f'"{KEY}"', "/AKIA/", "/BANK_/", "/ACCESS/", "ACCESS", "UNSAVED_KEY", "BANK_KEY"):
            for search_type in ("hybrid", "text", "symbol"):
                answer = await search(client, query, search_type=search_type, tests="include")
                assert KEY not in json.dumps(answer["results"]), (query, search_type)
                assert ".env" not in {hit["path"] for hit in answer["results"] if hit["code_snippet"]}
        (hit,) = (await search(client, "/UNSAVED_KEY/"))["results"]
        assert hit["code_snippet"].startswith('UNSAVED_KEY = "****')


async def test_secrets_are_in_no_context_and_like_nothing(root: Path) -> None:
    async with editor(root) as client:
        await open_document(client, (root / "keys.py").as_uri(), f'UNSAVED_KEY = "{KEY}"\nTHE_END = 1\n')
        await _outlined(client, "THE_END")
        await command(client, "pilotfish.control", action="wait", semantic=True)
        for task in ("ACCESS", f"the key {KEY}", "the token of the bank", "UNSAVED_KEY"):
            answer = await command(client, "pilotfish.buildContext", task=task, tests="include")
            assert KEY not in answer["text"]
            assert "the-bank-does-not-answer" not in answer["text"]
            assert ".env" not in {each["path"] for each in answer["passages"]}
        for subject in ({"snippet": f'ACCESS = "{KEY}"'}, {"file_path": "settings.py"}, {"file_path": "keys.py"}):
            answer = await command(client, "pilotfish.findSimilar", **subject)
            assert KEY not in json.dumps(answer["results"])
        hidden = await command(client, "pilotfish.findSimilar", file_path=".env")
        assert (hidden["results"], hidden["outcome"]) == ([], "no_match")


async def test_contexts_and_likenesses_are_commands_too(root: Path) -> None:
    async with editor(root, {"context": {"max_tokens": 300}, "search": {"max_results": 1}}) as client:
        await command(client, "pilotfish.control", action="wait", semantic=True)
        context = await command(client, "pilotfish.buildContext", task="take money when the bank is silent")
        assert 0 < context["tokens"] <= context["max_tokens"] == 300
        assert "charge_card" in context["text"]
        assert context["index"]["embedded"] == context["index"]["chunks"] > 0
        larger = await command(client, "pilotfish.buildContext", task="take money", max_tokens=5_000)
        assert larger["max_tokens"] == 5_000
        assert all((root / path).is_file() for path in {each["path"] for each in larger["passages"]})
        similar = await command(client, "pilotfish.findSimilar", symbol_name="reserve", absolute_paths=True)
        assert len(similar["results"]) <= 1
        assert similar["subject"] == "function reserve in shop/stock.py:9-11"
        for name, arguments, said in (
            ("buildContext", {}, "task"),
            ("buildContext", {"task": "x", "max_tokens": -1}, "max_tokens"),
            ("buildContext", {"task": "x", "kind": "class"}, "kind"),
            ("findSimilar", {}, "no document is open"),
            ("findSimilar", {"file_path": "/etc/passwd"}, "outside the root"),
        ):
            error = await client.error(
                "workspace/executeCommand", {"command": f"pilotfish.{name}", "arguments": [arguments]}
            )
            assert error["code"] == INVALID_PARAMS
            assert said in error["message"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "query"),
    ({"query": "x", "querry": "y"}, "querry"),
    ({"query": 7}, "query"),
    ({"query": "x", "search_type": "fuzzy"}, "search_type"),
    ({"query": "x", "max_results": 0}, "max_results"),
    ({"query": "x", "similarity_threshold": 2}, "similarity_threshold"),
    ({"query": "x", "snippet_chars": 2001}, "snippet_chars"),
    ({"query": "x", "kind": "gadget"}, "unknown kind 'gadget'"),
    ({"query": "x", "language": "klingon"}, "unknown language 'klingon'"),
    ({"query": "/(/"}, "no regular expression"),
    ({"query": "/(?:a{1000}){1000000}/"}, "repetitions"),
    ({"query": "/" + "a" * 2000 + "/"}, "characters"),
]


async def test_what_it_does_not_take_is_refused(root: Path) -> None:
    async with editor(root) as client:
        for arguments, said in REFUSED:
            question = {"command": "pilotfish.searchCode", "arguments": [arguments]}
            error = await client.error("workspace/executeCommand", question)
            assert error["code"] == INVALID_PARAMS, arguments
            assert said in error["message"]
        assert (await search(client, ""))["outcome"] == "no_match"


HOSTILE = (
    "", "   ", "\0", "'", '"', "%", "a" * 100_000, "wort " * 20_000, "AND OR NOT NEAR(", "*", "корзина покупок",
    "购物车在哪里", "🛒", "..", "../../etc/passwd", "SELECT * FROM files; --", "/", "//", "{}", "\ud800",
)  # fmt: skip


async def test_hostile_questions_are_answered(root: Path) -> None:
    async with editor(root) as client:
        for query in HOSTILE:
            for search_type in ("hybrid", "semantic", "symbol", "text"):
                answer = await client.answer(
                    "workspace/executeCommand",
                    {"command": "pilotfish.searchCode", "arguments": [{"query": query, "search_type": search_type}]},
                )
                assert "result" in answer or answer["error"]["code"] == INVALID_PARAMS, (query[:20], answer)
        (root / "trap.py").write_text("x = '" + "a" * 1_500 + "'  # a trap\n")
        await command(client, "pilotfish.sync")
        error = await client.error(
            "workspace/executeCommand",
            {"command": "pilotfish.searchCode", "arguments": [{"query": r"/(\w|_|[a-z])+#/"}]},
        )
        assert "was given up" in error["message"]
        assert places(await search(client, "charge_card"))[0] == ("shop/checkout.py", "charge_card")


# --- shells ----------------------------------------------------------------------------------------------------------


def test_the_shell_prints_places_and_source(shell: Shell) -> None:
    code, out, err = shell.run("search", "count_items")
    assert code == FOUND, err
    assert out.splitlines()[0].startswith("shop/stock.py:4-6  function count_items  1.00 ")
    assert out.splitlines()[1] == "    def count_items(shelf):"
    answer = shell.json("search", "count_items", "--max-results", "1", "--snippet-chars", "0")
    assert [(hit["path"], hit["line_start"], hit["code_snippet"]) for hit in answer["results"]] == [
        ("shop/stock.py", 4, "")
    ]
    assert answer["index"]["phase"] == "ready"
    assert shell.run("search", "/zzzz/")[0] == NO_MATCH
    code, out, err = shell.run("search")
    assert (code, out) == (FAILED, "")
    assert err == "pilotfish: search: say what to find, or read many with --batch\n"


def test_the_shell_waits_for_both_phases(shell: Shell) -> None:
    answer = shell.json("search", "money that the bank takes")
    assert answer["index"]["embedded"] == answer["index"]["chunks"] > 0
    assert answer["coverage"]["missing"] == ""
    code, out, err = shell.run("context", "count what is left on a shelf", "--max-tokens", "200")
    assert code == FOUND, err
    assert "def count_items(shelf):" in out
    assert "of 200 tokens" in err
    code, out, err = shell.run("similar", "count_items", folder=shell.root / "shop")
    assert code in (FOUND, NO_MATCH), err
    assert "Like function count_items in shop/stock.py:4-6" in err
    code, out, _ = shell.run("similar", "--file-path", "stock.py", "--json", folder=shell.root / "shop")
    assert json.loads(out)["subject"].startswith("shop/stock.py:1-")
    assert shell.run("index", "--structural")[0] == FOUND
    assert shell.run("similar")[0] == FAILED


BATCH: list[tuple[str, Any]] = [
    ('{"id": 1, "query": "count_items"}', "shop/stock.py"),
    ('{"query": "Basket", "id": "two", "max_results": 1}', "web/basket.ts"),
    ("not JSON", None),
    ('{"id": 3.50, "query": "zzzz"}', []),
    ("[1, 2]", None),
    ('{"id": {"n": [1]}, "query": "Checkout", "languages": "python"}', None),
    ("", "nothing"),
    ('{"id": null, "query": "PaymentError"}', "shop/checkout.py"),
    ("[" * 100_000, None),
    ('{"id": "last", "query": "/def reserve/"}', "shop/stock.py"),
]


def test_many_questions_are_answered_in_their_order(shell: Shell) -> None:
    lines = "\n".join(line for line, _ in BATCH)  # the last one has no line end
    code, out, err = _batch(shell, lines, "--max-results", "2")
    assert code == FAILED, err
    answers = out.splitlines()
    expected = [(line, what) for line, what in BATCH if what != "nothing"]
    assert len(answers) == len(expected)
    for answer, (line, what) in zip(answers, expected, strict=True):
        got = json.loads(answer)
        if what is None:
            assert set(got) == {"id", "error"}
        elif what:
            assert got["results"][0]["path"] == what
            assert len(got["results"]) <= 2
            assert got["index"]["phase"] == "ready"
        else:
            assert (got["results"], got["outcome"]) == ([], "no_match")
        if line.startswith("{"):
            assert got["id"] == json.loads(line)["id"]
    assert '"id":3.50,' in answers[3], "an id is given back as it came"
    assert "languages" in json.loads(answers[5])["error"]


def test_lines_that_are_no_text_keep_their_id_where_it_is_text(shell: Shell) -> None:
    lines = {
        b'{"id": "s", "query": "\\ud800"}': "s",
        b'{"id": 2, "query": "\xff"}': 2,
        b'{"id": "a\xff", "query": "Basket"}': None,
        b'{"id": "\\udfff", "query": "\\ud800"}': None,
        b'{"id": "last", "query": "Basket", "max_results": 1}': "last",
    }
    program = [sys.executable, "-I", "-X", "utf8", "-m", "pilotfish", "search", "--batch"]
    done = subprocess.run(
        program, cwd=shell.root, env=shell.environment, input=b"\n".join(lines), capture_output=True, timeout=60
    )
    answers = [json.loads(line) for line in done.stdout.decode("utf-8", "strict").splitlines()]
    assert [answer["id"] for answer in answers] == list(lines.values())
    assert [set(answer) for answer in answers[:-1]] == [{"id", "error"}] * 4
    assert answers[-1]["hint"].startswith("page=2 shows more. pilotfish refs ")


def test_what_is_wrong_with_the_model_is_said_once_and_meaning_alone_is_refused(shell: Shell) -> None:
    shell.environment["PILOTFISH_SEMANTIC_MODEL"] = str(shell.home / "nowhere")
    code, _, err = shell.run("search", "count_items")
    assert code == FOUND, err
    assert err.count("nowhere is no folder") == 1, err
    code, out, err = shell.run("search", "what is left on a shelf", "--search-type", "semantic")
    assert (code, out) == (FAILED, "")
    assert err.startswith("pilotfish: Meaning was not compared: the model ")
    assert err.endswith("; --search-type hybrid answers by words\n")
    assert err.count("\n") == 1


def test_a_batch_tells_by_its_code_whether_anything_was_found(shell: Shell) -> None:
    assert _batch(shell, '{"id": 1, "query": "zzzz"}\n{"id": 2, "query": "Basket"}\n')[0] == FOUND
    assert _batch(shell, '{"id": 1, "query": "zzzz"}\n')[:2][0] == NO_MATCH
    assert _batch(shell, "")[:2] == (NO_MATCH, "")


def test_each_question_is_answered_before_the_next_is_asked(shell: Shell) -> None:
    with shell.hold(), _start(shell) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(20):
            process.stdin.write(json.dumps({"id": number, "query": "count_items"}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == FOUND


def test_a_long_batch_keeps_its_order(shell: Shell) -> None:
    queries = ["count_items", "/return/", "Checkout", '"the bank"', "zzzz", "reserve"]
    lines = "".join(json.dumps({"id": number, "query": queries[number % 6]}) + "\n" for number in range(300))
    code, out, err = _batch(shell, lines, "--max-results", "1", "--snippet-chars", "0")
    assert code == FOUND, err
    assert [json.loads(line)["id"] for line in out.splitlines()] == list(range(300))


def _start(shell: Shell, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-I", "-X", "utf8", "-m", "pilotfish", "search", "--batch", *arguments],
        cwd=shell.root,
        env=shell.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def _batch(shell: Shell, lines: str, *arguments: str) -> tuple[int, str, str]:
    with _start(shell, *arguments) as process:
        out, err = process.communicate(lines, timeout=60)
    return process.returncode, out, err
