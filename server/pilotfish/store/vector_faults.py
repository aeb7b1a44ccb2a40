"""What LanceDB raises, in our words: its errors have no types of their own, and its panics are no `Exception`."""

from __future__ import annotations

import contextlib
import errno
import re
from collections.abc import Iterator
from typing import Final

from pilotfish.store.vector_rows import VectorsDamagedError, VectorsError, VectorsFullError

_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SURROUNDINGS: Final = {errno.EACCES, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOTDIR, errno.EPERM, errno.EROFS}
"""Errors that come from around the table and leave it whole."""
_OS_ERROR: Final = re.compile(r"os error (\d+)")
_PLACE_IN_SOURCE: Final = re.compile(r",?\s*\S+\.rs:\d+(?::\d+)?")
"""Where in LanceDB's own source: it says nothing to a user."""
_RAISED: Final = (RuntimeError, ValueError, OSError, MemoryError)
_MOST_CHARACTERS: Final = 500


class ConflictError(VectorsError):
    """Somebody else committed meanwhile; the same again will do."""


@contextlib.contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise what goes wrong inside as one of our errors.

    Args:
        what: is being done, as in "search the vectors".

    Raises:
        VectorsFullError: there is no room.
        ConflictError: it was preempted by another commit.
        VectorsError: it was not allowed, or the process has too many files open or too little memory.
        VectorsDamagedError: anything else.

    """
    try:
        yield
    except VectorsError:
        raise
    except BaseException as error:
        if isinstance(error, _RAISED) or type(error).__name__ == "PanicException":
            raise _in_our_words(what, error) from error
        raise


def _in_our_words(what: str, error: BaseException) -> VectorsError:
    message = _PLACE_IN_SOURCE.sub("", str(error))[:_MOST_CHARACTERS]
    numbers = {int(number) for number in _OS_ERROR.findall(str(error))}
    if isinstance(error, OSError) and error.errno is not None:
        numbers.add(error.errno)
    if numbers & _FULL or "No space left" in message:
        return VectorsFullError(f"Cannot {what}, the disk is full: free some space ({message})")
    if "ommit conflict" in message:
        return ConflictError(f"Cannot {what}, another commit came first: try again ({message})")
    if numbers & _SURROUNDINGS or isinstance(error, MemoryError):
        return VectorsError(f"Cannot {what}: {message}")
    return VectorsDamagedError(f"Cannot {what}: make the vectors anew from the catalog ({message})")
