"""Plain statements: one or two messages that say a fact outright, and what is believed afterwards.

Each file is of a writer who had seen no code. `fresh` came last and was measured before anybody looked at it; what the
others showed was mended where it was of a kind.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bench import writers
from bench.progress import Progress
from bench.sources import ROOT
from bench.tables import Table, share
from nacre import Nacre, ScopedNacre

Json = dict[str, Any]

FOLDER = ROOT / "bench" / "labels" / "plain-statements"
USER = "samuser"
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
# What is told of somebody who has no name is kept as a claim of the user's, below what they are to the user.
_OF_KIN = "relations/"


def measure(progress: Progress) -> Json:
    """What is known of what was said, and what is believed wrongly, by writer."""
    return writers.measure("plain statements", writers.load(FOLDER), judge, progress)


def judge(statement: Json) -> Json:
    """A statement told a day after the other, and its beliefs counted."""
    now = START
    with Nacre(":memory:", clock=lambda: now) as nacre:
        scope = nacre.scope("statements", user=USER)
        for text in statement["turns"]:
            scope.observe("user", text, session=f"{now:%F}", at=now)
            scope.learned()
            now += timedelta(days=1)
        known = {entity: [*told] for entity, told in _beliefs(scope)}
    must, wrong = statement["must"], statement.get("not", [])
    return {
        "said": len(must),
        "known": sum(any(word.casefold() in " | ".join(_of(known, who)) for word in words) for who, words in must),
        "denied": len(wrong),
        "believed": sum(word.casefold() in " | ".join(_of(known, who)) for who, word in wrong),
    }


def _beliefs(scope: ScopedNacre) -> Iterator[tuple[str, list[str]]]:
    """What is in force of everybody, by name."""
    entities = {each.id: each.name for each in scope.graph.search(limit=100)}
    for key, name in entities.items():
        links = [each for each in scope.graph.links(key) if each.source == key]
        told = [
            f"{each.predicate} {entities.get(each.target, '') if each.target else each.value} {each.properties}"
            for each in links
        ]
        told += [f"{each.slot} {each.value}" for each in scope.ontology.claims(key)]
        yield name.casefold(), [each.casefold() for each in told]


def _of(known: Mapping[str, list[str]], who: str) -> Iterator[str]:
    """What is believed of the user, or of whoever is called so: by name, or by what they are to the user."""
    who = who.casefold()
    for name, told in known.items():
        for each in told:
            if (name == USER and not each.startswith(_OF_KIN)) if who == "user" else who in f"{name} {each}":
                yield f"{name} {each}"


def tables(document: Json) -> list[Table]:
    """What is known of what was said, by writer."""
    rows = tuple(
        (
            name,
            f"{each['known']} of {each['said']}",
            f"{share('known', each['known'] / each['said'])} %",
            f"{each['believed']} of {each['denied']}",
        )
        for name, each in document["statements"].items()
    )
    note = "known: a belief in force about the one it is said of has the words that the writer gave. A day or a price "
    note += "that only the quoted words have does not count. wrong: beliefs that the writer says would be. `fresh` was "
    note += "measured before anybody looked at it."
    return [Table("Plain statements of strangers", ("writer", "known", "share", "wrong"), rows, note)]
