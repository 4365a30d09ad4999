"""Checks that any text, name, time or count passes when it enters Nacre."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import ip_address
from math import inf

from nacre.domain.errors import Invalid

MAX_TEXT = 1_000_000
MAX_NAME = 200
MAX_LIMIT = 1_000

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def text(field: str, value: object, *, limit: int = MAX_TEXT) -> str:
    """`value`, if it is text that can be stored: not blank, not huge, no NUL, valid Unicode."""
    if not isinstance(value, str):
        raise Invalid(field, f"must be text, not {type(value).__name__}")
    if len(value) > limit:
        raise Invalid(field, f"has {len(value):,} characters; at most {limit:,} are allowed")
    if not value.strip():
        raise Invalid(field, "must not be empty")
    if "\x00" in value:
        raise Invalid(field, "must not contain NUL characters")
    try:
        # A pattern takes twenty times as long for a long text, and no other thread runs meanwhile.
        value.encode()
    except UnicodeEncodeError:
        raise Invalid(field, "is not valid Unicode: it holds a lone surrogate") from None
    return value


def name(field: str, value: object) -> str:
    """`value`, if it is a short one-line text such as an agent, a session or a speaker."""
    checked = text(field, value, limit=MAX_NAME)
    if _CONTROL.search(checked):
        raise Invalid(field, "must be one line without control characters")
    return checked


def optional_name(field: str, value: object) -> str | None:
    """`value`, if it is None or a name."""
    return None if value is None else name(field, value)


def instant(field: str, value: object) -> datetime:
    """`value` in UTC, if it is a datetime that knows its time zone."""
    if not isinstance(value, datetime):
        raise Invalid(field, f"must be a datetime, not {type(value).__name__}")
    if value.tzinfo is None or value.utcoffset() is None:
        raise Invalid(field, "has no time zone; pass an aware datetime such as datetime.now(UTC)")
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise Invalid(field, "is out of range in UTC") from error


def optional_instant(field: str, value: object) -> datetime | None:
    """`value` in UTC, if it is None or an aware datetime."""
    return None if value is None else instant(field, value)


def count(field: str, value: object, *, maximum: int = MAX_LIMIT) -> int:
    """`value`, if it is a whole number from 1 to `maximum`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(field, f"must be a whole number, not {type(value).__name__}")
    if not 1 <= value <= maximum:
        raise Invalid(field, f"must be from 1 to {maximum:,}, not {value}")
    return value


def fraction(field: str, value: object) -> float:
    """`value`, if it is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid(field, f"must be a number from 0 to 1, not {value!r}")
    return float(value)


def seconds(field: str, value: object, maximum: float = inf) -> float:
    """A time to wait: zero or more seconds, up to `maximum`."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= maximum or value == inf:
        upto = "on" if maximum == inf else f"to {maximum:g}"
        raise Invalid(field, f"must be a number of seconds from 0 {upto}, not {value!r}")
    return float(value)


def choice(field: str, value: object, allowed: Iterable[str]) -> str:
    """`value`, if it is one of `allowed`."""
    options = list(allowed)
    if value not in options:
        # A member of an enumeration is known by its value.
        raise Invalid(field, f"must be one of {', '.join(options)}, not {getattr(value, 'value', value)!r}")
    return str(value)


def is_loopback(name: str) -> bool:
    """Whether only this machine can be meant by `name`."""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False
