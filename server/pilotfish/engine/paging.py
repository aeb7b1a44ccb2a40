"""What is said of pages that an answer does not have."""

from __future__ import annotations


def pages_end(total: int, noun: str, page_size: int) -> str:
    """Return what to send instead of a page behind the last one of so many entries."""
    last = -(-total // page_size)
    return f"{total:,} {noun}{'' if total == 1 else 's'} end with page {last:,}: send page={last}."
