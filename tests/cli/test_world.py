"""`nacre world`: what is watched, from a shell."""

import json

import pytest

from tests.world import services

pytestmark = pytest.mark.spec("W7")


@pytest.fixture
def market(monkeypatch):
    """A market that commands read."""
    with services.running() as market:
        market.prices = {"bitcoin": {"price": 67_663, "change": -0.99}}
        monkeypatch.setenv("NACRE_WORLD_URL", market.url + "/price?symbol={symbol}")
        monkeypatch.setenv("NACRE_WORLD_CHANGE", "change")
        monkeypatch.setenv("NACRE_WORLD_QUIET", "")
        monkeypatch.setenv("NACRE_WORLD_MINUTES", "0")
        yield market


@pytest.fixture
def told(market, nacre_command):
    """Runs a command that must succeed, and reads its JSON."""

    def invoke(*arguments: str):
        ran = nacre_command("world", *arguments, "--json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    return invoke


def test_a_price_is_watched_read_and_looked_back_on(told, nacre_command):
    assert told("watch", "BTC", "--symbol", "bitcoin", "--threshold", "5")["threshold"] == 5
    assert [each["subject"] for each in told("list")] == ["BTC"]
    assert nacre_command("world", "perceive").out == "BTC $67,663, -0.99% today (http)\n"

    assert [each["value"] for each in told("history", "BTC", "--limit", "5")] == [67_663]
    assert told("trend", "BTC", "--days", "7")["count"] == 1
    assert nacre_command("world", "trend", "BTC").out.startswith("BTC: flat, +0.00%, from $67,663 to $67,663 (http)\n")
    assert "$67,663\t-0.99%" in nacre_command("world", "history", "BTC").out
    assert "Assets: BTC ($67,663, -0.99% today)" in nacre_command("context", "BTC", "--block", "knowledge_graph").out


def test_alerts_are_told_and_listed_and_all_of_it_can_be_removed(told, market, nacre_command):
    told("watch", "BTC", "--symbol", "bitcoin")
    told("watch", "Gold")
    market.prices["bitcoin"] = {"price": 60_000, "change": -10}

    said = nacre_command("world", "perceive").out.splitlines()

    assert said[1:] == [
        "Gold was not read: It answered 404; redirects are not followed.",
        "Alert: BTC is down 10.00% to $60,000 (from $66,667).",
    ]
    assert [each["status"] for each in told("alerts", "--subject", "BTC", "--status", "delivered")] == ["delivered"]
    assert (
        nacre_command("world", "clean", "--before", "2100-01-01T00:00:00Z", "--dry-run").out
        == "Would remove 1 readings.\n"
    )
    assert told("clean", "--before", "2100-01-01T00:00:00Z") == {"removed": 1, "dry_run": False}
    assert told("alerts") == told("history", "BTC") == []
    assert told("unwatch", "Gold") == {"was_watched": True}
    assert nacre_command("world", "unwatch", "Gold").out == "It was not watched.\n"
    assert nacre_command("world", "trend", "Gold").code == 1
    assert nacre_command("world", "watch", "Gold", "--source", "nowhere").code == 2
