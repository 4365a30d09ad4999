"""`/v1/agents/{agent}/world`, on both databases."""

import pytest

from nacre import Settings
from tests.conftest import WITHOUT_WORKER
from tests.world import services

pytestmark = pytest.mark.spec("W7")

WORLD = "/v1/agents/assistant/world"


@pytest.fixture
def market():
    with services.running() as market:
        market.prices = {"bitcoin": {"price": 67_663, "change": -0.99}}
        yield market


@pytest.fixture
def brain_settings(market) -> Settings:
    return WITHOUT_WORKER.model_copy(
        update={"embedder": "off", "world_url": market.url + "/price?symbol={symbol}", "world_change": "change"}
    )


@pytest.fixture
def ask(everywhere):
    def call(method, path, status=200, **given):
        reply = everywhere.request(method, WORLD + path, **given)
        assert reply.status_code == status, reply.text
        return reply.json()

    return call


def test_the_world_is_watched_and_looked_back_on_over_http(ask, market, clock):
    ana = {"user": "ana"}
    made = ask("PUT", "/watches", json={**ana, "subject": "BTC", "symbol": "bitcoin", "threshold": 5})
    assert (made["source"], made["asked"], made["threshold"]) == ("http", True, 5)

    report = ask("POST", "/perceive", json=ana)
    assert [each["value"] for each in report["read"]] == [67_663]
    market.prices["bitcoin"] = {"price": 50_000}
    clock.advance(minutes=15)
    assert len(ask("POST", "/perceive", json=ana)["alerted"]) == 1

    assert [each["value"] for each in ask("GET", "/history", params={**ana, "subject": "BTC"})["readings"]] == [
        50_000,
        67_663,
    ]
    trend = ask("GET", "/trend", params={**ana, "subject": "btc", "hours": 24})
    assert (trend["low"], trend["high"], trend["direction"], trend["count"]) == (50_000, 67_663, "down", 2)
    assert len(ask("GET", "/alerts", params={**ana, "status": "delivered"})["alerts"]) == 1
    assert ask("GET", "/alerts", params={"user": "bo"}) == {"alerts": []}
    old = {**ana, "before": clock.now.isoformat()}
    assert ask("DELETE", "/history", params={**old, "dry_run": True}) == {"removed": 1, "dry_run": True}
    assert ask("DELETE", "/history", params=old) == {"removed": 1, "dry_run": False}
    assert ask("DELETE", "/watches", params={**ana, "subject": "BTC"}) == {"was_watched": True}
    # The graph holds it now, and would have it watched; somebody said no.
    assert ask("GET", "/watches", params=ana) == {"watches": []}


def test_what_cannot_be_is_refused(ask):
    assert ask("PUT", "/watches", 400, json={"subject": " "})["error"]["details"]["field"] == "subject"
    assert ask("PUT", "/watches", 400, json={"subject": "BTC", "source": "x"})["error"]["details"]["field"] == "source"
    assert ask("GET", "/trend", 404, params={"subject": "BTC"})["error"]["code"] == "not_found"
    ask("GET", "/trend", 400, params={"subject": "BTC", "hours": 0})
    ask("DELETE", "/history", 400)
