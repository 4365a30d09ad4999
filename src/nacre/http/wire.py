"""Values in the dress of the documents' `/api` routes: fields in camelCase, everything else as `plain` shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from nacre.domain.plain import Json, plain


def camel(value: object) -> Json:
    """`value` as JSON, its fields in camelCase.

    Only the names of fields are changed: the keys of a mapping, such as properties, are somebody's own words.
    """
    if isinstance(value, str | bytes):
        return plain(value)
    # Values first: a value may be a sequence as well, and its fields would be lost.
    if is_dataclass(value):
        return {to_camel(field.name): camel(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): camel(each) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [camel(each) for each in value]
    return plain(value)


class CamelReply(BaseModel):
    """A reply whose fields are snake_case here and camelCase for its readers."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)

    @classmethod
    def of(cls, value: object) -> Self:
        """The reply that holds `value`."""
        return cls.model_validate(camel(value))
