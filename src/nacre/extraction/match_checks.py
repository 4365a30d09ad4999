"""Checks that a pattern cannot make of its match, which rules name, and the subject a match has."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.extraction.gazetteers import occupations
from nacre.extraction.masked_sentences import ORGANISATION, PLACE
from nacre.text import times
from nacre.text.medicines import medicine_in
from nacre.text.word_blocks import word_set

_FIRST_PERSON = word_set("""
    soy estoy trabajo vivo vivimos trabajamos uso usamos utilizo tengo tenemos prefiero odio detesto amo adoro hablo
    estudio estudié reporto dirijo superviso conozco conocí empecé entré comencé fundé cofundé visité visitamos
    viajé viajamos fui fuimos estuve me nos nací crecí cumplí programo aprendo compré resido lidero gestiono dejé
    renuncié rompí corté vendí salgo adopté adoptamos he mi mis hemos dejamos cambié cambiamos pasé salí fiché
    soporto aguanto tolero viví
""")
_THIRD_PERSON = word_set("""
    es está trabaja vive usa utiliza tiene prefiere odia detesta adora ama habla estudia estudió reporta dirige
    supervisa conoce conoció empezó entró comenzó fundó cofundó visitó viajó fue nació creció cumplió programa
    reside lidera gestiona dejó rompió cortó vendió adoptó compró se sale le su ha han cambió pasó salió renunció fichó
    soporta aguanta tolera vivió
""")
# The check of a rule for what is only planned: it must say for when.
PLANNED = "planned"
_WORD = re.compile(r"[^\W\d_]+")
_NO_LONGER = re.compile(r"no longer|stopped|quit|used to|any ?more")
_LEAVING = re.compile(r"quit|resign|retired|fired|laid off|let go|job|position|role|post|renunci|despid")
_WORKING = re.compile(r"work|join|job|position|role|post|quit|resign|trabaj|puesto|unirme|uní|unió|incorpor|fich")
_NO_SUBJECT = word_set("""
    hard abroad here there together too so much lot all every really for at in on with about how what my your the
    this that and it well more now again tonight today people them
""")


class Person(StrEnum):
    """Who a Spanish verb speaks of."""

    FIRST = "first"
    THIRD = "third"
    UNSURE = "unsure"


def spanish_person(matched: str) -> Person:
    """The person of the first verb that tells."""
    found = set(_WORD.findall(matched))
    if found & _FIRST_PERSON:
        return Person.FIRST
    return Person.THIRD if found & _THIRD_PERSON else Person.UNSURE


def is_occupation(value: str, language: str) -> bool:
    """Whether a phrase names a job: by its last word in English, by its first in Spanish."""
    parts = value.lower().split()
    if not parts or len(parts) > 5:
        return False
    head = parts[-1] if language == "en" else parts[0]
    known = occupations()
    jobs = (head, head.removesuffix("s") if language == "en" else head)
    if not any(job in known or job.replace("-", " ") in known for job in jobs):
        return False
    # "a student" and "a model" say little alone; "a nursing student" does.
    return not known.get(head, False) or len(parts) > 1


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A match with the sentence's own words, the language of its rule, when it was said, and the text around it."""

    match: re.Match[str]
    said: str
    language: str
    at: datetime | None
    text: str = ""
    opens: bool = False

    @property
    def what(self) -> str:
        """The shadow of what was matched as the object."""
        return (self.match.groupdict().get("what") or "").strip()

    @property
    def value(self) -> str:
        """What was matched as the object, as it was said."""
        return self.said[slice(*self.match.span("what"))]


def passes(check: str | None, matched: RuleMatch) -> bool:
    """Whether a match is what its rule means. A check without an entry here only changes who the subject is."""
    return _CHECKS[check](matched) if check in _CHECKS else True


def date(value: str, at: datetime | None) -> times.Time | None:
    """The first time in a value that stands where a date is expected."""
    found = times.find(value, at, future=True) or times.find(f"on {value}", at, future=True)
    return found[0] if found else None


def _is_job(matched: RuleMatch) -> bool:
    return is_occupation(matched.value, matched.language)


def _is_over(matched: RuleMatch) -> bool:
    return _NO_LONGER.search(matched.match.string, matched.match.start()) is not None


def _is_employer(matched: RuleMatch) -> bool:
    return ORGANISATION in matched.what or _LEAVING.search(matched.match[0]) is not None


def _is_planned(matched: RuleMatch) -> bool:
    """Whether it is said for when, and that lies ahead."""
    found = times.find(matched.match.string, matched.at, future=True)
    return matched.at is not None and any(time.at > matched.at for time in found)


def _is_done(matched: RuleMatch) -> bool:
    """Whether no time ahead makes a plan of it: "nos mudamos" may be either."""
    found = times.find(matched.match.string, matched.at)
    return matched.at is None or not any(time.at > matched.at for time in found)


def _is_introduction(matched: RuleMatch) -> bool:
    """Whether a text begins with it and speaks of nobody of that name after: else a third one is introduced."""
    return matched.opens and matched.text.casefold().count(matched.value.casefold()) == 1


def _is_home(matched: RuleMatch) -> bool:
    return PLACE in matched.match["was"] + matched.match["what"]


def _is_job_change(matched: RuleMatch) -> bool:
    return ORGANISATION in matched.match["was"] + matched.match["what"] or _WORKING.search(matched.match[0]) is not None


def _is_medicine(matched: RuleMatch) -> bool:
    """Whether what was matched, or its first word, names a medicine."""
    groups = [name for name in ("what", "then") if matched.match.groupdict().get(name)]
    return all(medicine_in(matched.said[slice(*matched.match.span(name))]) is not None for name in groups)


def _is_own_medicine(matched: RuleMatch) -> bool:
    """Whether nobody else is spoken of before a medicine without a verb: "the cat is diabetic, insulin twice a day"."""
    before = matched.match.string[: matched.match.start()]
    return _is_medicine(matched) and (not _OTHER_IS.search(before) or bool(_OWN.search(before)))


_OTHER_IS = re.compile(r"[\w\ue000-\ue008](?<!it)(?<!that)(?<!this)(?:'s| is| has| gets| needs| takes)(?!\w)")
_OWN = re.compile(r"(?<!\w)(?:i|i'm|im|me|my|we|our)(?!\w)")

_CHECKS: dict[str | None, Callable[[RuleMatch], bool]] = {
    "occupation": _is_job,
    "occupation no longer": lambda matched: _is_job(matched) and _is_over(matched),
    "no longer": _is_over,
    "left": _is_employer,
    PLANNED: _is_planned,
    "introduction": _is_introduction,
    "homes": _is_home,
    "jobs": _is_job_change,
    "organisations": lambda matched: ORGANISATION in matched.match["was"] + matched.match["what"],
    "spanish move": _is_done,
    "spanish homes": lambda matched: _is_home(matched) and _is_done(matched),
    "spanish jobs": _is_job_change,
    "medicine": _is_medicine,
    "own medicine": _is_own_medicine,
    "date": lambda matched: date(matched.match["what"], matched.at) is not None,
    "subject": lambda matched: not _NO_SUBJECT & set(matched.what.split()),
    "both": lambda matched: bool(matched.what or matched.match.groupdict().get("was")),
}
