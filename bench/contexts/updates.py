"""Updates: where something was said in several sessions and changed, whether the newest comes first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.contexts.talks import ObservedPool
from bench.metrics import first_appearances
from bench.progress import Advance
from bench.quality import ranking_of
from bench.questions import Question

HITS = 100

Json = dict[str, Any]


def measure(asked: ObservedPool, questions: Iterable[Question], advance: Advance) -> Json:
    """Ask about what changed, and count the questions whose newest session comes before all older ones."""
    times = {turn.session: turn.at for turn in asked.pool.turns if turn.session and turn.at}
    first, found, total = 0, 0, 0
    for question in questions:
        hits = asked.scope.recall(question.text, limit=HITS, asked_at=question.asked_at)
        ranking = ranking_of([hit.source.session for hit in hits], question, "session")
        newest = max(question.evidence, key=lambda session: times[session])
        first += is_first(newest, question.evidence, ranking)
        found += newest in ranking
        total += 1
        advance(1)
    return {"questions": total, "newest_first": first, "newest_found": found}


def is_first(newest: str, evidence: Iterable[str], ranking: Sequence[str | None]) -> bool:
    """Whether the newest session was found, and no older one before it."""
    places: Mapping[str, int] = first_appearances(ranking)
    return newest in places and all(places[newest] <= places[session] for session in evidence if session in places)
