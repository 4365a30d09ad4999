"""A short run of chaos, and a checker that sees what it is there to see."""

import sqlite3

import pytest

from bench import chaos, histories
from bench.histories import AGENT, Note
from bench.progress import Silent
from nacre import Nacre, Settings


@pytest.mark.spec("N12")
def test_kills_of_writers_of_all_kinds_lose_double_and_leak_nothing(sqlite_url):
    figures = chaos.measure(sqlite_url, chaos.Plan(minutes=0.1, clients=2, served=False), Silent())

    assert figures["violations"] == []
    assert figures["kills"]["client"] >= 2
    assert sum(figures["acknowledged"].values()) > 5
    (table,) = chaos.tables({"databases": {"sqlite": figures}, "options": {"minutes": 0.1, "clients": 2}})
    assert table.rows[0][-1] == "0"


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
        Note("a-0-6", "purge", {"of": "a-0-4"}),
        Note("a-0-7", "add", {"id": "x"}),
    ]

    found = histories.verify(sqlite_url, {"ana": said, "bob": []})["violations"]

    for sign in (
        "a-0-1 is there 2 times",
        "a-0-9 was never said",
        "a-0-2 is lost",
        "undo a-0-3",
        "memory a-0-4 is ['active']",
        "purged words",
        "set a-0-5",
        "node a-0-7",
        "a word of bob",
    ):
        assert any(sign in each for each in found), (sign, found)
