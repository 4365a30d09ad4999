"""Links and claims as hits of their own: where they are asked for, or rest on no words that could be recalled."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from uuid import UUID

from nacre.domain.hits import Evidence, Hit, HitStanding, Kind
from nacre.domain.ids import SourceId
from nacre.domain.questions import Question
from nacre.recall.channels import EmbeddedQuery, share
from nacre.store.base.databases import Transaction
from nacre.store.evidence import sources
from nacre.store.graph import entities
from nacre.store.reads import associations, hit_rows
from nacre.store.reads.associations import FactRow

KINDS = frozenset({Kind.LINK, Kind.CLAIM})


def hits(
    tx: Transaction, asked: EmbeddedQuery, languages: frozenset[str], question: Question, fact_rows: Iterable[FactRow]
) -> list[Hit]:
    """Of what is known, what has to do with a question, best first.

    What rests on a turn or a memory comes as that, unless links or claims are asked for: nobody is told a thing twice.
    """
    wanted = KINDS if question.kinds is None else KINDS & question.kinds
    held = {each.id: each for each in fact_rows if each.kind in wanted and _counts(each, question)}
    if not held:
        return []
    ends = entities.by_id(tx, {end for each in held.values() for end in (each.subject, each.object) if end})
    names = {key: entity.name for key, entity in ends.items()}
    told = {key: _text(each, names) for key, each in held.items()}
    scores = {key: share(asked, text, languages) for key, text in told.items()}
    best = sorted((key for key in held if scores[key]), key=lambda key: (-scores[key], key))[: question.limit]
    return [_hit(tx, held[key], told[key], scores[key]) for key in best]


def _counts(fact_row: FactRow, question: Question) -> bool:
    if question.kinds is None and fact_row.items:
        return False
    early = question.since is not None and fact_row.at < question.since
    late = question.until is not None and fact_row.at > question.until
    return not (early or late or question.session)


def _text(fact_row: FactRow, names: dict[UUID, str]) -> str:
    end = names.get(fact_row.object, "") if fact_row.object else ""
    return " ".join(filter(None, (names.get(fact_row.subject, ""), fact_row.said, end)))


def _hit(tx: Transaction, fact_row: FactRow, text: str, score: float) -> Hit:
    # What was stated outright is its own evidence.
    itself = Evidence(id=SourceId(fact_row.id), quote=text, start=0, end=len(text))
    source = sources.cite(tx, fact_row.source, fact_row.quote) or itself
    channels = {"structured": score}
    return Hit(
        id=fact_row.id,
        kind=fact_row.kind,
        text=text,
        score=score,
        at=fact_row.at,
        source=source,
        channels=channels,
        standing=HitStanding.CURRENT,
    )


class _HitFacts:
    """What a transaction has read of what rests on hits: on the words of some items, and on some memories."""

    def __init__(self) -> None:
        self.items: Set[UUID] = frozenset()
        self.memories: Set[UUID] = frozenset()
        self.rows: Sequence[FactRow] = ()


def resting_on(tx: Transaction, matching_hit_rows: Collection[hit_rows.HitRow]) -> list[FactRow]:
    """What rests on hits: on turns and memories themselves, and on the words that memories were made of."""
    memories = [each for each in matching_hit_rows if each.kind is Kind.MEMORY]
    others = [each.id for each in matching_hit_rows if each.kind is not Kind.MEMORY]
    items, ids = [*others, *(each.source.id for each in memories)], [each.id for each in memories]
    known, held = associations.resting_on(tx, items, ids), tx.kept(_HitFacts)
    held.items, held.memories, held.rows = frozenset(items), frozenset(ids), known
    if not memories:
        return known
    return [one._replace(memory=one.memory or _remembering(one, memories)) for one in known]


def resting_on_best(tx: Transaction, best: Sequence[Hit]) -> list[FactRow]:
    """What rests on the best hits themselves, which was read with all of them as a rule."""
    memories = {each.id for each in best if each.kind is Kind.MEMORY}
    items, held = {each.id for each in best if each.kind not in KINDS} - memories, tx.kept(_HitFacts)
    if held.items >= items and held.memories >= memories:
        return [each for each in held.rows if each.source in items or each.memory in memories]
    return associations.resting_on(tx, items, memories) if items or memories else []


def _remembering(fact_row: FactRow, memories: Sequence[hit_rows.HitRow]) -> UUID | None:
    """The memory that has the words which a link rests on."""
    start = fact_row.quote[0] if fact_row.quote else -1
    holders = (each for each in memories if each.source.id == fact_row.source)
    return next((each.id for each in holders if each.source.start <= start < each.source.end), None)


def inherited(scores: Mapping[UUID, float], fact_rows: Sequence[FactRow]) -> dict[UUID, float]:
    """The scores of items, where what replaced another says as much to the question as that did.

    Only what alone holds in its place replaced it: of many things somebody owns, one that is gone lifts none.
    """
    gone: dict[tuple[UUID, str], float] = {}
    now: dict[tuple[UUID, str], list[FactRow]] = defaultdict(list)
    for each in fact_rows:
        if each.holds:
            now[each.subject, each.topic].append(each)
        else:
            score = max((scores.get(item, 0.0) for item in each.items), default=0.0)
            gone[each.subject, each.topic] = max(gone.get((each.subject, each.topic), 0.0), score)
    found = dict(scores)
    for place, some in now.items():
        for item in some[0].items if len(some) == 1 else ():
            if item in found:
                found[item] = max(found[item], gone.get(place, 0.0))
    return found


def replaced(fact_rows: Iterable[FactRow], scores: Mapping[UUID, float]) -> dict[tuple[UUID, str], float]:
    """The places whose value ended, by subject and topic, with the score of the hit that still tells it."""
    gone: dict[tuple[UUID, str], float] = {}
    for each in fact_rows:
        score = max((scores.get(item, 0.0) for item in each.items), default=0.0)
        if score and not each.holds and not each.untimely:
            gone[each.subject, each.topic] = max(gone.get((each.subject, each.topic), 0.0), score)
    return gone


def sole_successors(
    fact_rows: Iterable[FactRow], gone: Mapping[tuple[UUID, str], float], scores: Mapping[UUID, float]
) -> dict[UUID, float]:
    """The items that tell what holds now where something ended, unless several hold or the item is a hit."""
    now: dict[tuple[UUID, str], list[FactRow]] = defaultdict(list)
    for each in fact_rows:
        now[each.subject, each.topic].append(each)
    found = {place: some[0] for place, some in now.items() if place in gone and len(some) == 1}
    return {item: gone[place] for place, one in found.items() for item in one.items[:1] if item not in scores}


def standing(fact_rows: Iterable[FactRow]) -> dict[UUID, HitStanding]:
    """Whether what rests on items still holds, for each item that anything rests on."""
    held: dict[UUID, set[bool]] = {}
    for each in fact_rows:
        for item in () if each.untimely else each.items:
            held.setdefault(item, set()).add(each.holds)
    return {item: _STANDING[frozenset(some)] for item, some in held.items()}


_STANDING = {
    frozenset({True}): HitStanding.CURRENT,
    frozenset({False}): HitStanding.SUPERSEDED,
    frozenset({True, False}): HitStanding.MIXED,
}
