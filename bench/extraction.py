"""Facts by rules, against the labels of DialogRE and the questions of LoCoMo, and how much of it is junk."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import dialogre, locomo
from bench.dialogre import Found, key_of, object_of, read, share_of, subject_of
from bench.progress import Progress
from bench.sources import ROOT, read_json
from bench.tables import Table, number
from nacre import Turn
from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity

Json = dict[str, Any]

SESSIONS = "longmemeval-sessions.json"
SAMPLE = 200
SEED = 7
PAGE = ROOT / "bench" / "extraction-sample.md"


def measure(data: Path, progress: Progress) -> tuple[Json, list[Json]]:
    """All figures, and the sample with its verdicts."""
    dialogues = list(dialogre.dialogues(read_json(data, dialogre.FILE)))
    pools = locomo.load(data).pools
    chats = read_json(data, SESSIONS)
    with progress.track("extraction", len(dialogues) + len(pools) + len(chats)) as advance:
        labels = dialogre.Dialogre()
        said: list[Found] = []
        for turns, relations in dialogues:
            said.append(read(turns))
            labels.score(said[-1], relations)
            advance(1)
        named = Counts()
        for pool in pools:
            said.append(read(pool.turns))
            named.score(said[-1], pool.turns, [question.text for question in pool.questions])
            advance(1)
        users: list[Found] = []
        for chat in chats:
            users.append(read(_chat(chat)))
            advance(1)
    facts = {"dialogre": said[: len(dialogues)], "locomo": said[len(dialogues) :], "longmemeval": users}
    listed = sample(users)
    figures = {
        "dialogre": labels.figures(),
        "locomo": named.figures(),
        "junk": {name: _junk_rate(some) for name, some in facts.items()},
        "sample": {"facts": len(listed), "junk": sum(bool(each["junk"]) for each in listed)},
        "speed": {name: _speed(some) for name, some in facts.items()},
    }
    return figures, listed


class Counts:
    """The names of LoCoMo's speakers and questions that exist as entities after the turns were read."""

    def __init__(self) -> None:
        self.counts: dict[str, list[int]] = {
            "speakers": [0, 0],
            "names in questions": [0, 0],
            "of them not speakers": [0, 0],
        }

    def score(self, found: Found, turns: Sequence[Turn], questions: Sequence[str]) -> None:
        entities = {key_of(each.name) for each in found.named}
        speakers = {turn.speaker for turn in turns if turn.speaker}
        text = "\n".join(turn.text for turn in turns)
        asked = {name for question in questions for name in names_in(question)}
        # A name that no turn holds cannot be found in one.
        said = {name for name in asked if re.search(rf"\b{re.escape(name)}\b", text)}
        self._count("speakers", {key_of(each) for each in speakers}, entities)
        self._count("names in questions", {key_of(name) for name in said}, entities)
        self._count("of them not speakers", {key_of(name) for name in said - speakers}, entities)

    def figures(self) -> Json:
        return {name: {"found": found, "of": total} for name, (found, total) in self.counts.items()}

    def _count(self, name: str, wanted: set[str], entities: set[str]) -> None:
        whole = {word for entity in entities for word in (entity, *entity.split())}
        self.counts[name][0] += len(wanted & whole)
        self.counts[name][1] += len(wanted)


_QUESTION_NAME = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z][\w'’-]*[a-z](?: [A-Z][\w'’-]*[a-z])*")
_MONTHS = re.compile(
    r"January|February|March|April|May|June|July|August|September|October|November|December|\w+day\b|Christmas|Thanksgiving|Halloween"
)


def names_in(question: str) -> Iterator[str]:
    """Capitals inside a question, without times. Written apart from the extractor, so that it cannot flatter it."""
    for found in _QUESTION_NAME.findall(question):
        name = re.sub(r"['’]s$", "", found)
        if not _MONTHS.search(name):
            yield name


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


_PRONOUNS = _words("""
    i me my you your he him his she her it its we us our they them their this that these those who
""")
_GENERIC = _words("""
    thing things stuff someone something anyone anything everyone everything people person guy team one way lot
""")
_SMALL = _words("""
    a an of in on at to for with and or but by from as is was are were be so if my your our their this that
""")
_VERBS = _words("""
    is are was were am be been does did has had will would can could should might must went makes got
""")
_BASE_VERBS = _words("do have go make get")


@dataclass(frozen=True, slots=True)
class Judged:
    """A fact as the junk rules see it."""

    fact: Fact
    subject: str
    words: tuple[str, ...]

    @property
    def is_taste(self) -> bool:
        return self.fact.object is not None and self.fact.object.type in (EntityType.PREFERENCE, EntityType.TOPIC)


# What is junk, whatever the sentence was: the first reason that holds is reported.
JUNK: tuple[tuple[str, Callable[[Judged], bool]], ...] = (
    ("subject is a pronoun or a generic word", lambda it: it.subject.lower() in _PRONOUNS | _GENERIC),
    ("object is empty or has no letters", lambda it: not any(sign.isalnum() for word in it.words for sign in word)),
    ("object is a pronoun or a generic word", lambda it: it.words[0] in _PRONOUNS or set(it.words) <= _GENERIC),
    ("object has more than eight words", lambda it: len(it.words) > 8),
    ("object begins or ends in a small word", lambda it: it.words[0] in _SMALL or it.words[-1] in _SMALL | {"the"}),
    ("name holds a verb", lambda it: bool(it.fact.object and set(it.words) & _VERBS)),
    (
        "name is a verb phrase",
        lambda it: bool(it.fact.object and not it.is_taste and set(it.words) & _BASE_VERBS),
    ),
    (
        "subject has no capital",
        lambda it: isinstance(it.fact.subject, NamedEntity) and it.subject.isascii() and it.subject.islower(),
    ),
    ("says something of itself", lambda it: it.subject.lower() == " ".join(it.words)),
)


def junk(turn: Turn, fact: Fact) -> str | None:
    """Why a fact is junk on its face, or None."""
    judged = Judged(fact, subject_of(turn, fact), tuple(object_of(fact).lower().split()))
    return next((reason for reason, holds in JUNK if holds(judged)), None)


def sample(found: Sequence[Found], size: int = SAMPLE) -> list[Json]:
    """Facts drawn with a fixed seed, each sentence once, with the verdict of the rules."""
    lines = {}
    for turn, fact in (pair for each in found for pair in each.facts):
        row = {
            "subject": subject_of(turn, fact),
            "predicate": fact.predicate or fact.path,
            "object": object_of(fact),
            "detail": fact.detail or "",
            "polarity": str(fact.polarity),
            "confidence": fact.confidence,
            "rule": fact.rule,
            "junk": junk(turn, fact),
        }
        lines[turn.text, fact.quote, row["predicate"], row["object"]] = row
    rows = list(lines.values())
    return sorted(random.Random(SEED).sample(rows, min(size, len(rows))), key=lambda row: (row["rule"], row["object"]))


def page(listed: Sequence[Json]) -> str:
    """The sample as a page."""
    bad = sum(bool(row["junk"]) for row in listed)
    lines = [
        "# A sample of extracted facts",
        "",
        "Use this page to see what the rules take out of talk, fact by fact.",
        "",
        f"{len(listed)} facts drawn with seed {SEED} from those that the rules take out of what users say in",
        "LongMemEval (MIT licence). `python -m bench extraction --publish` writes this page. The last column is the",
        f"verdict of the junk rules in `bench/extraction.py`: {bad} of {len(listed)} are junk by them.",
        "",
        "| rule | subject | predicate | object | detail | polarity | confidence | junk |",
        "|---|---|---|---|---|---|---:|---|",
    ]
    cells = ("rule", "subject", "predicate", "object", "detail", "polarity", "confidence", "junk")
    lines += [f"| {' | '.join(str(row[cell] or '').replace('|', '/') for cell in cells)} |" for row in listed]
    return "\n".join(lines) + "\n"


def tables(document: Json) -> list[Table]:
    """Entities, relations, LoCoMo's names, junk and speed."""
    figures = document["extraction"]
    labels = figures["dialogre"]
    entities = tuple(
        (name, str(row["of"]), _percent(share_of(row["found"], row["of"])), _percent(share_of(row["typed"], row["of"])))
        for name, row in labels["entities"].items()
    )
    relations = tuple(
        (label, str(row["of"]), _percent(share_of(row["found"], row["of"])))
        for label, row in labels["relations"].items()
    )
    note = (
        f"Recall over all {labels['labels']} labels {_percent(labels['recall'])} %; "
        f"over the {labels['in_one_turn']} whose two names meet in one turn, the least that stating them takes, "
        f"{_percent(labels['recall_in_one_turn'])} %. Of the facts about a pair that has labels, "
        f"{_percent(labels['precision_on_pairs'])} % state one of them "
        f"({labels['right']} right, {labels['wrong']} wrong); "
        f"{labels['beside']} facts are about pairs without a label."
    )
    questions = tuple(
        (name, str(row["of"]), _percent(share_of(row["found"], row["of"]))) for name, row in figures["locomo"].items()
    )
    quality = tuple(
        (
            name,
            str(row["facts"]),
            _percent(share_of(row["junk"], row["facts"])),
            number(figures["speed"][name]["sentences_per_s"], 0),
        )
        for name, row in figures["junk"].items()
    )
    return [
        Table("DialogRE: entities", ("type", "labelled", "found %", "found with type %"), entities),
        Table("DialogRE: relations", ("label", "labelled", "found %"), relations, note),
        Table("LoCoMo: names that exist as entities", ("names", "n", "found %"), questions),
        Table(
            "Junk by rules, and speed",
            ("set", "facts", "junk %", "sentences/s"),
            quality,
            "Seconds of one core. The junk rules are in `bench/extraction.py`.",
        ),
    ]


def _chat(session: Json) -> Iterator[Turn]:
    for turn in session["turns"]:
        if turn["content"].strip():
            yield Turn(role=turn["role"], text=turn["content"], at=datetime(2023, 5, 20, tzinfo=UTC))


def _junk_rate(found: Sequence[Found]) -> Json:
    facts = [pair for each in found for pair in each.facts]
    return {"facts": len(facts), "junk": sum(junk(turn, fact) is not None for turn, fact in facts)}


def _speed(found: Sequence[Found]) -> Json:
    count, seconds = sum(each.sentences for each in found), sum(each.seconds for each in found)
    return {"sentences": count, "sentences_per_s": round(count / seconds, 1) if seconds else None}


def _percent(value: float | None) -> str:
    return number(None if value is None else value * 100, 1)
