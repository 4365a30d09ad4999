"""Column types that mean the same on every database, and what every table shares."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Column, ColumnElement, DateTime, Dialect, LargeBinary, MetaData, Uuid, bindparam
from sqlalchemy.types import TypeDecorator, TypeEngine

metadata = MetaData()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(value: datetime) -> int:
    """Whole microseconds since 1970, exactly."""
    return (value - EPOCH) // _MICROSECOND


def from_microseconds(value: int) -> datetime:
    """The instant `value` microseconds after 1970."""
    return EPOCH + timedelta(microseconds=value)


class Id(TypeDecorator[UUID]):
    """A UUID: 16 bytes on SQLite, `uuid` on PostgreSQL."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return Uuid() if dialect.name == "postgresql" else LargeBinary(16)

    # Not `process_bind_param` and `process_result_value`, which take three calls a value: a picture of a graph reads a
    # hundred thousand.
    def bind_processor(self, dialect: Dialect) -> Callable[[UUID | None], bytes | None] | None:
        return None if dialect.name == "postgresql" else _to_bytes

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], UUID | None] | None:  # noqa: ARG002
        return None if dialect.name == "postgresql" else _to_uuid


class Instant(TypeDecorator[datetime]):
    """An aware UTC time: microseconds since 1970 on SQLite, `timestamptz` on PostgreSQL."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return DateTime(timezone=True) if dialect.name == "postgresql" else BigInteger()

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], int | None] | None:
        return None if dialect.name == "postgresql" else _to_number

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:  # noqa: ARG002
        return _to_utc if dialect.name == "postgresql" else _to_instant


def _to_bytes(value: UUID | None) -> bytes | None:
    return None if value is None else value.int.to_bytes(16, "big")


def _to_number(value: datetime | None) -> int | None:
    return None if value is None else to_microseconds(value)


# Rows that belong together name the same few thousand ids again and again.
@lru_cache(maxsize=1 << 14)
def _to_uuid(value: bytes | None) -> UUID | None:
    return None if value is None else UUID(bytes=value)


def _to_utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC)


# As are moments: all turns of a session may have one, and so has what was learned together.
@lru_cache(maxsize=1 << 14)
def _to_instant(value: int | None) -> datetime | None:
    return None if value is None else EPOCH + timedelta(microseconds=value)


def among(column: ColumnElement[Any], numbers: Sequence[int]) -> ColumnElement[bool]:
    """Whether a column is one of many numbers. They are written into the statement: handing over each takes longer."""
    return column.in_(bindparam("numbers", numbers, expanding=True, literal_execute=True, unique=True))


def scope_id() -> Column[Any]:
    """The column that leads every key and every index."""
    return Column("scope_id", Id, primary_key=True, nullable=False)
