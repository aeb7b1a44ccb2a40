"""How a child process behaves on its own side: which streams it has, and that it ends with its engine."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import faulthandler
import os
import signal
import sys
import time
from pathlib import Path
from typing import BinaryIO, Final

if sys.platform != "win32":
    import resource

_PR_SET_PDEATHSIG: Final = 1

_AUTOGROUP: Final = Path("/proc/self/autogroup")
_AUTOGROUP_ATTEMPTS: Final = 5
_AUTOGROUP_PAUSE_S: Final = 0.12
"""The kernel takes one such wish in a tenth of a second, of all processes together."""


def session_niceness(niceness: int) -> int:
    """Return how a session of ours is weighed among all, for a process of this niceness: not as far down as within one,
    for there may be many others that never rest."""
    return niceness // 2


def claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take standard input and output for ourselves: nothing that a library prints or reads can disturb the frames."""
    coming, going = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return os.fdopen(coming, "rb"), os.fdopen(going, "wb", buffering=0)


def end_with_engine() -> None:
    """See to it that the kernel ends us when nobody else can, that crashes are told, and that no core is dumped."""
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the engine decides when we end
    if sys.platform == "win32":
        return
    limit(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


if sys.platform != "win32":

    def limit(kind: int, most: int) -> None:
        """Lower one of the limits that the system has for this process."""
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

    def step_back(niceness: int) -> None:
        """Leave the processor to others as far as `niceness` says; 0 changes nothing.

        Linux weighs whole sessions against each other (`man 7 sched`, "The autogroup feature") and a niceness within
        one only: in the engine's session it would count against the engine's own event loop and nobody else's, and two
        of us would take as much as the editor in which somebody types. So we make a session of our own, that counts
        less.
        """
        if not niceness:
            return
        with contextlib.suppress(OSError):
            os.nice(niceness)
        with contextlib.suppress(OSError):
            os.setsid()
            _weigh_session(session_niceness(niceness))

    def _weigh_session(niceness: int) -> None:
        for _ in range(_AUTOGROUP_ATTEMPTS):
            try:
                _AUTOGROUP.write_text(f"{niceness}", "ascii")
            except OSError as error:  # not there, or another process was quicker
                if error.errno != errno.EAGAIN:
                    return
                time.sleep(_AUTOGROUP_PAUSE_S)
            else:
                return
