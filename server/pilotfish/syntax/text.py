"""Text as the index sees it: UTF-8 without a byte order mark, and the table that turns offsets into lines and columns.

Nothing here knows a language or a protocol. A `LineTable` is kept beside every file in the catalog, so that answers
need neither the file nor its text to speak of lines and columns.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

TextEncoding = Literal["utf-8", "utf-8-bom", "utf-16", "latin-1"]
ColumnEncoding = Literal["utf-8", "utf-16", "utf-32"]


class DecodedText(NamedTuple):
    """A text in UTF-8 without a byte order mark, and the encoding in which the file holds it."""

    text: bytes
    encoding: TextEncoding


def decode(data: bytes) -> DecodedText:
    """The bytes of a file as UTF-8: by its byte order mark, else UTF-8 where valid, else Latin-1. Never raises."""
    if data.startswith(codecs.BOM_UTF8):
        text = data[len(codecs.BOM_UTF8) :]
        return DecodedText(text if _is_utf8(text) else _recoded(text, "utf-8"), "utf-8-bom")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return DecodedText(_recoded(data, "utf-16"), "utf-16")
    if _is_utf8(data):
        return DecodedText(data, "utf-8")
    return DecodedText(data.decode("latin-1").encode(), "latin-1")


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _recoded(data: bytes, encoding: str) -> bytes:
    return data.decode(encoding, "replace").encode("utf-8", "replace")


class Position(NamedTuple):
    """A place in a text: 0-based line, and the column in bytes, UTF-16 units and code points."""

    line: int
    utf8: int
    utf16: int
    utf32: int


_LINE_END = re.compile(rb"\r\n|\n|\r")
# Two steps, because a set as the first item of an expression is searched for several times faster than alternatives:
# what is not ASCII, and in it the runs of characters of one width (two, three or four bytes of UTF-8 each).
_WIDE = re.compile(rb"[\xc0-\xff][\x80-\xff]*")
_WIDE_RUN = re.compile(rb"(?:[\xc0-\xdf][\x80-\xbf])+|(?:[\xe0-\xef][\x80-\xbf]{2})+|(?:[\xf0-\xf7][\x80-\xbf]{3})+")
_LONG = 255  # in the blob of lengths: "255 bytes and more to come"
_SHORT = tuple(bytes((length,)) for length in range(_LONG))
_ENDS_LF, _ENDS_CRLF, _ENDS_MIXED = range(3)
_END_SIZES = (1, 2, 0)
# Tables for bytes.translate that add 0, 1 or 2: sums over a whole file without a loop in Python.
_PLUS = tuple(bytes((byte + size) % 256 for byte in range(256)) for size in range(3))


class LineTable:
    """Where the lines of one text begin and end, and where its characters are wider than a byte.

    Lines end at LF, CRLF or CR, and at nothing else (LSP 3.17). The table is built once per text, kept as a blob of
    about one byte a line, and answers without the text. Offsets count bytes of UTF-8; columns come in all three
    encodings of LSP. Questions beyond the text are answered with its nearest place.
    """

    __slots__ = ("_excess16", "_excess32", "_packed", "_run_starts", "_run_widths", "_starts", "_terminators")

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        ends, lengths, terminators, runs = _unpack(packed)
        end_size = _END_SIZES[ends]
        self._starts = _line_starts(lengths, end_size)
        self._starts[-1] -= end_size
        self._terminators: bytes | int = terminators if ends == _ENDS_MIXED else 1 + (ends == _ENDS_CRLF)
        self._run_starts: list[int] = []
        self._run_widths: list[int] = []
        # Bytes beyond one per UTF-16 unit and per code point, before each run.
        self._excess16: list[int] = []
        self._excess32: list[int] = []
        self._place_runs(runs)

    def _place_runs(self, runs: list[int]) -> None:
        """`runs`: gap since the end of the last run, width and number of characters, three numbers a run."""
        offset = excess16 = excess32 = 0
        for gap, width, count in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
            offset += gap
            self._run_starts.append(offset)
            self._run_widths.append(width)
            self._excess16.append(excess16)
            self._excess32.append(excess32)
            offset += width * count
            excess16 += _surplus16(width) * count
            excess32 += (width - 1) * count
        self._run_starts.append(1 << 62)
        self._excess16.append(excess16)
        self._excess32.append(excess32)

    @classmethod
    def from_text(cls, text: bytes) -> LineTable:
        """The table of `text` (UTF-8)."""
        return cls(pack_lines(text))

    @classmethod
    def from_bytes(cls, packed: bytes) -> LineTable:
        """The table that `to_bytes` or `pack_lines` wrote; raises ValueError where the blob is damaged."""
        try:
            return cls(packed)
        except (IndexError, ValueError) as error:
            raise ValueError(f"damaged line table of {len(packed)} bytes: {error}") from error

    def to_bytes(self) -> bytes:
        """The table as the blob that the catalog keeps."""
        return self._packed

    @property
    def line_count(self) -> int:
        """How many lines there are: one more than line ends, so an empty text has one."""
        return len(self._starts) - 1

    @property
    def length(self) -> int:
        """The text's length in bytes of UTF-8."""
        return self._starts[-1]

    def line_of(self, offset: int) -> int:
        """The 0-based line that holds the byte at `offset`."""
        return max(0, min(bisect_right(self._starts, offset) - 1, self.line_count - 1))

    def line_bounds(self, line: int) -> tuple[int, int]:
        """The offsets of the line's first byte and of its end, the line's end marker excluded."""
        line = max(0, min(line, self.line_count - 1))
        start, end = self._starts[line], self._starts[line + 1]
        if line == self.line_count - 1:
            return start, end
        return start, end - (self._terminators if isinstance(self._terminators, int) else self._terminators[line])

    def position(self, offset: int) -> Position:
        """The line and columns of `offset`."""
        offset = max(0, min(offset, self.length))
        line = self.line_of(offset)
        start = self._starts[line]
        column = offset - start
        if len(self._run_starts) == 1:
            return Position(line, column, column, column)
        first16, first32 = self._excess(start)
        last16, last32 = self._excess(offset)
        return Position(line, column, column - last16 + first16, column - last32 + first32)

    def positions(self, offsets: Iterable[int]) -> list[Position]:
        """The line and columns of each offset, for less than one by one."""
        if len(self._run_starts) > 1:
            return [self.position(offset) for offset in offsets]
        starts, last, length = self._starts, self.line_count - 1, self.length
        found = []
        for offset in offsets:
            offset = max(0, min(offset, length))
            line = min(bisect_right(starts, offset) - 1, last)
            column = offset - starts[line]
            found.append(Position(line, column, column, column))
        return found

    def offset(self, line: int, character: int, encoding: ColumnEncoding) -> int:
        """The offset of a line and a column in `encoding`; clamped to the line, and to the start of a character."""
        if line >= self.line_count:
            return self.length
        start, end = self.line_bounds(line)
        if line < 0 or character <= 0:
            return start
        run = bisect_left(self._run_starts, start)
        place, column = start, 0
        while self._run_starts[run] < end:
            gap = self._run_starts[run] - place
            if column + gap >= character:
                break
            place, column = place + gap, column + gap
            width = self._run_widths[run]
            units = _units(width, encoding)
            size = self._run_size(run)
            whole = min(size // width, (character - column) // units)
            place, column = place + whole * width, column + whole * units
            if whole < size // width:
                return place
            run += 1
        return min(place + character - column, end)

    def _run_size(self, run: int) -> int:
        width = self._run_widths[run]
        return (self._excess32[run + 1] - self._excess32[run]) // (width - 1) * width

    def _excess(self, offset: int) -> tuple[int, int]:
        """The bytes before `offset` that are beyond one per UTF-16 unit, and beyond one per code point."""
        run = bisect_right(self._run_starts, offset) - 1
        if run < 0:
            return 0, 0
        width = self._run_widths[run]
        characters = min(offset - self._run_starts[run], self._run_size(run)) // width
        return (
            self._excess16[run] + _surplus16(width) * characters,
            self._excess32[run] + (width - 1) * characters,
        )


def lines_and_columns(text: bytes, offsets: Iterable[int]) -> list[tuple[int, int]]:
    """The line and the column in bytes of each offset, for those who have the text and no table of its lines.

    It is quick where the offsets stand in order, or nearly.
    """
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        return [(line, column) for line, column, _, _ in LineTable.from_text(text).positions(offsets)]
    count, find = text.count, text.rfind
    found = []
    line = last = 0
    for offset in offsets:
        line += count(b"\n", last, offset) if offset >= last else -count(b"\n", offset, last)
        found.append((line, offset - find(b"\n", 0, offset) - 1))
        last = offset
    return found


def positions_in(text: bytes, offsets: Sequence[int]) -> list[Position]:
    """The line and columns of ascending `offsets` by the text alone: for a few places in a text that is at hand, this
    costs a fraction of unpacking its table of all lines."""
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        return LineTable.from_text(text).positions(offsets)
    found = []
    line = place = 0
    for offset in offsets:
        line += text.count(b"\n", place, offset)
        place = offset
        head = text[text.rfind(b"\n", 0, offset) + 1 : offset]
        utf8 = utf16 = utf32 = len(head)
        if not head.isascii():
            characters = head.decode("utf-8", "replace")
            utf16, utf32 = len(characters.encode("utf-16-le")) // 2, len(characters)
        found.append(Position(line, utf8, utf16, utf32))
    return found


def pack_lines(text: bytes) -> bytes:
    """The blob of the `LineTable` of `text`, for those who only store it."""
    ends, lengths, terminators = _lines(text)
    runs = b"" if text.isascii() else _pack_runs(text)
    head = bytearray((ends,))
    _write_number(head, len(lengths))
    _write_number(head, len(terminators))
    return b"".join((head, lengths, terminators, runs))


def _lines(text: bytes) -> tuple[int, bytes, bytes]:
    """How lines end, the packed lengths of all lines, and the size of each end.

    Where all ends are alike, lengths are without them; else with them, and the sizes follow.
    """
    if b"\r" not in text:
        return _ENDS_LF, _pack_lengths(text.split(b"\n")), b""
    if text.count(b"\r\n") == text.count(b"\r") == text.count(b"\n"):
        return _ENDS_CRLF, _pack_lengths(text.split(b"\r\n")), b""
    matches = [match.span() for match in _LINE_END.finditer(text)]
    stops = [0, *(end for _, end in matches), len(text)]
    lines = [text[start:stop] for start, stop in pairwise(stops)]
    return _ENDS_MIXED, _pack_lengths(lines), bytes(end - start for start, end in matches)


def _pack_lengths(lines: list[bytes]) -> bytes:
    """One byte per length below 255; longer ones as many 255s as fit, then the rest."""
    try:
        packed = bytes([*map(len, lines)])  # of a list, which is read twice as fast as an iterator
    except ValueError:
        pass
    else:
        if _LONG not in packed:
            return packed
    return b"".join([_SHORT[n] if n < _LONG else b"\xff" * (n // _LONG) + _SHORT[n % _LONG] for n in map(len, lines)])


def _line_starts(packed: bytes, end_size: int) -> list[int]:
    """The offset of each line and of the text's end, from the packed lengths and the size of every line's end."""
    if not any(length in packed for length in range(_LONG - end_size, _LONG + 1)):
        return list(accumulate(packed.translate(_PLUS[end_size]), initial=0))
    starts = [0]
    length = 0
    for byte in packed:
        length += byte
        if byte != _LONG:
            starts.append(starts[-1] + length + end_size)
            length = 0
    return starts


def _pack_runs(text: bytes) -> bytes:
    packed = bytearray()
    place = 0
    for wide in _WIDE.finditer(text):
        for run in _WIDE_RUN.finditer(text, *wide.span()):
            start, end = run.span()
            width = _width(text[start])
            _write_number(packed, start - place)
            _write_number(packed, (end - start) // width * 4 + width - 1)
            place = end
    return bytes(packed)


def _unpack(packed: bytes) -> tuple[int, bytes, bytes, list[int]]:
    ends = packed[0]
    if ends > _ENDS_MIXED:
        raise ValueError(f"unknown line ends {ends}")
    length_bytes, place = _read_number(packed, 1)
    terminator_bytes, place = _read_number(packed, place)
    lengths = packed[place : place + length_bytes]
    place += length_bytes
    terminators = packed[place : place + terminator_bytes]
    place += terminator_bytes
    if not lengths or place > len(packed):
        raise ValueError("cut short")
    runs: list[int] = []
    while place < len(packed):
        gap, place = _read_number(packed, place)
        run, place = _read_number(packed, place)
        runs += (gap, run % 4 + 1, run // 4)
    return ends, lengths, terminators, runs


def _width(lead: int) -> int:
    """The bytes of a character whose first byte is `lead`."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _surplus16(width: int) -> int:
    """Bytes of a character of `width` beyond its UTF-16 units, of which one of four bytes takes two."""
    return 2 if width == 4 else width - 1


def _units(width: int, encoding: ColumnEncoding) -> int:
    if encoding == "utf-8":
        return width
    return 2 if encoding == "utf-16" and width == 4 else 1


def _write_number(target: bytearray, number: int) -> None:
    """LEB128: seven bits a byte, the lowest first."""
    while number > 0x7F:
        target.append(number & 0x7F | 0x80)
        number >>= 7
    target.append(number)


def _read_number(packed: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = packed[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7
