"""Beliefs for a context: what holds now of whom a message is about, and how much it has to do with the message."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.domain.entities import EntityType
from nacre.domain.hits import Hit
from nacre.domain.ids import EntityId
from nacre.domain.links import PARTNER_OF
from nacre.graph.beliefs.permanence import HAPPENED, LASTING
from nacre.graph.identity import matching
from nacre.graph.identity.matching import EntityMatch
from nacre.graph.reading import wordings
from nacre.recall import excerpts, facts, kinship, relevance
from nacre.recall.relevance import QuestionVoice
from nacre.store.base.databases import Result, Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import outdated
from nacre.store.evidence.outdated import Mark
from nacre.store.graph import entities
from nacre.store.reads import beliefs as stored
from nacre.store.reads.beliefs import BeliefRow, EntityBeliefs
from nacre.text.injections import neutral
from nacre.text.letters import is_within
from nacre.text.names import match_key
from nacre.text.tokens import terms

MAX_SUBJECTS = 4
# Of what types the things are that a user has, or knows, and the world does not.
OWN_TYPES = frozenset({EntityType.PERSON, EntityType.PROJECT, EntityType.UNKNOWN})
# So many beliefs of one subject are looked at, and so many that ended.
MAX_BELIEFS, MAX_ENDED = 60, 40
MAX_BEFORE, MAX_DOUBTS, MAX_CHANGES = 2, 1, 2
# The words behind a belief are shown where they are this short and have so many words more than it.
MAX_QUOTE, MORE_WORDS = 100, 2
# Predicates and paths that hold one value at a time: what ended there was before what holds now.
_ONE_AT_A_TIME = frozenset({"lives_in", "works_at", "based_at", "located_in", "partner_of", "has_price", "has_role"})
# Of these nobody doubts but for words that end them: a brother stays one. Couples part.
_BEYOND_DOUBT = (HAPPENED | LASTING) - {PARTNER_OF, "partner"}


@dataclass(frozen=True, slots=True)
class MessageSubjects:
    """Whom a message is about: the entities that it names, and the user where it speaks of them."""

    named: tuple[UUID, ...]
    user: UUID | None
    # Whether the message speaks in the first person, so that it is about the user.
    speaks_of_user: bool
    # The beliefs that tell who is meant by "my husband" or "the cats".
    calling: frozenset[UUID] = frozenset()
    # Whether it names somebody or something that is the user's own: everybody knows Python, not Duarte.
    names_own: bool = False

    @property
    def about(self) -> tuple[UUID, ...]:
        """Those whose beliefs are wanted."""
        own = (self.user,) if self.user and self.speaks_of_user and self.user not in self.named else ()
        return (*self.named, *own)


def speaks_of_user(message: str) -> bool:
    """Whether a message speaks in the first person: "plan my commute", "where do we live?"."""
    return relevance.voice_of(message) is not QuestionVoice.NOBODY


class BeliefReader:
    """What is believed in the graph of one transaction; the rows of an entity are read once."""

    def __init__(self, tx: Transaction) -> None:
        self.tx = tx
        self._rows: dict[UUID, EntityBeliefs] = {}

    def read_ahead(self, entities: Sequence[UUID]) -> None:
        """Read what will be asked of some entities with the next statement, and then what doubts there are of it."""

        def doubts(results: Sequence[Result]) -> list[Call]:
            self._rows |= dict(zip(entities, stored.entity_beliefs(results), strict=True))
            rows = {row.id: row for each in entities for row in self._rows[each].held if _is_told(row)}
            items = {item for row in rows.values() if _may_be_marked(row) for item in row.items}
            return outdated.mark_calls(self.tx, items)

        self.tx.read_ahead(stored.entity_calls(self.tx, entities, most=MAX_BELIEFS, most_ended=MAX_ENDED), doubts)

    def rows(self, entities: Iterable[UUID]) -> dict[UUID, EntityBeliefs]:
        """What holds of each of some entities and what ended."""
        wanted = dict.fromkeys(entities)
        missing = [each for each in wanted if each not in self._rows]
        if missing:
            self._rows |= stored.of_entities(self.tx, missing, most=MAX_BELIEFS, most_ended=MAX_ENDED)
        return {each: self._rows[each] for each in wanted}


def find_subjects(
    reader: BeliefReader, message: str, user: str, matches: Sequence[EntityMatch] | None
) -> MessageSubjects:
    """Whom a message is about; a message that names nobody is taken to be about its user.

    `matches` are the entities that it names, where they were looked up already.
    """
    matches = matching.find(reader.tx, message) if matches is None else matches
    own = _user(reader.tx, user)
    kin = kinship.find_kin(message) if own else frozenset()
    called = _called(reader, own, kin) if own and kin else {}
    named = tuple(dict.fromkeys((*(each.entity_id for each in matches), *called.values())))[:MAX_SUBJECTS]
    names_own = any(each.type in OWN_TYPES for each in matches)
    return MessageSubjects(named, own, speaks_of_user(message) or not named, frozenset(called), names_own)


def name_calls(tx: Transaction, message: str, user: str) -> list[Call]:
    """What finds the entities that a message names, and its user."""
    return [*matching.name_calls(tx, message), *entities.key_calls(tx, [match_key(user)])]


def read_ahead(reader: BeliefReader, message: str, user: str) -> None:
    """Read together with the next statement what is believed of those whom a message names, and of its user."""
    named = [each.entity_id for each in matching.find(reader.tx, message)[:MAX_SUBJECTS]]
    own = _user(reader.tx, user)
    reader.read_ahead(list(dict.fromkeys([*named, *([own] if own else [])])))


def _user(tx: Transaction, name: str) -> EntityId | None:
    known = entities.by_keys(tx, [match_key(name)])
    return EntityId(known[0].entity_id) if known else None


def _called(reader: BeliefReader, user: UUID, kin: frozenset[str]) -> dict[UUID, UUID]:
    """Those whom a message calls by what they are to its user, by the links that say so."""
    return {
        row.id: row.target
        for row in reader.rows([user])[user].held
        if row.target and row.entity == user and kinship.is_meant(kin, row.topic, row.detail)
    }


def believed_of(
    reader: BeliefReader, subjects: Iterable[UUID], wanted: Callable[[UUID], bool] = lambda _: True
) -> list[Belief]:
    """What holds now of entities, each with what it was before; of all of it, the `wanted` links and claims."""
    beliefs_by_id: dict[UUID, Belief] = {}
    for subject, rows in reader.rows(subjects).items():
        before = _before(rows)
        places = Counter((row.topic, row.entity) for row in rows.held)
        for row in rows.held:
            if wanted(row.id) and row.id not in beliefs_by_id and _is_told(row):
                # A value that stands alone in its place: what ended there was before it.
                singular = row.topic in _ONE_AT_A_TIME or places[row.topic, row.entity] == 1
                earlier = before.get(row.topic, ()) if singular and row.entity == subject else ()
                beliefs_by_id[row.id] = _belief(row, [each for each in earlier if not _went_together(each, row)])
    return _with_doubts(reader.tx, list(beliefs_by_id.values()))


def _with_doubts(tx: Transaction, beliefs: Sequence[Belief]) -> list[Belief]:
    """Beliefs with what was said later against the words that they rest on, and did not end them."""
    marks = outdated.find_marks(tx, [item for each in beliefs if _may_be_marked(each) for item in each.items])
    return [_with_marks(each, marks) for each in beliefs] if marks else list(beliefs)


def _is_told(row: BeliefRow) -> bool:
    return _one_line(row.value) != row.name


def _may_be_marked(row: BeliefRow | Belief) -> bool:
    """Whether later words may tell against what is believed, or against what is quoted for it."""
    return row.quote is not None or _is_open_to_doubt(row.topic)


def _is_open_to_doubt(topic: str) -> bool:
    return topic.rpartition("/")[2] not in _BEYOND_DOUBT


def _with_marks(belief: Belief, marks: Mapping[UUID, Sequence[Mark]]) -> Belief:
    told = [mark.outdated for item in belief.items for mark in marks.get(item, ())]
    later = [mark for mark in told if belief.said_at is None or mark.at > belief.said_at]
    against = [mark for mark in later if is_within(belief.value, mark.value)]
    doubts = against if _is_open_to_doubt(belief.topic) else []
    changes = [mark for mark in later if mark not in against and _one_line(mark.value) in (belief.quote or "")]
    return replace(belief, doubts=tuple(doubts), changes=tuple(changes)) if doubts or changes else belief


def believed_in(reader: BeliefReader, hits: Sequence[Hit], others: Sequence[UUID]) -> list[Belief]:
    """What holds now by the words of some hits, of anybody but `others`: one asks what time standup is, and not who
    said so.
    """
    rest = [each for each in facts.resting_on_best(reader.tx, hits) if each.holds and each.subject not in others]
    reader.tx.read_ahead(outdated.mark_calls(reader.tx, {item for each in rest for item in each.items}))
    subjects = list(dict.fromkeys(each.subject for each in rest))[:MAX_SUBJECTS]
    return believed_of(reader, subjects, {each.id for each in rest}.__contains__)


def believed_of_all(tx: Transaction, aspects: Sequence[str]) -> list[Belief]:
    """What is claimed now of anybody under some aspects."""
    return [_belief(row, ()) for row in stored.of_aspects(tx, aspects, most=MAX_BELIEFS)]


def _before(rows: EntityBeliefs) -> Mapping[str, Sequence[BeliefRow]]:
    """The earlier values by topic, the last to end first, without those that hold again."""
    now = {(row.topic, _one_line(row.value).casefold()) for row in rows.held}
    belief_rows_by_name: dict[str, list[BeliefRow]] = defaultdict(list)
    for row in rows.ended:
        value = _one_line(row.value)
        key = (row.topic, value.casefold())
        if value and key not in now:
            now.add(key)
            belief_rows_by_name[row.topic].append(row)
    return belief_rows_by_name


def _went_together(ended: BeliefRow, row: BeliefRow) -> bool:
    """Whether a value was told while one that ended still held, of which there may be several: it took no place."""
    told, until = row.said_at or row.valid_from or row.created_at, ended.valid_to
    return row.topic not in _ONE_AT_A_TIME and until is not None and told < until


def _belief(row: BeliefRow, earlier: Sequence[BeliefRow]) -> Belief:
    value = _one_line(row.value)
    statement = (
        wordings.link_words(row.topic, value, row.detail) if row.is_link else wordings.claim_words(row.topic, value)
    )
    return Belief(
        id=row.id,
        subject=row.entity,
        name=_one_line(row.name),
        topic=row.topic,
        statement=statement,
        value=value,
        confidence=row.confidence,
        since=row.since,
        said_at=row.said_at,
        quote=None if row.quote is None else _one_line(row.quote),
        before=tuple(_one_line(each.value) for each in earlier[:MAX_BEFORE]),
        items=row.items,
        replaced=tuple(item for each in earlier for item in each.items),
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _says_more(quote: str, belief: Belief) -> bool:
    """Whether the words behind a belief tell more than it does."""
    told = set(terms(" ".join((belief.name, belief.statement, *belief.before))))
    return len(set(terms(quote)) - told) >= MORE_WORDS


def _is_quote_shown(belief: Belief) -> bool:
    """Whether the line of a claim has the words behind it: where these tell more, and are few. A link has none."""
    quote = belief.quote
    return bool(quote and "/" in belief.topic and len(quote) <= MAX_QUOTE and _says_more(quote, belief))


def stands_for_quote(belief: Belief) -> bool:
    """Whether the line of a belief tells what the words behind it do."""
    return belief.quote is not None and (_is_quote_shown(belief) or not _says_more(belief.quote, belief))


def belief_line(belief: Belief, *, quoted: bool = True) -> str:
    """A belief as one line: `- ana lives in Porto (since March 2026; before: Lisbon)`; `quoted` with its words."""
    notes = []
    if belief.since:
        notes.append(f"since {wordings.day_words(belief.since)}")
    elif belief.said_at:
        notes.append(f"said {belief.said_at:%Y-%m-%d}")
    notes += [f"perhaps outdated since {each.at:%Y-%m-%d}: {each.new_value}" for each in belief.doubts[:MAX_DOUBTS]]
    if belief.before:
        notes.append(f"before: {', '.join(belief.before)}")
    if quoted and _is_quote_shown(belief):
        changes = [excerpts.outdated_words(each) for each in belief.changes[:MAX_CHANGES]]
        notes.append(", ".join([f'"{belief.quote}"', *changes]))
    said = wordings.sentence(belief.name, belief.statement)
    line = f"{said} ({'; '.join(notes)})" if notes else said
    return f"- {neutral(' '.join(line.split()))}"
