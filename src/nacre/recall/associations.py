"""Graph associations of passages: they speak of whom the question names, or bear out what is known of them.

An entity that a large part of the scope mentions tells passages apart as little as a word that stands everywhere, so
it counts for less the more it is mentioned, and a hub for nothing.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, islice
from uuid import UUID

import numpy as np

from nacre.domain.hits import Kind
from nacre.graph.identity import matching
from nacre.graph.identity.matching import EntityMatch
from nacre.recall.bm25 import Floats, Places
from nacre.recall.channels import question_words
from nacre.recall.index import KINDS, NONE, View
from nacre.store.base.databases import Transaction
from nacre.store.reads import associations
from nacre.store.reads.associations import FactRow, PlacedMention
from nacre.text import tokens

MAX_NAMED = 4
# Of the entities that the first passages speak of, so many may lead on to others.
MAX_LEADS = 12
# A text that begins with the name of one is about it, and one that only mentions it is this much so.
BEGINNING, PASSING = 5, 0.3
# What is mentioned more often tells nothing apart, or leads nowhere in particular.
HUB, MANY = 100, 20
# In a scope with fewer passages nothing is a hub.
SMALL = 200
MAX_ROWS = 120
LINKS = 30
NEIGHBOURS = 6
# What is known of an entity counts this much when the question has none of its words.
UNSAID = 0.2
# And what is known of an entity a link away beside that of one which is named.
FARTHER = 0.6


@dataclass(frozen=True, slots=True)
class GraphAssociations:
    """What the graph adds to a question: the scores of its channels, and what it knows of whom the question names."""

    scores: dict[str, Floats]
    # The passages that it lends to.
    docs: Places
    known: Sequence[FactRow] = ()
    # Passages that it would lend to, were they in the view.
    beyond: frozenset[int] = frozenset()
    # The entities that the question names.
    named: Sequence[EntityMatch] = ()


def associate(
    tx: Transaction, view: View, text: str, first: Sequence[int], as_of: datetime | None
) -> GraphAssociations:
    """The channels `entity`, `hop`, `about` and `graph`; `first` are the passages that were found without them."""
    found = matching.find(tx, text)[:MAX_NAMED]
    entity_weights: dict[UUID, float] = {
        each.entity_id: weight for each in found if (weight := _weight(each.mentions, view.population))
    }
    keys = [each.entity_id for each in found]
    tx.read_ahead(associations.calls_of_each(tx, keys, as_of, LINKS))
    first_seqs = [int(view.seq[doc]) for doc in first]
    if first and not entity_weights:
        tx.read_ahead(associations.led_calls(tx, first_seqs, often=MANY, memories=_has_memories(view)))
    led = _bridge_entities(tx, view, first, entity_weights)
    known = associations.facts_of_each(tx, keys, as_of, LINKS) if keys else []
    others = _neighbours(known, entity_weights) if entity_weights else []
    near = {item for each in known for item in each.items} if entity_weights else set()
    tx.read_ahead(associations.calls_of_entities(tx, others, LINKS) if others else [])
    tx.read_ahead([associations.place_call(tx, near)] if near else [])
    mentioned = _mentions(tx, view, entity_weights, led, first_seqs)
    told = {(each.item, each.entity): each.start for each in mentioned}
    asked = frozenset(chain.from_iterable(question_words(text, view.languages)))
    lent = _fact_scores(_fact_weights(tx, asked, view, known, others)) if entity_weights else {}
    seqs: dict[UUID, list[int]] = defaultdict(list)
    for item, seq in dict.fromkeys((each.item, each.seq) for each in mentioned):
        seqs[item].append(seq)
    for some in (near, lent.keys() - near - seqs.keys()):
        seqs |= associations.places(tx, some) if some else {}
    docs, beyond = _docs(view, seqs)
    leads = [(item, led[key], at) for (item, key), at in told.items() if key in led]
    scores = {
        "entity": _summed(view, docs, [(item, entity_weights[key]) for item, key in told if key in entity_weights]),
        "hop": _summed(view, docs, [(item, weight) for item, weight, _ in leads]),
        "about": _summed(view, docs, [(item, weight * _focus(at)) for item, weight, at in leads]) * view.alone,
        "graph": _summed(view, docs, lent.items()),
    }
    lent_docs = np.array([*{doc for some in docs.values() for doc in some}], np.intp)
    return GraphAssociations(scores, lent_docs, known, beyond, found)


def _mentions(
    tx: Transaction, view: View, named: Collection[UUID], led: Collection[UUID], first_seqs: Sequence[int]
) -> list[PlacedMention]:
    """The turns and memories that speak of entities, each with an entity and the place of a passage."""
    memories = _has_memories(view)
    if named:
        return associations.mentioning(tx, [*named, *led], MAX_ROWS, memories=memories)
    return associations.led_mentions(tx, led, MAX_ROWS, first_seqs, often=MANY, memories=memories) if led else []


def _has_memories(view: View) -> bool:
    return view.part is not None or bool((view.kind == KINDS[Kind.MEMORY]).any())


def _weight(mentions: int, passages: int) -> float:
    """How much an entity tells passages apart: nothing for a hub."""
    return max(0.0, 1 - math.log1p(mentions) / math.log1p(max(passages, SMALL))) if mentions <= HUB else 0.0


def _bridge_entities(
    tx: Transaction, view: View, first: Sequence[int], entity_weights: Mapping[UUID, float]
) -> dict[UUID, float]:
    """Entities that the first passages speak of and the question does not."""
    if not first:
        return {}
    places = {int(view.seq[doc]): place for place, doc in enumerate(first)}
    spoken = associations.passage_mentions(tx, list(places))
    # Of those that are mentioned as often, the first of the best passage lead: ids are of another order in each store.
    spoken.sort(key=lambda each: (each.mentions, places[each.seq], each.start, each.entity))
    led = {
        each.entity: _weight(each.mentions, view.population)
        for each in spoken
        # One that is mentioned nowhere else leads nowhere, and one that is mentioned often nowhere in particular.
        if each.entity not in entity_weights and 2 <= each.mentions <= MANY
    }
    return {key: led[key] for key in islice(led, MAX_LEADS) if led[key]}


def _focus(start: int | None) -> float:
    """How much a text is about an entity that it names there first."""
    return 1.0 if start is not None and start < BEGINNING else PASSING


def _neighbours(near: Sequence[FactRow], entity_weights: Mapping[UUID, float]) -> list[UUID]:
    """The entities a link away from the named ones."""
    ends = (end for each in near for end in (each.subject, each.object))
    return list(dict.fromkeys(end for end in ends if end and end not in entity_weights))[:NEIGHBOURS]


def _fact_weights(
    tx: Transaction, asked: frozenset[str], view: View, near: Sequence[FactRow], others: Sequence[UUID]
) -> Iterable[tuple[FactRow, float]]:
    """What is known of the named entities and of those a link away, and how much it has to do with the question."""
    for each in near:
        yield each, UNSAID + (1 - UNSAID) * _shared(each, asked, view)
    if others:
        for each in associations.facts_of_entities(tx, others, LINKS):
            # Farther away, only what the question asks for counts.
            if share := _shared(each, asked, view):
                yield each, FARTHER * share


def _shared(fact_row: FactRow, asked: frozenset[str], view: View) -> float:
    """How much of what is said the question says, too."""
    said = _terms(fact_row.said, view.languages)
    return len(said & asked) / len(said) if said else 0.0


# The same few predicates come again and again.
@lru_cache(maxsize=4_096)
def _terms(text: str, languages: frozenset[str]) -> frozenset[str]:
    return frozenset(tokens.query_terms(text, languages))


def _fact_scores(fact_row_pairs: Iterable[tuple[FactRow, float]]) -> dict[UUID, float]:
    """What each item gets for the worthiest thing that rests on it."""
    best: dict[UUID, float] = {}
    for each, worth in fact_row_pairs:
        for item in each.items:
            best[item] = max(best.get(item, 0.0), worth)
    return best


def _docs(view: View, seqs_by_item: Mapping[UUID, Sequence[int]]) -> tuple[dict[UUID, list[int]], frozenset[int]]:
    """Where the passages of items stand in the view, and those that do not stand in it."""
    seqs = [seq for some in seqs_by_item.values() for seq in some]
    places = dict(zip(seqs, view.docs(seqs), strict=True))
    docs = {item: [places[seq] for seq in some if places[seq] != NONE] for item, some in seqs_by_item.items()}
    return docs, frozenset(seq for seq, doc in places.items() if doc == NONE)


def _summed(view: View, docs: Mapping[UUID, Sequence[int]], weighted: Iterable[tuple[UUID, float]]) -> Floats:
    total: dict[int, float] = defaultdict(float)
    for item, weight in weighted:
        for doc in docs.get(item, ()):
            total[doc] += weight
    scores = np.zeros(len(view), np.float32)
    for doc, weight in total.items():
        scores[doc] = min(weight, 1.0)
    return scores
