"""Progress of a long piece of background work."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """So much of the total is done."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.done >= self.total
