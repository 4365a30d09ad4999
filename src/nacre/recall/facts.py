"""Links and claims as hits of their own: where they are asked for, or rest on no words that could be recalled."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from uuid import UUID

from nacre.domain.hits import Evidence, Hit, Kind, Standing
from nacre.domain.ids import SourceId
from nacre.domain.questions import Question
from nacre.recall.channels import Asked, share
from nacre.store import associations, citations, entities, findings
from nacre.store.associations import Known
from nacre.store.databases import Transaction

KINDS = frozenset({Kind.LINK, Kind.CLAIM})


def hits(
    tx: Transaction, asked: Asked, languages: frozenset[str], question: Question, known: Iterable[Known]
) -> list[Hit]:
    """Of what is known, what has to do with a question, best first.

    What rests on a turn or a memory comes as that, unless links or claims are asked for: nobody is told a thing twice.
    """
    wanted = KINDS if question.kinds is None else KINDS & question.kinds
    held = {each.id: each for each in known if each.kind in wanted and _counts(each, question)}
    if not held:
        return []
    ends = entities.by_id(tx, {end for each in held.values() for end in (each.subject, each.object) if end})
    names = {key: entity.name for key, entity in ends.items()}
    told = {key: _text(each, names) for key, each in held.items()}
    scores = {key: share(asked, text, languages) for key, text in told.items()}
    best = sorted((key for key in held if scores[key]), key=lambda key: (-scores[key], key))[: question.limit]
    return [_hit(tx, held[key], told[key], scores[key]) for key in best]


def _counts(known: Known, question: Question) -> bool:
    if question.kinds is None and known.items:
        return False
    early = question.since is not None and known.at < question.since
    late = question.until is not None and known.at > question.until
    return not (early or late or question.session)


def _text(known: Known, names: dict[UUID, str]) -> str:
    end = names.get(known.object, "") if known.object else ""
    return " ".join(filter(None, (names.get(known.subject, ""), known.said, end)))


def _hit(tx: Transaction, known: Known, text: str, score: float) -> Hit:
    # What was stated outright is its own evidence.
    itself = Evidence(id=SourceId(known.id), quote=text, start=0, end=len(text))
    source = citations.cite(tx, known.source, known.quote) or itself
    channels = {"structured": score}
    return Hit(
        id=known.id,
        kind=known.kind,
        text=text,
        score=score,
        at=known.at,
        source=source,
        channels=channels,
        standing=Standing.CURRENT,
    )


def resting_on(tx: Transaction, found: Collection[findings.Finding]) -> list[Known]:
    """What rests on hits: on turns and memories themselves, and on the words that memories were made of."""
    memories = [each for each in found if each.kind is Kind.MEMORY]
    known = associations.resting_on(tx, [*(each.id for each in found), *(each.source.id for each in memories)])
    if not memories:
        return known
    return [one._replace(memory=one.memory or _remembering(one, memories)) for one in known]


def _remembering(known: Known, memories: Sequence[findings.Finding]) -> UUID | None:
    """The memory that has the words which a link rests on."""
    start = known.quote[0] if known.quote else -1
    holders = (each for each in memories if each.source.id == known.source)
    return next((each.id for each in holders if each.source.start <= start < each.source.end), None)


def inherited(scores: Mapping[UUID, float], known: Sequence[Known]) -> dict[UUID, float]:
    """The scores of items, where what replaced another says as much to the question as that did."""
    gone: dict[tuple[UUID, str], float] = {}
    for each in known:
        if not each.holds:
            score = max((scores.get(item, 0.0) for item in each.items), default=0.0)
            gone[each.subject, each.topic] = max(gone.get((each.subject, each.topic), 0.0), score)
    found = dict(scores)
    for each in known:
        for item in each.items if each.holds else ():
            if item in found:
                found[item] = max(found[item], gone.get((each.subject, each.topic), 0.0))
    return found


def replaced(known: Iterable[Known], scores: Mapping[UUID, float]) -> dict[tuple[UUID, str], float]:
    """The places whose value ended, by subject and topic, with the score of the hit that still tells it."""
    gone: dict[tuple[UUID, str], float] = {}
    for each in known:
        score = max((scores.get(item, 0.0) for item in each.items), default=0.0)
        if score and not each.holds and not each.told_past:
            gone[each.subject, each.topic] = max(gone.get((each.subject, each.topic), 0.0), score)
    return gone


def sole_successors(
    held: Iterable[Known], gone: Mapping[tuple[UUID, str], float], scores: Mapping[UUID, float]
) -> dict[UUID, float]:
    """The items that tell what holds now where something ended, unless several hold or the item is a hit."""
    now: dict[tuple[UUID, str], list[Known]] = defaultdict(list)
    for each in held:
        now[each.subject, each.topic].append(each)
    found = {place: some[0] for place, some in now.items() if place in gone and len(some) == 1}
    return {item: gone[place] for place, one in found.items() for item in one.items[:1] if item not in scores}


def standing(known: Iterable[Known]) -> dict[UUID, Standing]:
    """Whether what rests on items still holds, for each item that anything rests on."""
    held: dict[UUID, set[bool]] = {}
    for each in known:
        for item in () if each.told_past else each.items:
            held.setdefault(item, set()).add(each.holds)
    return {item: _STANDING[frozenset(some)] for item, some in held.items()}


_STANDING = {
    frozenset({True}): Standing.CURRENT,
    frozenset({False}): Standing.SUPERSEDED,
    frozenset({True, False}): Standing.MIXED,
}
