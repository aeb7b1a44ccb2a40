"""What is read of a text for some of its functions is what is read of it for all."""

from __future__ import annotations

import pytest

from pilotfish.syntax.bodies import bodies_of, body_at, without
from pilotfish.syntax.outlines import Outliner
from pilotfish.syntax.partial_scopes import PartialScopes
from pilotfish.syntax.scopes import ScopeReader, Scopes

READER = ScopeReader()
OUTLINER = Outliner()

PYTHON = b'''class Box:
    def fill(self, size):
        """Fill it."""
        self.size = size
        width = [size for size in range(size)]
        return width

    def weigh(self): return sum(each.weight for each in self.things) + 1_000_000
'''
GO = b"""package box

func (b *Box) Fill(size int) int {
\twidth := size * 2
\treturn func() int { return width }()
}

func Weigh[T any](things []T) int {
\tfor _, each := range things { _ = each }
\treturn len(things)
}
"""
TYPESCRIPT = b"""class Box<T> {
  constructor(private lid: Lid) { this.size = 1; this.things = new Array<T>(); }
  fill(size: number): T[] { const { width, height } = this.lid; return this.things.map((each) => each); }
}
"""
RUBY = b"""class Box
  def fill(size)
    @size = size
    width = size * 2
    [width].map { |each| each + size }
  end
  def weigh = 1
end
"""
JAVA = b"""class Box<T> {
  int size = 1;
  T fill(int size) { int width = size; for (T each : things) { width += each.size; } return null; }
  int weigh() { java.util.function.IntSupplier weight = () -> this.size; return weight.getAsInt(); }
}
"""
OWN = {"python": PYTHON, "go": GO, "typescript": TYPESCRIPT, "ruby": RUBY, "java": JAVA}


def facts(scopes: Scopes, text: bytes) -> list[object]:
    """All that is known at each place of a text."""
    return [(scopes.around(place), scopes.at(place), scopes.pattern_at(place)) for place in range(len(text))]


@pytest.mark.parametrize("language", sorted(OWN))
def test_a_text_without_some_bodies_tells_the_same_of_the_others(language: str) -> None:
    text = OWN[language]
    whole = READER.read(text, language)
    bodies = bodies_of(text, language, OUTLINER.outline(text, language).symbols)
    assert whole is not None
    assert bodies
    for kept in [None, *bodies]:
        left_out = [body for body in bodies if body is not kept]
        partly = READER.read(without(text, left_out), language)
        assert partly is not None
        for place, (one, other) in enumerate(zip(facts(whole, text), facts(partly, text), strict=True)):
            assert one == other or body_at(left_out, place) >= 0


@pytest.mark.parametrize("language", sorted(OWN))
def test_whatever_is_asked_first_the_answers_are_those_of_the_whole(language: str) -> None:
    text = OWN[language]
    whole = READER.read(text, language)
    assert whole is not None
    bodies = bodies_of(text, language, OUTLINER.outline(text, language).symbols)
    names = ["each", "size", "width", "lid", "things", "T", "fill"]
    for first in range(0, len(text), 7):
        partly = PartialScopes(text, bodies, lambda left: READER.read(left, language))
        for place in (first, len(text) - 1 - first):
            assert partly.at(place) == whole.at(place)
            assert partly.function_at(place) == whole.function_at(place)
            for name in names:
                written = [place for place in [text.find(name.encode(), place)] if place >= 0]
                assert [partly.local(name, each) for each in written] == [whole.local(name, each) for each in written]
        assert [partly.attributes(name) for name in names] == [whole.attributes(name) for name in names]
        assert [partly.variables(name) for name in names] == [whole.variables(name) for name in names]
        for body in bodies:
            function = whole.function_at(body.start)
            assert partly.returned(partly.function_at(body.start)) == whole.returned(function)
