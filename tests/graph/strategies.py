"""Hypothesis strategies for operations, made from their fields."""

import types
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from hypothesis import strategies as st

from nacre.domain.commands import Operation
from nacre.graph.identity import naming

# All that a name may hold: no control characters, no half of a surrogate pair.
_LETTERS = st.characters(exclude_categories=["Cs", "Cc"])
names = (
    st.text(_LETTERS, max_size=20)
    .map(lambda text: f"{text}abc")
    .filter(lambda text: bool(text.strip()) and not naming.is_id(text))
)
# Those that end a period come after those that begin one.
_TURN = datetime(2020, 1, 1, tzinfo=UTC)
_EARLY = st.timedeltas(timedelta(0), timedelta(days=9_000)).map(lambda before: _TURN - before)
_LATE = st.timedeltas(timedelta(1), timedelta(days=9_000)).map(lambda after: _TURN + after)
_SPANS = st.tuples(st.integers(0, 5), st.integers(6, 9))
# Fields of which an operation has exactly one.
_RIVALS = (("target", "value"), ("new_value", "superseded_by"))


@st.composite
def operations(draw: st.DrawFn, kind: type[Operation]) -> Operation:
    """Operations of a kind, any fields given."""
    hints, of = get_type_hints(kind), _any(kind)
    values = {field.name: draw(_field(field.name, hints[field.name])) for field in fields(of)}
    for one, other in _RIVALS:
        if one in values and other in values and hints[one] is not str:
            kept, gone = draw(st.sampled_from([(one, other), (other, one)]))
            values[gone] = None
            values[kept] = draw(_field(kept, hints[kept]).filter(lambda value: value is not None))
    if "attribute_id" in values:
        values["attribute_id"] = draw(st.uuids())
    return of(**values)  # type: ignore[no-any-return]


def _any(kind: Any) -> Any:
    return kind


def _field(name: str, hint: Any) -> st.SearchStrategy[Any]:
    if name in ("valid_to", "retention_until"):
        return _LATE | st.none()
    if name == "reason":
        return names
    if hint == tuple[int, int]:
        return _SPANS
    if name == "places":
        places = st.builds(lambda key, span: (key, *span), st.uuids(), _SPANS)
        return st.lists(places, min_size=1, max_size=3).map(tuple)
    if name == "entities":
        return st.lists(_typed(get_args(hint)[0]), min_size=1, max_size=3).map(tuple)
    return _typed(hint)


def _typed(hint: Any) -> st.SearchStrategy[Any]:
    if isinstance(hint, NewType):
        return _typed(hint.__supertype__)
    if get_origin(hint) in (Union, types.UnionType):
        options = get_args(hint)
        enums = [each for each in options if isinstance(each, type) and issubclass(each, Enum)]
        kept = [each for each in options if not (enums and each is str)]
        return st.one_of([_typed(each) for each in kept])
    if get_origin(hint) is tuple:
        return st.lists(_typed(get_args(hint)[0]), max_size=3).map(tuple)
    if get_origin(hint) is Mapping:
        return st.dictionaries(names, names, max_size=3)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    return _PLAIN[hint] if hint in _PLAIN else _nested(hint)


def _nested(kind: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{each.name: _field(each.name, hints[each.name]) for each in fields(kind)})


_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: names,
    UUID: st.uuids(),
    bool: st.booleans(),
    float: st.floats(0, 1),
    int: st.integers(0, 1_000),
    datetime: _EARLY,
    types.NoneType: st.none(),
}
