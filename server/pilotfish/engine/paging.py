"""What is said of pages that an answer does not have."""

from __future__ import annotations


def pages_end(total: int, page_size: int) -> str:
    """Return what to send instead of a page behind the last one of so many entries."""
    last = -(-total // page_size)
    pages = "1 page" if last == 1 else f"{last:,} pages"
    return f"There {'is' if last == 1 else 'are'} {pages} of {total:,}: send page={last}."
