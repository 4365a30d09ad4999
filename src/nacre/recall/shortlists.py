"""Views of scopes too large for memory: a question's likeliest passages, found by the database, and those around them.

The same channels and the same fusion rank such a view as any other. What only all passages together could tell comes
from the database: how many there are, and how many hold each term.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise

from nacre.recall import bm25, channels
from nacre.recall.index import Index, Part, View
from nacre.store.base.databases import Transaction
from nacre.store.evidence import passages, vectors
from nacre.store.reads import scope_indexes, shortlists
from nacre.store.reads.shortlists import PassageFilter

# So many passages are chosen by words, and so many by meaning.
BY_WORDS, BY_MEANING = 200, 100
# The first of them bring along so many turns on either side: most often, their whole session.
FIRST, WIDE, CLOSE = 20, 25, bm25.FAR
# What a long question says is said by its first terms.
TERMS = 48


def choose(
    tx: Transaction, asked: channels.EmbeddedQuery, passage_filters: Iterable[PassageFilter], population: int
) -> Part:
    """The passages of a scope of `population` that are likeliest to answer a question, for any of its filters."""
    like = shortlists.sample(tx)
    held = scope_indexes.held(tx, asked.space)
    words = _first_terms(channels.query_keys(asked, like.languages))
    holders = shortlists.holders(tx, [key for word in words for key in word], population, indexed=held.words)
    by_meaning = held.meaning and asked.vectors is not None and bool(asked.vectors.matrix[0].any())
    whole = bm25.Whole(population, holders, like.mean_length)
    rankings: list[list[int]] = []
    for each in passage_filters:
        rankings.append(_by_words(tx, whole, words, each, indexed=held.words))
        if by_meaning and asked.vectors:
            space, matrix = asked.vectors.space, asked.vectors.matrix
            rankings.append(shortlists.by_meaning(tx, space, matrix[0].tolist(), each, BY_MEANING))
    return Part(whole, tuple(dict.fromkeys(_in_turn(rankings))), held.meaning)


def view(tx: Transaction, part: Part, space: str | None, revision: int, beyond: Collection[int] = ()) -> View:
    """The chosen passages and those `beyond`, each with its neighbours."""
    spans = shortlists.around(tx, part.chosen[:FIRST], WIDE)
    spans += shortlists.around(tx, [*part.chosen[FIRST:], *beyond], CLOSE)
    seqs = sorted({*part.chosen, *beyond, *chain.from_iterable(spans)})
    index = Index()
    index.apply(passages.by_seq(tx, seqs), revision, dict(chain.from_iterable(map(pairwise, spans))))
    if space is not None:
        index.apply_vectors(space, vectors.by_seq(tx, space, seqs), revision)
    return replace(index.view, part=part)


def _first_terms(words: Sequence[bm25.Word]) -> list[bm25.Word]:
    """The first words of a question, until they have as many terms as are looked for."""
    terms = accumulate(map(len, words))
    return [word for word, total in zip(words, terms, strict=True) if total <= TERMS]


def _by_words(
    tx: Transaction, whole: bm25.Whole, asked: Sequence[bm25.Word], passage_filter: PassageFilter, *, indexed: bool
) -> list[int]:
    held = [word for word in asked if whole.holding(word)]
    weights = {word: float(bm25.rarity(whole.holding(word), whole.passages)) for word in held}
    known = [key for key, holders in whole.holders.items() if holders]
    leading, first_seq = _leading(whole, passage_filter) if indexed else (known, 0)
    words = shortlists.Words(
        weights=weights, leading=leading, first_seq=first_seq, k1=bm25.K1, b=bm25.B, mean_length=whole.mean_length
    )
    return shortlists.by_words(tx, words, passage_filter, BY_WORDS, indexed=indexed)


def _leading(whole: bm25.Whole, passage_filter: PassageFilter) -> tuple[list[int], int]:
    """The terms that passages are looked up by: the rarest, until they are enough. The others only rank.

    Where even the rarest is said everywhere, the newest passages stand for all, unless a filter could miss them.
    """
    rarest = sorted((key for key, held in whole.holders.items() if held), key=lambda key: whole.holders[key])
    leading: list[int] = []
    total = 0
    for key in rarest:
        total += whole.holders[key]
        if leading and total > shortlists.MANY:
            break
        leading.append(key)
    most = whole.holders[leading[0]] if leading else 0
    common = most >= shortlists.MANY and not passage_filter.narrow
    return leading, round(whole.passages * (1 - shortlists.MANY / most)) if common else 0


def _in_turn(rankings: Sequence[Sequence[int]]) -> Iterable[int]:
    """The first of each ranking, then the second of each, and so on."""
    longest = max(map(len, rankings), default=0)
    return (ranking[place] for place in range(longest) for ranking in rankings if place < len(ranking))
