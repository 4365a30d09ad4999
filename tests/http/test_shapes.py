"""The JSON form of values, derived from their dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

import pytest
from pydantic import Field
from pydantic.alias_generators import to_camel

from nacre.domain.plain import Json
from nacre.http.camel_values import CAMEL, MODELS
from nacre.http.shapes import derived
from nacre.http.snake_values import SNAKE
from nacre.http.wire import Shape

pytestmark = pytest.mark.spec("S18")

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf."""

    colour: Colour
    fell_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree with leaves."""

    first_leaf: Leaf
    all_leaves: tuple[Leaf, ...]
    own_words: Mapping[str, str]
    any_json: Mapping[str, Json]
    span: tuple[int, int]

    @property
    def leaf_count(self) -> int:
        """How many there are."""
        return len(self.all_leaves)


TREE = Tree(
    Leaf(Colour.RED, NOON.astimezone(timezone(timedelta(hours=2)))),
    (Leaf(Colour.RED),),
    MappingProxyType({"code_name": "Oak"}),
    MappingProxyType({"deep_down": {"at_last": [1, None]}}),
    (1, 2),
)


def written(annotation: Any, value: Any, spelling: Any = str) -> Any:
    return derived(annotation, spelling).model_validate(value).model_dump(mode="json", by_alias=True)


def schema(annotation: Any, spelling: Any = str) -> Any:
    return derived(annotation, spelling).model_json_schema(mode="serialization")


def test_every_field_of_a_value_is_shown_however_deep():
    assert written(Tree, TREE) == {
        "first_leaf": {"colour": "red", "fell_at": "2026-05-03T12:00:00Z"},
        "all_leaves": [{"colour": "red", "fell_at": None}],
        "own_words": {"code_name": "Oak"},
        "any_json": {"deep_down": {"at_last": [1, None]}},
        "span": [1, 2],
    }


def test_camel_case_is_for_fields_and_leaves_the_keys_that_people_chose():
    shown = written(Tree, TREE, to_camel)

    assert list(shown) == ["firstLeaf", "allLeaves", "ownWords", "anyJson", "span"]
    assert shown["firstLeaf"]["fellAt"] == "2026-05-03T12:00:00Z"
    assert shown["ownWords"] == {"code_name": "Oak"}
    assert shown["anyJson"] == {"deep_down": {"at_last": [1, None]}}


def test_a_schema_has_the_docstring_as_words_and_every_field_as_required():
    described = schema(Leaf)

    assert (described["title"], described["description"]) == ("Leaf", "A leaf.")
    assert described["required"] == ["colour", "fell_at"]
    assert described["additionalProperties"] is False


def test_a_shape_renames_chooses_and_describes():
    shape = Shape(
        "Wood",
        "Some wood.",
        about={"leaf_count": "So many."},
        only=("leaf_count", "first_leaf.colour"),
        called={"first_leaf.colour": "paint"},
        typed={"first_leaf.colour": str},
    )
    wood = Annotated[Tree, shape]

    assert written(wood, TREE, to_camel) == {"leafCount": 1, "paint": "red"}
    described = schema(wood, to_camel)
    assert (described["title"], described["description"]) == ("Wood", "Some wood.")
    assert described["properties"]["leafCount"]["description"] == "So many."
    assert described["properties"]["paint"]["type"] == "string"


def test_a_note_on_a_field_reaches_the_schema():
    @dataclass(frozen=True)
    class Noted:
        """Noted."""

        size: Annotated[int, Field(description="How large.")]

    assert schema(Noted)["properties"]["size"]["description"] == "How large."


def test_a_value_is_spelt_in_one_way():
    assert not SNAKE.keys() & CAMEL.keys()
    assert not MODELS.keys() & (SNAKE.keys() | CAMEL.keys())


def test_values_are_shown_by_fields_that_they_have():
    for table, spelling in ((SNAKE, str), (CAMEL, to_camel)):
        for value, shape in table.items():
            known = set(shape.only) or {each.name for each in fields(value)}
            assert {*shape.about, *shape.called, *shape.typed} <= known, shape.name
            assert derived(value, spelling).__name__ == shape.name
