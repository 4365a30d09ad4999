"""Progress of background work, and of the graph with what was observed."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningStatus:
    """How many turns the graph has not learned from yet, and how many of all a language model has still to read.

    `notes` say why these wait longer than usual: the day's budget is spent, or the model does not answer.
    """

    unread: int
    unread_by_model: int = 0
    notes: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether everything was learned; what only a language model has still to read does not count."""
        return self.unread == 0
