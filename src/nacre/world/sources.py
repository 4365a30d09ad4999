"""Where readings come from."""

from collections.abc import Sequence
from typing import Protocol

from nacre.domain.world import Asked, Reading, Refused


class Source(Protocol):
    """Something that can be asked what things are worth. It may be asked from several threads at once."""

    @property
    def name(self) -> str:
        """What histories call it; it must not change."""
        ...

    def read(self, asked: Sequence[Asked]) -> Sequence[Reading | Refused]:
        """A reading, or why there is none, for each symbol; one that is left out counts as refused.

        An error that is raised counts for all of them.
        """
        ...
