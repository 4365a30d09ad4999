"""Which entities may be one and the same thing.

Nothing here compares everything with everything: entities meet only in blocks, by a name or part of one, and in a
scan by the direction of their vectors. A block with many members is ordered by name and only neighbours in it meet,
so the work grows with the number of entities and not with its square.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from nacre.domain.entities import MIN_MATCHED, EntityType
from nacre.domain.ids import EntityId
from nacre.models.embedders import Embedder, Matrix
from nacre.store.base.databases import Transaction
from nacre.store.graph import candidates as queue
from nacre.store.graph.candidates import ComparableEntity
from nacre.text import names, similarity
from nacre.text.letters import fold
from nacre.text.personal_names import Likeness, compare, formal

PairVerdict = Literal["merge", "flag", "apart"]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

MERGE_COSINE = 0.98
MERGE_NAME = 0.85
FLAG_COSINE = 0.90
FLAG_NAME = 0.93
# What other forms of a person's name count as: never enough to merge unasked.
_PERSONAL = {Likeness.SAME: 0.95, Likeness.MAYBE: FLAG_NAME}

# Everyone meets everyone in a block of up to `_SMALL`; in a larger one only the next `_REACH` by name.
_SMALL = 24
_REACH = 8
# Vectors that lie on the same side of each of `_BITS` planes share a block. With `_TABLES` sets of planes, 7 % of the
# pairs with a cosine of 0.90 never meet that way, and next to none of those with 0.98.
_BITS = 12
_TABLES = 16
_PAIRS_AT_ONCE = 20_000

# Without accents, as names are compared.
_MALE = frozenset({"mr", "mister", "sir", "herr", "senor"})
_FEMALE = frozenset({"mrs", "ms", "miss", "madam", "frau", "senora"})
_TITLES = _MALE | _FEMALE | {"dr", "doctor", "prof", "professor", "jr", "junior", "sr", "senior"}
# What anyone may be called names no one.
_ADDRESSES = _TITLES | {"honey", "hon", "dear", "darling", "sweetheart", "sweetie", "babe", "baby", "love"}
_ADDRESSES |= {"dude", "buddy", "man", "guy", "guys", "lady", "ladies", "friend", "everyone", "boss"}
_KINDS = {kind: number for number, kind in enumerate(EntityType)}
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two entities that were compared, the smaller id first, and what follows from it."""

    a: EntityId
    b: EntityId
    cosine: float | None
    name_similarity: float
    verdict: PairVerdict

    @property
    def similarity(self) -> float:
        """The stronger of the two signals: what a review is ordered by."""
        return min(max(self.cosine or 0.0, self.name_similarity), 1.0)


def decide(cosine: float | None, name: float, *, shared: bool = False, flag: float = FLAG_COSINE) -> PairVerdict:
    """What two signals say together, before the entities themselves are looked at (see `judge`).

    ======================  =====================  ========
    cosine                  names                  verdict
    ======================  =====================  ========
    ≥ 0.98                  ≥ 0.85                 merge
    ≥ 0.90 (`flag`)         any                    flag
    below                   ≥ 0.93                 flag
    below                   below                  apart
    no embedder             the same (`shared`)    merge
    no embedder             ≥ 0.93                 flag
    no embedder             below                  apart
    ======================  =====================  ========
    """
    if shared if cosine is None else cosine >= MERGE_COSINE and name >= MERGE_NAME:
        return "merge"
    near = cosine is not None and cosine >= flag
    return "flag" if near or name >= FLAG_NAME else "apart"


def judge(
    a: ComparableEntity, b: ComparableEntity, cosine: float | None, *, unique: bool = True, flag: float = FLAG_COSINE
) -> ComparedPair:
    """What becomes of two entities.

    Things of different types are apart, unless the type of one is unknown. So are names that contradict each other:
    in a number or a letter ("Phase 1" and "Phase 2", "Plan A" and "Plan B"), or "Mr." and "Mrs.", unless they share
    another name. Never more than flagged, whatever the signals, are names of which only one has such a number or
    letter, or that have them in another order ("1.0.1" and "1.1.0"), things whose names are the same words in another
    order, persons whose surnames (or only names) differ, and persons known only by what anyone may be called.

    Without an embedder, a name counts as shared when it is the own name of both, or of one and an alias of the
    other while nothing else goes by it (`unique`), and its key has three characters.
    """
    first, second = sorted((a, b), key=lambda each: each.id)
    alike = max(_names_alike(first, second), _persons_alike(first, second))
    verdict = decide(cosine, alike, shared=_shared(first, second, unique=unique), flag=flag)
    if not _same_kind(first, second) or (alike < 1.0 and _contradict(first.name, second.name)):
        verdict = "apart"
    elif verdict == "merge" and _uncertain(first, second):
        verdict = "flag"
    return ComparedPair(a=first.id, b=second.id, cosine=cosine, name_similarity=alike, verdict=verdict)


def candidates(tx: Transaction, changed: Collection[UUID], embedder: Embedder | None) -> list[ComparedPair]:
    """What the changed entities may be duplicates of, the most alike first. A decided pair never comes back."""
    roll = _NameRoll(queue.named(tx))
    wanted = set(changed)
    here = np.array([each.id in wanted for each in roll.people], dtype=np.bool_)
    if not here.any():
        return []
    pairs = roll.comparable(_meetings(roll.blocks(here), len(roll.names)))
    pairs = pairs[here[roll.owner[pairs]].any(axis=1)]
    vectors = _vectors(roll.people, np.unique(roll.owner[pairs]), embedder)
    return _undecided(tx, roll.judged(pairs, vectors, FLAG_COSINE))


def scan(
    tx: Transaction, embedder: Embedder | None, *, threshold: float = FLAG_COSINE, limit: int = 100
) -> list[ComparedPair]:
    """The scope's likeliest duplicates that nobody has decided, the most alike first.

    `threshold` is the cosine from which a pair is flagged, and the least similarity of what is returned.
    """
    roll = _NameRoll(queue.named(tx))
    pairs = roll.comparable(_meetings(roll.blocks(), len(roll.names)))
    vectors = _vectors(roll.people, np.arange(len(roll.people)), embedder)
    if vectors is not None:
        near = roll.comparable(_meetings(map(roll.own.take, _directions(vectors)), len(roll.names)))
        pairs = np.concatenate([pairs, near[_cosines(vectors, roll.owner[near]) >= threshold]])
    found = _undecided(tx, roll.judged(pairs, vectors, threshold))
    return [pair for pair in found if pair.similarity >= threshold][:limit]


class _NameRoll:
    """The entities of a scope and all their names. Both are known by their places in `people` and in `names`."""

    def __init__(self, people: Sequence[ComparableEntity]) -> None:
        self.people = people
        self.names: list[str] = []
        self._keys: list[str] = []
        self._blocks: dict[str, list[int]] = defaultdict(list)
        self._holders: dict[str, set[int]] = defaultdict(set)
        owners: list[int] = []
        for place, each in enumerate(people):
            for key, name in each.keyed:
                self._holders[key].add(place)
                for block in _block_keys(key):
                    self._blocks[block].append(len(owners))
                owners.append(place)
                self.names.append(name)
                self._keys.append(key)
        self.owner: Places = np.array(owners, dtype=np.int64)
        # The first name of each: any would do to tell the entity by.
        self.own: Places = np.searchsorted(self.owner, np.arange(len(people)))

    def blocks(self, here: Flags | None = None) -> Iterator[Places]:
        """The names that share a block, ordered by their last words; only blocks with entities that are `here`."""
        wanted = None if here is None else set(np.flatnonzero(here[self.owner]).tolist())
        for members in self._blocks.values():
            if len(members) > 1 and (wanted is None or not wanted.isdisjoint(members)):
                yield np.array(sorted(members, key=self._backwards), dtype=np.int64)

    def comparable(self, pairs: Places) -> Places:
        """The pairs of names whose entities are two and may be of one kind."""
        one, other = self.owner[pairs].T
        kinds = np.array([_KINDS[each.type] for each in self.people], dtype=np.int8)
        unknown = _KINDS[EntityType.UNKNOWN]
        kindred = (kinds[one] == kinds[other]) | (kinds[one] == unknown) | (kinds[other] == unknown)
        comparable_pairs: Places = pairs[(one != other) & kindred]
        return comparable_pairs

    def judged(self, pairs: Places, vectors: Matrix | None, flag: float) -> list[ComparedPair]:
        """The entities of these pairs of names that are not apart, each two once."""
        owners = np.sort(self.owner[pairs], axis=1)
        places, named = np.unique(pairs, return_inverse=True)
        spelled = [similarity.comparable(self.names[place]) for place in places]
        promising = similarity.alike(spelled, named.reshape(pairs.shape), FLAG_NAME) | self._personal(pairs)
        if vectors is not None:
            promising |= _cosines(vectors, owners) >= flag
        couples = np.unique(owners[promising], axis=0)
        # Text that means nothing to the embedder has no direction: names decide.
        spoken: Flags = np.any(np.zeros((len(self.people), 1)) if vectors is None else vectors, axis=1)
        cosines = np.zeros(len(couples)) if vectors is None else _cosines(vectors, couples)
        found = []
        for place, (a, b) in enumerate(couples.tolist()):
            cosine = float(cosines[place]) if spoken[a] and spoken[b] else None
            found.append(judge(self.people[a], self.people[b], cosine, unique=self._unique(a, b), flag=flag))
        return [pair for pair in found if pair.verdict != "apart"]

    def _personal(self, pairs: Places) -> Flags:
        """The pairs of names that may be one person's: first, full, short and titled names."""
        persons = np.array([each.type is EntityType.PERSON for each in self.people], dtype=np.bool_)
        flags: Flags = np.zeros(len(pairs), dtype=np.bool_)
        for place in np.flatnonzero(persons[self.owner[pairs]].all(axis=1)).tolist():
            one, other = pairs[place]
            flags[place] = compare(self.names[one], self.names[other]) >= Likeness.MAYBE
        return flags

    def _unique(self, *places: int) -> bool:
        """Whether nothing else goes by the own name of one of these."""
        return all(self._holders[names.match_key(self.people[place].name)] <= set(places) for place in places)

    def _backwards(self, member: int) -> list[str]:
        return self._keys[member].split()[::-1]


def _block_keys(key: str) -> set[str]:
    """The blocks of a name: its key, its first letters, each of its words, what it is short for, and its initials."""
    parts = fold(key).split()
    keys = {f"={key}", f"^{''.join(parts)[:3]}", *(f"w{part}" for part in parts if len(part) > 1)}
    keys |= {f"w{form}" for form in formal(parts[0])} if parts else set()
    if len(parts) > 1:
        keys.add(f"i{''.join(sorted(part[0] for part in parts))}")
    return keys


def _meetings(blocks: Iterable[Places], size: int) -> Places:
    """Pairs of the members that meet in some block, each once; `size` is more than any member."""
    met = []
    for block in blocks:
        reach = len(block) - 1 if len(block) <= _SMALL else _REACH
        for step in range(1, reach + 1):
            one, other = block[:-step], block[step:]
            met.append(np.minimum(one, other) * size + np.maximum(one, other))
    # Sorted by hand: `np.unique` hashes, which takes many times as long here.
    codes = np.sort(np.concatenate([*met, np.array([-1])]))
    return np.stack(np.divmod(codes[1:][np.diff(codes) > 0], max(size, 1)), axis=1)


def _directions(vectors: Matrix) -> Iterator[Places]:
    """The rows that point about the same way."""
    rows = np.flatnonzero(vectors.any(axis=1))
    planes = np.random.default_rng(0).standard_normal((vectors.shape[1], _TABLES * _BITS)).astype(np.float32)
    sides = (vectors[rows] @ planes > 0).reshape(-1, _TABLES, _BITS)
    for buckets in (sides @ (1 << np.arange(_BITS, dtype=np.int64))).T:
        order = np.argsort(buckets, kind="stable")
        ends = np.flatnonzero(np.diff(buckets[order])) + 1
        yield from (rows[block] for block in np.split(order, ends) if len(block) > 1)


def _vectors(people: Sequence[ComparableEntity], places: Places, embedder: Embedder | None) -> Matrix | None:
    """A row for every entity, filled for those at `places`; None without an embedder that can be asked right now."""
    if embedder is None or not embedder.local or not len(places):
        return None
    some = embedder.embed([described(people[place]) for place in places]).matrix
    rows = np.zeros((len(people), some.shape[1]), dtype=np.float32)
    rows[places] = some
    return rows


def described(entity: ComparableEntity) -> str:
    """What an entity's vector is made from."""
    return f"{entity.name} {entity.description}" if entity.description else entity.name


def _cosines(vectors: Matrix, pairs: Places) -> NDArray[np.float32]:
    found = np.empty(len(pairs), dtype=np.float32)
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = pairs[start : start + _PAIRS_AT_ONCE]
        np.einsum("ij,ij->i", vectors[some[:, 0]], vectors[some[:, 1]], out=found[start : start + len(some)])
    return found


def _undecided(tx: Transaction, pairs: Iterable[ComparedPair]) -> list[ComparedPair]:
    decided = queue.decided(tx)
    open_ = [pair for pair in pairs if (pair.a, pair.b) not in decided]
    return sorted(open_, key=lambda pair: (-pair.similarity, pair.a, pair.b))


def _names_alike(a: ComparableEntity, b: ComparableEntity) -> float:
    """The best similarity of one's own name with any name of the other, and 1 when they share a name."""
    if not {names.canonical(name) for name in a.names}.isdisjoint(names.canonical(name) for name in b.names):
        return 1.0
    ours = [similarity.name_similarity(a.name, name) for name in b.names]
    return max(*ours, *(similarity.name_similarity(b.name, name) for name in a.names))


def _persons_alike(a: ComparableEntity, b: ComparableEntity) -> float:
    """Enough to be flagged where both are persons and one's name may be another form of the other's."""
    if not a.type is b.type is EntityType.PERSON:
        return 0.0
    best = max(compare(one, other) for one in a.names for other in b.names)
    return _PERSONAL.get(best, 0.0)


def _shared(a: ComparableEntity, b: ComparableEntity, *, unique: bool) -> bool:
    """Whether the own name of one is a name of the other, beyond doubt."""
    ours, theirs = names.canonical(a.name), names.canonical(b.name)
    listed = {names.canonical(name) for name in a.names} & {theirs} | {names.canonical(name) for name in b.names} & {
        ours
    }
    return (unique or ours == theirs) and any(len(names.match_key(name)) >= MIN_MATCHED for name in listed)


def _same_kind(a: ComparableEntity, b: ComparableEntity) -> bool:
    return a.type == b.type or EntityType.UNKNOWN in (a.type, b.type)


def _contradict(a: str, b: str) -> bool:
    """Whether each name has a number, a letter or a form of address that the other lacks, or has less often."""
    ours, theirs = Counter(_marks(a)), Counter(_marks(b))
    if ours - theirs and theirs - ours:
        return True
    one, other = set(_words(a)), set(_words(b))
    return bool((one & _MALE and other & _FEMALE) or (one & _FEMALE and other & _MALE))


def _uncertain(a: ComparableEntity, b: ComparableEntity) -> bool:
    """Whether their names speak against merging them unasked."""
    if _marks(a.name) != _marks(b.name):
        return True
    if EntityType.PERSON not in (a.type, b.type):
        return _turned_round(a.name, b.name)
    return _surnames_differ(a.name, b.name) or any(_ADDRESSES.issuperset(_words(each.name)) for each in (a, b))


def _turned_round(a: str, b: str) -> bool:
    """Whether the same words stand in another order: no signal sees the difference between there and back."""
    ours, theirs = _words(a), _words(b)
    return ours != theirs and sorted(ours) == sorted(theirs)


def _surnames_differ(a: str, b: str) -> bool:
    """Whether the last words differ, of two full names or of two single ones; the order of words aside."""
    ours, theirs = ([word for word in _words(name) if word not in _TITLES] for name in (a, b))
    if not ours or not theirs or (len(ours) == 1) != (len(theirs) == 1):
        return False
    return ours[-1] != theirs[-1] and sorted(ours) != sorted(theirs)


def _marks(name: str) -> list[str]:
    """The numbers of a name and the letters that stand alone in it, in order: 1.0.1 is not 1.1.0."""
    spelled = similarity.comparable(name)
    return [*_DIGITS.findall(spelled), *(word for word in similarity.parts(spelled) if len(word) == 1)]


def _words(name: str) -> list[str]:
    return similarity.parts(similarity.comparable(name))
