"""Every public operation tells the probe of its brain that it happens, where there is one."""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from operator import attrgetter
from types import ModuleType
from typing import Any

from nacre.wiring import Parts

# Names under which operators look for the same thing.
SAME = {"observe_many": "observe"}
# The two that are the memory itself: what they do goes by its bare name.
BARE = ("Nacre", "ScopedNacre")
# What another agent's graph does, the graph within it does.
WITHIN = ("OpenGraph",)


def install(modules: Iterable[ModuleType]) -> None:
    """Have the public operations of every façade in these modules tell their probe."""
    facades = {name: facade for module in modules for name, facade in _facades(module)}
    for kind, facade in facades.items():
        for name, function in operations(facade, facades) if kind not in WITHIN else ():
            family = "" if kind in BARE else f"{kind.lower()}."
            parts = attrgetter("parts" if kind == "Nacre" else "_parts")
            setattr(facade, name, _telling(family + SAME.get(name, name), function, parts))


def operations(facade: type, facades: Collection[str]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What a façade does; handing out another façade, or closing, is doing nothing."""
    for name, member in list(vars(facade).items()):
        returned = getattr(member, "__annotations__", {}).get("return")
        opens = getattr(returned, "__name__", returned) in facades
        if inspect.isfunction(member) and not name.startswith("_") and not opens and name != "close":
            yield name, member


def _facades(module: ModuleType) -> Iterator[tuple[str, type]]:
    for name, member in vars(module).items():
        if inspect.isclass(member) and member.__module__ == module.__name__:
            yield name, member


def _telling(operation: str, function: Callable[..., Any], parts_of: Callable[[Any], Parts]) -> Callable[..., Any]:
    @wraps(function)
    def told(self: Any, *given: Any, **keywords: Any) -> Any:
        parts = parts_of(self)
        try:
            if parts.probe is None:
                return function(self, *given, **keywords)
            with parts.probe.operation(operation):
                return function(self, *given, **keywords)
        except BaseException as error:
            # Errors leave nothing behind. An interrupt does where it comes between two instructions of a block's begin.
            if not isinstance(error, Exception):
                parts.database.give_up()
            raise

    return told
