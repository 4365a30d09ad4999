"""Everything a program calls: Nacre, the scoped façade, and one file for each concept it opens."""

import sys

from nacre.brain import probing
from nacre.brain.brains import Nacre
from nacre.brain.doors import Door, enter
from nacre.brain.scoped import ScopedNacre

__all__ = ["Door", "Nacre", "ScopedNacre", "enter"]

# Every module of this room, except the door, which only leads to others.
probing.install(
    module
    for name, module in sorted(sys.modules.items())
    if name.startswith(f"{__name__}.") and name != f"{__name__}.doors"
)
