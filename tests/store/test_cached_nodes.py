"""Nodes that come from the cache are as the database has them, whoever writes and whenever."""

import subprocess
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Nacre, NacreError, NotFound, ScopedNacre
from nacre.domain.entities import Node
from nacre.domain.links import Link
from nacre.domain.operations import (
    AddAlias,
    PinEntity,
    RemoveAlias,
    RenameEntity,
    RestoreEntity,
    RetypeEntity,
    UpdateLink,
    UpsertEntity,
    UpsertLink,
)
from nacre.store.base.cache import Cache
from tests import examples
from tests.cases import in_turn
from tests.store.caches import World, drawn, read_tables, with_cache
from tests.waits import HANGS


@pytest.mark.spec("W3")
def test_a_node_is_kept_on_first_access_and_the_second_reads_no_names_and_no_links(world):
    alice = drawn(world.plain)
    assert world.kept() == set()
    first = world.cached.graph.node(alice)
    assert world.kept() == {f"kg:node:{alice}"}

    with read_tables() as read:
        second = world.cached.graph.node(alice)

    assert second == first == world.plain.graph.node(alice)
    assert len(second.links) == 3
    # Whether all is learned, what the agent shares, and one statement that reads two rows by their keys.
    assert read == [{"scopes"}, {"settings"}, {"scopes", "entities"}]


def a_link(scope: ScopedNacre) -> Link:
    return scope.graph.links("Alice")[0]


def undone(scope: ScopedNacre) -> None:
    scope.graph.undo(scope.graph.history(limit=1)[0].id)


def purged(scope: ScopedNacre) -> None:
    kept = scope.observe("user", "Zoe is a friend of mine")
    scope.graph.link("Alice", "mentors", "Zoe", said_in=kept.id)
    scope.forget(everything=True, purge=True)


def imported(scope: ScopedNacre) -> None:
    held = StringIO()
    scope.transfer.export(held)
    scope.forget(everything=True, purge=True)
    scope.transfer.load(held.getvalue().replace("Backend lead", "Frontend lead").encode(), format="jsonl")


WRITES = {
    "an update": lambda scope: scope.graph.add("Alice", description="Head of backend"),
    "a property": lambda scope: scope.graph.add("Alice", properties={"team": "core"}),
    "a name": lambda scope: scope.graph.apply([AddAlias(entity="Alice", alias="Ally")]),
    "a name less": lambda scope: scope.graph.apply([RemoveAlias(entity="Alice", alias="Al")]),
    "another name": lambda scope: scope.graph.apply([RenameEntity(entity="Alice", new_name="Alicia")]),
    "another type": lambda scope: scope.graph.apply([RetypeEntity(entity="Alice", type="agent")]),
    "a pin": lambda scope: scope.graph.apply([PinEntity(entity="Alice")]),
    "a link from it": lambda scope: scope.graph.link("Alice", "uses", "Redis"),
    "a link to it": lambda scope: scope.graph.link("Carol", "manages", "Alice"),
    "a link said again": lambda scope: scope.graph.link("Bob", "knows", "Alice", confidence=0.9),
    "the end of a link": lambda scope: scope.graph.apply(
        [UpdateLink(link=a_link(scope).id, valid_to=a_link(scope).created_at)]
    ),
    "an archived link": lambda scope: scope.graph.archive_link(a_link(scope).id),
    "an archived neighbour": lambda scope: scope.graph.archive("Bob"),
    "a merge into it": lambda scope: scope.graph.merge("Alice", "Bob", force=True),
    "a merge away": lambda scope: scope.graph.merge("Bob", "Alice", force=True),
    "an undo": undone,
    "an archive": lambda scope: scope.graph.archive("Alice"),
    "an observed turn": lambda scope: scope.observe("user", "Alice works at Acme."),
    "being spoken of": lambda scope: scope.context("What is Alice up to?"),
    "weak links pruned": lambda scope: scope.graph.prune(0.5),
    "forgetting": lambda scope: scope.forget(everything=True),
    "a purge": purged,
    "an import": imported,
}


@pytest.mark.spec("W3")
@in_turn("write", WRITES)
def test_every_write_that_touches_a_node_is_seen_at_once(world, write):
    """The writer has no cache at all, so nobody could have told the one that reads. Each write is another user's."""
    fresh = replace(world, user=write)
    fresh.plain.observe("user", "Alice lives in Bonn")
    alice = drawn(fresh.plain)
    before = fresh.same(alice)
    fresh.clock.advance(minutes=1)

    WRITES[write](fresh.plain)

    assert fresh.same(alice) != before


def test_what_was_archived_and_restored_is_back(world):
    alice = drawn(world.plain)
    before = world.same(alice)
    world.plain.graph.archive(alice)
    assert world.same(alice) is None

    world.plain.graph.apply([RestoreEntity(entity=alice)])

    assert before is not None
    assert world.same(alice) == world.plain.graph.node(alice)


def test_a_summary_of_its_session_is_seen_at_once(world):
    """Its session is the user's, and the graph is the agent's: the summary has a revision where the graph is not."""
    world.brains[1].agent("assistant").share(knowledge_graph=True)
    alice = drawn(world.plain)
    world.plain.observe("user", "Alice asked for tea", session="s1")
    before = world.same(alice)
    world.clock.advance(hours=1)

    world.plain.summaries.summarize("s1")

    after = world.same(alice)
    assert before is not None
    assert after is not None
    assert after.entity.last_synthesized_at != before.entity.last_synthesized_at


def test_links_begin_and_end_by_the_clock_alone(world):
    now = world.clock.now
    world.plain.graph.link("Ana", "likes", value="tea", valid_to=now + timedelta(hours=2))
    world.plain.graph.link("Ana", "likes", value="coffee", valid_from=now + timedelta(hours=1))
    held = []
    for _ in range(4):
        node = world.same("Ana")
        held.append({link.value for link in node.links} if node else set())
        world.clock.advance(hours=1)

    assert held == [{"tea"}, {"tea", "coffee"}, {"coffee"}, {"coffee"}]


@pytest.mark.spec("W3")
def test_a_write_of_another_process_is_seen_at_once(world, database_url, cache_url, quick_nacre):
    alice = drawn(world.plain)
    before = world.same(alice)
    program = """
import sys
from nacre import Nacre, Settings
with Nacre(sys.argv[1], settings=Settings(cache=sys.argv[2], worker="off", embedder="off")) as nacre:
    graph = nacre.scope("assistant", "ana").graph
    graph.node("Alice")
    graph.add("Alice", description="Written elsewhere")
    print(graph.node("Alice").entity.description)
"""
    told = subprocess.run(
        [*quick_nacre, "-c", program, database_url, cache_url], capture_output=True, text=True, check=True
    )

    after = world.same(alice)
    assert told.stdout.strip() == "Written elsewhere"
    assert before is not None
    assert after is not None
    assert after.entity.description == "Written elsewhere"


@pytest.mark.spec("W3")
def test_two_tenants_with_the_same_ids_never_meet(database_url, cache_url, clock):
    """A scope that was imported elsewhere has the ids of the one it came from, and here the same revision as well."""
    with Nacre(database_url, settings=with_cache(cache_url), clock=clock) as nacre:
        ana, eve = nacre.scope("assistant", "ana"), nacre.scope("other", "eve")
        alice, held = drawn(ana), StringIO()
        ana.transfer.export(held)
        eve.transfer.load(held.getvalue().encode(), format="jsonl")
        ana.graph.add("Alice", description="Ana's secret")

        for _ in range(2):
            assert ana.graph.node(alice).entity.description == "Ana's secret"
            assert eve.graph.node(alice).entity.description == "Backend lead"
        with pytest.raises(NotFound):
            nacre.scope("assistant", "bob").graph.node(alice)


def test_a_copy_of_a_database_that_counts_on_alike_never_meets_the_original(tmp_path, cache_url):
    """As a backup does that is restored beside the brain it was taken from, or in its place."""
    with Nacre(tmp_path / "one.db", settings=with_cache(cache_url)) as nacre:
        alice = drawn(nacre.scope("assistant"))
    (tmp_path / "two.db").write_bytes((tmp_path / "one.db").read_bytes())
    with (
        Nacre(tmp_path / "one.db", settings=with_cache(cache_url)) as one,
        Nacre(tmp_path / "two.db", settings=with_cache(cache_url)) as two,
    ):
        for name, nacre in (("one", one), ("two", two)):
            nacre.scope("assistant").graph.add("Alice", description=name)
        for name, nacre in (("one", one), ("two", two)):
            assert nacre.scope("assistant").graph.node(alice).entity.description == name


def test_a_shared_graph_is_kept_where_it_is_shared(database_url, cache_url):
    with Nacre(database_url, settings=with_cache(cache_url)) as nacre:
        ana, bob = nacre.scope("assistant", "ana"), nacre.scope("assistant", "bob")
        alone = ana.graph.add("Alice", description="Ana's own")
        assert ana.graph.node(alone.id).entity == alone
        nacre.agent("assistant").share(knowledge_graph=True)

        with pytest.raises(NotFound):
            ana.graph.node(alone.id)
        shared = ana.graph.add("Alice", description="For all")
        assert bob.graph.node(shared.id).entity == shared
        said = bob.observe("user", "Alice likes chess")
        bob.graph.link("Alice", "likes", value="chess", said_in=said.id)
        assert [link.value for link in ana.graph.node(shared.id).links][:1] == ["chess"]
        bob.forget(everything=True, purge=True)
        assert ana.graph.node(shared.id).links == ()


def test_the_past_is_read_from_the_database(world):
    drawn(world.plain)
    then = world.clock.now
    world.clock.advance(hours=1)
    world.plain.graph.add("Alice", description="Head of backend")

    assert world.cached.graph.node("Alice", as_of=then) == world.plain.graph.node("Alice", as_of=then)
    assert world.kept() == set()


@pytest.mark.spec("W3")
def test_a_node_that_was_read_before_a_write_and_is_kept_after_it_is_never_served(world, cache_url):
    """The race that an invalidation loses: read, then the write and its message, then the late fill."""
    alice = drawn(world.plain)
    read, written = threading.Event(), threading.Event()

    class Late(Cache):
        def put(self, key: str, value: bytes, group: str) -> None:
            read.set()
            assert written.wait(HANGS)
            super().put(key, value, group)

    late = world.brains[0].parts.cache = Late(cache_url)
    old: list[Node] = []
    reader = threading.Thread(target=lambda: old.append(world.cached.graph.node(alice)))
    reader.start()
    assert read.wait(HANGS)
    world.plain.graph.add("Alice", description="Newer")
    written.set()
    reader.join()

    assert old[0].entity.description == "Backend lead"
    assert world.kept() == {f"kg:node:{alice}"}
    node = world.same(alice)
    assert node is not None
    assert node.entity.description == "Newer"
    late.close()


names = st.sampled_from(["Ana", "Bo"])
texts = st.text(max_size=8)
# Narrow, so that the clock often stands exactly where a link begins or ends.
minutes = st.integers(-3, 6)
steps = st.one_of(
    st.tuples(st.just("add"), names, texts, st.dictionaries(texts, texts, max_size=2), st.floats(0, 1)),
    st.tuples(st.just("link"), names, names | st.none(), texts, minutes | st.none(), minutes | st.none()),
    st.tuples(st.just("archive"), names),
    st.tuples(st.just("speak of"), names),
    st.tuples(st.just("undo")),
    st.tuples(st.just("wait"), st.integers(1, 3)),
)


def do(world: World, kind: str, *given: Any) -> None:
    graph, now = world.plain.graph, world.clock.now
    match kind, given:
        case "add", (name, text, properties, confidence):
            graph.add(name, description=text or None, aliases=[text], properties=properties, confidence=confidence)
        case "link", (source, target, value, *dates):
            begins, ends = (None if each is None else now + timedelta(minutes=each) for each in dates)
            graph.link(source, "knows", target, value=None if target else value, valid_from=begins, valid_to=ends)
        case "archive", (name,):
            graph.archive(name)
        case "speak of", (name,):
            world.plain.context(f"What about {name}?")
        case "undo", _:
            undone(world.plain)
        case _, (waited,):
            world.clock.advance(minutes=waited)


@examples.costly()
@given(st.lists(steps, min_size=1, max_size=6))
def test_a_cached_node_is_the_stored_node_whatever_is_done(world, done):
    fresh = replace(world, user=uuid4().hex)
    for step in [("add", "Ana", "", {}, 0.5), ("add", "Bo", "", {}, 0.5), *done]:
        with suppress(NacreError, IndexError):
            do(fresh, *step)
        for name in ("Ana", "Bo"):
            fresh.same(name)


WRITERS, READERS, WRITTEN = 3, 3, 25


@pytest.mark.spec("W3")
def test_no_read_is_older_than_a_write_that_was_done_before_it(database_url, cache_url, world):
    """Writers and readers in three brains, while the cache is emptied now and then.

    Each write counts up in the entity and adds a link, so a node that is half of one state and half of another, or
    older than a write that had returned, cannot go unnoticed.
    """
    key = world.plain.graph.add("Counter").id
    done, wrong = [0] * WRITERS, list[str]()
    over = threading.Event()

    def write(number: int, scope: ScopedNacre) -> None:
        for count in range(1, WRITTEN + 1):
            scope.graph.apply(
                [
                    UpsertEntity(name="Counter", properties={f"by {number}": str(count)}),
                    UpsertLink(source="Counter", predicate="counts", value=f"{number} {count}"),
                ]
            )
            done[number] = count

    def read(scope: ScopedNacre) -> None:
        while not over.is_set():
            before = list(done)
            node = scope.graph.node(key)
            counted = [int(node.entity.properties.get(f"by {number}", 0)) for number in range(WRITERS)]
            linked = {f"{number} {each}" for number in range(WRITERS) for each in range(1, counted[number] + 1)}
            if any(seen < known for seen, known in zip(counted, before, strict=True)):
                wrong.append(f"{counted} is older than {before}")
            if {link.value for link in node.links} != linked:
                wrong.append(f"{counted} is not what {sorted(each.value or '' for each in node.links)} says")

    with Nacre(database_url, settings=with_cache(cache_url), clock=world.clock) as third:
        scopes = [world.cached, world.plain, third.scope("assistant", "ana")]
        writers = [threading.Thread(target=write, args=(each, scopes[each % 3])) for each in range(WRITERS)]
        readers = [threading.Thread(target=read, args=(scopes[each % 2 * 2],)) for each in range(READERS)]
        for each in [*readers, *writers]:
            each.start()
        while any(each.is_alive() for each in writers):
            world.server.flushall()
            writers[0].join(0.05)
        over.set()
        for each in [*readers, *writers]:
            each.join()

    assert wrong == []
    assert done == [WRITTEN] * WRITERS
    assert world.server.info("stats")["keyspace_hits"] > 0
    node = world.same(key)
    assert node is not None
    assert len(node.links) == WRITERS * WRITTEN
