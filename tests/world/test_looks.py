"""Looks by the clock: due, once, and whatever happens to clocks and workers."""

import threading
from datetime import timedelta

import pytest

from nacre import Nacre
from nacre.store.work import jobs, watches
from nacre.work import perceiving

pytestmark = pytest.mark.spec("W7")


def test_looks_by_the_clock_tell_the_graph_what_is_worth_an_operation(nacre, said, clock, market):
    def look(price, change, **later):
        clock.advance(**later)
        market.prices["BTC"] = {"price": price, "change": change}
        nacre.parts.worker.drain()
        return said.graph.profile().rpartition("BTC ")[2]

    assert look(67_663, -0.99, minutes=0) == "($67,663, -0.99% today)"
    assert look(67_900, -0.6, minutes=20) == "($67,663, -0.99% today)"
    assert look(68_002, -0.5, minutes=20) == "($68,002, -0.50% today)"
    assert look(68_003, 0.1, hours=24) == "($68,003, +0.10% today)"
    assert [each.value for each in said.world.history("BTC")] == [68_003, 68_002, 67_900, 67_663]
    assert len([each for each in said.history() if each.actor == "perception"]) == 3
    market.prices["BTC"] = {"price": 68_004, "change": 0.1}
    clock.advance(minutes=1)
    assert said.world.perceive().batch
    assert said.graph.profile().endswith("BTC ($68,004, +0.10% today)")


def test_scopes_with_something_to_watch_look_by_the_clock_and_once(nacre, said, clock, market):
    worker = nacre.parts.worker
    nacre.scope("quiet").observe("user", "Hello there")

    worker.drain()
    assert len(market.asked) == 1
    clock.advance(minutes=14)
    worker.drain()
    assert len(market.asked) == 1
    clock.advance(minutes=5)
    worker.drain()
    assert len(market.asked) == 2
    assert len(said.world.history("BTC")) == 2


def test_two_processes_ask_for_one_look(database_url, brain_settings, clock, market):
    with (
        Nacre(database_url, settings=brain_settings, clock=clock) as one,
        Nacre(database_url, settings=brain_settings, clock=clock) as two,
    ):
        one.scope("a").world.watch("BTC")
        threads = [threading.Thread(target=brain.parts.worker.drain) for brain in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(market.asked) == 1
        assert len(two.scope("a").world.history("BTC")) == 1


def test_a_round_that_asked_before_another_worker_looked_asks_for_no_second_look(nacre, said, market, monkeypatch):
    every = timedelta(minutes=15)
    said.learned()
    with nacre.parts.database.read_all() as everywhere:
        due = watches.due(everywhere, every)
    nacre.parts.worker.drain()

    monkeypatch.setattr(watches, "due", lambda _tx, _every: due)
    perceiving.rounds(every).run(nacre.parts.database)
    nacre.parts.worker.drain()

    assert [scope.agent for scope in due] == [said.scope.agent]
    assert len(market.asked) == 1


def test_a_look_whose_worker_dies_leaves_nothing_and_is_taken_again(nacre, said, clock):
    perceiver, kinds = nacre.parts.perceiver, [perceiving.KIND]
    with nacre.parts.database.write(said.scope) as tx:
        jobs.request(tx, perceiving.KIND)
    with nacre.parts.database.write_all() as tx:
        assert jobs.claim(tx, kinds)
    perceiver.look(said.scope)
    assert said.world.history("BTC") == []

    clock.advance(minutes=11)
    nacre.parts.worker.drain()
    assert len(said.world.history("BTC")) == 1


def test_a_clock_that_was_ahead_stops_neither_looks_nor_news(nacre, said, clock, market):
    right = clock.now
    clock.advance(days=3)
    nacre.parts.worker.drain()
    clock.now = right + timedelta(minutes=5)
    market.prices["BTC"] = {"price": 60_000}

    nacre.parts.worker.drain()

    assert [each.value for each in said.world.history("BTC", until=clock.now)] == [60_000]
    assert said.graph.profile().endswith("Assets: BTC ($60,000)")


def test_looking_can_be_left_to_people(sqlite_url, brain_settings, market):
    never = brain_settings.model_copy(update={"world_minutes": 0})
    with Nacre(sqlite_url, settings=never) as nacre:
        nacre.scope("a").world.watch("BTC")
        nacre.parts.worker.drain()
        assert market.asked == []
        assert len(nacre.scope("a").world.perceive().read) == 1


def test_users_of_a_shared_graph_watch_what_is_in_it(nacre, market):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bo = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bo")
    ana.observe("user", "BTC is at $67,000.")

    nacre.parts.worker.drain()

    assert market.asked == ["/price?symbol=BTC"]
    assert bo.graph.profile().endswith("Assets: BTC ($67,663, -0.99% today)")
    assert [each.subject for each in bo.world.watches()] == ["BTC"]
    assert bo.world.history("BTC") == []
