"""Replies that a dashboard draws, and a way to write them that is fast enough for thousands of rows at once."""

from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic_core import to_json

from nacre.domain.constellations import Constellation
from nacre.http.shapes import derived

CONSTELLATION: type[BaseModel] = derived(Constellation, to_camel)


def rendered(drawn: Constellation) -> bytes:
    """A constellation as JSON, as its derived form describes it.

    Checking every row once more on its way out takes several times as long as writing it; a test does so instead.
    """
    return to_json(_written(drawn, CONSTELLATION))


def _written(value: Any, model: type[BaseModel]) -> dict[str, Any]:
    shown = {}
    for name, attribute, part in _fields(model):
        held = getattr(value, attribute)
        if part is None:
            shown[name] = held
        elif isinstance(held, tuple):
            shown[name] = [_written(each, part) for each in held]
        else:
            shown[name] = _written(held, part)
    return shown


@cache
def _fields(model: type[BaseModel]) -> list[tuple[str, str, type[BaseModel] | None]]:
    """The fields of a form: its name there, what the value calls it, and the form that it holds."""
    return [
        (str(field.serialization_alias), str(field.validation_alias), _part(field))
        for field in model.model_fields.values()
    ]


def _part(field: FieldInfo) -> type[BaseModel] | None:
    held = next(iter(get_args(field.annotation)), field.annotation)
    return held if isinstance(held, type) and issubclass(held, BaseModel) else None
