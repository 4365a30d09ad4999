"""Alerts: which moves are worth one, when somebody is told, and how."""

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre
from nacre.domain.jobs import JobStatus
from tests.world.conftest import SECRET

pytestmark = pytest.mark.spec("W7")


@pytest.fixture
def watching(scope, clock, market):
    """A scope that has read BTC at 100, at noon in Madrid."""
    clock.now = datetime(2026, 5, 1, 10, 0, tzinfo=UTC)
    scope.world.watch("BTC")
    market.prices["BTC"] = {"price": 100.0}
    assert scope.world.perceive().alerted == ()
    return scope


@pytest.fixture
def next_price(watching, clock, market):
    """What the next price comes to."""

    def read(value, *, change=None, **later):
        clock.advance(**(later or {"minutes": 15}))
        market.prices["BTC"] = {"price": value, "change": change}
        return watching.world.perceive()

    return read


def test_four_per_cent_is_an_alert_and_less_is_none(watching, next_price):
    assert next_price(103.99).alerted == ()

    alert = next_price(104.0).alerted[0]

    assert (alert.subject, alert.value, alert.reference, alert.change) == ("BTC", 104.0, 100.0, 4.0)
    assert (alert.status, alert.source, alert.unit) == ("delivered", "http", "USD")
    assert alert.text == "BTC is up 4.00% to $104.00 (from $100.00)."
    assert watching.world.alerts() == [alert]


def test_an_alert_is_a_patrol_finding_that_user_sessions_are_shown(watching, next_price):
    next_price(95.0)

    shown = watching.context("What happened to btc?", session="s").text
    assert "- patrol/perception/btc: expires in 1d00h, category: patrol-finding, tags: urgent" in shown
    entry = watching.working("session/s").get("patrol/perception/btc")
    assert entry.value == "2026-05-01 10:15 UTC: BTC is down 5.00% to $95.00 (from $100.00), says http."
    assert "patrol/perception/btc" not in watching.context("Hello", namespace="patrol/heartbeat").text


def test_one_move_is_told_once_and_the_next_takes_as_much_again(watching, next_price):
    assert len(next_price(104.0).alerted) == 1
    for value in (103.8, 104.2, 105.0, 107.9, 100.0):
        assert next_price(value).alerted == ()

    assert next_price(99.8).alerted[0].reference == 104.0
    assert len(watching.world.alerts()) == 2


def test_the_change_that_a_source_reports_counts_while_there_was_no_alert(watching, next_price):
    alert = next_price(100.5, change=-4.5).alerted[0]

    assert alert.change == -4.5
    assert alert.reference == pytest.approx(105.2356, abs=1e-4)
    assert next_price(100.6, change=-4.4).alerted == ()
    assert next_price(100.7, change=-9).alerted == ()


def test_a_slow_drift_is_no_move(watching, next_price):
    """Two per cent a day are within a day's ways, however long that goes on."""
    for day in range(1, 6):
        assert next_price(100.0 * 1.02**day, hours=24, minutes=1).alerted == ()


def test_a_subject_may_have_a_threshold_of_its_own(watching, next_price):
    watching.world.watch("BTC", threshold=10)
    assert next_price(109.0).alerted == ()
    assert len(next_price(110.0).alerted) == 1


def test_only_so_many_alerts_a_day_are_told_and_the_largest_first(watching, next_price, market):
    for symbol in ("AAA", "BBB", "CCC"):
        market.prices[symbol] = {"price": 100.0}
        watching.world.watch(symbol)
    next_price(100.0)
    for symbol, value in (("AAA", 105), ("BBB", 130), ("CCC", 120)):
        market.prices[symbol] = {"price": value}

    report = next_price(110.0)

    assert [each.subject for each in report.alerted] == ["BBB", "CCC", "BTC"]
    assert [(each.subject, each.status) for each in report.capped] == [("AAA", "capped")]
    assert [each.subject for each in watching.world.alerts(status="capped")] == ["AAA"]
    assert {entry.key for entry in watching.working("session/s").list("patrol")} == {
        f"patrol/perception/{name}" for name in ("bbb", "btc", "ccc")
    }
    # What was not told is not told later, but the next day has room again.
    assert next_price(110.0).alerted == ()
    assert len(next_price(90.0, hours=12).alerted + next_price(60.0, hours=12).alerted) == 1


def test_quiet_hours_hold_alerts_and_tell_them_together_when_they_are_over(nacre, watching, next_price, clock, market):
    clock.now = datetime(2026, 5, 1, 21, 30, tzinfo=UTC)  # 23:30 in Madrid
    watching.world.perceive()
    report = next_price(90.0)
    assert (report.alerted, [each.status for each in report.held]) == ((), ["held"])
    assert next_price(80.0, hours=3).held
    assert watching.working("session/s").list("patrol") == []

    clock.now = datetime(2026, 5, 2, 5, 59, tzinfo=UTC)
    market.replies.extend([(503, b"")] * 30)
    nacre.parts.worker.drain()
    assert len(watching.world.alerts(status="held")) == 2
    clock.now = datetime(2026, 5, 2, 6, 0, tzinfo=UTC)  # 08:00 in Madrid
    nacre.parts.worker.drain()

    told = watching.world.alerts(status="delivered")
    assert [each.value for each in told] == [80.0, 90.0]
    assert told[0].delivery == told[1].delivery
    entries = watching.working("session/s").list("patrol")
    assert [entry.key for entry in entries] == ["patrol/perception/digest"]
    assert [line[:31] for line in entries[0].value.splitlines()] == [
        "2026-05-01 21:45 UTC: BTC is do",
        "2026-05-02 00:45 UTC: BTC is do",
    ]


def test_a_look_after_the_quiet_hours_tells_what_was_held_and_counts_it_once(watching, next_price, clock):
    clock.now = datetime(2026, 5, 2, 4, 0, tzinfo=UTC)
    next_price(90.0)
    next_price(80.0)

    report = next_price(70.0, hours=3)

    assert [each.value for each in report.released] == [90.0, 80.0]
    assert [each.value for each in report.alerted] == [70.0]
    assert len(next_price(60.0).alerted) == 1
    assert len(next_price(50.0).capped) == 1


def test_a_full_namespace_loses_no_alert(watching, next_price):
    for number in range(50):
        watching.working("patrol/perception").save(f"other-{number}", "x", ttl=timedelta(days=1))

    report = next_price(90.0)

    assert "patrol/perception" in report.notes[0]
    assert watching.world.alerts(status="delivered") == list(report.alerted) != []


def test_a_price_a_hundred_times_another_of_the_same_day_is_refused(watching, next_price, clock):
    report = next_price(10_001.0)
    assert (report.read, report.failed[0].reason) == ((), "10001 cannot be right a day after 100.")
    assert watching.world.watches()[0].error == report.failed[0].reason

    assert len(next_price(10_001.0, hours=25).read) == 1
    assert watching.world.watches()[0].error is None


def test_a_clock_that_was_ahead_or_is_put_back_neither_repeats_nor_swallows_alerts(watching, next_price, clock):
    right = clock.now
    next_price(90.0, days=2)
    clock.now = right

    assert [each.reference for each in next_price(95.0).alerted] == [100.0]
    clock.now = right - timedelta(minutes=30)
    assert next_price(95.0, minutes=0).alerted == ()


class TestWebhook:
    """With a receiver of alerts."""

    @pytest.fixture
    def brain_settings(self, brain_settings, market):
        """A webhook beside the source."""
        from pydantic import SecretStr

        hook = {"world_webhook": f"{market.url}/hook?key=very-secret", "world_webhook_secret": SecretStr(SECRET)}
        return brain_settings.model_copy(update=hook)

    def test_an_alert_is_posted_with_a_signature_that_can_be_checked(self, nacre, watching, next_price, clock, market):
        alert = next_price(90.0).alerted[0]
        nacre.parts.worker.drain()

        headers, body = market.posted[0]
        stamp = headers["X-Nacre-Timestamp"]
        expected = hmac.new(SECRET.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
        assert headers["X-Nacre-Signature"] == f"sha256={expected}"
        assert stamp == str(int(clock.now.timestamp()))
        sent = json.loads(body)
        assert headers["X-Nacre-Delivery"] == sent["delivery"] == str(alert.delivery)
        assert (sent["agent"], sent["user"], sent["chat"]) == ("assistant", "ana", None)
        assert [(each["subject"], each["value"], each["change"], each["text"]) for each in sent["alerts"]] == [
            ("BTC", 90.0, -10.0, alert.text)
        ]
        assert watching.world.alerts()[0].posted_at == clock.now
        nacre.parts.worker.drain()
        assert len(market.posted) == 1

    def test_a_post_that_is_not_taken_is_tried_again_later_and_given_up_in_the_end(
        self, nacre, watching, next_price, clock, market
    ):
        market.hook_status.extend([500, 302, 404, 503, 500])
        next_price(90.0)
        for _ in range(6):
            nacre.parts.worker.drain()
            clock.advance(hours=2)

        assert len(market.posted) == 5
        dead = [job for job in watching.jobs.list("dead") if job.kind == "post_alerts"]
        assert [job.error for job in dead] == ["The webhook answered 500."]
        assert watching.world.alerts(subject="BTC")[-1].posted_at is None

        watching.jobs.replay(dead[0].id)
        nacre.parts.worker.drain()
        assert watching.jobs.show(dead[0].id).status is JobStatus.DONE
        assert len({headers["X-Nacre-Delivery"] for headers, _ in market.posted}) == 1
        assert watching.world.alerts(subject="BTC")[-1].posted_at == clock.now

    def test_a_receiver_that_is_away_is_named_without_its_address(self, sqlite_url, brain_settings, clock, market):
        away = brain_settings.model_copy(update={"world_webhook": "http://127.0.0.1:1/hook?key=very-secret"})
        with Nacre(sqlite_url, settings=away, clock=clock) as nacre:
            scope = nacre.scope("a")
            scope.world.watch("BTC")
            market.prices["BTC"]["change"] = -20
            scope.world.perceive()
            nacre.parts.worker.drain()
            waiting = next(job for job in scope.jobs.list("waiting") if job.kind == "post_alerts")
            assert waiting.error == "The webhook cannot be reached: ConnectError."

    def test_a_digest_is_one_post(self, nacre, watching, next_price, clock, market):
        clock.now = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
        next_price(90.0)
        next_price(80.0)
        nacre.parts.worker.drain()
        assert market.posted == []

        clock.now = datetime(2026, 5, 2, 6, 0, tzinfo=UTC)
        nacre.parts.worker.drain()
        assert [len(json.loads(body)["alerts"]) for _, body in market.posted] == [2]
