"""Everything a program calls: Nacre, the scoped façade, and one file for each concept it opens."""

from nacre.brain.brains import Nacre
from nacre.brain.scoped import ScopedNacre

__all__ = ["Nacre", "ScopedNacre"]
