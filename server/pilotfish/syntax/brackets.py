"""Brackets in a text that is read without a tree: where they close and open, and the parts between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

_FURTHEST: Final = 40_000
"""So many bytes behind a bracket are searched for the one that closes it."""
_FURTHEST_BACK: Final = 2_000
_LONGEST_ANGLE: Final = 500
_LONGEST_PARAMETERS: Final = 4_000
_LONGEST_ANGLE_BACK: Final = 300

_OPEN: Final = {ord("("): ord(")"), ord("["): ord("]"), ord("{"): ord("}")}
CLOSE: Final = {ord(")"): ord("("), ord("]"): ord("["), ord("}"): ord("{")}
"""What closes a bracket, and what opens that."""

_QUOTES: Final = b"\"'`"
_SIGN: Final = re.compile(rb"[()\[\]{}\"'`/#]")
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in _OPEN and byte not in CLOSE)


def nest_beyond(text: bytes, most: int) -> bool:
    """Return whether more than `most` brackets of any kind are open at some place of a text, whatever they stand in.

    Written code opens hundreds at the most, strings and comments included; what opens thousands takes time that grows
    with the square of their number in many grammars. To look costs a hundredth of a parse.
    """
    if sum(map(text.count, (b"(", b"[", b"{"))) <= most:
        return False
    depth = 0
    for byte in text.translate(None, _NO_BRACKETS):
        if byte in _OPEN:
            depth += 1
            if depth > most:
                return True
        elif depth:
            depth -= 1
    return False


def matching(text: bytes, at: int, end: int) -> int:
    """Return where the bracket that opens at a place is closed; -1 where it is not."""
    stack: list[int] = []
    end = min(end, at + _FURTHEST)
    while (sign := _SIGN.search(text, at, end)) is not None:
        at = sign.start()
        byte = text[at]
        if byte in _OPEN:
            stack.append(_OPEN[byte])
        elif byte in CLOSE:
            if not stack or stack.pop() != byte:
                return -1
            if not stack:
                return at
        elif byte in _QUOTES:
            at = _string_end(text, at, end)
            continue
        elif (behind := _comment_end(text, at, end)) > 0:
            at = behind
            continue
        at += 1
    return -1


def matching_back(text: bytes, at: int, least: int) -> int:
    """Return where the bracket that closes at a place opens; -1 where it does not."""
    stack: list[int] = []
    while at >= least:
        byte = text[at]
        if byte in CLOSE:
            stack.append(CLOSE[byte])
        elif byte in _OPEN:
            if not stack or stack.pop() != byte:
                return -1
            if not stack:
                return at
        at -= 1
    return -1


def opened_before(text: bytes, offset: int) -> int:
    """Return where the innermost bracket around a place opens; -1 where none does nearby."""
    depth = 0
    for place in range(offset - 1, max(-1, offset - _FURTHEST_BACK), -1):
        byte = text[place]
        if byte in b")]}":
            depth += 1
        elif byte in b"([{":
            if not depth:
                return place
            depth -= 1
    return -1


def call_behind(text: bytes, end: int) -> int:
    """Return where the brackets of a call behind a name open, type arguments between them passed over; -1 where none
    do."""
    at = end
    while at < len(text) and text[at] in b" \t":
        at += 1
    at = angle_behind(text, at, len(text))
    return at if text[at : at + 1] == b"(" else -1


def angle_behind(text: bytes, at: int, end: int) -> int:
    """Return where the type parameters behind a name end; where the name does, if there are none."""
    opened = at
    while opened < end and text[opened] in b" \t\r\n":
        opened += 1
    close = angle(text, opened, end, _LONGEST_PARAMETERS) if text[opened : opened + 1] == b"<" else -1
    return close + 1 if close > 0 else at


def angle(text: bytes, at: int, end: int, most: int = _LONGEST_ANGLE) -> int:
    """Return where type arguments that open at a place are closed; -1 where they are none."""
    depth = 0
    for place in range(at, min(end, at + most)):
        byte = text[place]
        if byte == ord("<"):
            depth += 1
        elif byte == ord(">") and text[place - 1] not in b"=-":
            depth -= 1
            if not depth:
                return place
        elif byte in b";":
            break
    return -1


def angle_back(text: bytes, at: int, least: int = 0) -> int:
    """Return where type arguments that close at a place open; -1 where they are none."""
    depth = 0
    for place in range(at, max(least, at - _LONGEST_ANGLE_BACK), -1):
        if text[place] == ord(">"):
            depth += 1
        elif text[place] == ord("<"):
            depth -= 1
            if not depth:
                return place
    return -1


def alternatives(text: bytes, start: int, end: int, signs: tuple[bytes, ...]) -> list[tuple[int, int]]:
    """Return the parts of a stretch between some signs that stand outside of all brackets and strings."""
    return [*parts(text, start, end, signs)]


def alternative(text: bytes, start: int, end: int, signs: tuple[bytes, ...]) -> tuple[int, int]:
    """Return the first of these parts."""
    return next(parts(text, start, end, signs))


def parts(text: bytes, start: int, end: int, signs: tuple[bytes, ...]) -> Iterator[tuple[int, int]]:
    """Yield these parts one by one."""
    pattern = _signs(signs)
    first = at = start
    while (found := pattern.search(text, at, end)) is not None:
        at = found.start()
        if found.lastgroup == "between":
            yield first, at
            first = at = found.end()
            continue
        byte = text[at]
        if byte in _OPEN:
            close = matching(text, at, end)
            if close < 0:
                break
            at = close + 1
        elif byte in _QUOTES:
            at = _string_end(text, at, end)
        elif byte in b"/#" and (behind := _comment_end(text, at, end)) > 0:
            at = behind
        elif byte == ord("<") and (close := angle(text, at, end)) > 0:
            at = close + 1
        else:
            at += 1
    yield first, end


@cache
def _signs(signs: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """Return what to look at in a text that some signs may take apart: what hides them comes first."""
    between = b"|".join(map(re.escape, signs))
    return re.compile(rb"[(\[{\"'`]|[/#](?=[/* ])|<|(?P<between>%s)" % between)


def arguments(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches between the commas inside brackets that open and close at `start` and before `end`."""
    for first, last in alternatives(text, start + 1, end - 1, (b",",)):
        if text[first:last].strip():
            yield first, last


def called_with(text: bytes, opened: int, end: int) -> list[tuple[int, int]] | None:
    """Return the stretches between the commas in the brackets that open at a place; None where that is -1, or they are
    not closed before `end`."""
    close = -1 if opened < 0 else matching(text, opened, end)
    return None if close < 0 else [*arguments(text, opened, close + 1)]


def argument_at(text: bytes, opened: int, offset: int) -> int:
    """Return which argument of the call whose brackets open at a place begins at another one; -1 where none does."""
    given = called_with(text, opened, len(text)) or []
    place = next((number for number, (first, last) in enumerate(given) if first <= offset < last), -1)
    return -1 if place < 0 or text[given[place][0] : offset].strip() else place


def _string_end(text: bytes, at: int, end: int) -> int:
    quote = text[at : at + 1]
    if text[at : at + 3] == quote * 3:
        close = text.find(quote * 3, at + 3, end)
        return end if close < 0 else close + 3
    at += 1
    while at < end and text[at : at + 1] != quote:
        at += 2 if text[at] == ord("\\") else 1
    return at + 1


def _comment_end(text: bytes, at: int, end: int) -> int:
    """Return where a comment ends that begins at a place; -1 where none does. What only looks like one, Python's `//`,
    costs the rest of its line."""
    if text.startswith(b"/*", at):
        close = text.find(b"*/", at + 2, end)
        return end if close < 0 else close + 2
    is_comment = text.startswith(b"//", at) or (
        text.startswith(b"# ", at) and text[at - 1 : at] in (b" ", b"\n", b"\t")
    )
    if not is_comment:
        return -1
    close = text.find(b"\n", at, end)
    return end if close < 0 else close + 1
