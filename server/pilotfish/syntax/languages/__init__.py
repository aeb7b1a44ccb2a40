"""Which languages there are: a module per language or family, with how each is recognised and what its rules are.

The next language is one entry in the module of its family, one `queries/<name>.scm`, and one folder of fixtures.
Importing this package loads no grammar.
"""

from pilotfish.syntax.languages.detection import HEAD_SIZE, called, detect, named
from pilotfish.syntax.languages.language import Language, Scanned
from pilotfish.syntax.languages.registry import REGISTRY

__all__ = ["HEAD_SIZE", "REGISTRY", "Language", "Scanned", "called", "detect", "named"]
