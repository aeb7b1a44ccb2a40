"""Types above and below, implementations and calls over the wire, in languages that say each in a way of its own: as
interfaces, traits, protocols, mixed-in modules.

Each language has a type `base` with a `member`, another file with a type `heir` whose `own` member stands in for it and
calls a `helper` in a third. Marks are in comments, see `markers`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.markers import place, span
from tests.protocol.raw_client import PATIENCE, RawClient, raw_client

SOURCES = {
    "go": {
        "go.mod": "module example.com/shapes\n",
        "shape.go": "package shapes\n\ntype Shape interface { // @base:Shape\n\tArea() int // @member:Area\n}\n",
        "circle.go": "package shapes\n\ntype Circle struct{} // @heir:Circle\n\n"
        "func (c Circle) Area() int { // @own:Area\n\treturn twice(1) // @call:twice\n}\n",
        "math.go": "package shapes\n\nfunc twice(n int) int { return n * 2 } // @helper:twice\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "shapes"\n',
        "src/lib.rs": "pub mod circle;\npub mod math;\npub mod shape;\n",
        "src/shape.rs": "pub trait Shape { // @base:Shape\n    fn area(&self) -> u32; // @member:area\n}\n",
        "src/circle.rs": "use crate::math::twice;\nuse crate::shape::Shape;\n\npub struct Circle; // @heir:Circle\n\n"
        "impl Shape for Circle {\n    fn area(&self) -> u32 { // @own:area\n"
        "        twice(1) // @call:twice\n    }\n}\n",
        "src/math.rs": "pub fn twice(n: u32) -> u32 { // @helper:twice\n    n * 2\n}\n",
    },
    "java": {
        "shapes/Shape.java": "package shapes;\n\npublic interface Shape { // @base:Shape\n"
        "    int area(); // @member:area\n}\n",
        "shapes/Circle.java": "package shapes;\n\npublic class Circle implements Shape { // @heir:Circle\n"
        "    public int area() { // @own:area\n        return Numbers.twice(1); // @call:twice\n    }\n}\n",
        "shapes/Numbers.java": "package shapes;\n\nfinal class Numbers {\n"
        "    static int twice(int n) { return n * 2; } // @helper:twice\n}\n",
    },
    "cpp": {
        "shape.hpp": "class Shape { // @base:Shape\n public:\n  virtual int area() = 0; // @member:area\n};\n",
        "circle.cpp": '#include "math.hpp"\n#include "shape.hpp"\n\nclass Circle : public Shape { // @heir:Circle\n'
        " public:\n  int area() override { // @own:area\n    return twice(1); // @call:twice\n  }\n};\n",
        "math.hpp": "inline int twice(int n) { return n * 2; } // @helper:twice\n",
    },
    "csharp": {
        "IShape.cs": "namespace Shapes;\n\npublic interface IShape // @base:IShape\n{\n"
        "    int Area(); // @member:Area\n}\n",
        "Circle.cs": "namespace Shapes;\n\npublic class Circle : IShape // @heir:Circle\n{\n"
        "    public int Area() // @own:Area\n    {\n        return Numbers.Twice(1); // @call:Twice\n    }\n}\n",
        "Numbers.cs": "namespace Shapes;\n\nstatic class Numbers\n{\n"
        "    public static int Twice(int n) => n * 2; // @helper:Twice\n}\n",
    },
    "php": {
        "src/Shape.php": "<?php\nnamespace Shapes;\n\ninterface Shape // @base:Shape\n{\n"
        "    public function area(): int; // @member:area\n}\n",
        "src/Circle.php": "<?php\nnamespace Shapes;\n\nclass Circle implements Shape // @heir:Circle\n{\n"
        "    public function area(): int // @own:area\n    {\n"
        "        return Numbers::twice(1); // @call:twice\n    }\n}\n",
        "src/Numbers.php": "<?php\nnamespace Shapes;\n\nfinal class Numbers\n{\n"
        "    public static function twice(int $n): int { return $n * 2; } // @helper:twice\n}\n",
    },
    "kotlin": {
        "shapes/Shape.kt": "package shapes\n\ninterface Shape { // @base:Shape\n"
        "    fun area(): Int // @member:area\n}\n",
        "shapes/Circle.kt": "package shapes\n\nclass Circle : Shape { // @heir:Circle\n"
        "    override fun area(): Int { // @own:area\n        return twice(1) // @call:twice\n    }\n}\n",
        "shapes/Math.kt": "package shapes\n\nfun twice(n: Int): Int = n * 2 // @helper:twice\n",
    },
    "swift": {
        "Shape.swift": "protocol Shape { // @base:Shape\n    func area() -> Int // @member:area\n}\n",
        "Circle.swift": "struct Circle: Shape { // @heir:Circle\n    func area() -> Int { // @own:area\n"
        "        return twice(1) // @call:twice\n    }\n}\n",
        "Math.swift": "func twice(_ n: Int) -> Int { // @helper:twice\n    return n * 2\n}\n",
    },
    "ruby": {
        "lib/shape.rb": "module Shape # @base:Shape\n  def area # @member:area\n"
        "    raise NotImplementedError\n  end\nend\n",
        "lib/circle.rb": 'require_relative "numbers"\nrequire_relative "shape"\n\nclass Circle # @heir:Circle\n'
        "  include Shape\n\n  def area # @own:area\n    Numbers.twice(1) # @call:twice\n  end\nend\n",
        "lib/numbers.rb": "module Numbers\n  def self.twice(n) # @helper:twice\n    n * 2\n  end\nend\n",
    },
}

EXPECTED = {
    "supertypes": ["base"],
    "subtypes": ["heir"],
    "implementations of the type": ["heir"],
    "implementations of the member": ["own"],
    "incoming": {"own": ["call"]},
    "outgoing": {"helper": ["call"]},
}


class Workspace:
    """The sources of all languages below one folder, as an editor sees them."""

    def __init__(self, root: Path, client: RawClient) -> None:
        self._root = root
        self._client = client

    async def answers(self, language: str) -> dict[str, Any]:
        """Ask for everything about the marked definitions of a language."""
        for path, text in SOURCES[language].items():
            uri = (self._root / language / path).as_uri()
            document = {"uri": uri, "languageId": language, "version": 1, "text": text}
            await self._client.notify("textDocument/didOpen", {"textDocument": document})
        heir, base = await self._item("Type", language, "heir"), await self._item("Type", language, "base")
        own, helper = await self._item("Call", language, "own"), await self._item("Call", language, "helper")
        supertypes = await self._client.request("typeHierarchy/supertypes", {"item": heir})
        subtypes = await self._client.request("typeHierarchy/subtypes", {"item": base})
        incoming = await self._client.request("callHierarchy/incomingCalls", {"item": helper})
        outgoing = await self._client.request("callHierarchy/outgoingCalls", {"item": own})
        return {
            "supertypes": [self._mark(each) for each in supertypes or ()],
            "subtypes": [self._mark(each) for each in subtypes or ()],
            "implementations of the type": await self._implementations(language, "base"),
            "implementations of the member": await self._implementations(language, "member"),
            "incoming": {self._mark(each["from"]): self._spans(each["from"], each) for each in incoming or ()},
            "outgoing": {self._mark(each["to"]): self._spans(own, each) for each in outgoing or ()},
        }

    async def _item(self, hierarchy: str, language: str, name: str) -> Any:
        items = await self._client.request(f"textDocument/prepare{hierarchy}Hierarchy", self._place(language, name))
        assert items, f"{language} has no item at @{name}"
        return items[0]

    async def _implementations(self, language: str, name: str) -> list[str]:
        found = await self._client.request("textDocument/implementation", self._place(language, name))
        # A member with a body that says it has none is itself, too.
        return [mark for each in found or () if (mark := self._mark(each)) not in (name, "member")]

    def _place(self, language: str, name: str) -> dict[str, Any]:
        for path, text in SOURCES[language].items():
            if f"@{name}:" in text:
                uri = (self._root / language / path).as_uri()
                return {"textDocument": {"uri": uri}, "position": place(text, name)}
        raise AssertionError(f"{language} has no @{name}")

    def _mark(self, there: dict[str, Any]) -> str:
        """The mark of an item or a location, or where it is."""
        return self._marked(there.get("uri") or there["targetUri"], _name_range(there))

    def _spans(self, caller: dict[str, Any], call: dict[str, Any]) -> list[str]:
        return [self._marked(caller["uri"], each) for each in call["fromRanges"]]

    def _marked(self, uri: str, stretch: dict[str, Any]) -> str:
        for language, sources in SOURCES.items():
            for path, text in sources.items():
                if (self._root / language / path).as_uri() == uri:
                    marks = ("base", "member", "heir", "own", "call", "helper")
                    here = [each for each in marks if f"@{each}:" in text]
                    return next((each for each in here if span(text, each) == stretch), f"{path}:{stretch['start']}")
        return uri


def _name_range(there: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = there.get("selectionRange") or there.get("targetSelectionRange") or there["range"]
    return found


@pytest.mark.usefixtures("private_home")
def test_hierarchies_in_languages_that_say_them_otherwise(tmp_path: Path) -> None:
    root = (tmp_path / "shapes").resolve()
    for language, sources in SOURCES.items():
        for path, text in sources.items():
            (root / language / path).parent.mkdir(parents=True, exist_ok=True)
            (root / language / path).write_text(text)

    async def ask() -> dict[str, Any]:
        async with raw_client() as client:
            await client.initialize(root, initializationOptions={"features": {"full_for": [*SOURCES]}})
            wait = {"command": "pilotfish.control", "arguments": [{"action": "wait"}]}
            _, indexed = await client.start_request("workspace/executeCommand", wait)
            await asyncio.wait_for(indexed, 4 * PATIENCE)  # parsers of many languages are made
            workspace = Workspace(root, client)
            return {language: await workspace.answers(language) for language in SOURCES}

    assert asyncio.run(ask()) == dict.fromkeys(SOURCES, EXPECTED)
