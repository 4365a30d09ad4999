"""The arguments of a tool: the schema that a model reads, and the check of what it sends."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from nacre.domain.errors import Invalid

MAX_MESSAGE = 200


class Arguments:
    """What a function takes, read from its signature."""

    def __init__(self, function: Callable[..., object]) -> None:
        fields: dict[str, Any] = {
            name: (each.annotation, ... if each.default is each.empty else each.default)
            for name, each in inspect.signature(function).parameters.items()
            if name != "self"
        }
        self._model: type[BaseModel] = create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)
        self.schema = _plain(self._model.model_json_schema())

    def read(self, given: Mapping[str, object] | None) -> dict[str, Any]:
        """The arguments as the function takes them; the first problem is an `Invalid`."""
        # Models send null for what they leave out.
        sent = {name: value for name, value in (given or {}).items() if value is not None}
        try:
            checked = self._model.model_validate(sent)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            raise Invalid(_place(problem["loc"]), _said(problem["type"], problem["msg"], self._model)) from error
        return {name: getattr(checked, name) for name in checked.model_fields_set}


def _place(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path))[:MAX_MESSAGE] or "arguments"


def _said(kind: str, message: str, model: type[BaseModel]) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return f"is not an argument; there are {', '.join(model.model_fields) or 'none'}"
    said = message.removeprefix("Input ").removeprefix("Value error, ")
    return said[:1].lower() + said[1:MAX_MESSAGE]


def _plain(schema: Any) -> Any:
    """A schema without what costs a model tokens and tells it nothing: titles, and nulls that mean "left out"."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    choices = [each for each in kept.get("anyOf", []) if each != {"type": "null"}]
    if len(choices) == 1:
        del kept["anyOf"]
        kept |= choices[0]
    if kept.get("default", ...) is None:
        del kept["default"]
    return {key: _plain(value) for key, value in kept.items()}
