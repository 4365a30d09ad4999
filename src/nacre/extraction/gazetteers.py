"""The word lists of `known/`, read once."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from nacre.domain.entities import EntityType

_TYPES = {
    "places": EntityType.LOCATION,
    "organisations": EntityType.ORGANIZATION,
    "technologies": EntityType.TECHNOLOGY,
    "assets": EntityType.ASSET,
    # Last: what a name is besides comes before.
    "towns": EntityType.LOCATION,
}


@dataclass(frozen=True, slots=True)
class ListedName:
    """A listed name. An `ambiguous` one is also an everyday word: a capital inside a sentence is needed to tell."""

    name: str
    type: EntityType
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Listed names by exact spelling, and the most words any name with this first word has."""

    entries: dict[str, ListedName]
    longest: dict[str, int]


def _lines(name: str) -> list[str]:
    text = files("nacre.extraction.known").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _words(name: str) -> dict[str, bool]:
    """Each word of a list, and whether it is marked as an everyday word, too."""
    return {word.rstrip("?").replace("-", " "): word.endswith("?") for line in _lines(name) for word in line.split()}


@cache
def gazetteer() -> Gazetteer:
    entries: dict[str, ListedName] = {}
    for name, kind in _TYPES.items():
        for item in re.split(r",\s*", ",".join(_lines(name))):
            first, _, others = item.partition(":")
            known = ListedName(first.strip().rstrip("*"), kind, first.strip().endswith("*"))
            for written in (known.name, *(other.strip() for other in others.split(" / ") if other.strip())):
                entries.setdefault(written, known)
    return Gazetteer(entries, _longest(entries))


@cache
def small_places() -> Gazetteer:
    """The places as they are typed without capitals; not those that are everyday words then, such as `us`."""
    listed = gazetteer().entries.items()
    places = [
        (written, known) for written, known in listed if known.type is EntityType.LOCATION and not known.ambiguous
    ]
    entries = {written.lower(): known for written, known in places if not written.isupper()}
    return Gazetteer(entries, _longest(entries))


def _longest(entries: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for written in entries:
        parts = written.split(" ")
        longest[parts[0]] = max(longest.get(parts[0], 0), len(parts))
    return longest


@cache
def given_names() -> dict[str, tuple[str, bool]]:
    """Given names in lower case: `f`, `m` or `e`(ither), and whether the name is an everyday word, too."""
    names: dict[str, tuple[str, bool]] = {}
    for hint, name in (("f", "female"), ("m", "male"), ("e", "either")):
        for word, ambiguous in _words(name).items():
            known = names.get(word)
            names[word] = ("e" if known and known[0] != hint else hint, ambiguous or bool(known and known[1]))
    return names


@cache
def common_words() -> frozenset[str]:
    return frozenset(_words("common"))


@cache
def occupations() -> dict[str, bool]:
    """Jobs by their last word, and whether the word says something else as often."""
    return _words("occupations")
