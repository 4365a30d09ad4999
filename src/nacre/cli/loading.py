"""Rules that a brain loads when it first learns or keeps something.

A process that serves imports this module, so that nobody who calls it waits for them.
"""

from nacre.extraction import hearing, lessons
from nacre.memory import remembering
from nacre.upkeep import passes

__all__ = ["hearing", "lessons", "passes", "remembering"]
