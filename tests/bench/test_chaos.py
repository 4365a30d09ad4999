"""A short run of chaos, and a checker that sees what it is there to see."""

import sqlite3
from collections import Counter
from dataclasses import replace
from multiprocessing import Pipe
from random import Random
from time import monotonic

import pytest

from bench import chaos, histories
from bench.clients import ACTS, Hand, Life
from bench.histories import AGENT, Note
from bench.progress import Silent
from bench.strikes import Battlefield
from nacre import Nacre, Settings


@pytest.mark.spec("N12")
def test_kills_of_writers_of_all_kinds_lose_double_and_leak_nothing(sqlite_url):
    figures = chaos.measure(sqlite_url, chaos.Plan(lives=3, clients=2, served=False), Silent())

    assert figures["violations"] == []
    assert figures["kills"]["client"] == 6
    assert sum(figures["acknowledged"].values()) > 5
    table, kinds = chaos.tables({"databases": {"sqlite": figures}, "options": {"minutes": 0.1, "clients": 2}})
    assert table.rows[0][-1] == "0"
    assert [kind for kind, *_ in kinds.rows] == list(ACTS)


class Enough(Exception):
    """A client is where it is to be killed."""


class Watcher:
    """Hears a client, and ends it in the first operation of a kind after some others."""

    def __init__(self, operations: int, last: str) -> None:
        self.begun: list[str] = []
        self._operations, self._last = operations, last

    def send(self, kind: str | None) -> None:
        if kind is None:
            return
        self.begun.append(kind)
        if len(self.begun) > self._operations and kind == self._last:
            raise Enough


def test_a_client_comes_to_an_operation_of_every_kind_that_it_can_be_killed_in(sqlite_url, tmp_path):
    for number, last in enumerate(ACTS):
        watcher = Watcher(4, last)
        with pytest.raises(Enough):
            Life(sqlite_url, tmp_path / "ana.notes", "ana", number, 4, last).live(watcher)
        assert watcher.begun[-1] == last

    notes = histories.read(tmp_path / "ana.notes")
    assert Counter(note.kind for note in notes if note.is_cut) == Counter(list(ACTS))
    assert not [note for note in notes if note.error]
    assert histories.verify(sqlite_url, {"ana": notes})["violations"] == []


def test_an_import_that_was_cut_short_is_run_again(crates):
    scope, *_ = crates
    torn, own = Note("a-0-5", "import", None), Note("a-0-6", "import", {})
    hand = Hand("ana", Random(1), [own, torn])

    again = Note("a-1-1", "import", None, about=hand.chosen("import"))
    ACTS["import"](scope, hand, again)

    assert again.subject == "a-0-5"
    assert len(scope.graph.search("Parcel a-0-5", limit=10)) == 3
    hand.said.append(replace(again, result={}))
    assert hand.chosen("import") == []


def test_a_picture_shows_what_is_left_of_a_value_and_not_that_time_has_passed(sqlite_url, clock):
    """Clocks jump: a value that an earlier life has set may come into force between two pictures."""
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off"), clock=clock) as nacre:
        scope = nacre.scope(AGENT, user="ana")
        scope.ontology.set("Slots of ana", histories.SLOTS[0], "a-0-1")
        clock.advance(hours=2)
        scope.ontology.set("Slots of ana", histories.SLOTS[0], "a-0-2")
        clock.advance(hours=-1)
        before = histories.picture(scope)
        clock.advance(hours=2)
        assert histories.picture(scope) == before

        clock.advance(hours=-2)
        scope.ontology.set("Slots of ana", histories.SLOTS[0], "a-1-1")
        clock.advance(hours=2)
        assert histories.picture(scope) != before


def test_a_client_that_ends_by_itself_is_a_violation(sqlite_url, tmp_path):
    client = chaos.Client(Battlefield(sqlite_url, tmp_path), "ana", until=monotonic() + 60)
    heard, told = Pipe(duplex=False)
    told.send("merge")
    told.close()

    client._watch(heard, Life(sqlite_url, tmp_path / "ana.notes", "ana", 7, 4, "merge"), Random(1))

    assert client.troubles == ["ana: life 7 ended by itself in merge"]


def test_the_checker_sees_what_is_lost_doubled_and_leaked(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off")) as nacre:
        ana = nacre.scope(AGENT, user="ana")
        for ref in ("a-0-1", "a-0-1", "a-0-9"):
            ana.observe("user", "storm near bob", ref=ref)
        kept = ana.remember("Crate a-0-4 of ana stands in drawer 7.")
        ana.ontology.set("Slots of ana", "slot/number_0", "a-0-5")
    with sqlite3.connect(sqlite_url) as connection:
        connection.execute("DELETE FROM audit WHERE operation LIKE '%claim%'")
    connection.close()
    said = [
        Note("a-0-1", "observe", {}),
        Note("a-0-2", "observe", {}),
        Note("a-0-3", "undo", {"exact": False}),
        Note("a-0-4", "remember", {"id": str(kept.memory.id)}),
        Note("a-0-5", "set", {}),
        Note("a-0-6", "purge", {}, about=["a-0-4"]),
        Note("a-0-7", "add", {"id": "x"}),
        Note("a-0-8", "forget", None, "not_found", about=["a-0-3"]),
        Note("a-0-10", "link", None, "not_found", about=["a-0-7", "a-0-3"]),
        Note("a-0-12", "import", {}, about=["a-0-11"]),
    ]

    found = histories.verify(sqlite_url, {"ana": said, "bob": []})["violations"]

    for sign in (
        "a-0-1 is there 2 times",
        "a-0-9 was never said",
        "a-0-2 is lost",
        "undo a-0-3",
        "memory a-0-4 is ['active']",
        "set a-0-5",
        "node a-0-7",
        "forget a-0-8 did not find a-0-3",
        "link a-0-10 did not find a-0-7 and a-0-3",
        "import a-0-12 of a-0-11 is there [0, 0, 0]",
        "a word of bob",
    ):
        assert any(sign in each for each in found), (sign, found)


CUT, LOST = {"result": None}, {"result": None, "error": "unavailable"}


@pytest.fixture
def crates(sqlite_url):
    """Two crates and two nodes of ana, both notes of them, and a way to change the store behind everybody's back."""
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope(AGENT, user="ana")
        kept = [scope.remember(f"Crate a-0-{key} of ana stands in drawer {key}.").memory.id for key in (1, 2)]
        nodes = [scope.graph.add(f"Node a-0-{key} of ana", type="project").id for key in (3, 4)]
        said = [Note(f"a-0-{place}", "remember", {"id": str(key)}) for place, key in enumerate(kept, 1)]
        said += [Note(f"a-0-{place}", "add", {"id": str(key)}) for place, key in enumerate(nodes, 3)]
        yield scope, kept, nodes, said


@pytest.mark.parametrize("ending", [CUT, LOST], ids=["killed", "without a database"])
def test_what_was_cut_short_may_have_come_about(sqlite_url, crates, ending):
    """A purge takes its lines of the log along, whether or not its client lived to hear of it."""
    scope, kept, nodes, said = crates
    scope.forget(kept[0], purge=True)
    scope.graph.merge(nodes[0], nodes[1], force=True)
    cut = [
        Note("a-1-1", "purge", about=["a-0-1"], **ending),
        Note("a-1-2", "merge", about=["a-0-3", "a-0-4"], **ending),
    ]

    assert histories.verify(sqlite_url, {"ana": said + cut})["violations"] == []
    assert histories.verify(sqlite_url, {"ana": said})["violations"] != []


@pytest.mark.parametrize(
    ("behind", "sign"),
    [
        ("UPDATE memories SET status = 'archived' WHERE content LIKE '%a-0-2 %'", "memory a-0-2 is ['archived']"),
        ("UPDATE memories SET status = 'archived' WHERE content LIKE '%a-0-1 %'", "memory a-0-1 is ['archived']"),
        ("DELETE FROM audit WHERE operation = 'remember'", "tells of memory a-0-1"),
        ("UPDATE entities SET status = 'archived' WHERE name LIKE '%a-0-3 %'", "node a-0-3 is there 0 times"),
    ],
)
def test_what_was_cut_short_excuses_nothing_but_what_it_was_about(sqlite_url, crates, behind, sign):
    said = crates[-1]
    cut = [Note("a-1-1", "purge", None, about=["a-0-1"]), Note("a-1-2", "merge", None, about=["a-0-3", "a-0-4"])]
    with sqlite3.connect(sqlite_url) as connection:
        connection.execute(behind)
    connection.close()

    assert any(sign in each for each in histories.verify(sqlite_url, {"ana": said + cut})["violations"])


def test_what_is_purged_leaves_no_words_in_its_sources_nor_in_the_log(sqlite_url, crates):
    *_, said = crates
    cut = Note("a-1-1", "purge", None, about=["a-0-1"])
    with sqlite3.connect(sqlite_url) as connection:
        connection.execute("DELETE FROM memories WHERE content LIKE '%a-0-1 %'")
    connection.close()

    assert "ana: purged words of a-0-1 are left" in histories.verify(sqlite_url, {"ana": [*said, cut]})["violations"]


@pytest.mark.parametrize(
    ("behind", "sign"),
    [
        ("UPDATE entities SET name = 'Parcel' WHERE name LIKE 'Parcel a-0-5.1 %'", "import a-0-5 was cut short"),
        ("DELETE FROM audit WHERE payload LIKE '%a-0-5%'", "tells of import a-0-5"),
        ("UPDATE memories SET content = 'Crate a-0-1 of ana'", "remember a-0-1 was cut short and is there [2]"),
        ("UPDATE entities SET name = 'Node a-0-3 of ana'", "add a-0-3 was cut short and is there [5]"),
    ],
)
def test_what_was_cut_short_is_there_once_and_in_order_or_not_at_all(sqlite_url, crates, behind, sign):
    scope, *_ = crates
    ACTS["import"](scope, Hand("ana", Random(1), []), Note("a-0-5", "import", None))
    kinds = {"a-0-1": "remember", "a-0-2": "remember", "a-0-3": "add", "a-0-4": "add", "a-0-5": "import"}
    cut = [Note(key, kind, None) for key, kind in kinds.items()]
    assert histories.verify(sqlite_url, {"ana": cut})["violations"] == []

    with sqlite3.connect(sqlite_url) as connection:
        connection.execute(behind)
    connection.close()

    assert any(sign in each for each in histories.verify(sqlite_url, {"ana": cut})["violations"])


def test_an_import_that_was_cut_short_may_have_brought_in_its_first_things(sqlite_url, crates):
    scope, *_, said = crates
    for part in range(2):
        scope.graph.add(f"Parcel a-0-5.{part} of ana")
    cut = Note("a-0-5", "import", None)
    assert histories.verify(sqlite_url, {"ana": [*said, cut]})["violations"] == []

    with sqlite3.connect(sqlite_url) as connection:
        connection.execute("UPDATE entities SET name = 'Box' WHERE name LIKE 'Parcel a-0-5.0 %'")
    connection.close()

    assert "is there [0, 1, 0]" in histories.verify(sqlite_url, {"ana": [*said, cut]})["violations"][0]
