"""Two tenants with the same names: no operation of one reads or changes a row of the other."""

from hypothesis import given
from hypothesis import strategies as st

from nacre import Nacre, NacreError, ScopedNacre, Settings
from nacre.domain.operations import ArchiveEntity, CleanUpGraph, MergeEntities, PruneGraph, UpsertEntity, UpsertLink
from tests import examples
from tests.conftest import MovableClock
from tests.graph.test_operations import rows

people = st.sampled_from(["Ana", "Bob", "Cleo"])
confidences = st.sampled_from([0.2, 0.6, 1.0])
changes = st.one_of(
    st.builds(UpsertEntity, name=people, aliases=st.lists(people, max_size=2).map(tuple), confidence=confidences),
    st.builds(UpsertLink, source=people, predicate=st.just("knows"), target=people, confidence=confidences),
    st.builds(UpsertLink, source=people, predicate=st.just("likes"), value=st.just("tea")),
    st.builds(ArchiveEntity, entity=people),
    st.builds(MergeEntities, target=people, source=people),
    st.builds(PruneGraph, min_confidence=confidences),
    st.builds(CleanUpGraph, untouched_since=st.just(MovableClock().now)),
)
others = st.sampled_from(["undo", "scan", "resolve", "dismiss", "context"])
steps = st.tuples(st.integers(0, 1), st.one_of(changes, others))


def do(scope: ScopedNacre, step: object) -> None:
    """Take one step; what is refused is refused."""
    graph = scope.graph
    try:
        match step:
            case "undo":
                graph.undo(graph.history()[0].id)
            case "scan":
                graph.scan_duplicates()
            case "resolve":
                graph.resolve([entity.id for entity in graph.search(limit=100)])
            case "dismiss":
                graph.dismiss_duplicate(graph.duplicates()[0].id)
            case "context":
                scope.context("What do Ana, Bob and Cleo do?", session="s")
            case _:
                graph.apply([step])  # type: ignore[list-item]
    except (NacreError, IndexError):
        return


def seen(scope: ScopedNacre) -> set[str]:
    """Every id that any read of the graph gives."""
    graph = scope.graph
    found = [*graph.search(limit=100), *graph.mentioned("Ana and Bob and Cleo"), *graph.picture().entities]
    ids = {str(entity.id) for entity in found}
    for entity in graph.search(limit=100):
        ids |= {str(link.id) for link in graph.links(entity.id)}
        ids |= {str(node.entity_id) for node in graph.walk([entity.id]).nodes}
    for pair in graph.duplicates():
        ids |= {str(pair.id), str(pair.entity_a), str(pair.entity_b)}
    return ids


@examples.costly()
@given(history=st.lists(steps, min_size=2, max_size=14))
def test_no_step_of_one_tenant_touches_or_shows_the_other(new_sqlite, history):
    with Nacre(new_sqlite(), settings=Settings(embedder="off", worker="off"), clock=MovableClock()) as nacre:
        tenants = [nacre.scope("agent", user="ana"), nacre.scope("agent", user="bob")]
        for who, step in history:
            before = rows(nacre, tenants[1 - who])
            do(tenants[who], step)
            assert rows(nacre, tenants[1 - who]) == before
        held = [{value for table in rows(nacre, each).values() for row in table for value in row} for each in tenants]
        for who, tenant in enumerate(tenants):
            assert seen(tenant) <= held[who]
            assert seen(tenant).isdisjoint(held[1 - who])
