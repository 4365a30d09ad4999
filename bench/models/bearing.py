"""Fit how likely a hit or a belief bears on a message, by what the ranker thinks of it, and print the constants.

python -m bench.models.bearing --data DATA

Fitted on the lives that the ranker has not learned from and on the open messages of the stories, with questions about
the world that nothing bears on; checked on the messages of the stories that are held back. What the own words of
beliefs tell is fitted on strangers' first hours, where facts have labels and not only turns. The constants belong into
`nacre.recall.relevance`.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

import numpy as np

from bench import hours, writers
from bench.contexts import stories
from bench.contexts.precision import BUDGET
from bench.contexts.scores import auroc
from bench.contexts.stories import Replay, StoryMessage
from bench.models.lives import Life, load
from bench.models.relevance import Floats, balance, fit_logistic, read_unrelated
from bench.sources import DATA
from nacre import Nacre, ScopedNacre, Settings, Turn
from nacre.domain.beliefs import Belief
from nacre.domain.hits import Recall
from nacre.models.embedders import Embedder
from nacre.recall import bearings, beliefs, channels, relevance
from nacre.recall.relevance import BeliefTraits, HitTraits, OwnTraits

# Questions about the world that each life is asked.
WORLD = 6
BARS = (0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
HIT_NAMES = tuple(
    f"FIT{name}"
    for name in ("", "_BEHIND", "_RANK", "_PLACE", "_COSINE", "_ASKING", "_AGENT", "_LENGTH", "_SAVED", "_BEARING")
)
OWN_NAMES = ("OWN_CHANCE", "OWN_TURN", "OWN_FIT", "OWN_BEHIND", "OWN_BEARING")
KNOWN_NAMES = ("KNOWN_NEED", "KNOWN_FIT", "KNOWN")
BELIEF_NAMES = tuple(
    f"BELIEF_{name}" for name in ("FIT", "BEHIND", "NEAR", "SITUATED", "IF_NEAR", "WORDS", "NAMED", "BEARING")
)


@dataclass(frozen=True, slots=True)
class Judged:
    """Numbers that describe a hit or a belief, and whether it bears on its message."""

    family: str
    numbers: tuple[float, ...]
    bears: bool


@dataclass(slots=True)
class Sample:
    """What was judged: hits, beliefs, their own words, and messages by whether any hit or belief bears on them."""

    hits: list[Judged] = field(default_factory=list)
    beliefs: list[Judged] = field(default_factory=list)
    own: list[Judged] = field(default_factory=list)
    messages: list[Judged] = field(default_factory=list)


@dataclass(slots=True)
class Recording:
    """What a context weighed."""

    recalled: Recall = field(default_factory=lambda: Recall(()))
    need: float = 0.0
    hits: list[HitTraits] = field(default_factory=list)
    believed: list[tuple[Belief, BeliefTraits]] = field(default_factory=list)
    own: list[tuple[Belief, OwnTraits]] = field(default_factory=list)


@contextmanager
def recording() -> Iterator[Recording]:
    """Contexts that hand out what they weigh."""
    kept = Recording()
    weigh, bearing = bearings.weigh_hits, relevance.bearing
    traits, of_words = bearings.belief_traits, bearings.own_traits

    def weigh_hits(recalled: Recall, asked: channels.EmbeddedQuery) -> Any:
        kept.recalled, kept.hits = recalled, []
        kept.need = asked.tokens.need if asked.tokens else 0.0
        return weigh(recalled, asked)

    def bear(hit: HitTraits, related: float) -> float:
        kept.hits.append(hit)
        return bearing(hit, related)

    def belief_traits(held: Sequence[Belief], appeal: bearings.Appeal, embedder: Embedder | None) -> list[BeliefTraits]:
        found = traits(held, appeal, embedder)
        kept.believed = list(zip(held, found, strict=True))
        return found

    def own_traits(
        held: Sequence[Belief], chances: Mapping[int, float], appeal: bearings.Appeal, scores: Mapping[UUID, float]
    ) -> dict[int, OwnTraits]:
        found = of_words(held, chances, appeal, scores)
        kept.own = [(held[place], each) for place, each in found.items()]
        return found

    with (
        patch.object(bearings, "weigh_hits", weigh_hits),
        patch.object(relevance, "bearing", bear),
        patch.object(bearings, "belief_traits", belief_traits),
        patch.object(bearings, "own_traits", own_traits),
    ):
        yield kept


def hit_numbers(hit: HitTraits) -> tuple[float, ...]:
    """A hit as the constants of `HIT_NAMES` weigh it."""
    length = math.log(max(hit.length, 1))
    places = math.log1p(hit.rank), math.log1p(hit.place)
    return (hit.fit or 0.0, hit.behind, *places, hit.cosine, hit.asks, hit.by_agent, length, hit.saved)


def belief_numbers(belief: BeliefTraits) -> tuple[float, ...]:
    """A belief as the constants of `BELIEF_NAMES` weigh it."""
    words = float(min(belief.words, relevance.MOST_SHARED))
    return (
        belief.fit or 0.0,
        belief.behind,
        belief.nearness,
        belief.situated,
        belief.situated_if_near,
        words,
        belief.named,
    )


def own_numbers(belief: OwnTraits) -> tuple[float, ...]:
    """A belief's own words as the constants of `OWN_NAMES` weigh them."""
    return (relevance.chance_odds(belief.chance), relevance.chance_odds(belief.turn), belief.fit, belief.behind)


@dataclass(frozen=True, slots=True)
class Asker:
    """Sends messages to a scope and keeps what was weighed for them."""

    scope: ScopedNacre
    family: str
    kept: Recording
    sample: Sample

    def ask(self, message: str, bears: Callable[[Sequence[UUID], str], bool]) -> None:
        """Send a message; `bears` judges by the ids of evidence and a line's text."""
        kept = self.kept
        kept.recalled, kept.hits, kept.believed, kept.own = Recall(()), [], [], []
        hits, beliefs_judged = len(self.sample.hits), len(self.sample.beliefs)
        self.scope.context(message, session=f"asked {message}", budget=BUDGET)
        # Where all words of a message were found, nothing was weighed.
        for hit, traits in zip(kept.recalled, kept.hits, strict=False):
            if traits.fit is not None:
                self.sample.hits.append(Judged(self.family, hit_numbers(traits), bears((hit.id,), hit.text)))
        for belief, each in kept.believed:
            if each.fit is not None:
                bearing = bears(belief.items, beliefs.belief_line(belief))
                self.sample.beliefs.append(Judged(self.family, belief_numbers(each), bearing))
        for belief, own in kept.own:
            bearing = bears(belief.items, beliefs.belief_line(belief))
            self.sample.own.append(Judged(self.family, own_numbers(own), bearing))
        judged = [*self.sample.hits[hits:], *self.sample.beliefs[beliefs_judged:]]
        best = max((each.fit for each in kept.hits if each.fit is not None), default=-math.inf)
        numbers = (_within(kept.need, relevance.MOST_NEED), _within(best, relevance.MOST_FIT))
        self.sample.messages.append(Judged(self.family, numbers, any(each.bears for each in judged)))


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)


def ask_lives(world: list[str], sample: Sample) -> None:
    """Ask the messages of the lives that the ranker has not learned from, and questions about the world."""
    settings = Settings(extraction="reader", worker="off", rerank="fast")
    with Nacre(":memory:", settings=settings) as nacre, recording() as kept:
        for life in load("dev"):
            scope = nacre.scope(agent="lives", user=life.id)
            places = tell(scope, life)
            asker = Asker(scope, "lives", kept, sample)
            for message in life.messages:
                asker.ask(message.text, partial(_in_life, places, frozenset(message.evidence)))
            for _ in range(WORLD if life.language == "en" else 0):
                asker.ask(world.pop(), partial(_in_life, {}, frozenset()))
            print(f"{life.id}: {len(sample.hits):,} hits, {len(sample.beliefs):,} beliefs")


def tell(scope: ScopedNacre, life: Life) -> dict[UUID, tuple[int, int]]:
    """Tell a life to a scope; where each of its turns stands, by id."""
    places: dict[UUID, tuple[int, int]] = {}
    for number, session in enumerate(life.sessions):
        noon = datetime.fromisoformat(session.at).replace(tzinfo=UTC) + timedelta(hours=12)
        said = scope.observe_many(
            Turn(
                role="assistant" if turn.speaker == "assistant" else "user",
                speaker=None if turn.speaker in ("user", "assistant") else turn.speaker,
                text=turn.text,
                session=f"session {number}",
                at=noon + timedelta(minutes=place),
            )
            for place, turn in enumerate(session.turns)
        )
        places |= {each.id: (number, place) for place, each in enumerate(said)}
    scope.learned()
    return places


def _in_life(
    places: Mapping[UUID, tuple[int, int]], wanted: frozenset[tuple[int, int]], ids: Sequence[UUID], _: str
) -> bool:
    return any(places.get(each) in wanted for each in ids)


def ask_stories(split: str, sample: Sample) -> None:
    """Ask the messages of one split of the stories."""
    for name in stories.NAMES:
        with stories.replay(stories.load(name)) as replay, recording() as kept:
            asker = Asker(replay.scope, "stories", kept, sample)
            for message in replay.story.of_split(split):
                asker.ask(message.text, partial(_in_story, replay, message))
        print(f"{name}, {split}: {len(sample.hits):,} hits, {len(sample.beliefs):,} beliefs")


def _in_story(replay: Replay, message: StoryMessage, ids: Sequence[UUID], text: str) -> bool:
    items = frozenset().union(*(replay.items.get(each, frozenset()) for each in ids))
    facts = (replay.story.facts[each] for each in message.relevant)
    return any(items & fact.items and fact.worded_in(text) for fact in facts)


def ask_hours(sample: Sample) -> None:
    """Ask the requests of strangers' first hours."""
    for writer, written in writers.load(hours.FOLDER).items():
        for life in written:
            with Nacre(":memory:") as nacre, recording() as kept:
                asker = Asker(hours.tell(nacre, life), "hours", kept, sample)
                for each in life["asks"]:
                    asker.ask(each["request"], partial(_in_hours, each["needs"]))
        print(f"{writer}: {len(sample.own):,} beliefs by their own words")


def _in_hours(needs: Sequence[str], _: Sequence[UUID], text: str) -> bool:
    return any(hours.holds(text, need) for need in needs)


def report(title: str, fitting: Sequence[Judged], checking: Sequence[Judged], names: Sequence[str]) -> None:
    """Fit, print the constants, and how precise and complete each bar is on what was kept out."""
    features, truth = _arrays(fitting)
    fitted = np.array(fit_logistic(features, truth, balance([each.family for each in fitting])))
    print(f"\n{title}: " + ", ".join(f"_{name} {value:.3f}" for name, value in zip(names, fitted, strict=True)))
    for kind, some in (("fitted on", fitting), ("held back", checking)):
        given, right = _arrays(some)
        chances = 1 / (1 + np.exp(-(given @ fitted[:-1] + fitted[-1])))
        area = auroc(chances[right > 0].tolist(), chances[right == 0].tolist())
        print(f"{kind}: {len(some):,}, AUROC {area:.3f}" if area is not None else f"{kind}: nothing to tell apart")
        for bar in BARS:
            shown = chances >= bar
            if shown.any():
                print(f"  {bar}: {right[shown].mean():.3f} of them right, {right[shown].sum() / right.sum():.3f} found")


def _arrays(some: Sequence[Judged]) -> tuple[Floats, Floats]:
    return np.array([each.numbers for each in some], np.float64), np.array([each.bears for each in some], np.float64)


def main() -> None:
    """Ask, fit, check and print."""
    parser = argparse.ArgumentParser(description="Fit how likely a hit or a belief bears on a message.")
    parser.add_argument("--data", type=Path, default=DATA, help="The folder of the benchmark data.")
    world = read_unrelated(parser.parse_args().data)
    fitting, checking = Sample(), Sample()
    ask_lives(world, fitting)
    told = list(fitting.messages)
    ask_stories(stories.DEV, fitting)
    typed = Sample()
    ask_hours(typed)
    ask_stories(stories.HELD_BACK, checking)
    report("hits", fitting.hits, checking.hits, HIT_NAMES)
    report("messages", told, fitting.messages[len(told) :] + checking.messages, KNOWN_NAMES)
    report("own words of beliefs", typed.own, [*fitting.own, *checking.own], OWN_NAMES)
    report("beliefs", fitting.beliefs, checking.beliefs, BELIEF_NAMES)


if __name__ == "__main__":
    main()
