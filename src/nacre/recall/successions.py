"""Succession: of two hits that say nearly the same thing, the later one comes first.

What people say of a thing later is mostly what holds now. Only the first few hits change places among themselves, so
what is found among them stays found; further down the order is by relevance alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from nacre.domain.hits import Hit, HitStanding, Kind
from nacre.domain.outdated_marks import OutdatedMark
from nacre.domain.turns import Role
from nacre.recall.bm25 import Floats
from nacre.store.evidence.outdated import LikelySuccessor, Mark
from nacre.text import clauses
from nacre.text.times import Period

# So many of the first hits may change places.
DEPTH = 5
# A later hit must have this share of the earlier one's score.
SHARE = 0.8
# How near two passages must be to speak of the same: this far from the embedder's threshold to the same text.
ALIKE = 0.39

# Among so many hits the later word on something is looked for, which must be this near to the earlier one.
LOOKED_AT, FOLLOWS = 20, 0.45
# So far below the older one the newer is looked for, to come before it.
NEAR = 3
# From such chances on, what perhaps makes a hit outdated comes before it, and is shown with it.
FOLLOWED_BY, SHOWN_WITH = 0.3, 0.4
# Asks for what was, and so for no later word on it.
_ASKS_BACK = re.compile(
    r"\b(?:did|was|were|had|used to|fue|fueron|era|eran|hizo|hicieron|había|habían|war|waren|hatten?|était|étaient"
    r"|avait|foi|foram|fez|fizeram|tinha)\b",
    re.IGNORECASE,
)
# What made the first few hits outdated is a hit, too, worth a little less: a mark that is wrong must not crowd out
# what answers.
BROUGHT_BY, BROUGHT = 3, 0.9
# It is worth this much of what it follows, and so many of the best hits are followed up.
FOLLOWER, FOLLOWED = 0.9, 2


def mark_hit(hit: Hit, marks: Sequence[Mark]) -> Hit:
    """A hit with what made statements of it outdated, or may have, unless it no longer says them."""
    if not marks:
        return hit
    told = tuple(mark.outdated for mark in marks if mark.outdated.value in hit.text)
    sure = [mark for mark in told if not mark.doubtful]
    if not sure:
        return replace(hit, outdated=told) if told else hit
    rest, end = "", 0
    # Of two values of one clause, one mark has all of it and the other its own words.
    for start, last in sorted(mark.quote for mark in sure):
        rest, end = rest + hit.text[end:start], max(end, last)
    rest += hit.text[end:]
    superseded = clauses.is_remnant(rest) or hit.standing is HitStanding.SUPERSEDED
    return replace(hit, standing=HitStanding.SUPERSEDED if superseded else HitStanding.MIXED, outdated=told)


def missing_followers(
    marks: Mapping[UUID, Sequence[Mark]], worth: Mapping[UUID, float], passes: Callable[[int], bool]
) -> dict[Kind, dict[int, float]]:
    """The passages that made hits outdated, are no hits and pass: by kind, with the score of what they follow."""
    missing: dict[Kind, dict[int, float]] = {}
    if not marks:
        return missing
    best = sorted(worth, key=lambda item: -worth[item])[:BROUGHT_BY]
    for key, mark in ((item, mark) for item in best for mark in marks.get(item, ())):
        if mark.outdated.by not in worth and not mark.outdated.doubtful and passes(mark.seq):
            seqs = missing.setdefault(mark.kind, {})
            seqs[mark.seq] = max(seqs.get(mark.seq, 0.0), BROUGHT * worth[key])
    return missing


def with_later(hits: Sequence[Hit], chosen: set[UUID], likely: Mapping[UUID, LikelySuccessor]) -> set[UUID]:
    """The chosen hits, and what made any of them outdated, or may have: nobody is shown the old without the new.

    What is `likely` to make one of them outdated comes along, and brings nothing more.
    """
    by = {hit.id: {mark.by for mark in hit.outdated} for hit in hits if hit.outdated}
    grown, fresh = {*chosen, *(likely[key].id for key in chosen if key in likely)}, set(chosen)
    while fresh:
        fresh = {later for key in fresh for later in by.get(key, ())} - grown
        grown |= fresh
    return grown


def with_worth(hits: Sequence[Hit], likely: Mapping[UUID, LikelySuccessor], sure: float) -> list[Hit]:
    """Hits of which none is worth much less than what of another it made outdated.

    What perhaps made one outdated is worth as much of it as it is likely, where the older one is `sure`.
    """
    worth: dict[UUID, float] = {}
    for hit in hits:
        for mark in hit.outdated:
            worth[mark.by] = max(worth.get(mark.by, 0.0), BROUGHT * hit.score * _share(hit, mark))
        if hit.id in likely and hit.score >= sure:
            newer, chance = likely[hit.id]
            worth[newer] = max(worth.get(newer, 0.0), chance * hit.score)
    return [hit.scored(max(hit.score, worth.get(hit.id, 0.0))) for hit in hits]


def _share(hit: Hit, mark: OutdatedMark) -> float:
    """How much of a hit is told by what a mark is about: a value is about half of its clause."""
    return 1.0 if hit.standing is HitStanding.SUPERSEDED else min(1.0, 2 * len(mark.value) / len(hit.text))


def asks_back(question: str) -> bool:
    """Whether a question asks for what was, and not for what is."""
    return _ASKS_BACK.search(question) is not None


def outdated_last(
    hits: Sequence[Hit], followers: Mapping[UUID, Sequence[LikelySuccessor]], periods: Sequence[Period] = ()
) -> list[Hit]:
    """Hits with each that is outdated right behind what was said later, where that stands not far below.

    So is one that is only likely to be, by `followers`: an order that is wrong hides nothing. What stands far below
    bears on the question for little but its mark, and that tells the new value. Where a question asks for a time, what
    was said then stays before what was said at another.
    """
    order = list(hits)
    later = [(hit, each.id) for hit in hits for each in followers.get(hit.id, ())]
    later += [(hit, mark.by) for hit in hits for mark in hit.outdated]
    for hit, by in later:
        newer = next((each for each in order if each.id == by), None)
        if newer is None or (_within(hit, periods) and not _within(newer, periods)):
            continue
        # One that came forward itself has another score than it had.
        place = next(place for place, each in enumerate(order) if each.id == hit.id)
        if newer in order[place : place + NEAR]:
            order.remove(newer)
            order.insert(place, replace(newer, score=max(newer.score, order[place].score)))
    return order


def _within(hit: Hit, periods: Sequence[Period]) -> bool:
    return any(period.start <= hit.at < period.end for period in periods if not period.yearless)


def newest_first(hits: Sequence[Hit], vectors: Mapping[UUID, Floats], threshold: float) -> tuple[Hit, ...]:
    """Hits with each of the first few behind the latest that speaks of the same and scores nearly as much.

    Scores stay with places. What an agent said itself succeeds nothing, and neither does a turn of the same session:
    there the order of talk is the order of thought.
    """
    order = list(hits[:DEPTH])
    near = threshold + ALIKE * (1 - threshold)
    for place in range(len(order)):
        followers = [later for later in order[place + 1 :] if _succeeds(later, order[place], vectors, near)]
        if followers:
            newest = max(followers, key=lambda hit: (hit.at, hit.id))
            order.remove(newest)
            order.insert(place, newest)
    scored = (hit.scored(held.score) for hit, held in zip(order, hits, strict=False))
    return (*scored, *hits[DEPTH:])


def _succeeds(later: Hit, earlier: Hit, vectors: Mapping[UUID, Floats], near: float) -> bool:
    if later.at <= earlier.at or later.score < SHARE * earlier.score:
        return False
    if Role.ASSISTANT in (later.source.role, earlier.source.role):
        return False
    if later.source.session is not None and later.source.session == earlier.source.session:
        return False
    one, other = vectors.get(later.id), vectors.get(earlier.id)
    return one is not None and other is not None and float(one @ other) >= near


def with_followers(
    hits: Sequence[Hit], embed: Callable[[Sequence[Hit]], Mapping[UUID, Floats]], bar: float
) -> list[Hit]:
    """Hits in which the latest word on what the best hits speak of is above the bar, too.

    A model that reads what was said first and not what was said later takes the old for the new. `embed` gives vectors
    to those hits that need them.
    """
    said = [hit for hit in hits if hit.source.role != Role.ASSISTANT]
    best = sorted(hits, key=lambda hit: -hit.score)[:FOLLOWED]
    followed = [hit for hit in best if hit.score >= bar and hit.source.role != Role.ASSISTANT]
    first = min((hit.at for hit in followed), default=None)
    vectors = {} if first is None else embed([hit for hit in said if hit.at >= first])
    lifted: dict[UUID, float] = {}
    for hit in followed:
        own = vectors.get(hit.id)
        if own is None:
            continue
        later = [each for each in hits if _follows(each, hit, vectors.get(each.id), own)]
        if later:
            newest = max(later, key=lambda each: (each.at, each.id))
            lifted[newest.id] = max(lifted.get(newest.id, newest.score), FOLLOWER * hit.score)
    return [hit.scored(lifted[hit.id]) if hit.id in lifted else hit for hit in hits] if lifted else list(hits)


def _follows(later: Hit, earlier: Hit, one: Floats | None, other: Floats) -> bool:
    if one is None or later.at <= earlier.at or later.source.role == Role.ASSISTANT:
        return False
    return float(one @ other) >= FOLLOWS
