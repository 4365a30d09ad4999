"""Types of the public surface: what a method of `nacre` takes or returns lives in `domain` and is exported."""

import inspect
import typing
from collections.abc import Iterator

import nacre

# A model's vectors are arrays of numpy, which `domain` does not know; settings are read below it.
ELSEWHERE = {"Embedder", "Settings"}


def classes(hint: object) -> Iterator[type]:
    """The classes that a type hint names."""
    for each in typing.get_args(hint):
        for part in each if isinstance(each, list | tuple) else [each]:
            yield from classes(part)
    kind = typing.get_origin(hint) or hint
    if inspect.isclass(kind):
        yield kind


def functions(facade: type) -> Iterator[object]:
    """What a program calls of a façade: public methods and properties, and what `Nacre` is made with."""
    for name, member in inspect.getmembers(facade):
        if not name.startswith("_") or (name == "__init__" and facade is nacre.Nacre):
            function = member.fget if isinstance(member, property) else getattr(member, "func", member)
            if callable(function):
                yield inspect.unwrap(function)


def public_types() -> set[type]:
    waiting: list[type] = [nacre.Nacre]
    seen, found = set[type](), set[type]()
    while waiting:
        facade = waiting.pop()
        seen.add(facade)
        hints = [hint for each in functions(facade) for hint in typing.get_type_hints(each).values()]
        named = {kind for hint in hints for kind in classes(hint) if kind.__module__.startswith("nacre.")}
        opened = {kind for kind in named if kind.__module__.startswith("nacre.brain")}
        waiting += opened - seen
        found |= named - opened
    return found


def test_every_type_of_the_surface_is_exported():
    assert {each.__name__ for each in public_types()} - set(nacre.__all__) == set()


def test_every_type_of_the_surface_lives_in_domain():
    homes = {each.__name__: each.__module__ for each in public_types()}
    assert {name for name, home in homes.items() if not home.startswith("nacre.domain.")} == ELSEWHERE
