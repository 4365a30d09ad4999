"""The measurement: stories and talk sets are told to stores of their own, and every part asks them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.contexts import evidence, precision, silence, stories, talks, updates
from bench.contexts.evidence import Comparison
from bench.contexts.precision import MessageJudgement
from bench.contexts.scores import Reliability, separation
from bench.contexts.stories import DEV, HELD_BACK, Story
from bench.contexts.talks import ObservedPool, TalkSet
from bench.errors import MissingData, UnknownSet
from bench.progress import Advance, Progress
from bench.stores import cold_store

# The scopes of this set are sent the unrelated messages, as those of the stories are.
SILENT = "locomo"
STORIES = "stories"
PARTS = (STORIES, *talks.LOADERS)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked: all parts and questions or some, and whether the messages that are held back are too.

    `whole` says that it is an error when data is missing.
    """

    data: Path
    parts: Sequence[str] = PARTS
    questions: int | None = None
    held_back: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        for part in self.parts:
            if part not in PARTS:
                raise UnknownSet(part, list(PARTS))

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of the stories' messages that are asked."""
        return (DEV, HELD_BACK) if self.held_back else (DEV,)


@dataclass(slots=True)
class TalkFigures:
    """What the pools of one talk set gave."""

    comparisons: list[Comparison] = field(default_factory=list)
    reliability: Reliability = field(default_factory=Reliability)
    # The best scores of questions that have an answer, of those that sound alike, and of unrelated messages.
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    unrelated: list[float] = field(default_factory=list)
    silence: Json = field(default_factory=dict)
    updates: Json = field(default_factory=dict)


def measure(plan: Plan, progress: Progress, notice: Callable[[str], None]) -> Json:
    """Every figure of the parts; what needs data that is not there is left out, with a notice."""
    sets = [part for part in plan.parts if part != STORIES]
    missing = talks.find_missing(plan.data) if sets else []
    if missing and plan.whole:
        raise MissingData(missing[0])
    for path in missing:
        notice(f"{MissingData(path)} What needs it is left out.")
    unrelated = silence.load()
    unrelated = talks.draw(unrelated, plan.questions) if plan.questions else unrelated
    told = list(map(stories.load, stories.NAMES)) if STORIES in plan.parts else []
    figures = measure_stories(told, unrelated, plan, progress)
    loaded = [] if missing else talks.load_sets(plan.data, sets, plan.questions)
    found = {each.questions.name: (each.questions.title, ask_set(each, unrelated, progress)) for each in loaded}
    for _, each in found.values():
        figures["silence"] |= each.silence
    return {"missing": [path.name for path in missing], **figures, **talk_figures(found)}


def merge(published: Json, figures: Json) -> Json:
    """The published figures with those of the parts that were measured anew."""
    by_part = ("silence", "evidence", "separation", "reliability", "updates", "commits")
    merged = {key: published[key] | figures[key] for key in by_part}
    return figures | merged | {"stories": figures["stories"] or published["stories"]}


def measure_stories(told: Sequence[Story], unrelated: Sequence[str], plan: Plan, progress: Progress) -> Json:
    """The judgements on the stories' messages by split, and what unrelated messages got of each story."""
    judgements: dict[str, dict[str, list[MessageJudgement]]] = {split: {} for split in plan.splits if told}
    quiet: Json = {}
    for story in told:
        messages = [message for split in plan.splits for message in story.of_split(split, plan.questions)]
        steps = len(messages) + len(unrelated)
        with progress.track(f"the story {story.name}", steps) as advance, stories.replay(story) as replay:
            for message in messages:
                judgements[message.split].setdefault(story.name, []).append(precision.ask(replay, message))
                advance(1)
            quiet[story.name] = silence.ask(replay.scope, unrelated, advance)
    return {"stories": {split: _by_story(by_story) for split, by_story in judgements.items()}, "silence": quiet}


def _by_story(judgements: dict[str, list[MessageJudgement]]) -> Json:
    each = {name: precision.summarize(of_story) for name, of_story in judgements.items()}
    return {"all": precision.summarize([one for of_story in judgements.values() for one in of_story]), **each}


def ask_set(asked: TalkSet, unrelated: Sequence[str], progress: Progress) -> TalkFigures:
    """Observe the pools of a set and ask them everything."""
    figures = TalkFigures()
    questions = asked.questions
    silent = questions.name == SILENT
    steps = (
        questions.turn_count
        + questions.question_count
        + sum(len(asked.unanswerable[pool.key]) for pool in questions.pools)
        + len(questions.pools) * len(unrelated) * (2 if silent else 1)
        + len(asked.updates)
    )
    with cold_store(None) as store, progress.track(questions.title, steps) as advance:
        for pool in questions.pools:
            observed = talks.observe(store, questions, pool, advance)
            _ask_pool(observed, asked, unrelated, figures, advance)
            if silent:
                name = f"{questions.title} {pool.key}"
                figures.silence[name] = silence.ask(observed.scope, unrelated, advance)
    return figures


def _ask_pool(
    observed: ObservedPool, asked: TalkSet, unrelated: Sequence[str], figures: TalkFigures, advance: Advance
) -> None:
    scope = observed.scope
    for question in observed.pool.questions:
        hits = scope.recall(question.text, limit=evidence.HITS, asked_at=question.asked_at)
        figures.comparisons.append(evidence.compare(observed, question, hits))
        figures.reliability.add(hits, question)
        # The best hit is as likely with others after it as without.
        figures.answerable.append(hits[0].score if hits else 0.0)
        advance(1)
    figures.unanswerable += silence.best_scores(scope, asked.unanswerable[observed.pool.key], advance)
    figures.unrelated += silence.best_scores(scope, unrelated, advance)
    if asked.updates:
        figures.updates = updates.measure(observed, asked.updates, advance)


def talk_figures(found: dict[str, tuple[str, TalkFigures]]) -> Json:
    """The parts that talk sets are asked for, each by set; a set comes with its title."""
    return {
        "evidence": {name: evidence.summarize(title, each.comparisons) for name, (title, each) in found.items()},
        "separation": {
            name: {
                "title": title,
                "answerable": len(each.answerable),
                "unrelated": separation(each.answerable, each.unrelated),
                "unanswerable": separation(each.answerable, each.unanswerable),
            }
            for name, (title, each) in found.items()
        },
        "reliability": {
            name: {"title": title, "bins": each.reliability.figures()} for name, (title, each) in found.items()
        },
        "updates": {name: {"title": title, **each.updates} for name, (title, each) in found.items() if each.updates},
    }
