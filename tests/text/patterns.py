"""Texts that are made to hold a pattern up, from the pattern itself."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Sequence
from re import _constants as codes
from re import _parser as parser
from typing import Any

Tree = Sequence[tuple[Any, Any]]
# What a text begins with, and what is repeated after it.
Pump = tuple[str, str]

# A repeat of fewer costs little.
_LARGE = 30
_LETTERS = "aA1 -._,'\"/:;!?\n\t@#$%&*()[]<>=+ñ"
_EVERYDAY = tuple("aA1 -.,'#*`[(<_/|\t\n\"á")
_PAIRS = ("a ", "Aa ", "1 ", "a, ", "A. ", "a\n", "I ", ": ", "$1")
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def of_rooms(*rooms: str) -> dict[re.Pattern[str], tuple[str, bool]]:
    """Every pattern that the modules of some packages hold: its name, and whether it only looks at one place."""
    found: dict[re.Pattern[str], tuple[str, bool]] = {}
    for room in rooms:
        prefix = f"nacre.{room}"
        for info in pkgutil.walk_packages(importlib.import_module(prefix).__path__, f"{prefix}."):
            module = importlib.import_module(info.name)
            source = inspect.getsource(module)
            for name, value in vars(module).items():
                for pattern in set(_held(value)).difference(found):
                    found[pattern] = (f"{module.__name__}.{name}", _looks_once(source, name))
    return found


def _held(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif depth < 5 and isinstance(value, dict):
        yield from _held([*value, *value.values()], depth + 1)
    elif depth < 5 and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _held(each, depth + 1)
    elif depth < 5 and dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _held([getattr(value, each.name, None) for each in dataclasses.fields(value)], depth + 1)


def _looks_once(source: str, name: str) -> bool:
    uses = re.findall(rf"\b{name}\b(\.\w+)?", source)[1:]
    return name.startswith("_") and bool(uses) and set(uses) <= {".match", ".fullmatch"}


def pumps(pattern: re.Pattern[str]) -> list[Pump]:
    """Ways to hold a pattern up: the bodies of its repeats, with and without what stands before them."""
    tree: Tree = parser.parse(pattern.pattern, pattern.flags)
    found: set[Pump] = {("", each) for each in (*_EVERYDAY, *_PAIRS)}
    for pick in range(2):
        for before, body in _repeats(tree, "", pick):
            found |= {("", body), (before, body), (f"{before} ", body), ("", before + body), ("", body + before)}
            found |= {("", before), ("", f"{before} "), ("", f"{before}{body} ")}
    whole = [_sample(tree, pick) for pick in range(3)]
    found |= {("", text) for each in whole for text in (each, each[:-1], f"{each} ")}
    return sorted(each for each in found if each[1])


def pumped(pump: Pump, size: int) -> str:
    """A text of that size, which ends as no pattern expects it."""
    before, body = pump
    return (before + body * (size // len(body) + 1))[:size] + "\x00"


def _repeats(tree: Tree, before: str, pick: int) -> Iterator[tuple[str, str]]:
    """For each repeat without a small limit: an example of what stands before it, and of its body."""
    for code, given in tree:
        inner: list[Tree] = []
        if code in _REPEATS:
            inner = [given[2]]
            if given[1] > _LARGE:
                yield from ((before, _sample(given[2], pick + other)) for other in range(2))
        elif code is codes.BRANCH:
            inner = list(given[1])
        elif code is codes.SUBPATTERN:
            inner = [given[3]]
        elif code is codes.ATOMIC_GROUP:
            inner = [given]
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            inner = [given[1]]
        for each in inner:
            yield from _repeats(each, before, pick)
        before += _example(code, given, pick)


def _sample(tree: Tree, pick: int) -> str:
    return "".join(_example(code, given, pick) for code, given in tree)


def _example(code: Any, given: Any, pick: int) -> str:  # noqa: PLR0911 - one for each kind of node
    if code is codes.LITERAL:
        return chr(given)
    if code is codes.NOT_LITERAL:
        return _member([(codes.NEGATE, None), (codes.LITERAL, given)], pick)
    if code is codes.ANY:
        return "a"
    if code is codes.IN:
        return _member(given, pick)
    if code is codes.BRANCH:
        return _sample(given[1][pick % len(given[1])], pick)
    if code is codes.SUBPATTERN:
        return _sample(given[3], pick)
    if code is codes.ATOMIC_GROUP:
        return _sample(given, pick)
    if code in _REPEATS:
        return _sample(given[2], pick) * int(max(given[0], pick % 2))
    if code is codes.ASSERT and given[0] > 0:
        return _sample(given[1], pick)
    return ""


def _member(items: Tree, pick: int) -> str:
    negated = items[0][0] is codes.NEGATE
    fitting = [each for each in _LETTERS if negated != any(_is_in(each, *item) for item in items)]
    if fitting:
        return fitting[pick % len(fitting)]
    code, given = items[0]
    return chr(given if code is codes.LITERAL else given[0]) if not negated else "\u4e00"


def _is_in(letter: str, code: Any, given: Any) -> bool:
    if code is codes.LITERAL:
        return bool(ord(letter) == given)
    if code is codes.RANGE:
        return bool(given[0] <= ord(letter) <= given[1])
    return code is codes.CATEGORY and re.match(_CATEGORIES[given], letter) is not None
