"""Everything a program calls: Nacre, the scoped façade, and one file for each concept it opens."""

from nacre.brain.brains import Nacre
from nacre.brain.doors import Door, enter
from nacre.brain.scoped import ScopedNacre

__all__ = ["Door", "Nacre", "ScopedNacre", "enter"]
