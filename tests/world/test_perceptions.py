"""What is watched, read, kept, and known to the graph."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Conflict, Invalid, Misconfigured, Nacre, NotFound, Settings
from nacre.store.work import watches
from nacre.work import perceiving
from tests.conftest import WITHOUT_WORKER
from tests.world.services import Scripted

pytestmark = pytest.mark.spec("W7")


def test_an_asset_of_the_graph_is_watched_read_and_kept(said, clock, market):
    assert [(each.subject, each.symbol, each.source, each.asked) for each in said.world.watches()] == [
        ("BTC", "BTC", "http", False)
    ]

    report = said.world.perceive()

    assert [(each.subject, each.value, each.unit, each.change, each.at) for each in report.read] == [
        ("BTC", 67_663.0, "USD", -0.99, clock.now)
    ]
    assert report.failed == report.alerted == report.notes == ()
    assert said.world.history("BTC") == list(report.read)
    assert said.world.watches()[0].read_at == clock.now
    assert market.asked == ["/price?symbol=BTC"]


def test_the_context_shows_the_price_as_the_document_does(said):
    said.world.perceive()

    text = said.context("How are things?", session="s", blocks=["knowledge_graph"]).text

    assert "Assets: BTC ($67,663, -0.99% today)" in text.splitlines()


def test_the_change_is_todays_only_until_the_day_is_over_where_the_user_lives(said, clock):
    clock.now = datetime(2026, 5, 1, 21, 50, tzinfo=UTC)
    said.world.perceive()

    clock.advance(minutes=9)
    assert said.graph.profile().endswith("Assets: BTC ($67,663, -0.99% today)")
    clock.advance(minutes=1)
    assert said.graph.profile().endswith("Assets: BTC ($67,663)")


def test_a_price_that_was_said_is_shown_and_what_it_is_goes_with_it(scope):
    scope.graph.add("BTC", type="asset", description="long-term holding")
    scope.graph.link("BTC", "has_price", value="$67,000")

    assert scope.graph.profile().endswith("Assets: BTC ($67,000, long-term holding)")


def test_the_graph_learns_a_price_by_an_operation_that_supersedes_and_can_be_undone(said, clock, market):
    first = said.world.perceive()
    clock.advance(minutes=15)
    market.prices["BTC"] = {"price": 67_900.4, "change": -0.64}
    second = said.world.perceive()

    assert [link.value for link in said.graph.links("BTC")] == ["$67,900"]
    assert [link.value for link in said.graph.links("BTC", as_of=clock.now - timedelta(minutes=1))] == ["$67,663"]
    last = said.history(limit=1)[0]
    assert (last.operation, last.actor, last.batch) == ("record_link", "perception", second.batch)

    said.undo(second.batch)
    assert [link.value for link in said.graph.links("BTC")] == ["$67,663"]
    said.undo(first.batch)
    assert [link.value for link in said.graph.links("BTC")] == ["$67,000"]


def test_the_same_reading_is_kept_once_and_changes_the_graph_once(database_url, clock):
    source = Scripted(BTC=60_000)
    source.at = clock.now
    with Nacre(database_url, settings=WITHOUT_WORKER, clock=clock, sources=[source]) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        assert scope.world.perceive().batch

        clock.advance(minutes=1)
        again = scope.world.perceive()

        assert (again.read, again.known, again.batch) == ((), 1, None)
        assert len(scope.world.history("BTC")) == 1
        assert len(scope.history()) == 2


def test_a_reading_that_comes_late_is_history_and_no_news(database_url, clock):
    source = Scripted(BTC=60_000)
    with Nacre(database_url, settings=WITHOUT_WORKER, clock=clock, sources=[source]) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        scope.world.perceive()
        source.prices["BTC"], source.at = 40_000, clock.now - timedelta(hours=1)
        clock.advance(minutes=1)

        late = scope.world.perceive()

        assert [each.value for each in scope.world.history("BTC")] == [60_000, 40_000]
        assert (late.alerted, late.batch) == ((), None)
        assert [link.value for link in scope.graph.links("BTC")] == ["€60,000"]


def test_any_entity_with_a_price_is_watched_if_its_name_gives_nothing_away(scope):
    scope.graph.add("AAPL", type="organization")
    scope.graph.link("AAPL", "has_price", value="$190")
    scope.ontology.set("NVDA", "market/price", "$900")
    scope.graph.add("Bitcoin", type="asset", aliases=["BTC"])
    scope.graph.add("my late aunt's house", type="asset")
    scope.graph.add("IBM", type="organization")

    assert [(each.subject, each.symbol) for each in scope.world.watches()] == [
        ("AAPL", "AAPL"),
        ("Bitcoin", "BTC"),
        ("NVDA", "NVDA"),
    ]


def test_somebody_may_ask_for_more_and_for_less(said, market):
    asked = said.world.watch("Gold", symbol="XAU", threshold=1.5)
    assert (asked.subject, asked.symbol, asked.threshold, asked.asked) == ("Gold", "XAU", 1.5, True)
    assert [each.subject for each in said.world.watches()] == ["BTC", "Gold"]

    assert said.world.unwatch("btc")
    assert not said.world.unwatch("silver")
    assert [each.subject for each in said.world.watches()] == ["Gold"]
    market.prices["XAU"] = {"price": 2_300}
    assert [each.subject for each in said.world.perceive().read] == ["Gold"]
    assert said.graph.get("Gold").type == "asset"
    assert said.graph.profile().splitlines()[1] == "Assets: Gold ($2,300), BTC ($67,000)"

    said.world.watch("BTC")
    assert said.world.unwatch("Gold")
    assert [each.subject for each in said.world.watches()] == ["BTC"]


def test_what_is_asked_for_must_make_sense(scope):
    for given in ({"symbol": "x" * 65}, {"source": "nowhere"}, {"threshold": 0}, {"threshold": float("nan")}):
        with pytest.raises(Invalid):
            scope.world.watch("BTC", **given)
    with pytest.raises(Invalid):
        scope.world.watch(" ")
    with pytest.raises(Invalid):
        scope.world.trend("BTC", window=timedelta())
    with pytest.raises(Invalid):
        scope.world.trend("BTC", window=timedelta.max)
    with pytest.raises(NotFound):
        scope.world.trend("BTC")
    assert scope.world.watches() == []


def test_no_more_than_two_hundred_subjects_are_asked_for(nacre, scope):
    with nacre.parts.database.write(scope.scope) as tx:
        for number in range(200):
            watches.put(tx, f"s{number}", f"S{number}", {"asked": True})

    with pytest.raises(Conflict, match="200"):
        scope.world.watch("one too many")
    assert scope.world.watch("S7", threshold=2).threshold == 2


def test_without_a_source_looking_says_what_is_missing(sqlite_url):
    with Nacre(sqlite_url, settings=WITHOUT_WORKER) as nacre:
        scope = nacre.scope("a")
        assert scope.world.watch("BTC").source is None
        report = scope.world.perceive()
        assert [each.reason for each in report.failed] == list(report.notes) == [scope.world.watches()[0].error]
        assert "NACRE_WORLD_URL" in report.notes[0]
        assert perceiving.KIND not in nacre.parts.worker._handlers


def test_sources_of_a_program_come_first_and_each_subject_may_have_its_own(database_url, brain_settings, clock, market):
    one, two = Scripted("one", BTC=1.0), Scripted("two", ETH=2.0)
    with Nacre(database_url, settings=brain_settings, clock=clock, sources=[one, two]) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        scope.world.watch("ETH", source="two")
        scope.world.watch("Bitcoin at the market", symbol="BTC", source="http")

        report = scope.world.perceive()

        assert sorted((each.subject, each.source) for each in report.read) == [
            ("BTC", "one"),
            ("Bitcoin at the market", "http"),
            ("ETH", "two"),
        ]
        assert (one.asked, two.asked, market.asked) == ([["BTC"]], [["ETH"]], ["/price?symbol=BTC"])
    with pytest.raises(Misconfigured, match="same name"):
        Nacre(database_url, sources=[one, one])


def test_a_source_that_breaks_fails_its_own_subjects_and_no_others(database_url, clock):
    class Broken(Scripted):
        def read(self, asked):
            raise ZeroDivisionError("on purpose")

    with Nacre(
        database_url, settings=WITHOUT_WORKER, clock=clock, sources=[Scripted(BTC=1.0), Broken("broken")]
    ) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        scope.world.watch("ETH", source="broken")
        report = scope.world.perceive()
        assert [each.subject for each in report.read] == ["BTC"]
        assert [(each.subject, each.reason) for each in report.failed] == [
            ("ETH", "The source failed: ZeroDivisionError: on purpose")
        ]
        assert scope.world.watches()[1].error == report.failed[0].reason


def test_what_the_graph_will_not_take_is_a_note_and_the_reading_is_kept(nacre, said):
    """Somebody archives the asset while its source is asked."""
    seen = nacre.parts.perceiver.look(said.scope)
    said.graph.archive("BTC")
    with nacre.parts.database.write(said.scope) as tx:
        report = nacre.parts.perceiver.take_in(tx, seen)

    assert len(report.read) == len(said.world.history("BTC")) == 1
    assert "did not take the price of BTC" in report.notes[0]
    assert report.batch is None


def test_with_the_graph_switched_off_only_what_was_asked_for_is_read_and_the_graph_left_alone(
    database_url, brain_settings, clock
):
    off = brain_settings.model_copy(update={"graph": "off"})
    with Nacre(database_url, settings=off, clock=clock) as nacre:
        scope = nacre.scope("a")
        scope.world.watch("BTC")
        report = scope.world.perceive()
        assert (len(report.read), report.batch) == (1, None)
        assert scope.graph.search() == []


def test_settings_that_cannot_be_right_are_refused_before_anything_is_opened(tmp_path):
    url = "http://127.0.0.1:1/{symbol}"
    for wrong in (
        {"world_url": "ftp://host/{symbol}"},
        {"world_url": "http://{symbol}/price"},
        {"world_url": "http://host/price"},
        {"world_url": "http://host/{symbol}/{symbols}"},
        {"world_url": url, "world_unit": "two words"},
        {"world_quiet": "23-8"},
        {"world_quiet": "08:00-08:00"},
        {"world_timezone": "Mars/Olympus"},
        {"world_webhook": "file:///etc/passwd", "world_webhook_secret": "s"},
        {"world_webhook": "http://host/hook"},
    ):
        with pytest.raises(Misconfigured):
            Nacre(tmp_path / "brain.db", settings=Settings.model_validate(wrong))
    assert not (tmp_path / "brain.db").exists()
