"""Functions that are written where they are handed to another: what that says that it gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pilotfish.engine.resolution.part import Part
from pilotfish.engine.resolution.source import ECMASCRIPT
from pilotfish.engine.resolution.things import Thing
from pilotfish.engine.resolution.written import parameter_at, signature_from

if TYPE_CHECKING:
    from pilotfish.engine.resolution.source import Source
    from pilotfish.syntax.scopes import Binding as Local


class Callbacks(Part):
    """Tells what parameters of such functions are within one resolution."""

    def handed(self, source: Source, parameter: Local) -> list[Thing]:
        """Return what a parameter is of a function that is written where one is wanted: what that says that it hands to
        it."""
        scopes = source.scopes
        if source.language not in ECMASCRIPT or scopes is None or parameter.scope < 0:
            return []
        scope = scopes.scope(parameter.scope)
        if scope.kind != "function" or self.resolution.effort.is_spent:
            return []
        own = signature_from(source, scope.start)
        position = -1 if own is None else parameter_at(own, parameter.start)
        if position < 0:
            return []
        written = self.resolution.written
        for wanted in self.resolution.labels.wanted(source, scope.start):
            for each in written.signatures(wanted):
                if found := written.wanted(each, position):
                    return found
        return []
