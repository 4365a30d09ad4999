"""A market on loopback, and a brain that reads it."""

from collections.abc import Iterator

import pytest

from nacre import ScopedNacre, Settings
from tests.conftest import WITHOUT_WORKER
from tests.world import services
from tests.world.services import Market

SECRET = "between us"


@pytest.fixture(scope="session")
def one_market() -> Iterator[Market]:
    """One server for all tests."""
    with services.running() as market:
        yield market


@pytest.fixture
def market(one_market: Market) -> Market:
    """The market, as new."""
    one_market.prices = {"BTC": {"price": 67_663, "change": -0.99}}
    for kept in (one_market.replies, one_market.asked, one_market.posted, one_market.hook_status):
        kept.clear()
    one_market.hangs = False
    return one_market


@pytest.fixture
def brain_settings(market: Market) -> Settings:
    """Words alone, and prices from the market."""
    return WITHOUT_WORKER.model_copy(
        update={
            "embedder": "off",
            "world_url": market.url + "/price?symbol={symbol}",
            "world_change": "change",
            "world_timezone": "Europe/Madrid",
        }
    )


@pytest.fixture
def said(scope: ScopedNacre) -> ScopedNacre:
    """A scope in which somebody spoke of an asset."""
    scope.observe("user", "BTC is at $67,000.", session="s")
    return scope
