"""Reader facts: what the reader finds in a turn, as the same facts that rules find."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity, Polarity, Subject, Voice
from nacre.domain.turns import Role, Turn
from nacre.extraction import guards, paths, reader_guards, reader_times, rival_readings
from nacre.extraction.coreference import Kin
from nacre.extraction.reader_forms import ALLERGY, AVOIDS, BOUGHT, EMAIL, FORMS, MEDICINES, PHONE, PLANS, Form
from nacre.extraction.reader_times import PLAN
from nacre.extraction.reader_words import (
    EDGES,
    POINTING,
    allergen,
    bare,
    clause,
    given_name,
    named_by,
    overlaps,
    proper_name,
    read_turn,
    relation_before,
    relation_in,
    says_something,
    unlisted_name,
    whole,
)
from nacre.models.local_reader import LocalReader
from nacre.models.readings import (
    Conversation,
    EntityKind,
    EntityReading,
    FactReading,
    SpokenTurn,
    SubjectKind,
    TextSpan,
    TurnReading,
)
from nacre.text import times
from nacre.text.names import match_key
from nacre.text.relations import RELATIONS, plain_relation
from nacre.text.word_blocks import word_set

RULE = "reader"
# A turn of fewer words tells nothing without the one that it answers.
LEAST_WORDS = 2
# So many words may name a thing; more describe it.
MAX_NAME_WORDS = 5

_TYPES = {
    EntityKind.PERSON: EntityType.PERSON,
    EntityKind.PLACE: EntityType.LOCATION,
    EntityKind.ORGANISATION: EntityType.ORGANIZATION,
}
_MINE = re.compile(r"(?:my|our|mi|nuestr[oa]|mein|meine|unsere?|mon|ma|notre|minha|meu|nossa|nosso) (?P<rel>.+)")
_THE_USER = word_set("the_user user el_usuario la_usuaria")
_DIET = re.compile(
    r"\b(?:\w+tari(?:an|er|en)\w*|v[ée]gan\w*|v[ée]g[ée]tarian\w*|keto|paleo|halal|kosher|diet|dieta|diät|régime)\b",
    re.IGNORECASE,
)
# Right after a role: where somebody has it.
_AT = re.compile(
    r" (?:at|with|bei|chez) (?:(?:the|an?|our|my|der|dem|la|le) )?"
    r"(?P<where>(?!(?:home|work|least|last|night|the moment|all)\b)[^\W\d_][\w'’&.-]*"
    r"(?: (?!(?:from|since|for|until|now|and|but|so|who|which|where|on|this|last|next|as|at|with)\b)[\w'’&.-]+){0,4})"
)
# Days that mean nothing on another day.
_NEAR_DAYS = frozenset({"yesterday", "today", "tomorrow", "ayer", "hoy", "mañana"})
_OF_COMPANY = frozenset({"partner", "family", "friend", "colleague"})
_IS_CALLED = re.compile(r"(?:,| is| was|['’]s)?(?: called| named)? ", re.IGNORECASE)
_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@]{1,255}\.\w{1,24}")
_PHONE = re.compile(r"[+(]?\d[\d ()/.-]{5,}\d")
_TURNED = re.compile(r"\b(?:turned|birthday|cumplí|geworden)\b", re.IGNORECASE)
_PARENTS = ("mother", "father", "parent", "parents", "family")
_OF_THE_LIVING = ("profile/general/age", "profile/general/birthday")
_OF_UNNAMED = {"date": "calendar/general/{}", "cost": "prices/{}/price"}
_ENDED, _NOT, _PAST = "ended", "not", "past"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderTurn:
    """A turn as the reader saw it, with what came before, and what it found there.

    `role` is None for a note, in which "the user" is the user. `rule` is by what its facts go.
    """

    said: Conversation
    reading: TurnReading
    at: datetime | None
    speaker: str | None
    role: str | None
    rule: str = RULE
    # Those of the speaker's whom the text names, by what they are to the speaker.
    kin: Mapping[str, NamedEntity] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The turn's own words."""
        return self.said.turns[self.reading.turn].text

    @property
    def voice(self) -> Voice:
        """Who says "I"."""
        return Voice.SPEAKER if self.speaker else Voice.USER

    def facts(self, start: int, end: int, taken: Sequence[tuple[int, int]]) -> Iterator[Fact]:
        """The facts of a sentence; where surer ones were found in the same words, `taken`, there are none."""
        sure = [each for each in self.reading.facts if reader_guards.is_sure(each)]
        here = [each for each in sure if start <= each.object.start and each.object.end <= end]
        wrong = [each for each in here if reader_guards.is_misled(self.text, each, (start, end))]
        for found in here:
            if rival_readings.is_outdone(found, (each for each in sure if each not in wrong)):
                continue
            if not any(overlaps(found.object, each) for each in taken):
                hedged = reader_guards.is_hedged(self.text, found, start)
                fact = None if hedged else self._fact(found, (start, end))
                if fact:
                    yield fact
                    yield from self._employer(found, (start, end), taken)

    def _employer(
        self, reading: FactReading, sentence: tuple[int, int], taken: Sequence[tuple[int, int]]
    ) -> Iterator[Fact]:
        """Where somebody has the role that was found: "head of data at Monzo"."""
        place = _AT.match(self.text, reading.object.end, sentence[1]) if reading.predicate == "role" else None
        if place is None or any(
            overlaps(each.object, place.span("where")) for each in self.reading.facts if reader_guards.is_sure(each)
        ):
            return
        span = TextSpan(reading.object.turn, *place.span("where"), place["where"])
        fact = self._fact(replace(reading, predicate="works_at", object=span), sentence)
        if fact and not any(overlaps(span, each) for each in taken):
            yield fact

    def types(self) -> dict[str, EntityType]:
        """What names of the turn are, as far as the reader tells."""
        named = {bare(each.span.text): _TYPES.get(each.kind) for each in self.reading.entities}
        return {name: kind for name, kind in named.items() if kind}

    def _fact(self, reading: FactReading, sentence: tuple[int, int]) -> Fact | None:
        reading = self._introduced(reading)
        reading = replace(reading, predicate=rival_readings.predicate(self.text, reading))
        if reading.mode == PLAN and reading.time and reader_times.is_over(reading.time, self.at):
            reading = replace(reading, mode=_PAST, predicate="event")
        reading = replace(
            reading, mode=reader_guards.mode(self.text, reading, sentence), object=whole(self.text, reading.object)
        )
        form = self._form(reading, sentence)
        words = bare(reading.object.text)
        if not says_something(words, form):
            return None
        subject = self._subject(reading, form)
        if subject is None or reader_guards.is_misled(self.text, reading, sentence):
            return None
        entity = self._entity_in(reading.mention) if reading.mention else None
        told_of_it = not form.of_things or not reader_guards.is_far(self.text, reading, sentence, entity)
        if not told_of_it or reader_guards.is_of_nobody(reading, entity):
            return None
        quote = clause(self.text, sentence, reading.object)
        shaped = self._shaped(reading, form, words)
        thing = reading.mention if reading.predicate in _OF_UNNAMED and isinstance(subject, NamedEntity) else None
        if shaped and thing and proper_name(thing.text) is None:
            # Rules keep the day and the price of "my flight" with its owner; so does the reader.
            key = paths.snake(bare(thing.text))
            shaped = replace(shaped, path=_OF_UNNAMED[reading.predicate].format(key)) if key else None
            subject = self.voice
        return self._made(reading, subject, quote, shaped) if shaped else None

    def _introduced(self, reading: FactReading) -> FactReading:
        """The reading, told of the speaker whose relation is told to go by a name: "my husband is cathal"."""
        mention = reading.mention
        if mention is None or mention.turn != self.reading.turn or reading.predicate not in _OF_COMPANY:
            return reading
        mine = _MINE.fullmatch(mention.text.casefold().strip(EDGES))
        led = _IS_CALLED.match(self.text, mention.end) if mine and relation_in(mine["rel"]) else None
        if led is None or led.end() != reading.object.start:
            return reading
        return replace(reading, subject=SubjectKind.SPEAKER, mention=None)

    def _form(self, reading: FactReading, sentence: tuple[int, int]) -> Form:
        """The form of a fact; what was bought for somebody else is not the buyer's."""
        given = reader_guards.is_for_another(self.text, reading, sentence)
        return BOUGHT if given else FORMS[reading.predicate]

    def _shaped(self, reading: FactReading, form: Form, words: str) -> "_FactShape | None":
        """What the fact becomes: its place in the graph, its object or value, and whether it ends something."""
        if reading.mode == PLAN and form.path != PLANS and not reader_times.begins(self.text, reading, self.at):
            return self._planned(reading, form, words)
        # Who is no vegetarian avoids nothing.
        avoided = reading.predicate == "diet" and not _DIET.search(words)
        denied = reading.mode == _NOT and (reading.predicate == "likes" or avoided)
        gone = reading.mode in (_ENDED, _NOT) or (reading.mode == _PAST and not form.happens)
        if reading.predicate == "age" and reading.mode == _PAST and _TURNED.search(self.text):
            gone = False
        if reading.predicate == "likes":
            # What was liked is liked; what is not liked is disliked.
            form, gone = FORMS["dislikes"] if denied else form, reading.mode == _ENDED
        if form.link:
            return self._linked(reading, form, words, gone=gone)
        path = AVOIDS if denied else self._path(reading, form, words)
        value = allergen(self.text, reading.object) if path == ALLERGY else self._value(reading, words)
        return _FactShape(path=path, value=value, gone=gone and not denied) if value else None

    def _path(self, reading: FactReading, form: Form, words: str) -> str | None:
        """Where a claim belongs: allergies, addresses and numbers have places of their own."""
        if reading.predicate == "health" and reader_guards.is_allergy(self.text, reading):
            return ALLERGY
        if reading.predicate == "health" and reader_guards.is_medicine(self.text, reading):
            return MEDICINES
        if reading.predicate == "contact" and _EMAIL.fullmatch(words):
            return EMAIL
        return PHONE if reading.predicate == "contact" and _PHONE.fullmatch(words) else form.path

    def _planned(self, reading: FactReading, form: Form, words: str) -> "_FactShape | None":
        """A plan, whatever it is to become; the date, the place and the price of a thing are known before it is."""
        if form.of_things or (form.happens and form.intended is None):
            return _FactShape(path=form.path, value=self._value(reading, words)) if form.path else None
        if form.intended is None:
            return None
        return _FactShape(path=PLANS, value=f"{form.intended} {words}".strip())

    def _linked(self, reading: FactReading, form: Form, words: str, *, gone: bool) -> "_FactShape | None":
        entity = self._entity_in(reading.object)
        if form.type is EntityType.PERSON:
            named = self._person(reading.object, entity)
            if named is None:
                key = plain_relation(words.casefold() if words.casefold() in RELATIONS else words)
                # Everybody has parents.
                return None if key in _PARENTS else _FactShape(path=form.path, value=key, gone=gone)
            return _FactShape(
                link=form.link, object=named, detail=relation_before(self.text, reading.object), gone=gone
            )
        by_name = entity is not None and form.type in (EntityType.LOCATION, EntityType.ORGANIZATION)
        name = bare(entity.span.text) if entity and by_name else words
        if len(name.split()) > MAX_NAME_WORDS:
            return _FactShape(path=form.path, value=words, gone=gone)
        kind = _TYPES.get(entity.kind, form.type) if entity else form.type
        object_ = named_by(name, kind, reading.object, reading.confidence)
        return _FactShape(link=form.link, object=object_, detail=form.detail, gone=gone)

    def _value(self, reading: FactReading, words: str) -> str:
        near = reading.predicate == "birthday" and words.casefold() in _NEAR_DAYS
        if reading.predicate == "date" or near:
            said = words.casefold() if near else f"on {reading.object.text.casefold()}"
            day = next(iter(times.find(said, self.at, future=reading.mode == PLAN)), None)
            if day and day.whole_day and self.at:
                return day.at.date().isoformat()
        return words

    def _made(
        self, reading: FactReading, subject: "Subject | Kin", quote: tuple[int, int], shaped: "_FactShape"
    ) -> Fact:
        path, predicate, named, value = shaped.path, shaped.link, shaped.object, shaped.value
        if isinstance(subject, Kin):
            # Somebody without a name is no entity; what is said of them is a claim about the speaker.
            about = (path or predicate or "").rpartition("/")[2]
            path, predicate = f"relations/{paths.snake(subject.relation)}/{about}", None
            value, named = value or (named.name if named else ""), None
            subject = self.voice
        since, until = reader_times.period(self.text, reading, self.at, gone=shaped.gone)
        return Fact(
            subject=subject,
            predicate=predicate,
            object=named,
            path=path,
            value=value,
            detail=shaped.detail,
            polarity=Polarity.RETRACTED if shaped.gone else Polarity.STATED,
            valid_from=since,
            valid_to=until,
            quote=quote,
            confidence=round(0.5 + reading.chance / 2, 3),
            rule=f"{self.rule}.{reading.predicate}",
            speaker=self.speaker,
        )

    def _subject(self, reading: FactReading, form: Form) -> "Subject | Kin | None":
        match reading.subject:
            case SubjectKind.SPEAKER | SubjectKind.WE:
                return None if form.of_things else self.voice
            case SubjectKind.ADDRESSEE:
                return None if form.of_things else self._addressee()
            case SubjectKind.MENTION:
                return self._mentioned(reading.mention, form) if reading.mention else None

    def _addressee(self) -> NamedEntity | None:
        """The one who spoke last before, where that was a person with a name."""
        turns = self.said.turns
        own = turns[self.reading.turn].speaker
        other = next((each.speaker for each in reversed(turns[: self.reading.turn]) if each.speaker != own), None)
        if other is None or self.speaker is None or other in ("user", "assistant", "system", "tool"):
            return None
        return NamedEntity(name=other, type=EntityType.PERSON, start=0, end=1)

    def _mentioned(self, mention: TextSpan, form: Form) -> "Subject | Kin | None":
        plain = mention.text.casefold().strip(EDGES)
        if self.role is None and plain in _THE_USER:
            return Voice.USER
        if plain in POINTING:
            return None
        entity = self._entity_in(mention) if mention.turn == self.reading.turn else None
        called = entity.span.text if entity else mention.text
        name = proper_name(called) or given_name(called) or (unlisted_name(self.text, entity) if entity else None)
        if name is None:
            return self._unnamed(mention, form, plain)
        if self.speaker and match_key(name) == match_key(self.speaker):
            return self.voice
        kind = _TYPES.get(entity.kind, EntityType.UNKNOWN) if entity else EntityType.UNKNOWN
        # Places and companies have no birthdays.
        lives = kind not in (EntityType.LOCATION, EntityType.ORGANIZATION) or form.path not in _OF_THE_LIVING
        return named_by(name, kind, mention, 0.6) if lives else None

    def _unnamed(self, mention: TextSpan, form: Form, plain: str) -> "Subject | Kin | None":
        """Somebody who is known by a relation to the speaker, or a thing."""
        kin = _MINE.fullmatch(plain)
        relation = relation_in(kin["rel"]) if kin else None
        mine = mention.turn == self.reading.turn or self._is_same_speaker(mention.turn)
        if relation and mine:
            return self.kin.get(relation) or Kin(relation)
        return self._thing(mention, form)

    def _thing(self, mention: TextSpan, form: Form) -> NamedEntity | None:
        """Something without a proper name, as it is called: the launch."""
        name = bare(mention.text)
        first = name.partition(" ")[0].casefold()
        nobody = not name or first in POINTING
        generic = nobody or guards.says_nothing(name) or relation_in(name.casefold()) is not None
        about_people = form.type is EntityType.PERSON or form.link in ("works_at", "lives_in", "prefers", "dislikes")
        if generic or about_people or len(name.split()) > MAX_NAME_WORDS:
            return None
        return named_by(name, EntityType.UNKNOWN, mention, 0.6)

    def _is_same_speaker(self, turn: int) -> bool:
        turns = self.said.turns
        return turns[turn].speaker == turns[self.reading.turn].speaker

    def _entity_in(self, span: TextSpan) -> EntityReading | None:
        """The entity that some words name, the longest of several."""
        inside = [
            each
            for each in self.reading.entities
            if each.span.turn == span.turn and span.start <= each.span.start and each.span.end <= span.end
        ]
        return max(inside, key=lambda each: each.span.end - each.span.start, default=None)

    def _person(self, span: TextSpan, entity: EntityReading | None) -> NamedEntity | None:
        person = entity is not None and entity.kind is EntityKind.PERSON
        name = proper_name(entity.span.text) if entity and person else None
        name = name or proper_name(span.text) or given_name(entity.span.text if entity else span.text)
        name = name or (unlisted_name(self.text, entity) if entity else None) or self._told_name(span)
        return named_by(name, EntityType.PERSON, span, 0.9) if name else None

    def _told_name(self, span: TextSpan) -> str | None:
        """The name that is told right behind a relation: "my husband is cathal"."""
        led = _IS_CALLED.match(self.text, span.end) if relation_in(bare(span.text).casefold()) else None
        others = (each for each in self.reading.entities if led and each.span.start == led.end())
        return next((unlisted_name(self.text, each) for each in others), None)


def reader_turn(reader: LocalReader, text: str, before: Sequence[Turn], turn: Turn, at: datetime) -> ReaderTurn | None:
    """What the reader finds in a text of a turn, after the turns before it; None for one that cannot hold a fact."""
    earlier = [SpokenTurn(each.speaker or each.role, each.text) for each in before]
    said = Conversation((*earlier, SpokenTurn(turn.speaker or turn.role, text)), first=len(earlier))
    return _read(reader, said, at, turn.speaker, turn.role)


def reader_note(reader: LocalReader, text: str, at: datetime) -> ReaderTurn | None:
    """What the reader finds in a note, as if the user had said it."""
    return _read(reader, Conversation((SpokenTurn(Role.USER, text),)), at, None, None)


def _read(
    reader: LocalReader, talk: Conversation, at: datetime, speaker: str | None, role: str | None
) -> ReaderTurn | None:
    if len(talk.turns[-1].text.split()) < LEAST_WORDS:
        return None
    reading = read_turn(reader, talk, reader_guards.READ_FROM)
    return ReaderTurn(said=talk, reading=reading, at=at, speaker=speaker, role=role)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FactShape:
    """A fact's place in the graph, with its object or its value; `gone` where it no longer holds."""

    link: str | None = None
    path: str | None = None
    object: NamedEntity | None = None
    value: str | None = None
    detail: str | None = None
    gone: bool = False
