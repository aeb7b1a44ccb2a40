"""The page of the map in a real browser: it is drawn, searched, clicked and typed through, and asks the network for
nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilotfish.engine import wire
from pilotfish.engine.engine import Engine
from pilotfish.engine.map_page import map_page
from pilotfish.engine.view import View
from pilotfish.operations.repo_map import RepoMapParameters, RepoMapResult
from tests.browser.chromium import Chromium, program

pytestmark = pytest.mark.skipif(program() is None, reason="no Chromium is installed")

HOSTILE = "<img src=x onerror=alert(1)>"
FILES = {
    "shop/cart.py": """from shop.money import round_price, Currency


class Cart:
    def total(self):
        return round_price(Currency())


def checkout():
    return Cart().total()
""",
    "shop/money.py": "class Currency: ...\n\n\ndef round_price(value): ...\n",
    "shop/main.py": "from shop.cart import checkout\n\n\ndef main():\n    checkout()\n",
    "ring/one.py": "from ring.two import second\n\n\ndef first():\n    second()\n",
    "ring/two.py": "from ring.one import first\n\n\ndef second():\n    first()\n",
    f"odd/{HOSTILE}.py": "def odd(): ...\n",
    "odd/<svg onload=alert(2)>/x.js": "export function Strange() {}\n",
    "README.md": "# </script><script>alert(3)</script>\n",
}


async def write_page(root: Path, index: Path, target: Path) -> None:
    """Write the page of a repository, as the engine makes it."""
    engine = await Engine.open(root, index_folder=index)
    try:
        hello = wire.Hello(token="", wire=wire.WIRE_VERSION, build="", kind="cli", client="test", pid=1)
        session = engine.connect(hello, lambda method, params: None)
        await engine.indexer.wait_quiet()
        answer = await engine.read(session, _page, RepoMapParameters())
        target.write_text(answer.text, encoding="utf-8")
    finally:
        await engine.close()


def _page(view: View, parameters: RepoMapParameters) -> RepoMapResult:
    from pilotfish.graph.rank import Boosts, Ranker

    return RepoMapResult(text=map_page(view, Ranker(view.graph, Boosts()).rank().files))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    root = folder / "<script>alert(4)<"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    target = folder / "map.html"
    asyncio.run(write_page(root, folder / "index", target))
    return target


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as chromium:
        yield chromium


@pytest.fixture
def browser(chromium: Chromium, page: Path) -> Iterator[Chromium]:
    """A browser that has just opened the page; nothing else may be asked for, and nothing complained of."""
    chromium.open("about:blank")
    chromium.requests.clear()
    chromium.complaints.clear()
    chromium.open(page.as_uri())
    yield chromium
    chromium.settle()
    assert chromium.requests == [page.as_uri()]
    assert chromium.complaints == []


def text_of(browser: Chromium, selector: str) -> str:
    found: str = browser.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")
    return found


def shown(browser: Chromium, selector: str) -> list[str]:
    name = "(each) => each.getAttribute('aria-label') || each.innerText"
    found: list[str] = browser.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map({name})")
    return found


def tile(path: str) -> str:
    return f"[aria-label={json.dumps(path)}]"


def test_files_are_as_large_as_their_rank(browser: Chromium) -> None:
    areas = {
        path: browser.evaluate(
            f"(() => {{ const box = document.querySelector({json.dumps(tile(path))}).getBoundingClientRect();"
            "return box.width * box.height; })()"
        )
        for path in ("shop/money.py", "shop/cart.py", "shop/main.py")
    }
    assert areas["shop/money.py"] > areas["shop/cart.py"] > areas["shop/main.py"] > 100
    assert len(shown(browser, ".tile")) == len(FILES)


def test_a_click_shows_symbols_with_lines_and_links_both_ways(browser: Chromium) -> None:
    browser.click(tile("shop/cart.py"))
    assert text_of(browser, "#panel h2") == "cart.py"
    assert [row.split() for row in shown(browser, "#panel .row.three")] == [
        ["C", "Cart", "4"],
        ["M", "total", "5"],
        ["F", "checkout", "9"],
    ]
    assert shown(browser, ".tile.used") == ["shop/money.py"]
    assert shown(browser, ".tile.user") == ["shop/main.py"]
    assert browser.evaluate("document.querySelectorAll('#edges .used, #edges .user').length") == 2
    browser.click("#panel .row.three")
    assert text_of(browser, "#panel .signature") == "class Cart"
    browser.press("Escape")
    assert text_of(browser, "#panel h2") == "What matters most"
    assert browser.evaluate("document.querySelectorAll('#edges path').length") == 0


def test_pointing_shows_links_that_go_again(browser: Chromium) -> None:
    browser.point(tile("shop/money.py"))
    assert shown(browser, ".tile.user") == ["shop/cart.py"]
    assert "used by 1" in text_of(browser, "#status")
    browser.point("#name")
    assert shown(browser, ".tile.user") == []


def test_search_finds_symbols_and_files_by_keys_alone(browser: Chromium) -> None:
    browser.press("/")
    browser.type("round")
    assert [row.split("\n") for row in shown(browser, "#found li")] == [["F", "round_price", "shop/money.py:4"]]
    browser.press("Enter")
    assert text_of(browser, "#panel h2") == "money.py"
    assert text_of(browser, "#panel .signature") == "def round_price(value)"
    browser.press("/")
    browser.type("zzz")
    assert "No file and no symbol" in text_of(browser, "#found")
    browser.press("Escape")
    assert browser.evaluate("document.querySelector('#found').hidden")


def test_arrow_keys_move_over_the_map(browser: Chromium) -> None:
    browser.evaluate("document.querySelector('#tiles').focus()")
    browser.press("ArrowRight")
    first = shown(browser, ".tile.at")
    assert first == [browser.evaluate("files[0].path")]
    visited = {first[0]}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp") * 2:
        browser.press(key)
        visited.update(shown(browser, ".tile.at"))
    assert len(visited) > 2
    browser.press("Enter")
    assert shown(browser, ".tile.chosen") == shown(browser, ".tile.at")


def test_folders_are_zoomed_into_and_left(browser: Chromium) -> None:
    browser.click(".folder > button[title='Zoom into shop']")
    assert set(shown(browser, ".tile")) == {"shop/cart.py", "shop/main.py", "shop/money.py"}
    browser.press("Escape")
    assert len(shown(browser, ".tile")) == len(FILES)


def test_the_architecture_shows_layers_cycles_and_entry_points(browser: Chromium) -> None:
    browser.click("#architecture-tab")
    assert "shop/main.py" in text_of(browser, "#facts")
    assert "ring/one.py → ring/two.py → one.py" in text_of(browser, "#facts").replace("\n", " ")
    browser.click(".module[title='shop/cart.py']")
    assert text_of(browser, "#panel h2").endswith("cart.py")
    assert browser.evaluate("document.querySelectorAll('#arrows .used').length") == 1
    browser.click("#panel .row.swatched")
    assert text_of(browser, "#panel h2").endswith("money.py")


def test_hostile_names_are_shown_and_do_nothing(browser: Chromium) -> None:
    browser.press("/")
    browser.type("onerror")
    assert HOSTILE in text_of(browser, "#found")
    browser.press("Enter")
    assert text_of(browser, "#panel h2") == f"{HOSTILE}.py"
    assert browser.evaluate("document.querySelectorAll('img, iframe, object, link, svg[onload]').length") == 0
    assert browser.evaluate("document.querySelectorAll('script').length") == 2


def test_the_policy_would_stop_what_got_in(chromium: Chromium, page: Path) -> None:
    chromium.open(page.as_uri())
    chromium.evaluate(
        "(() => { const image = document.createElement('img'); image.src = 'https://example.invalid/x.png';"
        "document.body.append(image); const script = document.createElement('script');"
        "script.textContent = 'window.ran = true'; document.body.append(script); })()"
    )
    chromium.settle()
    assert chromium.evaluate("window.ran") is None
    assert any("Content Security Policy" in complaint for complaint in chromium.complaints)


def test_light_and_dark_are_followed(browser: Chromium) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(ground)
    browser.prefer("dark")
    browser.settle()
    assert browser.evaluate(ground) != light
    browser.prefer("light")
    browser.settle()
    assert browser.evaluate(ground) == light


def test_the_address_names_a_file(chromium: Chromium, page: Path) -> None:
    chromium.open("about:blank")
    chromium.open(f"{page.as_uri()}#shop%2Fmoney.py")
    assert text_of(chromium, "#panel h2") == "money.py"
    assert shown(chromium, ".tile.chosen") == ["shop/money.py"]


def test_a_panel_of_an_editor_opens_files_and_tells_which_to_choose(chromium: Chromium, page: Path) -> None:
    said = (
        "window.said = []; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.said.push(message) });"
    )
    with chromium.before_pages(said):
        chromium.open(page.as_uri())
    assert chromium.evaluate("said") == [{"kind": "ready"}]
    chromium.evaluate("window.postMessage({ kind: 'choose', path: 'shop/money.py' }, '*')")
    chromium.settle()
    assert shown(chromium, ".tile.chosen") == ["shop/money.py"]
    assert chromium.evaluate("said.length") == 1, "what it is told to show is not opened once more"
    chromium.click(tile("shop/cart.py"))
    chromium.click("#panel .row.three")
    chromium.evaluate("window.postMessage({ kind: 'show', view: 'architecture' }, '*')")
    chromium.settle()
    assert chromium.evaluate("said.slice(1)") == [
        {"kind": "open", "path": "shop/cart.py", "line": 1},
        {"kind": "open", "path": "shop/cart.py", "line": 4},
        {"kind": "viewed", "view": "architecture"},
    ]
    chromium.evaluate("window.postMessage({ kind: 'choose', path: 'shop/money.py' }, '*')")
    chromium.settle()
    assert chromium.evaluate("document.getElementById('map-view').hidden") is True, "what a person looks at stays"
    chromium.click("#map-tab")
    assert shown(chromium, ".tile.chosen") == ["shop/money.py"]
    chromium.evaluate("document.body.dataset.vscodeThemeKind = 'vscode-dark'")
    chromium.settle()
    assert chromium.evaluate("document.documentElement.className") == "hosted dark"
