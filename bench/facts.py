"""Facts that the reader and the rules find in conversations that were held out of its training."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter, process_time
from typing import Any

from bench import dialogre
from bench.models.reader.examples import SpannedConversation, labelled, spanned
from bench.models.reader.labels import conversations
from bench.models.reader.scores import Figures, PlacedFact, Verdict, at_threshold, figures, recall_at, reliability
from bench.models.reader.scores import verdicts as compare
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Turn
from nacre.domain.facts import Fact, NamedEntity, Polarity
from nacre.models import local_reader, static_embedder
from nacre.models.local_reader import LocalReader
from nacre.models.reader_windows import TurnTokenizer
from nacre.models.readings import Conversation, SubjectKind

Json = dict[str, Any]

THRESHOLDS = (0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9)
PRECISIONS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
BANDS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
LENGTHS = ((8, "up to 8 words"), (16, "9 to 16"), (40, "17 to 40"), (10_000, "more"))
# Facts less sure than this are not even looked at.
LEAST = 0.1

_PREDICATES = {
    "family_of": "family",
    "partner_of": "partner",
    "friend_of": "friend",
    "colleague_of": "colleague",
    "works_with": "colleague",
    "prefers": "likes",
    "based_at": "lives_in",
    "work/general/role": "role",
    "profile/general/name": "name",
    "profile/general/age": "age",
    "profile/general/birthday": "birthday",
    "profile/general/origin": "from",
    "study/general/subject": "studies",
}


def measure(progress: Progress) -> Json:
    """Every figure on the held-out conversations."""
    held = spanned(conversations(part="held-out"), TurnTokenizer(static_embedder.DATA / "vocab.txt"))
    labels = labelled(held)
    reader = local_reader.load()
    with progress.track("facts", 2 * len(held)) as advance:
        by_rules: list[PlacedFact] = []
        for each in held:
            by_rules += rule_facts(each)
            advance(1)
        started, worked = perf_counter(), process_time()
        by_reader = reader_facts(reader, held)
        seconds, worked = perf_counter() - started, process_time() - worked
        advance(len(held))
    turns = sum(len(each.turns) for each in held)
    return {
        "conversations": len(held),
        "turns": turns,
        "labels": len(labels),
        "threshold": reader.threshold,
        "rules": _shares(figures(compare(by_rules, labels), len(labels))),
        "reader": _reader_figures(held, by_reader, labels, reader.threshold),
        "turns_per_second": round(turns / seconds, 1),
        "turns_per_core_second": round(turns / worked, 1),
        "megabytes": round(sum(path.stat().st_size for path in local_reader.DATA.iterdir()) / 1e6, 2),
    }


def reader_facts(reader: LocalReader, held: Sequence[SpannedConversation]) -> list[PlacedFact]:
    """All that the reader finds, sure or not."""
    readings = reader.read([Conversation(each.turns) for each in held], LEAST)
    return [
        PlacedFact(
            (each.label.id, turn.turn),
            fact.subject,
            fact.object.text,
            fact.object.start,
            fact.predicate,
            fact.mode,
            fact.confidence,
        )
        for each, some in zip(held, readings, strict=True)
        for turn in some
        for fact in turn.facts
    ]


def rule_facts(conversation: SpannedConversation) -> Iterator[PlacedFact]:
    """What the product's rules find, in the reader's terms."""
    turns = [
        Turn(role="assistant" if each.speaker == "assistant" else "user", text=each.text, speaker=each.speaker)
        for each in conversation.turns
    ]
    places = {id(turn): place for place, turn in enumerate(turns)}
    for turn, fact in dialogre.read(turns).facts:
        start, words = _object(turn.text, fact)
        about = fact.predicate or fact.path or ""
        mode = "ended" if fact.polarity is Polarity.RETRACTED else "now"
        place = conversation.label.id, places[id(turn)]
        yield PlacedFact(place, _subject(fact), words, start, _PREDICATES.get(about, about), mode, fact.confidence)


def _subject(fact: Fact) -> SubjectKind:
    if not isinstance(fact.subject, NamedEntity):
        return SubjectKind.SPEAKER
    return SubjectKind.ADDRESSEE if fact.subject.addressed else SubjectKind.MENTION


def _object(text: str, fact: Fact) -> tuple[int, str]:
    """The object's words where they stand, or else all words that the fact rests on."""
    if fact.object:
        return fact.object.start, text[fact.object.start : fact.object.end]
    start, end = fact.quote
    place = text.lower().find(fact.value.lower(), start, end) if fact.value else -1
    return (place, fact.value or "") if place >= 0 else (start, text[start:end])


def _reader_figures(
    held: Sequence[SpannedConversation], found: Sequence[PlacedFact], labels: Sequence[PlacedFact], threshold: float
) -> Json:
    judged = compare(found, labels)
    sure = [each for each in judged if each.fact.confidence >= threshold]
    languages = {each.label.id: each.label.language for each in held}
    words = {(each.label.id, place): len(turn.text.split()) for each in held for place, turn in enumerate(each.turns)}
    return {
        "default": _shares(figures(sure, len(labels))),
        "curve": {str(each): _shares(at_threshold(judged, len(labels), each)) for each in THRESHOLDS},
        "recall_at": {str(each): round(recall_at(judged, len(labels), each), 4) for each in PRECISIONS},
        "reliability": [[round(value, 3) for value in row] for row in reliability(judged, BANDS)],
        "by_predicate": _by(sure, labels, lambda fact: fact.predicate),
        "by_language": _by(sure, labels, lambda fact: languages[fact.turn[0]]),
        "by_length": _by(sure, labels, lambda fact: _length(words[fact.turn])),
    }


def _length(words: int) -> str:
    return next(name for most, name in LENGTHS if words <= most)


def _by(sure: Sequence[Verdict], labels: Sequence[PlacedFact], group: Callable[[PlacedFact], str]) -> Json:
    """Figures by a property; a match belongs where its label does, any other fact where it says it does."""
    counts = Counter(group(label) for label in labels)
    grouped: dict[str, list[Verdict]] = {name: [] for name in counts}
    for each in sure:
        grouped.setdefault(group(each.match or each.fact), []).append(each)
    ordered = sorted(grouped, key=lambda name: -counts[name])
    return {name: _shares(figures(grouped[name], counts[name])) for name in ordered}


def _shares(counted: Figures) -> Json:
    return {
        "found": counted.found,
        "labelled": counted.labelled,
        "precision": round(counted.precision, 4),
        "recall": round(counted.recall, 4),
        "predicate": round(counted.predicate_right, 4),
        "mode": round(counted.mode_right, 4),
    }


# Tables

_COLUMNS = ("", "found", "labelled", "precision", "recall", "predicate right", "mode right")


def tables(document: Json) -> list[Table]:
    """Both side by side, the curve, how far confidence can be trusted, and what is found where."""
    facts = document["facts"]
    reader = facts["reader"]
    note = f"{facts['conversations']} conversations, {facts['turns']:,} turns, {facts['labels']:,} facts, none of them "
    note += "trained on. A fact counts as found with the right kind of subject and an object that shares half of its "
    note += f"words. The reader: {number(facts['megabytes'])} MB, {number(facts['turns_per_second'])} turns/s, "
    note += f"{number(facts['turns_per_core_second'])} a second of one core's work."
    sides = {"rules": facts["rules"], f"reader, sure by {facts['threshold']}": reader["default"]}
    recalls = tuple((f"{float(least):.0%}", _percent(share)) for least, share in reader["recall_at"].items())
    bands = tuple(
        (f"{low:.1f} to {min(high, 1):.1f}", f"{count:.0f}", _percent(sure), _percent(right))
        for low, high, count, sure, right in reader["reliability"]
    )
    return [
        Table("Facts found in held-out conversations", _COLUMNS, _rows(sides.items()), note),
        Table("Reader by threshold", _COLUMNS, _rows(reader["curve"].items())),
        Table("Most that is found at a precision", ("precision", "recall"), recalls),
        Table("Confidence", ("confidence", "facts", "mean", "right"), bands),
        Table("Reader by predicate", _COLUMNS, _rows(reader["by_predicate"].items())),
        Table("Reader by language", _COLUMNS, _rows(reader["by_language"].items())),
        Table("Reader by length of the turn", _COLUMNS, _rows(reader["by_length"].items())),
    ]


def _rows(figures_of: Iterable[tuple[str, Json]]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            name,
            str(each["found"]),
            str(each["labelled"]),
            *(_percent(each[key]) for key in ("precision", "recall", "predicate", "mode")),
        )
        for name, each in figures_of
    )


def _percent(share: float) -> str:
    return number(share * 100, 1)
