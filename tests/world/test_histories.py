"""Looking back: histories, trends, and what becomes of them."""

import io
from datetime import timedelta

import pytest

from nacre import Nacre
from nacre.domain.operations import RenameEntity
from tests.conftest import WITHOUT_WORKER
from tests.world.services import Scripted

pytestmark = pytest.mark.spec("W7")


def test_a_subject_keeps_its_history_under_every_name_it_has(said):
    said.world.perceive()
    said.ontology.apply([RenameEntity(entity="BTC", new_name="Bitcoin")])

    assert len(said.world.history("BTC")) == len(said.world.history("bitcoin")) == 1
    assert said.world.trend("Bitcoin").count == 1


def test_trends_look_back_over_a_window(database_url, clock):
    source = Scripted(BTC=100.0)
    with Nacre(database_url, settings=WITHOUT_WORKER, clock=clock, sources=[source]) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        start = clock.now
        for day, value in enumerate((100.0, 90.0, 120.0, 110.0)):
            clock.now, source.prices["BTC"] = start + timedelta(days=day), value
            scope.world.perceive()

        whole = scope.world.trend("BTC", window=timedelta(days=7))
        assert (whole.first, whole.last, whole.low, whole.high, whole.count) == (100, 110, 90, 120, 4)
        assert (whole.change, whole.direction, whole.unit, whole.source) == (10.0, "up", "EUR", "scripted")
        assert whole.slope == pytest.approx(6.0)
        assert (whole.since, whole.until) == (start, clock.now)

        short = scope.world.trend("BTC", window=timedelta(days=1))
        assert (short.first, short.last, short.count, short.direction) == (120, 110, 2, "down")
        assert scope.world.trend("BTC", window=timedelta(hours=1)).direction == "flat"


def test_history_is_read_by_time_and_source_and_removed_only_by_hand(said, clock, market):
    for hour in range(4):
        market.prices["BTC"] = {"price": 60_000 + hour}
        said.world.perceive()
        clock.advance(hours=1)
    middle = clock.now - timedelta(hours=2)

    assert [each.value for each in said.world.history("BTC", since=middle)] == [60_003, 60_002]
    assert [each.value for each in said.world.history("BTC", until=middle, limit=1)] == [60_002]
    assert said.world.history("BTC", source="other") == []
    assert said.world.clean(before=middle, subject="ETH") == 0
    assert said.world.clean(before=middle, subject="BTC", dry_run=True) == 2
    assert said.world.clean(before=middle, subject="BTC") == 2
    assert said.world.clean(before=middle) == 0
    assert len(said.world.history("BTC")) == 2


def test_a_purge_takes_the_world_along_and_forgetting_stops_the_watching(said, clock, market):
    said.world.watch("ETH")
    market.prices["BTC"] = {"price": 1_000, "change": -50}
    said.world.perceive()
    assert said.world.alerts()
    clock.advance(minutes=1)

    said.forget(before=clock.now)
    assert not any(each.asked for each in said.world.watches())
    assert said.world.history("BTC")

    said.forget(before=clock.now, purge=True)
    assert said.world.history("BTC") == said.world.alerts() == []


def test_one_scope_never_sees_the_world_of_another(nacre, said):
    other = nacre.scope("assistant", user="bo")
    said.world.perceive()

    assert other.world.watches() == other.world.history("BTC") == other.world.alerts() == []


def test_an_export_brings_watches_readings_and_alerts_back(nacre, said, market):
    market.prices["BTC"]["change"] = -9
    said.world.watch("Gold", symbol="XAU")
    said.world.perceive()
    out = io.StringIO()
    said.transfer.export(out)
    copy = nacre.scope("copy")

    copy.transfer.load(out.getvalue().encode())

    assert copy.world.watches() == said.world.watches()
    assert copy.world.history("BTC") == said.world.history("BTC") != []
    assert copy.world.alerts() == said.world.alerts() != []
