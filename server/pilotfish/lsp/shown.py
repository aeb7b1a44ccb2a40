"""Answers of commands, shown by us where the editor drops them.

What comes back from `workspace/executeCommand` goes to whoever sent it. Where that is a person who chose the command in
a list, nobody looks at it. Such an answer is shown as a document, a file of this process that the editor is asked to
open; in one line of a message where the editor opens none, or where one line is all there is to say.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from lsprotocol import types

from pilotfish.operations.index import StatusResult
from pilotfish.workspace import paths

if TYPE_CHECKING:
    from pilotfish.lsp.capabilities import ClientFlags
    from pilotfish.operations.answer import Answer

log = logging.getLogger(__name__)

Way = Literal["client", "message", "document"]
"""Who shows an answer, and how: the client itself; we, in a message; we, in a document."""

MAX_MESSAGE: Final = 300
"""Characters of a message at most: it has one line of the screen."""

MAX_FILES: Final = 20
"""Answers that are kept as files; the oldest go."""

_FOLDER: Final = "answers"


def chosen_way(setting: Literal["auto", Way], flags: ClientFlags) -> Way:
    """Return how answers are shown to a client. Whether it says that it opens documents is not asked: Helix 25.01 and
    Kate do and do not say so, and who refuses is sent a message."""
    if setting != "auto":
        return setting
    return "document" if flags.drops_results else "client"


class Shown:
    """What one client was shown, and the files that this takes."""

    def __init__(
        self,
        describe: Callable[[Answer], str],
        ask: Callable[[str, Any], Awaitable[Any]],
        notify: Callable[[str, Any], None],
    ) -> None:
        """`describe` gives an answer as text for people; `ask` and `notify` send to the client."""
        self._describe = describe
        self._ask = ask
        self._notify = notify
        self._folder: Path | None = None
        self._files: list[Path] = []
        self._numbers = itertools.count(1)

    async def show(self, title: str, answer: Answer, way: Way) -> None:
        """Show an answer: as a document where there is more to read than a line."""
        if answer.outcome == "not_indexed" and not isinstance(answer, StatusResult):  # which says so itself
            self.message(f"{title}: {_not_yet(answer)}")
            return
        text = await asyncio.to_thread(self._describe, answer)
        if answer.outcome == "no_match":
            self.message(f"{title}: no match. {text}")
            return
        if way == "document" and text.count("\n") > 1 and await self._document(title, text):
            return
        self.message(f"{title}: {in_a_message(text)}")

    def message(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Say one line."""
        self._notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=kind, message=in_a_message(text)))

    def owns(self, uri: str) -> bool:
        """Whether a document is one of the files that show an answer."""
        path = paths.path_from_uri(uri) if self._folder is not None else None
        return path is not None and self._folder is not None and Path(path).parent == self._folder

    def close(self) -> None:
        """Remove the files."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _document(self, title: str, text: str) -> bool:
        """Have the client open an answer; tell whether it did."""
        try:
            path = await asyncio.to_thread(self._write, title, text)
        except OSError as error:
            log.warning("an answer cannot be written to a file: %s", error)
            return False
        uri = paths.uri_from_path(str(path))
        answer = await self._ask(types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri=uri, take_focus=True))
        return getattr(answer, "success", False) is True

    def _write(self, title: str, text: str) -> Path:
        """Write an answer into a file of its own: editors do not read again what they have open."""
        if self._folder is None:
            self._folder = _own_folder()
        path = self._folder / f"{_file_name(title)}-{next(self._numbers)}.txt"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(f"{title}\n\n{text}")
        self._files.append(path)
        while len(self._files) > MAX_FILES:
            self._files.pop(0).unlink(missing_ok=True)
        return path


def in_a_message(text: str) -> str:
    """Return the lines of a text in one, cut to what a message holds."""
    line = " · ".join(" ".join(part.split()) for part in text.splitlines() if part.strip())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"


def _not_yet(answer: Answer) -> str:
    """Say that there may be something that is not indexed yet."""
    index = answer.index
    return f"not indexed yet ({index.phase}, {index.files:,} of {index.files + index.pending:,} files)"


def _own_folder() -> Path:
    """Make this process's folder, for the user alone, and remove those that dead processes left."""
    from pilotfish.engine import rendezvous

    try:
        folder = rendezvous.runtime_folder() / _FOLDER
    except rendezvous.RuntimeFolderError as error:
        raise OSError(str(error)) from error
    folder.mkdir(mode=0o700, exist_ok=True)
    for other in folder.iterdir():
        if other.name.isdecimal() and rendezvous.process_identity(int(other.name)) is None:
            shutil.rmtree(other, ignore_errors=True)
    own = folder / str(os.getpid())
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(mode=0o700)
    return own


def _file_name(title: str) -> str:
    return re.sub(r"[^\w.-]+", "-", title).strip("-.")[:60] or "answer"
