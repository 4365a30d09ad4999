"""Precision: which lines of a context belong, which needed facts are missing, and what is out of date."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bench.contexts.stories import Replay, Story, StoryFact, StoryMessage
from bench.metrics import mean
from nacre import Context
from nacre.domain.contexts import ContextLine

BUDGET = 800
PROFILE = "profile"
UNSURE = "less sure"
# How a line says that what it holds is over.
ENDED, EARLIER = "(no longer so)", "before:"
OUTDATED, NEXT, TAKEN_OVER = re.compile(r"\((?:perhaps )?outdated since "), "; since ", " → "
PERHAPS = "perhaps outdated since "

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of a context, and the items of the story that it comes from."""

    line: ContextLine
    items: frozenset[str]

    def states(self, fact: StoryFact) -> bool:
        """Whether it comes from an item that states a fact and holds one of the fact's values."""
        return bool(self.items & fact.items) and fact.worded_in(self.line.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineJudgement:
    """What a line is, whether it belongs, and whether it holds something that is no longer so.

    `outdated` goes by the words alone; `outdated_own` is true where the line comes from an item that stated the fact.
    `as_current` and `as_current_own` say that nothing in the context tells the reader so; what the line calls perhaps
    outdated, which is `doubted`, it does tell.
    """

    label: str
    belongs: bool
    outdated: bool
    outdated_own: bool
    as_current: bool
    as_current_own: bool
    doubted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageJudgement:
    """The lines that a message got, and how many of the facts that it needs none of them states."""

    message: StoryMessage
    lines: tuple[LineJudgement, ...]
    missing: int
    tokens: int

    @property
    def recalled(self) -> tuple[LineJudgement, ...]:
        """The lines that are there because of the message."""
        return tuple(line for line in self.lines if line.label != PROFILE)


def ask(replay: Replay, message: StoryMessage) -> MessageJudgement:
    """Send a message in a session of its own, and judge the context that it gets."""
    context = replay.scope.context(message.text, session=f"asked-{message.id}", budget=BUDGET)
    return judge(replay, message, context)


def judge(replay: Replay, message: StoryMessage, context: Context) -> MessageJudgement:
    """Judge the context of a message."""
    lines = [
        StoryLine(line, frozenset().union(*(replay.items.get(item, frozenset()) for item in line.items)))
        for line in context.lines
    ]
    facts = replay.story.facts
    missing = [need for need in message.needs if not any(line.states(facts[need]) for line in lines)]
    return MessageJudgement(
        message=message,
        lines=tuple(_judge_line(line, lines, message, replay.story) for line in lines),
        missing=len(missing),
        tokens=context.tokens,
    )


def _judge_line(line: StoryLine, lines: Sequence[StoryLine], message: StoryMessage, story: Story) -> LineJudgement:
    outdated = [
        fact
        for fact in story.facts.values()
        if fact.ended_by and fact.id not in message.relevant and fact.worded_in(line.line.text)
    ]
    current = [fact for fact in outdated if not (_marked(line, fact) or _succeeded(line, fact, lines, story))]
    return LineJudgement(
        label=line.line.label if line.line.sure else UNSURE,
        belongs=any(line.states(story.facts[fact]) for fact in message.relevant),
        outdated=bool(outdated),
        outdated_own=any(map(line.states, outdated)),
        as_current=bool(current),
        as_current_own=any(map(line.states, current)),
        doubted=PERHAPS in line.line.text,
    )


def _marked(line: StoryLine, fact: StoryFact) -> bool:
    """Whether a line itself says that a fact is over: all of it, what was before, or those words of it."""
    said, *marks = OUTDATED.split(line.line.text)
    outdated = (each.partition(TAKEN_OVER)[0] for mark in marks for each in mark.split(NEXT))
    # A belief is one value, and in doubt as a whole.
    over = ENDED in said or PERHAPS in said
    return over or any(map(fact.worded_in, outdated)) or not fact.worded_in(said.partition(EARLIER)[0])


def _succeeded(line: StoryLine, fact: StoryFact, lines: Iterable[StoryLine], story: Story) -> bool:
    """Whether a context says what ended a fact: in the words that did, or later ones to the same effect."""
    times = {item.id: item.at for item in story.items}
    said: datetime | None = max((times[item] for item in line.items), default=None)
    sharing = [other for other in story.facts.values() if fact.ended_by in other.items]
    successors = {item for other in sharing for item in other.items if said is None or times[item] > said}
    return any(item == fact.ended_by or item in successors for other in lines for item in other.items)


def summarize(judgements: Sequence[MessageJudgement]) -> Json:
    """The figures of some messages."""
    lines = [line for judgement in judgements for line in judgement.recalled]
    everything = [line for judgement in judgements for line in judgement.lines]
    needs = sum(len(judgement.message.needs) for judgement in judgements)
    idle = [judgement for judgement in judgements if not judgement.message.relevant]
    return {
        "messages": len(judgements),
        "lines": round(mean(len(judgement.recalled) for judgement in judgements), 2),
        "tokens": round(mean(judgement.tokens for judgement in judgements), 1),
        "all": _belonging(lines),
        "sure": _belonging(line for line in lines if line.label != UNSURE),
        "by": {
            label: _belonging(line for line in everything if line.label == label)
            for label in sorted(Counter(line.label for line in everything))
        },
        "needs": needs,
        "missing": sum(judgement.missing for judgement in judgements),
        "outdated": _count(everything, lambda line: line.outdated),
        "outdated_own": _count(everything, lambda line: line.outdated_own),
        "as_current": _count(everything, lambda line: line.as_current),
        "as_current_own": _count(everything, lambda line: line.as_current_own),
        "doubted": _count(everything, lambda line: line.doubted),
        "doubted_rightly": _count(everything, lambda line: line.doubted and line.outdated),
        "idle": {"messages": len(idle), "answered": sum(bool(judgement.recalled) for judgement in idle)},
    }


def _belonging(lines: Iterable[LineJudgement]) -> Json:
    given = list(lines)
    return {"lines": len(given), "belong": _count(given, lambda line: line.belongs)}


def _count(lines: Iterable[LineJudgement], holds: Callable[[LineJudgement], bool]) -> int:
    return sum(map(holds, lines))
