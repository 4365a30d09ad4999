"""Stories: a year of talk written for this, and messages labelled with the facts that their context needs."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from bench.contexts.talks import draw
from bench.errors import MissingData
from bench.life import Clock
from bench.sources import ROOT
from nacre import Nacre, ScopedNacre, Settings

FOLDER = ROOT / "bench" / "labels" / "stories"
NAMES = ("person", "team", "household")
# Every third message is held back: nobody looks at it while contexts are being changed.
HELD_BACK_EVERY = 3
DEV, HELD_BACK = "dev", "held-back"
MOST_MEMORIES = 200

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryItem:
    """A turn, or a memory that was saved."""

    id: str
    at: datetime
    text: str
    role: str | None = None
    speaker: str | None = None
    session: str | None = None
    category: str | None = None

    @property
    def is_memory(self) -> bool:
        """Whether it was saved rather than said."""
        return self.category is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryFact:
    """A fact, the items that state it, words that a line states it with, and the item that made it untrue."""

    id: str
    items: frozenset[str]
    values: tuple[str, ...]
    ended_by: str | None

    def worded_in(self, text: str) -> bool:
        """Whether a text holds one of its values."""
        return any(value.casefold() in text.casefold() for value in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryMessage:
    """A message to the agent after the story, the facts that it needs, and further ones that belong."""

    id: str
    text: str
    needs: frozenset[str]
    belongs: frozenset[str]
    split: str = DEV

    @property
    def relevant(self) -> frozenset[str]:
        """Every fact that has to do with it."""
        return self.needs | self.belongs


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What was said and saved, what it makes true, and what is asked afterwards."""

    name: str
    user: str
    asked_at: datetime
    items: tuple[StoryItem, ...]
    facts: Mapping[str, StoryFact]
    messages: tuple[StoryMessage, ...]

    def of_split(self, split: str, sample: int | None = None) -> tuple[StoryMessage, ...]:
        """The messages of a split, or so many of them."""
        messages = tuple(message for message in self.messages if message.split == split)
        return draw(messages, sample) if sample else messages


@dataclass(frozen=True, slots=True)
class Replay:
    """A story that was told to a scope, and the items behind each id of the scope's evidence."""

    story: Story
    scope: ScopedNacre
    items: Mapping[UUID, frozenset[str]]


def load(name: str, folder: Path | None = None) -> Story:
    """One story by its name."""
    path = (folder or FOLDER) / f"{name}.json"
    if not path.is_file():
        raise MissingData(path)
    return to_story(json.loads(path.read_text(encoding="utf-8")))


def to_story(written: Json) -> Story:
    """A story from its file."""
    facts = [
        StoryFact(
            id=fact["id"],
            items=frozenset(fact["items"]),
            values=tuple(fact["values"]),
            ended_by=fact["ended_by"],
        )
        for fact in written["facts"]
    ]
    messages = [
        StoryMessage(
            id=message["id"],
            text=message["text"],
            needs=frozenset(message["needs"]),
            belongs=frozenset(message["belongs"]),
            split=HELD_BACK if place % HELD_BACK_EVERY == HELD_BACK_EVERY - 1 else DEV,
        )
        for place, message in enumerate(written["messages"])
    ]
    return Story(
        name=written["story"],
        user=written["user"],
        asked_at=datetime.fromisoformat(written["asked_at"]),
        items=tuple(map(_to_item, written["items"])),
        facts={fact.id: fact for fact in facts},
        messages=tuple(messages),
    )


def _to_item(written: Json) -> StoryItem:
    optional = {name: written.get(name) for name in ("role", "speaker", "session", "category")}
    at = datetime.fromisoformat(written["at"])
    return StoryItem(id=written["id"], at=at, text=written["text"], **optional)


@contextmanager
def replay(story: Story) -> Iterator[Replay]:
    """Tell a story to a store of its own, each item at its time; then it is the moment of the messages.

    What a worker does in the background, such as splitting a memory that says two things, is done at once. Nobody
    dreams.
    """
    clock = Clock()
    settings = Settings(worker="off", dream_hours=0)
    with Nacre(":memory:", settings=settings, clock=clock) as nacre:
        scope = nacre.scope(agent="stories", user=story.user)
        items: dict[UUID, set[str]] = defaultdict(set)
        for item in story.items:
            clock.now = item.at
            for key in _tell(scope, item):
                items[key].add(item.id)
            nacre.parts.worker.drain()
        scope.learned()
        # The parts of a memory that was split rest on the same source.
        for memory in scope.memories.newest(limit=MOST_MEMORIES):
            items[memory.id] |= items[memory.source]
        clock.now = story.asked_at
        yield Replay(story, scope, {key: frozenset(found) for key, found in items.items()})


def _tell(scope: ScopedNacre, item: StoryItem) -> tuple[UUID, ...]:
    """Tell one item; the ids that lines may name it by."""
    if item.category is not None:
        remembered = scope.remember(item.text, category=item.category)
        return remembered.id, remembered.memory.source
    observation = scope.observe(item.role or "user", item.text, speaker=item.speaker, session=item.session, at=item.at)
    return (observation.id,)
