"""Facts out of a rule's matches."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nacre.domain.clocks import month_end, shifted
from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity
from nacre.domain.links import OWNS
from nacre.extraction import guards, match_checks, paths, phrases
from nacre.extraction.coreference import Kin
from nacre.extraction.gazetteers import small_places
from nacre.extraction.masked_sentences import MaskedSentence
from nacre.extraction.match_checks import PLANNED
from nacre.extraction.matches import MatchedObject, RuleHit
from nacre.extraction.mentions import Mention, hint
from nacre.extraction.rules import Rule, TimeBound
from nacre.extraction.subjects import FactSubject, SubjectResolver, as_named
from nacre.text import times
from nacre.text.relations import KIN_HINTS, plain_relation
from nacre.text.times import SINCE, UNTIL

Period = tuple[datetime | None, datetime | None]


# What words after it may say begins on a day to come.
_BEGUN = frozenset({"works_at", "lives_in"})
# Right before the day on which a job begins: "my first day at Adobe is tomorrow".
_FIRST_DAY = re.compile(r"first (?:day|morning|shift|week) (?:at|with) [^,;.]{1,40}? (?:is|will be) ")
_NEXT_CLAUSE = re.compile(r"[,;] ?(?:(?:and|but|so) )?(?:i|we|he|she|they|you)(?:'\w+)? ")


@dataclass(frozen=True, slots=True)
class Builder:
    """Everything about a text that a fact may need."""

    text: str
    speaker: str | None
    at: datetime | None
    subjects: SubjectResolver

    def facts(self, rule: Rule, sentence: MaskedSentence, match: re.Match[str]) -> Iterator[Fact]:
        """What a match of a rule in a sentence says."""
        if rule.hedges and guards.is_hedged(sentence.shadow, match.start(), match.end()):
            return
        opens = not self.text[: sentence.start].strip()
        said = sentence.said(self.text)
        matched = match_checks.RuleMatch(match, said, rule.language, self.at, text=self.text, opens=opens)
        if match_checks.passes(rule.check, matched):
            for wanted in rule.yields:
                yield from self._made(RuleHit(rule, wanted, sentence, match))

    def said_again(self, previous: Fact, sentence: MaskedSentence, match: re.Match[str], group: str) -> Fact | None:
        """The previous fact with what this match names instead."""
        span = phrases.trim(sentence.shadow, *match.span(group))
        if span is None:
            return None
        quote = (max(sentence.start, sentence.offset + match.start()), sentence.offset + span[1])
        if previous.object is None:
            return replace(previous, value=self._words(sentence, *span), quote=quote, correction=True)
        held, kind = sentence.within(*span), previous.object.type
        if not held and kind is EntityType.LOCATION:
            place = small_places().entries.get(self._words(sentence, *span).lower())
            held = [Mention(quote[0], quote[1], place.name, place.type, previous.confidence)] if place else []
        if len(held) != 1 or held[0].addressed or held[0].type not in (kind, EntityType.UNKNOWN):
            return None
        if held[0].name == previous.object.name:
            return None
        new = as_named(held[0], kind, previous.confidence)
        return replace(previous, object=new, quote=quote, correction=True)

    def named_in(self, sentence: MaskedSentence, span: tuple[int, int]) -> str:
        """A name in the sentence, as names are compared."""
        held = sentence.within(*span)
        return (held[0].name if held else self._words(sentence, *span)).casefold()

    def _made(self, hit: RuleHit) -> Iterator[Fact]:
        for who in self.subjects.of(hit):
            for what in hit.objects():
                made = self._claim(hit, who, what) if hit.wanted.path else self._link(hit, who, what)
                if made:
                    yield made

    def _claim(self, hit: RuleHit, who: FactSubject, what: MatchedObject) -> Fact | None:
        value = self._value(hit, what) if what.named else None
        return self._fact(hit, who, what, path=hit.path, value=value) if value or hit.wanted.loose else None

    def _link(self, hit: RuleHit, who: FactSubject, what: MatchedObject) -> Fact | None:
        if hit.wanted.loose:
            words = plain_relation(self._words(hit.sentence, what.start, what.end)) if what.named else None
            return self._fact(hit, who, what, predicate=hit.predicate, value=words)
        if hit.wanted.literal:
            return self._fact(hit, who, what, predicate=hit.predicate, value=self._value(hit, what))
        named = self._object(hit, what)
        if named is None or _is_about_itself(who, named) or _is_mismatched(hit, named):
            return None
        return self._fact(hit, who, what, predicate=hit.predicate, named=named)

    def _fact(
        self,
        hit: RuleHit,
        who: FactSubject,
        what: MatchedObject,
        *,
        predicate: str | None = None,
        path: str | None = None,
        named: NamedEntity | None = None,
        value: str | None = None,
    ) -> Fact:
        subject = who.subject
        if isinstance(subject, Kin):
            # Somebody without a name is no entity; what is said of them is a claim about the speaker.
            about = (path or predicate or "").rpartition("/")[2]
            path, predicate = f"relations/{paths.snake(subject.relation)}/{about}", None
            words = self._words(hit.sentence, what.start, what.end) if what.named else None
            value, named = value or words, None
            subject = self.subjects.voice
        since, until = self._valid(hit)
        return Fact(
            subject=subject,
            predicate=predicate,
            object=named,
            path=path,
            value=value,
            detail=hit.detail,
            instead_of=self._replaced(hit),
            polarity=hit.wanted.polarity,
            valid_from=since,
            valid_to=until,
            quote=hit.quote(what),
            confidence=round(hit.rule.confidence * who.factor, 3),
            rule=hit.rule.id,
            speaker=self.speaker,
        )

    def _object(self, hit: RuleHit, what: MatchedObject) -> NamedEntity | None:
        kind = hit.wanted.type
        if what.mention:
            loved = hit.rule.check == "preference" and what.mention.type is EntityType.PERSON
            return None if loved or what.mention.addressed else as_named(what.mention, kind, hit.rule.confidence)
        value = self._words(hit.sentence, what.start, what.end)
        if kind is EntityType.UNKNOWN or (kind is not EntityType.ARTIFACT and guards.says_nothing(value)):
            return None
        start, end = hit.sentence.offset + what.start, hit.sentence.offset + what.end
        return NamedEntity(name=value, type=kind, start=start, end=end, confidence=hit.rule.confidence)

    def _value(self, hit: RuleHit, what: MatchedObject) -> str:
        value = self._words(hit.sentence, what.start, what.end)
        held = hit.sentence.within(what.start, what.end) if value.islower() else []
        if len(held) == 1 and held[0].name.casefold() == value:
            return held[0].name
        if hit.rule.check == "date" and (found := match_checks.date(hit.match["what"], self.at)):
            return found.at.date().isoformat() if found.whole_day else found.at.strftime("%Y-%m")
        sign = hit.wanted.detail
        return f"{sign}{value}" if sign in ("+", "-") and not value.startswith(("+", "-", "−")) else value

    def _words(self, sentence: MaskedSentence, start: int, end: int) -> str:
        return " ".join(self.text[sentence.offset + start : sentence.offset + end].split())

    def _replaced(self, hit: RuleHit) -> NamedEntity | None:
        """What the fact takes the place of, where its rule names that."""
        if hit.wanted.instead_of is None:
            return None
        held = hit.sentence.within(*hit.match.span(hit.wanted.instead_of))
        return as_named(held[0], EntityType.UNKNOWN, hit.rule.confidence) if held else None

    def _passes(self, hit: RuleHit) -> datetime | None:
        """When what is planned for a day or a month is over; what comes back every year never is."""
        found = match_checks.date(hit.match["what"], self.at)
        if found is None or "anniversary" in (hit.path or ""):
            return None
        day = found.at.replace(hour=0, minute=0, second=0, microsecond=0)
        return shifted(day, timedelta(days=1)) if found.whole_day else month_end(day)

    def _valid(self, hit: RuleHit) -> Period:
        """Since when and until when, as far as the sentence says."""
        if hit.rule.check == "date" and not hit.wanted.loose:
            return None, self._passes(hit)
        bound, since, until = hit.wanted.bound, None, None
        ends = bound in (TimeBound.ENDS, TimeBound.LEAVES)
        # "We'll visit her in December" says nothing of when she moved.
        spoken = _NEXT_CLAUSE.split(hit.sentence.shadow[hit.match.end() :], maxsplit=1)[0]
        said = hit.sentence.shadow[: hit.match.end()] + spoken
        planned = self._is_planned(hit)
        found = times.find(said, self.at, future=planned)
        for time in found if bound is not TimeBound.UNTIMED else ():
            if not ends and self._is_of_another(hit, time):
                continue
            if time.lead in SINCE or (bound is TimeBound.BEGINS and since is None and time.lead not in UNTIL):
                since = time.at
            elif time.lead in UNTIL or (ends and until is None):
                until = time.at
        if ends and until is None:
            # "Not since March": what is over ended then.
            since, until = None, since or (self.at if bound is TimeBound.LEAVES else None)
        begun = times.start_after(hit.sentence.shadow, hit.match.end(), self.at) if hit.predicate in _BEGUN else None
        since = since or (begun.at if begun and not ends else None)
        return (None, None) if since and until and since > until else (since, until)

    def _is_planned(self, hit: RuleHit) -> bool:
        """Whether a day to come that is told beside it is the one on which it begins."""
        shadow = hit.sentence.shadow
        led = _FIRST_DAY.search(shadow, hit.match.start()) if hit.predicate in _BEGUN else None
        days = times.coming(shadow[led.end() :], self.at) if led else []
        return hit.rule.check == PLANNED or (bool(days) and days[0].start == 0)

    def _is_of_another(self, hit: RuleHit, time: times.Time) -> bool:
        """Whether a time to come is told of something else than what holds: "we live in Kent, school starts May 5"."""
        if self.at is None or time.at <= self.at or time.lead in (*SINCE, *UNTIL) or self._is_planned(hit):
            return False
        return hit.predicate == OWNS or times.NEWS.search(hit.match[0].lower()) is None


def _is_about_itself(who: FactSubject, named: NamedEntity) -> bool:
    return isinstance(who.subject, NamedEntity) and who.subject.name == named.name


def _is_mismatched(hit: RuleHit, named: NamedEntity) -> bool:
    """ "My daughter Ross" speaks to Ross about a daughter."""
    hints = KIN_HINTS.get(hit.match.groupdict().get("rel") or "", "e"), hint(named.name)
    return "e" not in hints and hints[0] != hints[1]
