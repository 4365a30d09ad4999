"""DialogRE: dialogues of a television series, with labelled relations between those who speak and are spoken of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from nacre import Turn
from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity, Polarity, Voice
from nacre.extraction.rule_extraction import extract
from nacre.text import names, sentences

Json = dict[str, Any]

# Rules were written while looking at the train part; only the dev part is reported.
FILE = "dialogre/dev.json"
WINDOW = 12

# The published mapping: which labels of DialogRE each of our facts states. A detail, where given, must be one of these.
_SIBLINGS = "brother sister sibling twin half-brother half-sister stepbrother stepsister"
_PARENTS = "mother father parent stepmother stepfather stepmom stepdad"
_CHILDREN = "son daughter child kid stepson stepdaughter"
_OTHER_FAMILY = """
    grandmother grandfather grandson granddaughter aunt uncle cousin nephew niece mother-in-law father-in-law
    brother-in-law sister-in-law
"""
_LOVERS = "girlfriend boyfriend partner ex ex-girlfriend ex-boyfriend"
MAPPING: tuple[tuple[str, str, str], ...] = (
    ("profile/general/name", "", "per:alternate_names"),
    ("profile/general/nickname", "", "per:alternate_names"),
    ("friend_of", "", "per:friends"),
    ("family_of", _SIBLINGS, "per:siblings"),
    ("family_of", _PARENTS, "per:parents"),
    ("family_of", _CHILDREN, "per:children"),
    ("family_of", _OTHER_FAMILY, "per:other_family"),
    ("partner_of", "wife husband spouse fiancé fiancée", "per:spouse"),
    ("partner_of", _LOVERS, "per:girl/boyfriend"),
    ("partner_of", "", "per:spouse per:girl/boyfriend per:dates"),
    ("knows", _LOVERS, "per:girl/boyfriend per:dates"),
    ("knows", "ex-wife ex-husband", "per:spouse"),
    ("knows", "roommate flatmate housemate", "per:roommate"),
    ("knows", "neighbour", "per:neighbor"),
    ("knows", "classmate", "per:alumni"),
    ("knows", "client customer patient", "per:client"),
    ("knows", "date crush", "per:dates"),
    ("knows", "", "per:acquaintance per:friends"),
    ("colleague_of", "", "per:works per:acquaintance"),
    ("works_with", "", "per:works"),
    ("reports_to", "", "per:boss"),
    ("manages", "", "per:subordinate"),
    ("work/general/role", "", "per:title"),
    ("profile/general/age", "", "per:age"),
    ("profile/general/birthday", "", "per:date_of_birth"),
    ("profile/general/origin", "", "per:origin"),
    ("lives_in", "", "per:place_of_residence"),
    ("based_at", "", "per:place_of_residence"),
    ("related_to", "visited", "per:visited_place"),
    ("related_to", "studied_at", "per:schools_attended"),
    ("works_at", "", "per:employee_or_member_of per:works per:place_of_work"),
    ("member_of", "", "per:employee_or_member_of"),
    ("owns", "dog cat puppy kitten bird duck monkey rabbit chicken fish pig parrot hamster", "per:pet"),
    ("study/general/subject", "", "per:major"),
)  # fmt: skip
_MUTUAL = """
    friends siblings spouse girl/boyfriend other_family roommate neighbor alumni works acquaintance dates
    alternate_names
"""
# The same relation said of the other one.
INVERSE = {
    "per:parents": "per:children",
    "per:children": "per:parents",
    "per:boss": "per:subordinate",
    "per:subordinate": "per:boss",
    **{f"per:{name}": f"per:{name}" for name in _MUTUAL.split()},
}
# Labels about feelings or without a fact of ours, and the mirrored ones, are not counted.
SCORED = tuple(dict.fromkeys(label for _, _, labels in MAPPING for label in labels.split()))
TYPES = {"PER": "people", "GPE": "places", "ORG": "organisations"}


@dataclass(slots=True)
class Found:
    """What a conversation gave."""

    named: list[NamedEntity] = field(default_factory=list)
    facts: list[tuple[Turn, Fact]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    sentences: int = 0
    seconds: float = 0.0


def read(turns: Iterable[Turn]) -> Found:
    """Every turn in order, each with the names of the last ones."""
    found = Found()
    for turn in turns:
        started = process_time()
        said = extract(turn.text, speaker=turn.speaker, role=turn.role, at=turn.at, before=found.named[-WINDOW:])
        found.seconds += process_time() - started
        # What an agent says is not read, so it does not count as read fast.
        found.sentences += len(sentences.split(turn.text)) if turn.role == "user" else 0
        found.turns.append(turn)
        found.named += said.names
        found.facts += [(turn, fact) for fact in said.facts]
    return found


class Dialogre:
    """Entities and relations against the labels."""

    def __init__(self) -> None:
        self.types: dict[str, list[int]] = {name: [0, 0, 0] for name in TYPES.values()}
        self.labels: dict[str, list[int]] = {label: [0, 0] for label in SCORED}
        self.together = [0, 0]
        self.stated = {"right": 0, "wrong": 0, "beside": 0}

    def score(self, found: Found, relations: Sequence[Json]) -> None:
        self._score_entities(found, relations)
        said = {(key_of(subject), label, key_of(thing)) for subject, label, thing in _labelled(found)}
        said |= {(thing, INVERSE[label], subject) for subject, label, thing in said if label in INVERSE}
        same = _same_names(relations)
        said = {(same.get(subject, subject), label, same.get(thing, thing)) for subject, label, thing in said}
        gold: dict[tuple[str, str], set[str]] = {}
        for each in relations:
            pair = same.get(key_of(each["x"]), key_of(each["x"])), same.get(key_of(each["y"]), key_of(each["y"]))
            gold.setdefault(pair, set()).update(each["r"])
            raw = key_of(each["x"]), key_of(each["y"])
            for label in set(each["r"]) & set(SCORED):
                self.labels[label][1] += 1
                hit = (pair[0], label, pair[1]) in said or (raw[0], label, raw[1]) in said
                self.labels[label][0] += hit
                if _is_in_one_turn(found.turns, each["x"], each["y"]):
                    self.together[0] += hit
                    self.together[1] += 1
        self._score_precision(found, same, gold)

    def figures(self) -> Json:
        right, wrong = self.stated["right"], self.stated["wrong"]
        recalled, labels = (sum(counts[place] for counts in self.labels.values()) for place in (0, 1))
        return {
            "entities": {name: {"found": a, "typed": b, "of": c} for name, (a, b, c) in self.types.items()},
            "relations": {label: {"found": a, "of": b} for label, (a, b) in self.labels.items() if b},
            "recall": share_of(recalled, labels),
            "recall_in_one_turn": share_of(*self.together),
            "in_one_turn": self.together[1],
            "labels": labels,
            "precision_on_pairs": share_of(right, right + wrong),
            **self.stated,
        }

    def _score_entities(self, found: Found, relations: Sequence[Json]) -> None:
        kinds: dict[str, set[str]] = {}
        for each in found.named:
            kinds.setdefault(key_of(each.name), set()).add(_kind(each.type))
        arguments = {(each[side], each[f"{side}_type"]) for each in relations for side in "xy"}
        for name, label in arguments:
            if label in TYPES and not name.startswith("Speaker "):
                counts = self.types[TYPES[label]]
                counts[0] += key_of(name) in kinds
                counts[1] += TYPES[label] in kinds.get(key_of(name), ())
                counts[2] += 1

    def _score_precision(self, found: Found, same: dict[str, str], gold: dict[tuple[str, str], set[str]]) -> None:
        """Of the facts about a labelled pair: does one of their labels stand there? Others are beside the labels."""
        for turn, fact in found.facts:
            labels = labels_of(fact)
            if not labels or fact.polarity is not Polarity.STATED:
                continue
            subject, thing = key_of(subject_of(turn, fact)), key_of(object_of(fact))
            pair = same.get(subject, subject), same.get(thing, thing)
            known = gold.get(pair, set())
            if "per:alternate_names" in labels:
                verdict = "right" if pair[0] == pair[1] else "beside"
            elif not known - {"unanswerable"}:
                verdict = "beside"
            else:
                verdict = "right" if known & set(labels) else "wrong"
            self.stated[verdict] += 1


def subject_of(turn: Turn, fact: Fact) -> str:
    if isinstance(fact.subject, NamedEntity):
        return fact.subject.name
    return turn.speaker if fact.subject is Voice.SPEAKER and turn.speaker else "user"


def object_of(fact: Fact) -> str:
    return fact.object.name if fact.object else str(fact.value)


def labels_of(fact: Fact) -> list[str]:
    """The labels of DialogRE that a fact states."""
    about = fact.predicate or fact.path
    for name, details, labels in MAPPING:
        if name == about and (not details or fact.detail in details.split()):
            return labels.split()
    return []


def _is_in_one_turn(turns: Sequence[Turn], subject: str, thing: str) -> bool:
    """Whether one turn names both, or one who is named and the other who speaks: the least that stating it takes."""
    pairs = ((subject, thing), (thing, subject))
    return any(
        other in turn.text and (turn.speaker == one or one in turn.text) for turn in turns for one, other in pairs
    )


def _labelled(found: Found) -> Iterator[tuple[str, str, str]]:
    for turn, fact in found.facts:
        if fact.polarity is Polarity.STATED:
            for label in labels_of(fact):
                yield subject_of(turn, fact), label, object_of(fact)


def _same_names(relations: Sequence[Json]) -> dict[str, str]:
    """Every name of a person, to one of them."""
    same: dict[str, str] = {}
    for each in relations:
        if "per:alternate_names" in each["r"]:
            one, other = (same.get(key_of(each[side]), key_of(each[side])) for side in "xy")
            same = {name: one if label == other else label for name, label in same.items()}
            same |= {key_of(each["x"]): one, key_of(each["y"]): one}
    return same


def dialogues(entries: Sequence[Any]) -> Iterator[tuple[list[Turn], list[Json]]]:
    """Each dialogue's turns and labels."""
    for lines, relations in entries:
        yield list(_turns(lines)), relations


def _turns(lines: Sequence[str]) -> Iterator[Turn]:
    for line in lines:
        speaker, _, text = line.partition(": ")
        if text.strip():
            yield Turn(role="user", speaker=speaker.split(",")[0], text=text)


def _kind(kind: EntityType) -> str:
    places = {EntityType.LOCATION: "places", EntityType.PLACE: "places", EntityType.ORGANIZATION: "organisations"}
    return "people" if kind is EntityType.PERSON else places.get(kind, "")


def key_of(name: str) -> str:
    return names.canonical(name)


def share_of(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
