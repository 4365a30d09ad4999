"""The source behind HTTP: what it asks, what it takes, and what it refuses."""

from datetime import UTC, datetime

import pytest

from nacre.domain.world import RefusedReading, SourceQuery, SourceReading
from nacre.world.http_source import ATTEMPTS, HttpSource, Paths

pytestmark = pytest.mark.spec("W7")


@pytest.fixture
def rests():
    """How long the source waited between attempts."""
    return []


@pytest.fixture
def source_of(market, rests):
    """A source of the market."""
    made = []

    def source(query="symbol={symbol}", *, value="price", change=None, at=None, **given):
        paths = Paths(value=value, change=change, at=at)
        made.append(HttpSource(f"{market.url}/price?key=hidden&{query}", paths, rest=rests.append, **given))
        return made[-1]

    yield source
    for each in made:
        each.close()


def ask(source, *symbols):
    return source.read([SourceQuery(subject=each, symbol=each) for each in symbols])


def test_numbers_are_found_where_the_paths_say(market, source_of):
    market.prices["BTC"] = {"data": [{"last": "67663.5"}], "day": {"BTC": {"pct": "-0.99"}}, "ts": 1_777_626_000}
    source = source_of(value="data.0.last", change="day.{symbol}.pct", at="ts", unit="EUR")

    assert ask(source, "BTC") == [
        SourceReading(symbol="BTC", value=67_663.5, unit="EUR", change=-0.99, at=datetime(2026, 5, 1, 9, 0, tzinfo=UTC))
    ]


@pytest.mark.parametrize(
    "at", [1_777_626_000, 1_777_626_000_000, "1777626000", "2026-05-01T09:00:00Z", "2026-05-01T11:00:00+02:00"]
)
def test_instants_are_seconds_milliseconds_or_texts(market, source_of, at):
    market.prices["BTC"] = {"price": 1, "t": at}

    assert ask(source_of(at="t"), "BTC")[0].at == datetime(2026, 5, 1, 9, 0, tzinfo=UTC)


def test_many_symbols_are_asked_for_at_once(market, source_of):
    market.prices = {f"S{number}": {"usd": number} for number in range(1, 61)}
    source = source_of("symbols={symbols}", value="{symbol}.usd")

    said = ask(source, *market.prices, "S7", "NONE")

    assert [each.value for each in said[:60]] == list(range(1, 61))
    assert said[60:] == [RefusedReading(symbol="NONE", reason="`value` is not in the reply at {symbol}.usd.")]
    assert len(market.asked) == 2


def test_a_list_is_searched_by_what_its_members_say(market, source_of):
    market.replies.append((200, b'[{"symbol": "ETH", "p": 2}, 7, {"symbol": "BTC", "p": 1}]'))

    assert ask(source_of(value="symbol={symbol}.p"), "BTC")[0].value == 1


def test_a_symbol_cannot_change_where_the_question_goes(market, source_of):
    ask(source_of(), "../../admin?x=1&y=@elsewhere/#")

    assert market.asked == ["/price?key=hidden&symbol=..%2F..%2Fadmin%3Fx%3D1%26y%3D%40elsewhere%2F%23"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (b"<html>", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"{}", "is not in the reply"),
        (b'{"price": null}', "is not in the reply"),
        (b'{"price": {"deep": 1}}', "finite number"),
        (b'{"price": true}', "finite number"),
        (b'{"price": NaN}', "finite number"),
        (b'{"price": 1e999}', "finite number"),
        (b'{"price": "many"}', "must be a number"),
        (b'{"price": -1}', "more than 0"),
        (b'{"price": 0}', "more than 0"),
        (b'{"price": 1e16}', "at most 1e+15"),
        (b'{"price": 1, "change": "NaN"}', "finite number"),
        (b'{"price": 1, "change": -101}', "from -100"),
        (b'{"price": 1, "t": "soon"}', "must be an instant"),
        (b'{"price": 1, "t": 1e300}', "must be an instant"),
        (b'{"price": 1, "x": "' + b"y" * 2**20 + b'"}', "longer than 1,048,576 bytes"),
    ],
    ids=lambda value: value[:20].decode("latin-1") if isinstance(value, bytes) else "",
)
def test_what_cannot_be_a_price_is_refused_and_said_why(market, source_of, reply, reason):
    market.replies.append((200, reply))

    said = ask(source_of(change="change", at="t"), "BTC")

    assert isinstance(said[0], RefusedReading)
    assert reason in said[0].reason
    assert len(market.asked) == 1


def test_a_busy_source_is_asked_again_after_rests_that_grow(market, source_of, rests):
    market.replies.extend([(503, b""), (429, b"")])

    assert ask(source_of(), "BTC")[0].value == 67_663
    assert len(market.asked) == ATTEMPTS == len(rests) + 1
    assert 0.25 <= rests[0] <= 0.75
    assert 0.5 <= rests[1] <= 1.5


def test_a_source_that_stays_busy_or_says_no_is_left_alone(market, source_of, rests):
    market.replies.extend([(500, b"")] * ATTEMPTS + [(401, b"")])
    source = source_of()

    assert ask(source, "BTC", "BTC") == [RefusedReading(symbol="BTC", reason="It answered 500.")]
    assert ask(source, "BTC")[0].reason == "It answered 401; redirects are not followed."
    assert (len(market.asked), len(rests)) == (ATTEMPTS + 1, ATTEMPTS - 1)


def test_no_redirect_is_followed_whatever_it_leads_to(market, source_of):
    for target in (f"{market.url}/price?symbol=BTC", "file:///etc/passwd", "http://169.254.169.254/"):
        market.replies.append((302, target.encode()))
        assert "302" in ask(source_of(), "BTC")[0].reason
    assert len(market.asked) == 3


def test_a_source_that_hangs_or_is_away_does_not_hold_things_up_nor_tell_its_address(market, source_of, rests):
    market.hangs = True
    said = ask(source_of(seconds=0.1), "BTC")
    assert said == [RefusedReading(symbol="BTC", reason="It cannot be reached: ReadTimeout.")]
    market.hangs = False
    market.hanging.set()

    away = HttpSource("http://127.0.0.1:1/?key=hidden&s={symbol}", Paths(value="p"), rest=rests.append)
    assert ask(away, "BTC")[0].reason == "It cannot be reached: ConnectError."
    away.close()
