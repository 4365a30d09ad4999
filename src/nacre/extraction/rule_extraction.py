"""Text to names and facts: a pure function."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from nacre.domain import checks
from nacre.domain.entities import EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Polarity, Voice
from nacre.domain.turns import Role
from nacre.extraction import guards, kin_names, masked_sentences, mentions, small_names
from nacre.extraction.coreference import Referents
from nacre.extraction.fact_builders import Builder
from nacre.extraction.kinds import RULES, corrections
from nacre.extraction.masked_sentences import MaskedSentence
from nacre.extraction.mentions import Mention
from nacre.extraction.reader_facts import ReaderTurn
from nacre.extraction.rules import Rule
from nacre.extraction.subjects import SubjectResolver
from nacre.text import sentences
from nacre.text.instructions import InstructionKind, find_instructions

MAX_SENTENCE = 600

# Past tenses only: "Love it" may be an order, "Moved" is not.
_DROPPED = re.compile(
    r"(?:just|finally|recently|also|sadly)? ?(?:(?P<been>been)|(?P<am>(?:currently |now |still )?(?:living"
    r"|working)(?= (?:in|at|for))"
    r"|not (?:into|at|with|working)|no longer (?:into|at|with)|out of work|between jobs)|moved|got|adopted|bought"
    r"|went|visited"
    r"|started|lost|met|joined|quit|sold|signed|landed|took|returned|came|graduated|flew|traveled|travelled|left|worked"
    r"|switched|resigned|retired|gave|divorced|broke|stopped|had to|handed in|put|donated|cancelled|canceled|postponed"
    r"|rescheduled|can't stand|don't|used to|got rid of)(?= )"
)
_WORD = re.compile(r"[^\W\d_]+")
# What stands after the apostrophe that many leave out: a rule may be found by it.
_CONTRACTED = {"im": "m", "ive": "ve", "hes": "s", "shes": "s"}
_INSTRUCTIONS = {
    InstructionKind.LANGUAGE: "replies/general/reply_language",
    InstructionKind.LENGTH: "replies/general/length",
    InstructionKind.FORMALITY: "replies/general/formality",
    InstructionKind.OTHER: "replies/general/instructions",
}


@cache
def _index() -> dict[str, tuple[Rule, ...]]:
    """Rules by the words without which they are not tried."""
    rules_by_word: dict[str, list[Rule]] = {}
    for rule in RULES:
        for word in rule.words:
            rules_by_word.setdefault(word, []).append(rule)
    return {word: tuple(rules) for word, rules in rules_by_word.items()}


def extract(
    text: str,
    *,
    speaker: str | None = None,
    role: str | None = Role.USER,
    at: datetime | None = None,
    before: Sequence[NamedEntity] = (),
    recent: Sequence[Fact] = (),
    types: Callable[[Collection[str]], Mapping[str, EntityType]] | None = None,
    reader: ReaderTurn | None = None,
    known_names: Mapping[str, tuple[str, EntityType]] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> ExtractedFacts:
    """What a turn says. "I" is the user, or `speaker` where one is named; `at` is when it was said.

    Only what people say counts: a role other than user yields nothing. Without a role the text is a note, in which
    "the user" is the user. `before` holds the names of the last turns, oldest first: pronouns may mean them. `recent`
    holds what the same person said last, which a text may correct. `types` is asked for what names are whose type the
    text does not tell. `reader` holds what the reader found in the same text: it adds what no rule finds, and passes
    the same guards. `known_names` holds names, by their words in lower case, that need no capital to be told.
    `pause` is called between sentences.
    """
    checks.text("text", text)
    checks.optional_name("speaker", speaker)
    if role is not None and checks.choice("role", role, Role) != Role.USER:
        return ExtractedFacts(notes=(f"Nothing is taken from what the {role} says.",))
    own, blanked = guards.own_words(text)
    said = checks.optional_instant("at", at)
    reading = _RuleReader(
        text, own, speaker, role, said, before, recent, types or (lambda _: {}), reader, known_names or {}, pause
    )
    reading.read()
    notes = (*(f"Left out: {guard}." for guard in blanked), *reading.notes)
    return ExtractedFacts(names=tuple(reading.names()), facts=tuple(reading.facts()), notes=notes)


@dataclass(slots=True)
class _RuleReader:
    """One pass over one text."""

    text: str
    own: str
    speaker: str | None
    role: str | None
    at: datetime | None
    before: Sequence[NamedEntity]
    recent: Sequence[Fact]
    types: Callable[[Collection[str]], Mapping[str, EntityType]]
    reader: ReaderTurn | None
    known: Mapping[str, tuple[str, EntityType]]
    pause: Callable[[], None]
    notes: list[str] = field(default_factory=list)
    _found: list[Fact] = field(default_factory=list)
    _mentions: list[Mention] = field(default_factory=list)

    def read(self) -> None:
        voice = Voice.SPEAKER if self.speaker else Voice.USER
        sentences = self._named_sentences()
        kin = kin_names.find_named_kin(self.own, sentences)
        self._found += kin_names.facts(kin, voice, self.speaker)
        known = kin_names.by_relation(kin)
        self.reader = replace(self.reader, kin=known) if self.reader and known else self.reader
        subjects = SubjectResolver(voice, self.role, Referents(self.speaker, self.before, known))
        builder = Builder(self.text, self.speaker, self.at, subjects)
        for span, found in sentences:
            self.pause()
            self._read_sentence(builder, span, found)

    def names(self) -> Iterator[NamedEntity]:
        """Every name in the text, typed as the facts use it."""
        linked = [each for fact in self._found for each in (fact.subject, fact.object) if isinstance(each, NamedEntity)]
        used = {each.name: each.type for each in linked if each.type is not EntityType.UNKNOWN}
        known = {each.name: each.type for each in self._mentions if each.type is not EntityType.UNKNOWN}
        # Rules come first: what a name is called by its place in a sentence is surer than by itself.
        told = self.reader.types() if self.reader else {}
        needed = {each.name for each in linked}
        for each in self._mentions:
            if not each.faint or each.name in needed:
                kind = used.get(each.name) or known.get(each.name) or told.get(each.name) or each.type
                yield named(replace(each, type=kind) if kind != each.type else each)

    def facts(self) -> list[Fact]:
        """Each statement once, in the order of the text: the best rule speaks for it."""
        best: dict[object, Fact] = {}
        self._found = [_ended_at_once(fact, self._found) for fact in self._found]
        exact = [fact for fact in self._found if fact.polarity is Polarity.RETRACTED and fact.object]
        for fact in self._found:
            if _is_vague(fact) and any(_is_same_end(fact, each) for each in exact):
                continue
            key = _key(fact)
            if key not in best or best[key].confidence < fact.confidence:
                best[key] = fact
        return sorted(best.values(), key=lambda fact: fact.quote)

    def _mentioned(self, span: tuple[int, int], seen: set[str]) -> list[Mention]:
        self.pause()
        return mentions.find(self.own, span, seen, self.known)

    def _named_sentences(self) -> list[tuple[tuple[int, int], list[Mention]]]:
        """The sentences with their names; a name told by its place inside one may begin another."""
        seen = {each.name for each in self.before}
        spans = [self._bounded(span) for span in sentences.split(self.own)]
        found = [self._mentioned(span, seen) for span in spans]
        new = {each.name for some in found for each in some} - seen
        if new and len(spans) > 1:
            again = [_starts_with(self.own, span, new) for span in spans]
            pairs = zip(spans, found, again, strict=True)
            found = [
                mentions.find(self.own, span, seen | new, self.known) if retry else old for span, old, retry in pairs
            ]
        if self.own.islower():
            found = self._with_small_names(spans, found)
        return list(zip(spans, self._typed(found), strict=True))

    def _with_small_names(self, spans: list[tuple[int, int]], mentions: list[list[Mention]]) -> list[list[Mention]]:
        """The same names, and listed ones that somebody typed without capitals."""
        words = [small_names.small_words(self.own, span, some) for span, some in zip(spans, mentions, strict=True)]
        known = {word: kind for some in words for word, kind in small_names.listed_small(self.own, some).items()}
        return [
            sorted(
                [*some, *(small_names.small_name(word, small[word], known[word]) for word in small if word in known)],
                key=lambda each: each.start,
            )
            for some, small in zip(mentions, words, strict=True)
        ]

    def _typed(self, mentions: list[list[Mention]]) -> list[list[Mention]]:
        """The same names, those of no known type as earlier turns or the graph know them."""
        unknown = {each.name for some in mentions for each in some if each.type is EntityType.UNKNOWN}
        if not unknown:
            return mentions
        known = {each.name: each.type for each in self.before} | dict(self.types(unknown))
        return [
            [replace(each, type=known[each.name]) if _is_told(each, known) else each for each in some]
            for some in mentions
        ]

    def _bounded(self, span: tuple[int, int]) -> tuple[int, int]:
        start, end = span
        if end - start <= MAX_SENTENCE:
            return span
        self.notes.append(f"Only the first {MAX_SENTENCE} characters of a sentence of {end - start:,} were read.")
        return start, start + MAX_SENTENCE

    def _read_sentence(self, builder: Builder, span: tuple[int, int], mentions: list[Mention]) -> None:
        said = self.own[slice(*span)]
        instructed = list(self._instructed(said, span[0]))
        self._found += instructed
        shadow = masked_sentences.shadow(self.own, span, mentions)
        shape = _shape(shadow, said)
        if not shape.counts:
            return
        words, end = shape.words | {f"#{each.type}" for each in mentions}, shape.end
        self._mentions += mentions
        builder.subjects.referents.add(shadow, span[0], [named(each) for each in mentions])
        if end:
            sentence = _sentence(shadow[:end], span[0], mentions)
            matches = _matches(words, sentence.shadow)
            made = [fact for rule, match in matches for fact in builder.facts(rule, sentence, match)]
            if words & corrections.BARE_KEYS and not instructed:
                made = self._corrected(builder, sentence, made) or made
            if made and corrections.MARKED.match(shadow):
                made = [replace(fact, correction=True) for fact in made]
            self._found += [*made, *self._read_on(span[0], span[0] + end, made)]

    def _instructed(self, said: str, start: int) -> Iterator[Fact]:
        """How whoever speaks wants to be answered from now on."""
        for each in find_instructions(said):
            if not guards.holds_a_secret(said.casefold(), said):
                yield Fact(
                    subject=Voice.SPEAKER if self.speaker else Voice.USER,
                    path=_INSTRUCTIONS[each.kind],
                    value=each.text,
                    quote=(start + each.span[0], start + each.span[1]),
                    confidence=0.85,
                    rule=f"instructions.{each.kind}",
                    speaker=self.speaker,
                )

    def _read_on(self, start: int, end: int, made: Sequence[Fact]) -> list[Fact]:
        """What the reader finds in a statement beside the facts that rules made of it."""
        if self.reader is None:
            return []
        taken = [object_place(self.text, fact) for fact in made]
        read = self.reader.facts(start, end, taken)
        own = [fact for fact in read if self.own[slice(*fact.quote)].strip() == self.text[slice(*fact.quote)].strip()]
        # "Her name's Maeve" tells nothing of Maeve.
        return [fact for fact in own if not (isinstance(fact.subject, NamedEntity) and fact.subject.name == fact.value)]

    def _corrected(self, builder: Builder, sentence: MaskedSentence, made: list[Fact]) -> list[Fact]:
        """ "No, it's Berlin" says again what was said before with another object, and takes the first back."""
        said = [*self.recent, *self._found]
        if made and (match := corrections.INSIDE.search(sentence.shadow)):
            right = _set_right(builder, sentence, match, ("what", None), made)
            return [*made[:-1], *right] if right else []
        if not said or any(fact.predicate != _IN_PLACE for fact in made):
            return []
        for pattern, pairs in _CORRECTIONS:
            if match := pattern.match(sentence.shadow):
                groups = next((pair for pair in pairs if match[pair[0]]), None)
                return _set_right(builder, sentence, match, groups, said) if groups else []
        return []


# What "it's Dallas, not Houston" says where nobody knows what they are to whom.
_IN_PLACE = "supersedes"
# Patterns of corrections, each with its pairs of groups: what is right, and what was wrong.
_CORRECTIONS: tuple[tuple[re.Pattern[str], tuple[tuple[str, str | None], ...]], ...] = (
    (corrections.BOTH, (("what", "was"), ("what2", "was2"), ("what3", "was3"))),
    (corrections.BARE, (("what", None), ("name", None))),
)


def _set_right(
    builder: Builder,
    sentence: MaskedSentence,
    match: re.Match[str],
    groups: tuple[str, str | None],
    facts: Sequence[Fact],
) -> list[Fact]:
    """The last of some facts taken back, and the same with what the match names; of two names one tells which fact."""
    right, wrong = groups
    if wrong:
        was = builder.named_in(sentence, match.span(wrong))
        facts = [fact for fact in facts if was in ((fact.object.name if fact.object else fact.value) or "").casefold()]
    stated = [fact for fact in facts if fact.polarity is Polarity.STATED]
    again = builder.said_again(stated[-1], sentence, match, right) if stated else None
    if again is None or (again.value and guards.says_nothing(again.value)):
        return []
    return [replace(stated[-1], polarity=Polarity.RETRACTED, correction=True, quote=again.quote), again]


def _ended_at_once(fact: Fact, facts: Sequence[Fact]) -> Fact:
    """A fact that the same words end: "my wife Carol died" says that there was a wife, and is none."""
    if fact.polarity is not Polarity.STATED or fact.object is None or fact.valid_to:
        return fact
    name = fact.object.name.casefold()
    for other in facts:
        ends = other.polarity is Polarity.RETRACTED and other.predicate == fact.predicate and other.valid_to
        meant = other.object.name if other.object else other.value
        near = other.quote[0] < fact.quote[1] and fact.quote[0] < other.quote[1]
        if ends and near and (meant or "").casefold() in (name, (fact.detail or "").casefold()):
            return replace(fact, valid_from=None, valid_to=other.valid_to)
    return fact


def named(mention: Mention) -> NamedEntity:
    return NamedEntity(
        name=mention.name,
        type=mention.type,
        start=mention.start,
        end=mention.end,
        confidence=mention.confidence,
        addressed=mention.addressed,
    )


def object_place(text: str, fact: Fact) -> tuple[int, int]:
    """Where a fact's object or value stands, or else all that it rests on."""
    if fact.object:
        return fact.object.start, fact.object.end
    value = (fact.value or "").casefold()
    place = text.casefold().find(value, *fact.quote) if value else -1
    return (place, place + len(value)) if place >= 0 else fact.quote


def _sentence(shadow: str, start: int, mentions: list[Mention]) -> MaskedSentence:
    """The sentence as rules read it. "Moved to Rome." leaves out who did, and that is the speaker."""
    dropped = _DROPPED.match(shadow)
    if dropped is None:
        return MaskedSentence(shadow, start, start, mentions)
    added = "i've " if dropped["been"] else "i'm " if dropped["am"] else "i "
    return MaskedSentence(added + shadow, start - len(added), start, mentions)


class _SentenceShape(NamedTuple):
    """What a sentence is, whoever is meant in it: its words, where its statement ends, and whether its names count."""

    words: frozenset[str]
    end: int
    counts: bool


# A turn is read again with the names of those before it, and again by itself for those behind it to look back to.
@lru_cache(maxsize=500)
def _shape(shadow: str, said: str) -> _SentenceShape:
    words = set(_WORD.findall(shadow))
    words |= {after for word, after in _CONTRACTED.items() if word in words}
    end, counts = guards.statement_part(shadow), True
    for guard in guards.SENTENCES:
        if guard.holds(shadow, said) and not (guard.id == "question" and end):
            end = 0
            if not guard.names:
                counts = False
                break
    return _SentenceShape(frozenset(words), end, counts)


@lru_cache(maxsize=500)
def _matches(words: frozenset[str], shadow: str) -> tuple[tuple[Rule, re.Match[str]], ...]:
    """What the rules for some words find in a sentence."""
    index = _index()
    rules = {rule.id: rule for word in words for rule in index.get(word, ())}
    return tuple((rule, match) for rule in rules.values() for match in rule.matches(shadow))


def _is_told(mention: Mention, types: Mapping[str, EntityType]) -> bool:
    return mention.type is EntityType.UNKNOWN and mention.name in types


def _starts_with(text: str, span: tuple[int, int], names: set[str]) -> bool:
    first = _WORD.search(text, *span)
    return first is not None and first[0] in names


def _is_vague(fact: Fact) -> bool:
    return fact.polarity is Polarity.RETRACTED and fact.predicate is not None and fact.object is None


def _is_same_end(vague: Fact, exact: Fact) -> bool:
    """Whether both say that the same link ended, the one by words and the other by a name."""
    one, other = vague.quote, exact.quote
    return vague.predicate == exact.predicate and one[0] < other[1] and other[0] < one[1]


def _key(fact: Fact) -> object:
    subject = fact.subject.name if isinstance(fact.subject, NamedEntity) else fact.subject
    thing = fact.object.name if fact.object else fact.value
    return subject, fact.predicate or fact.path, (thing or "").casefold(), fact.polarity
