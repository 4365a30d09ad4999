"""Learning: how far the graph of a scope has come with what was observed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """How many turns the graph has not learned from yet."""

    unread: int

    @property
    def done(self) -> bool:
        """Whether everything was learned."""
        return self.unread == 0
