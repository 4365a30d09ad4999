"""Two statements beside each other, and what is concluded from them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from nacre.memory import frames
from nacre.memory.frames import Frame

# With more words than this on one side alone, they speak of different things.
FEW = 2
_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateVerdict:
    """That a newer statement takes an older one's place, or only may, and why. `value` is what the older one gave.

    One that is `terse` says less of what it is about: it means an older one only where no other fits as well.
    """

    sure: bool
    because: str
    value: str | None = None
    terse: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Two sentences by their places, of which the newer gives `new_value` where the older gave `value`.

    One that is `loose` holds only where no other older statement of that kind lies between the two. A memory that is
    outdated by a `gentle` one is marked, and not replaced. Of one that is `soft` no fact takes the new value. A
    `doubtful` one ends nothing: whoever reads the older sentence is told of the newer.
    """

    quote: tuple[int, int]
    newer_quote: tuple[int, int]
    value: str
    new_value: str
    because: str
    loose: bool = False
    gentle: bool = False
    soft: bool = False
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class StatementPair:
    """A newer statement and an older one. `more` and `less` are the topic words that only one of them has."""

    newer: Frame
    older: Frame
    more: frozenset[str]
    less: frozenset[str]

    @classmethod
    def of(cls, new: str, at: datetime, old: str, said_at: datetime, names: Collection[str]) -> "StatementPair":
        """Two sentences, and further names that the older one is known to be about."""
        language = frames.detect_language(new, old)
        newer, older = frames.read_frame(new, at, language), frames.read_frame(old, said_at, language)
        known = {frames.stem_of(name, language) for name in names}
        more = newer.topic.keys() - older.topic.keys() - known
        return cls(newer, older, frozenset(more), frozenset(older.topic.keys() - newer.topic.keys()))

    @property
    def shared(self) -> set[str]:
        """The topic words that both have."""
        return self.newer.topic.keys() & self.older.topic.keys()

    @property
    def is_of_others(self) -> bool:
        """Whether pronouns tell that they speak of different people."""
        return bool(self.newer.persons and self.older.persons and self.newer.persons.isdisjoint(self.older.persons))

    def asks(self, value: str | None = None) -> UpdateVerdict:
        """That a person should decide."""
        because = f"{shown(self.newer.text)} may take the place of {shown(self.older.text)}."
        return UpdateVerdict(sure=False, because=because, value=value)


def shown(text: str) -> str:
    """A statement in quotes, cut where it is long."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= _SHOWN else f'{line[: _SHOWN - 1]}…'}”"
