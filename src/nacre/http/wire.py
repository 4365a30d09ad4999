"""Wire forms: what the schema calls the values that replies show, and the base of replies that are no values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import AliasGenerator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

Spelling = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Shape:
    """What the schema calls a value, and how it shows it where that differs from the dataclass.

    `words` stand in place of its docstring where that speaks to readers of Python, and `about` describes fields.
    `only` shows just these fields and properties, of values inside it as well (`turn.role`). `called` gives fields the
    names of a document, and `typed` another type. Shapes of one name are told apart by their `module`.
    """

    name: str
    words: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, Any] = field(default_factory=dict)
    module: str | None = None

    # Annotations hold shapes and want a hash, which mappings do not have.
    def __hash__(self) -> int:
        return hash((self.name, self.module))


class Reply(BaseModel):
    """A reply that is no value, or whose form a document dictates."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class CamelReply(Reply):
    """A reply whose fields are snake_case here and camelCase for its readers."""

    model_config = ConfigDict(alias_generator=AliasGenerator(serialization_alias=to_camel))
