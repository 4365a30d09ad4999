"""Of whom a match speaks: the speaker, somebody named, somebody meant by a pronoun, or "my sister"."""

import re
from dataclasses import dataclass, replace

from nacre.domain.entities import EntityType
from nacre.domain.facts import NamedEntity, Polarity, Subject, Voice
from nacre.extraction import match_checks
from nacre.extraction.coreference import Kin, Referents
from nacre.extraction.matches import NAMED, RuleHit
from nacre.extraction.mentions import Mention
from nacre.extraction.rules import ELIDED, clause_subject
from nacre.text.relations import RELATIONS, plain_relation
from nacre.text.word_blocks import word_set

# A pronoun may have been understood wrongly; "we" may leave the speaker out.
_BY_PRONOUN = 0.85
# And so may a verb that another clause lends its subject to.
_BY_CLAUSE = 0.9
_BY_WE = 0.9
_ME = word_set("i me my mi yo mí")
_US = word_set("we us our nosotros nuestra nuestro")
_THIRD = word_set("he she they his her él ella their su")
_THE_USER = word_set("the_user user el_usuario la_usuaria")
_OWN_REL = re.compile(r"(?:(?:my|our|mi|nuestr[oa]) )?(?P<rel>.+)")
# A verb in the third person, behind the word that stands for its subject.
_OF_ONE = re.compile(
    r" ++(?:\w+ly |also |just |now |still |already |really )*+(?:is|has|does|(?!always|yes)[a-z]{2,}[a-rt-z]s)(?!\w)"
)
# "I met Tom and Ana works there": one verb, one subject.
_SINGULAR = re.compile(r"'s |(?: \w+ly)? (?:is|was|has|does|\w+s)(?!\w)")
# Rules whose Spanish verb tells who is meant when nobody is named.
_BY_VERB = (
    "spanish first person",
    "spanish move",
    "spanish homes",
    "spanish jobs",
    "occupation",
    "owner",
    "gusta",
    "possessive",
)


@dataclass(frozen=True, slots=True)
class FactSubject:
    """The subject of a fact, and how much less sure it makes the fact."""

    subject: Subject | Kin
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class SubjectResolver:
    """Those of whom a text may speak."""

    voice: Voice
    role: str | None
    referents: Referents

    def of(self, hit: RuleHit) -> list[FactSubject]:
        """The subjects of a match; none where it is not certain who is meant."""
        group = hit.group
        if hit.rule.language == "es" and hit.rule.check in _BY_VERB:
            person = match_checks.spanish_person(hit.besides)
            if group in (None, "él", "ella") and person is match_checks.Person.THIRD:
                return self._pronoun(group or "", hit)
            if group and NAMED.search(group) and person is match_checks.Person.FIRST and hit.rule.check != "gusta":
                return []
        return self._spoken(group, hit) if group is not None else [FactSubject(self.voice)]

    def _spoken(self, group: str, hit: RuleHit) -> list[FactSubject]:
        held = hit.sentence.within(hit.position, hit.position + len(group)) if NAMED.search(group) else []
        if held:
            return self._named(held, group, hit)
        group = group.removesuffix("'s").strip(" ,")
        if group in ELIDED:
            return self._elided(hit)
        if group in _ME or group in _US:
            return [FactSubject(self.voice, _BY_WE if group in _US else 1.0)]
        if group in _THE_USER:
            return [FactSubject(Voice.USER)] if self.role is None else []
        if group == "it" or group in _THIRD:
            return self._pronoun(group, hit)
        return [FactSubject(self.referents.kin.get(kin.relation, kin)) for kin in _kin(group)]

    def _elided(self, hit: RuleHit) -> list[FactSubject]:
        """Whom the clause before speaks of, unless its subject takes another verb; it ends nothing: "… and left"."""
        if hit.wanted.polarity is Polarity.RETRACTED:
            return []
        shadow = hit.sentence.shadow
        before = [*clause_subject().finditer(shadow, 0, hit.position)]
        if not before:
            return []
        found = before[-1]
        of_one = _OF_ONE.match(shadow, hit.match.end(hit.wanted.of)) is not None
        group = found["who"] or found["pronoun"]
        if of_one and group in (*_ME, *_US, "they"):
            return []
        lent = replace(hit, start=found.start("who" if found["who"] else "pronoun"))
        return [replace(each, factor=each.factor * _BY_CLAUSE) for each in self._spoken(group, lent)]

    def _named(self, mentions: list[Mention], group: str, hit: RuleHit) -> list[FactSubject]:
        kind = EntityType.PERSON if hit.rule.about_people else EntityType.UNKNOWN
        if _SINGULAR.match(hit.sentence.shadow, hit.position + len(group)):
            mentions = mentions[-1:]
        return [FactSubject(as_named(each, kind, hit.rule.confidence)) for each in mentions if not each.addressed]

    def _pronoun(self, pronoun: str, hit: RuleHit) -> list[FactSubject]:
        position = hit.sentence.offset + hit.position
        who = self.referents.thing(position) if pronoun == "it" else self.referents.person(pronoun, position)
        return [FactSubject(who, _BY_PRONOUN)] if who else []


def as_named(mention: Mention, kind: EntityType, confidence: float) -> NamedEntity:
    """A mention as a rule understands it: an unknown name gets the type that the rule expects."""
    typed = mention.type is EntityType.UNKNOWN and kind is not EntityType.UNKNOWN
    return NamedEntity(
        name=mention.name,
        type=kind if typed else mention.type,
        start=mention.start,
        end=mention.end,
        confidence=max(mention.confidence, confidence) if typed else mention.confidence,
    )


def _kin(group: str) -> list[Kin]:
    found = _OWN_REL.fullmatch(group)
    parts = found["rel"].split() if found else []
    for begin in range(len(parts)):
        if (word := " ".join(parts[begin:])) in RELATIONS:
            return [Kin(plain_relation(word))]
    return []
