"""Communities: the graph parted by Leiden, off the path of any request.

They are derived from the links and can be made anew at any time, so replacing them is no operation: there is nothing
to audit and nothing to undo.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from graspologic_native import leiden

from nacre.domain import ids
from nacre.domain.communities import Communities, Community, CommunityId, CommunityRefresh, verdict
from nacre.domain.scopes import Scope
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.graph import communities
from nacre.store.graph.communities import CommunityMember, StoredCommunities, WeightedEdge
from nacre.store.work import jobs

KIND = "refresh_communities"
RESOLUTION = 1.0
SEED = 1
MIN_MEMBERS = 2
# So many links must have changed before communities are made anew, and so much time must have passed.
CHANGES = 20
REST = timedelta(hours=1)
NAMED_IN_SUMMARY = 5
LINKS_IN_SUMMARY = 3

Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityDraft:
    """A community before it has an id."""

    name: str
    cohesion: float
    summary: str
    members: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """A graph in groups, and its modularity: how much more is linked inside them than chance would have it."""

    groups: tuple[CommunityDraft, ...]
    modularity: float


def listed(tx: Transaction, limit: int, offset: int) -> Communities:
    """The communities of the last refresh, the largest first."""
    return communities.page(tx, limit, offset)


def refresh(database: Database, scope: Scope) -> CommunityRefresh:
    """Make the communities of a scope anew."""
    with database.read(scope) as tx:
        found = part(tx)
    with database.write(scope) as tx:
        return keep(tx, found)


def refreshing(database: Database, scope: Scope) -> Callable[[Transaction], None]:
    """The same as a job does it: computed now, and kept in the transaction that ends the job."""
    with database.read(scope) as tx:
        found = part(tx)

    def apply(tx: Transaction) -> None:
        keep(tx, found)

    return apply


def request_due(database: Database) -> int:
    """Ask for new communities wherever enough links have changed; returns for how many scopes."""
    with database.read_all() as everywhere:
        due = communities.due(everywhere, KIND, REST, CHANGES)
    requested = 0
    for scope in due:
        with database.write(scope) as tx:
            requested += jobs.request(tx, KIND)
    return requested


def part(tx: Transaction) -> Partition:
    """The scope's graph in groups of entities in force; the same graph always gives the same groups."""
    drawn = communities.edges(tx)
    ends = sorted({end for edge in drawn for end in (edge.source, edge.target)})
    known = communities.known(tx, ends)
    drawn = [edge for edge in drawn if edge.weight > 0 and edge.source in known and edge.target in known]
    weights: dict[Pair, float] = defaultdict(float)
    for edge in drawn:
        weights[_pair(edge)] += edge.weight
    if not weights:
        return Partition(groups=(), modularity=0.0)
    modularity, member_of = _leiden(weights)
    return Partition(groups=tuple(_groups(member_of, weights, drawn, known)), modularity=round(modularity, 4))


def keep(tx: Transaction, partition: Partition) -> CommunityRefresh:
    """Put groups in the place of the communities there were; one that is mostly the same keeps its id."""
    scopes.lock(tx)
    members = [member for group in partition.groups for member in group.members]
    if len(communities.known(tx, members)) < len(members):
        # Somebody took an entity out since it was read.
        partition = part(tx)
    before = communities.held(tx)
    same_ids = matched(before, [group.members for group in partition.groups])
    made = []
    for place, group in enumerate(partition.groups):
        key = same_ids.get(place) or ids.new(tx.now)
        community = Community(
            id=CommunityId(key),
            name=group.name,
            cohesion=group.cohesion,
            member_count=len(group.members),
            summary=group.summary,
            created_at=before.created.get(key, tx.now),
            updated_at=tx.now,
        )
        made.append((community, group.members))
    communities.replace(tx, made, partition.modularity)
    return CommunityRefresh(
        communities=len(made),
        members=sum(len(group.members) for group in partition.groups),
        kept=len(same_ids),
        modularity=partition.modularity,
        verdict=verdict(partition.modularity),
    )


def matched(before: StoredCommunities, groups: Sequence[Sequence[UUID]]) -> dict[int, UUID]:
    """Which of the new groups is which community of before: where most members are shared, each only once."""
    shared = Counter(
        (before.members[member], place)
        for place, members in enumerate(groups)
        for member in members
        if member in before.members
    )
    same_ids: dict[int, UUID] = {}
    taken: set[UUID] = set()
    for community, place in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        if place not in same_ids and community not in taken:
            same_ids[place] = community
            taken.add(community)
    return same_ids


def _pair(edge: WeightedEdge) -> Pair:
    return min(edge.source, edge.target), max(edge.source, edge.target)


def _leiden(weights: Mapping[Pair, float]) -> tuple[float, dict[UUID, int]]:
    drawn = [(str(one), str(other), weights[one, other]) for one, other in sorted(weights)]
    modularity, member_of = leiden(
        edges=drawn,
        starting_communities=None,
        resolution=RESOLUTION,
        randomness=0.001,
        iterations=1,
        use_modularity=True,
        seed=SEED,
        trials=1,
    )
    return modularity, {UUID(entity): group for entity, group in member_of.items()}


def _groups(
    member_of: Mapping[UUID, int],
    weights: Mapping[Pair, float],
    drawn: Sequence[WeightedEdge],
    names: Mapping[UUID, CommunityMember],
) -> list[CommunityDraft]:
    members: dict[int, list[UUID]] = defaultdict(list)
    for entity in sorted(member_of, key=lambda each: (-names[each].mentions, names[each].name, each)):
        members[member_of[entity]].append(entity)
    pairs = Counter(member_of[one] for one, other in weights if member_of[one] == member_of[other])
    inside: dict[int, list[WeightedEdge]] = defaultdict(list)
    for edge in drawn:
        if member_of[edge.source] == member_of[edge.target]:
            inside[member_of[edge.source]].append(edge)
    return [
        CommunityDraft(
            name=names[some[0]].name,
            cohesion=round(pairs[group] / (len(some) * (len(some) - 1) / 2), 4),
            summary=_summary(some, inside[group], names),
            members=tuple(some),
        )
        for group, some in sorted(members.items(), key=lambda pair: (-len(pair[1]), pair[1][0]))
        if len(some) >= MIN_MEMBERS
    ]


def _summary(members: Sequence[UUID], inside: Sequence[WeightedEdge], names: Mapping[UUID, CommunityMember]) -> str:
    """Who belongs to it, and what holds it together."""
    shown = [names[each].name for each in members[:NAMED_IN_SUMMARY]]
    more = len(members) - len(shown)
    who = ", ".join(shown) + f" and {more} more" if more else " and ".join((", ".join(shown[:-1]), shown[-1]))
    strongest = sorted(inside, key=lambda edge: (-edge.weight, names[edge.source].name, edge.predicate, edge.target))
    said = [
        f"{names[edge.source].name} {edge.predicate.replace('_', ' ')} {names[edge.target].name}"
        for edge in strongest[:LINKS_IN_SUMMARY]
    ]
    return f"{who}. Strongest links: {'; '.join(said)}."
