"""Reply shapes: the JSON form of a value, derived from its dataclass, in snake_case or in camelCase.

A route says which value it returns; `SnakeRoute` or `CamelRoute` derives from that the model that FastAPI describes
and writes. So a field that a value gains is in every reply that shows the value. What the schema calls the values of
other rooms is in `snake_values` and `camel_values`. Models stay as they are: a document dictates their form.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from inspect import get_annotations, getdoc
from types import UnionType
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin

from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from pydantic import AliasPath, BaseModel, BeforeValidator, Field, create_model
from pydantic.alias_generators import to_camel
from starlette.responses import Response

from nacre.domain.plain import Json, plain
from nacre.http.camel_values import CAMEL, MODELS
from nacre.http.snake_values import SNAKE
from nacre.http.wire import Reply, Shape, Spelling

# Times leave in UTC, whatever zone a value has them in.
Moment = Annotated[datetime, BeforeValidator(lambda moment: moment.astimezone(UTC))]
# Whatever JSON holds: values keep it in mappings that nobody can change, and pydantic has no form for those.
Anything = Annotated[Any, BeforeValidator(plain)]
LISTS = (Sequence, list)
MAPPINGS = (Mapping, dict)


class SnakeRoute(APIRoute):
    """A route that shows what its function returns in snake_case."""

    camelled: ClassVar[bool] = False

    def __init__(self, path: str, endpoint: Any, **options: Any) -> None:
        returned = get_annotations(endpoint)["return"]
        if isinstance(options.get("response_model"), DefaultPlaceholder) and not _is_response(returned):
            options["response_model"] = derived(returned, to_camel if self.camelled else str)
        super().__init__(path, endpoint, **options)


class CamelRoute(SnakeRoute):
    """A route that shows what its function returns in camelCase."""

    camelled: ClassVar[bool] = True


def _is_response(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Response)


def derived(annotation: Any, spelling: Spelling) -> Any:
    """What pydantic describes and writes in place of `annotation`, however deep in it the values are."""
    if annotation == Json:
        return Anything
    if annotation is datetime:
        return Moment
    if get_origin(annotation) is not None:
        return _generic(get_origin(annotation), get_args(annotation), spelling) or annotation
    return _value(annotation, spelling) if is_dataclass(annotation) else annotation


def shown(value: object) -> BaseModel:
    """A value in the form that a snake_case route gives it."""
    form: type[BaseModel] = derived(type(value), str)
    return form.model_validate(value)


def _generic(origin: Any, parts: tuple[Any, ...], spelling: Spelling) -> Any:
    if origin is Annotated:
        return _annotated(parts[0], parts[1:], spelling)
    if origin in (Union, UnionType):
        return Union[tuple(derived(part, spelling) for part in parts)]  # noqa: UP007 - the parts are not known here
    if origin in LISTS or (origin is tuple and parts[-1] is ...):
        return list[derived(parts[0], spelling)]  # type: ignore[misc]
    if origin in MAPPINGS:
        return dict[parts[0], derived(parts[1], spelling)]  # type: ignore[misc,valid-type]
    return None


def _annotated(annotation: Any, notes: tuple[Any, ...], spelling: Spelling) -> Any:
    shape = next((note for note in notes if isinstance(note, Shape)), None)
    return _model(annotation, shape, spelling) if shape else Annotated[derived(annotation, spelling), *notes]


def _value(value: Any, spelling: Spelling) -> type[BaseModel]:
    if value in MODELS:
        return MODELS[value]
    if value in SNAKE:
        return _model(value, SNAKE[value], str)
    if value in CAMEL:
        return _model(value, CAMEL[value], to_camel)
    return _model(value, Shape(value.__name__, module=value.__module__), spelling)


@cache
def _model(value: Any, shape: Shape, spelling: Spelling) -> type[BaseModel]:
    """The model of a value. It has every field, also those that a value can be made without."""
    held = {}
    for path, annotation in _parts(value, shape):
        name = shape.called.get(path, path.rpartition(".")[2])
        place = AliasPath(*path.split(".")) if "." in path else path
        notes = [Field(validation_alias=place, serialization_alias=spelling(name))]
        if path in shape.about:
            notes.append(Field(description=shape.about[path]))
        held[name] = Annotated[derived(annotation, spelling), *notes]
    words, module = shape.words or getdoc(value), shape.module or __name__
    return create_model(shape.name, __base__=Reply, __module__=module, __doc__=words, **held)  # type: ignore[call-overload,no-any-return]


def _parts(value: Any, shape: Shape) -> Iterator[tuple[str, Any]]:
    for path in shape.only or [each.name for each in fields(value)]:
        yield path, shape.typed.get(path) or _annotation(value, path)


def _annotation(value: Any, path: str) -> Any:
    """The type of a field or property, or of one inside it."""
    first, _, rest = path.partition(".")
    known = {each.name: each.type for each in fields(value)}
    found = known[first] if first in known else get_annotations(getattr(value, first).fget)["return"]
    return _annotation(found, rest) if rest else found
