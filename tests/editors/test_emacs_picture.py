"""What a person sees in Emacs in a terminal: a question by its key, and one of its answers.

With PILOTFISH_PICTURES set the screen goes into `docs/pictures`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editors import last_run
from tests.editors.garage import build
from tests.editors.terminal import Terminal
from tests.editors.test_emacs import BIN, EMACS, SHIPPED, has

pytestmark = [pytest.mark.editors_e2e, pytest.mark.vectors]

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "emacs-search.svg"

INIT = """
(package-initialize)
(setq inhibit-startup-screen t make-backup-files nil create-lockfiles nil auto-save-default nil
      lsp-auto-guess-root t lsp-enable-suggest-server-download nil lsp-restart 'ignore lsp-response-timeout 60
      lsp-session-file "{home}/session" lsp-headerline-breadcrumb-enable nil lsp-enabled-clients '(jedi pilotfish)
      split-width-threshold nil compilation-context-lines 2 frame-background-mode 'dark)
(menu-bar-mode -1)
(add-to-list 'load-path "{shipped}")
(setq pilotfish-program "{bin}/pilotfish")
(load "{shipped}/with-lsp-mode.el" nil t)
(load "{shipped}/keys.el" nil t)
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection "{bin}/jedi-language-server")
                  :activation-fn (lsp-activate-on "python") :server-id 'jedi))
(add-hook 'python-mode-hook #'lsp)
"""


@pytest.fixture
def garage() -> Iterator[Path]:
    """A small repository whose path has room on a screen."""
    with tempfile.TemporaryDirectory(prefix="garage-", ignore_cleanup_errors=True) as name:
        build(Path(name))
        yield Path(name)


@pytest.mark.skipif(EMACS is None or not has("lsp-mode"), reason="no Emacs with lsp-mode (Debian: elpa-lsp-mode)")
@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux to run Emacs in")
def test_a_question_by_its_key_and_one_of_its_answers(garage: Path, private_home: Path) -> None:
    init = private_home / "init.el"
    init.write_text(INIT.format(home=private_home, shipped=SHIPPED, bin=BIN))
    environment = {"HOME": str(private_home), "PILOTFISH_HOME": str(private_home), "PATH": f"{BIN}:/usr/bin:/bin"}
    subprocess.run([str(BIN / "pilotfish"), "index", "--root", str(garage)], check=True, env=environment)
    command = [str(EMACS), "-nw", "--no-init-file", "-l", str(init), "drive.py"]
    terminal = Terminal(command, garage, environment, columns=110, lines=26)
    try:
        terminal.wait_for("from motor import Motor", "LSP[")
        terminal.wait_for("pilotfish")
        for _ in range(20):
            terminal.keys("C-c", "p", "s")
            terminal.wait_for("Search by meaning:")
            terminal.write("how does it get cold")
            terminal.keys("Enter")
            if terminal.shows("Pilotfish search: how does it get cold", "(words, meaning", within=3):
                break
        terminal.wait_for("motor.py:5: ")
        terminal.keys("C-x", "`")
        terminal.wait_for("Let the motor rest until it is cold again.", "motor.py ")
        if last_run.WRITES:
            terminal.picture("emacs: a question in words, and the first of its answers", PICTURE)
    finally:
        terminal.close()
