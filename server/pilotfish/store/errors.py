"""What can go wrong with a catalog, in words that a user can act on."""

from __future__ import annotations

import sqlite3


class CatalogError(Exception):
    """The catalog cannot do what was asked; the message says why and what to do."""


class CatalogDamagedError(CatalogError):
    """The catalog's file could not be read. The writer sets it aside; the index must be built anew."""


class CatalogFullError(CatalogError):
    """There is no room to write. Nothing that was committed is lost."""


def is_damage(error: Exception) -> bool:
    """Tell whether an error means that the file itself is damaged."""
    if isinstance(error, CatalogDamagedError):
        return True
    if isinstance(error, sqlite3.OperationalError) and str(error) == "no such table: meta":
        return True  # an empty file has taken the place of one that was removed
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def explained(error: sqlite3.DatabaseError) -> CatalogError:
    """Return what a reader raises instead of an error of SQLite."""
    if is_damage(error):
        return CatalogDamagedError(f"the index is damaged ({error}); it must be built anew")
    return CatalogError(f"the index could not be read: {error}")
