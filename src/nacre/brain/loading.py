"""Rules that a brain loads when it first learns, keeps or tells something.

A process that serves imports this module, so that nobody who calls it waits for them.
"""

from nacre.extraction import lessons, text_learning
from nacre.memory import remembering
from nacre.recall import contexts
from nacre.upkeep import passes

__all__ = ["contexts", "lessons", "passes", "remembering", "text_learning"]
