"""Column types that mean the same on every database, and what every table shares."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Column, DateTime, Dialect, LargeBinary, MetaData, Uuid
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

    def process_bind_param(self, value: UUID | None, dialect: Dialect) -> UUID | bytes | None:
        return value if value is None or dialect.name == "postgresql" else value.bytes

    def process_result_value(self, value: Any | None, dialect: Dialect) -> UUID | None:
        return value if value is None or dialect.name == "postgresql" else UUID(bytes=value)


class Instant(TypeDecorator[datetime]):
    """An aware UTC time: microseconds since 1970 on SQLite, `timestamptz` on PostgreSQL."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return DateTime(timezone=True) if dialect.name == "postgresql" else BigInteger()

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | int | None:
        return value if value is None or dialect.name == "postgresql" else to_microseconds(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if dialect.name == "postgresql" else from_microseconds(value)


def scope_id() -> Column[Any]:
    """The column that leads every key and every index."""
    return Column("scope_id", Id, primary_key=True, nullable=False)
