"""A source behind HTTP that answers in JSON."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import httpx

from nacre.domain.errors import Invalid, Misconfigured
from nacre.domain.world import RefusedReading, SourceQuery, SourceReading, check_unit
from nacre.world import addresses

ONE, MANY = "{symbol}", "{symbols}"
# So many symbols fit into one address.
TOGETHER = 50
ATTEMPTS = 3
FIRST_REST = 0.5
# A source that is slow for every symbol must not hold up the jobs behind it.
PATIENCE = 120.0
# Instants later than this in seconds are meant in milliseconds.
_SECONDS = 1e11


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where a reply holds what is wanted: `data.{symbol}.usd`, `0.price`, `symbol={symbol}.lastPrice`."""

    value: str
    change: str | None = None
    at: str | None = None


class _NoReply(Exception):
    """There is no reply that can be read."""


class HttpSource:
    """Asks `GET url` for each `{symbol}`, or for many `{symbols}` at once, and takes numbers out of the reply."""

    def __init__(
        self,
        url: str,
        paths: Paths,
        *,
        unit: str = "USD",
        name: str = "http",
        seconds: float = 10.0,
        rest: Callable[[float], None] = sleep,
    ) -> None:
        self.name = name
        self._url = addresses.check("NACRE_WORLD_URL", url)
        if (ONE in url) == (MANY in url):
            raise Misconfigured("NACRE_WORLD_URL must hold either {symbol} or {symbols}.")
        try:
            self._unit = check_unit(unit)
        except Invalid as error:
            raise Misconfigured(f"NACRE_WORLD_UNIT {error.problem}.") from error
        self._paths = paths
        self._client = addresses.client(seconds)
        self._rest = rest

    def read(self, asked: Sequence[SourceQuery]) -> list[SourceReading | RefusedReading]:
        """A reading for each symbol, or why there is none."""
        symbols = list(dict.fromkeys(each.symbol for each in asked))
        size = TOGETHER if MANY in self._url else 1
        deadline = monotonic() + PATIENCE
        portions = (symbols[start : start + size] for start in range(0, len(symbols), size))
        return [each for some in portions for each in self._portion(some, deadline)]

    def close(self) -> None:
        """Drop the connections."""
        self._client.close()

    def _portion(self, symbols: Sequence[str], deadline: float) -> Iterator[SourceReading | RefusedReading]:
        try:
            reply = self._asked(symbols, deadline)
        except _NoReply as error:
            yield from (RefusedReading(symbol=symbol, reason=str(error)) for symbol in symbols)
            return
        for symbol in symbols:
            try:
                yield self._reading(reply, symbol)
            except Invalid as error:
                yield RefusedReading(symbol=symbol, reason=str(error))

    def _asked(self, symbols: Sequence[str], deadline: float) -> Any:
        url = self._url.replace(MANY, ",".join(quote(each, safe="") for each in symbols))
        url = url.replace(ONE, quote(symbols[0], safe=""))
        for attempt in range(ATTEMPTS):
            if monotonic() >= deadline:
                raise _NoReply("The source was too slow to be asked for all.")
            try:
                return self._once(url)
            except (httpx.TransportError, _BusySource) as error:
                # The address may hold a key, so what the client says of it is not repeated.
                reason = (
                    str(error) if isinstance(error, _BusySource) else f"It cannot be reached: {type(error).__name__}."
                )
                if attempt + 1 == ATTEMPTS:
                    raise _NoReply(reason) from error
                self._rest(FIRST_REST * 2**attempt * (0.5 + random.random()))  # noqa: S311 - a spread, not a secret
        raise _NoReply("It was not asked.")

    def _once(self, url: str) -> Any:
        with self._client.stream("GET", url, headers={"Accept": "application/json"}) as reply:
            if reply.status_code == 429 or reply.status_code >= 500:
                raise _BusySource(f"It answered {reply.status_code}.")
            if reply.status_code != 200:
                raise _NoReply(f"It answered {reply.status_code}; redirects are not followed.")
            try:
                return json.loads(addresses.body(reply))
            except (ValueError, RecursionError) as error:
                raise _NoReply(f"Its reply cannot be read: {str(error)[:200]}.") from error

    def _reading(self, reply: Any, symbol: str) -> SourceReading:
        paths = self._paths
        change = None if paths.change is None else found(reply, paths.change, symbol)
        at = None if paths.at is None else found(reply, paths.at, symbol)
        value = found(reply, paths.value, symbol)
        if value is None:
            raise Invalid("value", f"is not in the reply at {paths.value}")
        return SourceReading(
            symbol=symbol,
            value=_number("value", value),
            unit=self._unit,
            change=None if change is None else _number("change", change),
            at=None if at is None else _instant(at),
        )


class _BusySource(Exception):
    """It may answer if it is asked again."""


def found(reply: Any, path: str, symbol: str) -> Any:
    """What a reply holds at a path; None where it does not go so far."""
    held = reply
    for part in path.split("."):
        name, chosen, wanted = (each.replace(ONE, symbol) for each in part.partition("="))
        if isinstance(held, list):
            held = _picked(held, name, wanted) if chosen else _nth(held, name)
        else:
            held = held.get(name) if isinstance(held, dict) else None
    return held


def _picked(items: list[Any], name: str, value: str) -> Any:
    return next((each for each in items if isinstance(each, dict) and str(each.get(name)) == value), None)


def _nth(items: list[Any], place: str) -> Any:
    return items[int(place)] if place.isdecimal() and int(place) < len(items) else None


def _number(field: str, value: Any) -> float:
    """A number, or a text that is one."""
    try:
        return float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else float("nan")
    except (ValueError, OverflowError) as error:
        raise Invalid(field, f"must be a number, not {str(value)[:50]!r}") from error


def _instant(value: Any) -> datetime:
    try:
        if isinstance(value, str) and not value.replace(".", "", 1).isdecimal():
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = float(value)
        return datetime.fromtimestamp(seconds / 1000 if seconds > _SECONDS else seconds, UTC)
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise Invalid("at", f"must be an instant, not {str(value)[:50]!r}") from error
