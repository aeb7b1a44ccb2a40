"""What a measurement ran on, and when."""

from __future__ import annotations

import datetime
import os
import platform


def machine() -> str:
    """Say what was measured on, and when."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    today = datetime.datetime.now(datetime.UTC).date()
    return f"{today}, {cores} cores, {platform.system()}, Python {platform.python_version()}"
