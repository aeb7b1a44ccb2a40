"""Function words of questions that are not in English: articles, prepositions, pronouns, question words, auxiliaries.

Code and its history are mostly in English, where such a word is somebody's abbreviation or a part of another language's
text: it says nothing of what is asked. A question counts as one of another language when it has two of its function
words, and more of them than of English ones, or begins with a question word and has no English one at all.
"""

# ruff: noqa: SIM905 - lists of words read better as one string
from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from pilotfish.syntax.terms import STOP_WORDS

_LEAST: Final = 2
_CODE: Final = 2
"""Letters of a language's code: `de` and `es` alone may be what a question is about."""

_WORD: Final = re.compile(r"[^\W\d_]+")

_GERMAN: Final = """
der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber wo wie was wer wem wen warum
wann wieso weshalb welche welcher welches welchen welchem wohin woher womit wodurch wofür ist sind war waren wird werden
wurde wurden hat haben hatte kann können könnte muss müssen soll sollen darf man es ich wir sie er ihr sich mit von vom
zu zum zur bei beim nach aus auf für über unter vor durch gegen ohne um im ins am an in als auch nicht nur wenn dass ob
zwischen während wegen gibt
"""
_SPANISH: Final = """
el la los las lo un una unos unas de del al a en con por para sin sobre entre desde hasta hacia según y o u que quien
quienes cual cuales donde como cuando cuanto porque es son era esta estan estaba ser estar hay ha han haber fue fueron
se su sus puede pueden debe deben este estos estas ese esa eso no si
"""
_FRENCH: Final = """
le la les l un une des du de d au aux et ou où qui que qu quoi quel quelle quels quelles comment pourquoi quand combien
est sont était étaient être avoir a ont avait fait faire peut peuvent doit doivent se s ce cet cette ces son sa ses leur
leurs il elle ils elles on nous vous je dans sur sous avec sans pour par chez entre vers en y ne n pas
"""
_PORTUGUESE: Final = """
o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sobre entre até e ou
que quem qual quais onde como quando quanto porque é são era está estão ser estar há foi foram se seu sua seus suas pode
podem deve devem este esta isso isto esse essa não
"""
_ITALIAN: Final = """
il lo la i gli le l un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella
nei negli nelle con su sul sulla per tra fra e o che chi cosa quale quali dove come quando quanto perché è sono era
erano essere avere ha hanno viene vengono fatto si suo sua suoi sue può possono deve devono questo questa quello non
"""
_ASKING: Final = """
wo wie warum wann wieso weshalb welche welcher welches welchen wohin woher womit donde cuando cuanto où pourquoi quand
onde quando perché quais quali quienes cuales
"""
"""Question words that no English question begins with."""

_ALSO_ENGLISH: Final = frozenset(
    "a an as am are at come comment con die do fra i in man me no on per si son sur um war".split()
)
"""Words of these lists that an English question may have, or a name."""


def _folded(text: str) -> str:
    """Return a text in lower case without accents, as terms are (`syntax.terms`)."""
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


_LANGUAGES: Final = tuple(
    frozenset(_folded(words).split()) for words in (_GERMAN, _SPANISH, _FRENCH, _PORTUGUESE, _ITALIAN)
)
_QUESTION_WORDS: Final = frozenset(_folded(_ASKING).split())


@lru_cache(maxsize=256)
def foreign_words(question: str) -> frozenset[str]:
    """Return the function words of a question in another language than English, in lower case and without accents; none
    of one in English, or in a language that is not known here."""
    asked = list(dict.fromkeys(_WORD.findall(_folded(question))))
    found: frozenset[str] = frozenset()
    for language in _LANGUAGES:
        own = language.intersection(asked)
        if len(own - _ALSO_ENGLISH) > len(found - _ALSO_ENGLISH):
            found = own
    telling = {word for word in found - _ALSO_ENGLISH - STOP_WORDS if len(word) > 1}
    english = len((STOP_WORDS | _ALSO_ENGLISH).intersection(asked) - found)
    begins = len(asked) > _LEAST and asked[0] in _QUESTION_WORDS
    enough = len(telling) >= _LEAST and len(telling) > english and any(len(word) > _CODE for word in telling)
    is_foreign = enough or (begins and not english)
    return found if is_foreign else frozenset()
