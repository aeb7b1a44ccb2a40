"""Programs in a real terminal (tmux) of fixed size: keys go in, what the screen shows comes out, also as a picture."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

PATIENCE = 60.0
"""Seconds to wait for something that must come; not a measure of speed."""


class Terminal:
    """A terminal on a tmux server of its own, in which one program runs."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int = 100, lines: int = 26
    ) -> None:
        self._server = f"pilotfish-{os.getpid()}"
        self._columns = columns
        words = {"TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
        whole = shlex.join(["env", *(f"{name}={value}" for name, value in words.items()), *command])
        size = ("-x", str(columns), "-y", str(lines))
        self._tmux("-f", os.devnull, "new-session", "-d", *size, "-c", str(folder), whole)
        # Otherwise a lone Escape waits for what may follow it.
        self._tmux("set-option", "-s", "escape-time", "0")

    def keys(self, *keys: str) -> None:
        """Press keys one by one, as a hand does: `space`, `Enter`, `C-o`, or a character."""
        for key in keys:
            self._tmux("send-keys", key.replace(";", "\\;"))  # a lone one would end the command
            time.sleep(0.15)

    def write(self, text: str) -> None:
        """Type a text."""
        self._tmux("send-keys", "-l", text)
        time.sleep(0.3)

    def screen(self) -> str:
        """Return what is shown."""
        return self._tmux("capture-pane", "-p")

    def shows(self, *texts: str, within: float = PATIENCE) -> bool:
        """Tell whether all of the texts are on the screen within a time, in seconds."""
        end = time.monotonic() + within
        while True:
            screen = self.screen()
            if all(text in screen for text in texts):
                return True
            if time.monotonic() > end:
                return False
            time.sleep(0.2)

    def wait_for(self, *texts: str) -> str:
        """Return the screen when it shows all of the texts."""
        assert self.shows(*texts), f"{texts} never came:\n{self.screen()}"
        return self.screen()

    def picture(self, title: str, target: Path) -> None:
        """Write what is shown as SVG."""
        console = Console(record=True, width=self._columns, file=io.StringIO(), force_terminal=True)
        console.print(Text.from_ansi(self._tmux("capture-pane", "-e", "-p", "-N").rstrip("\n")), no_wrap=True)
        picture = console.export_svg(title=title, theme=MONOKAI, unique_id=target.stem)
        # The fonts of the viewer's own machine: a picture that fetches one tells somebody who looks at it.
        target.write_text(re.sub(r"@font-face\s*\{[^}]*\}\s*", "", picture))

    def close(self) -> None:
        """End the program and the terminal."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], check=False, capture_output=True)

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._server, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
