"""Value frames: each value that somebody states in what they say, with what it is a value of.

Talk rambles: a frame is read from one clause, and the sentence around it, with the one before where it points back,
tells what it is about. What is asked, wished or supposed gives no frame.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

from nacre.memory import clause_values, cues, frames, tones
from nacre.text import counts, quantities
from nacre.text.caseless_patterns import caseless
from nacre.text.measures import Measure, Quantity

# Longer sentences are lists, not statements.
MAX_SENTENCE, MAX_FRAMES = 500, 24
_SHORT = 16
_CLAUSES = re.compile(
    r"[,;:(]\s+|(?<!\s)(?:\s+[-–—]++\s+|\s*—\s*"
    r"|\s++(?=(?:but|which|because|although|though|while|whereas|pero|porque|aunque|mientras|que ya)\b)"
    r"|\s++(?=(?:and|so|y|así que)\s+(?:I|we|it|he|she|they|my|our|yo|mi|ya)(?:['’]\w+)?\s))",
    re.IGNORECASE,
)
# Stand for something that was said before.
_POINTING = re.compile(
    r"\b(?:it|its|it['’]s|they|them|their|ones?|that|this|these|those|there|which|the (?:first|second|third|fourth"
    r"|fifth|sixth|seventh|eighth|ninth|tenth)|ellos|ellas|ese|esa|eso|esto)\b",
    re.IGNORECASE,
)
# Says itself what it is about.
_SUBJECT = re.compile(r"\s*(?:my|our|the|his|her|their|mi|mis|el|la|los|las|nuestr[oa]s?|su|sus)\s+\w", re.IGNORECASE)
_ASKING = re.compile(
    r"\s*(?:and |but |so |also |then |ok(?:ay)?,? |please |y |pero )*(?:can|could|would|will|do|does|did|is|are|should"
    r"|how|what|where|who|why|give|suggest|recommend|list|write|provide|tell|show|explain|describe|create|make|help"
    r"|generate|find|let['’]?s|any|imagine|act|use|add|puedes|podrías|dame|cómo|qué|cuánt[oa]s?|cuál|cuándo|dónde)\b",
    re.IGNORECASE,
)
_FIRST = caseless(r"\b(?:i|me|my|mine|we|us|our|ours|yo|mi|mis|me|nos|nuestr[oa]s?)\b")
_SUPPOSED = caseless(
    r"\b(?:might|maybe|perhaps|could|would|should|if|unless|whether|want(?:s|ed|ing)? (?:to|a|an|some)|hop(?:e|es|ing)"
    r"|plan(?:s|ning)? (?:to|on)|thinking (?:of|about)|considering (?!i\b)|need(?:s)? to|looking (?:for|to)"
    r"|(?<!been )going to|let['’]s|(?:i|we)['’](?:d|ll)|at least|at most|less than|more than|recommended|ideally"
    r"|quizás?|tal vez|podría|si|quiero|querría|espero)\b"
)
_DAY = caseless(
    r"\b(?:\w{3,6}days?|noon|midnight|today|tomorrow|next|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|mañana|enero|febrero|marzo"
    r"|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b"
)
# What these are is told by the whole of how they are written.
_PLAIN = frozenset({Measure.MONEY, Measure.DATE, Measure.WEEKDAY, Measure.TIME})
# Of several values in a clause, these tell of which day or thing the others are.
_TELLING = frozenset({Measure.DATE, Measure.WEEKDAY, Measure.LABEL})
_FAMILIES = {
    Measure.DATE: "day",
    Measure.WEEKDAY: "day",
    Measure.TIME: "time",
    Measure.MONEY: "money",
    Measure.NUMBER: "number",
    Measure.LABEL: "number",
    Measure.CODE: "code",
}
_NAMED_BY = re.compile(r"\b[A-Z]\w+\s+\Z")
_BEST = re.compile(r"\bP[BR]\b")
# Names with digits in them: the 5K, the 80D.
_CODED = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{2,8}\b")
_SPEAKING = re.compile(r"\b(?:I|we|you|he|she|they|it|yo|tengo|tenemos)\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"(?:I|we|you|he|she|it|they|that|there|what|who)['’]|\w+n['’]t\Z", re.IGNORECASE)
_OTHERS = caseless(
    r"\b(?:most people|some people|experts?|studies|research|according to|the average|on average|typically"
    r"|per serving)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFrame:
    """One value that is stated: of what kind and unit, what it is about, and how it is said.

    `own` holds the topic words of its clause, `topic` those of the sentence and of what it points back to. `beside`
    are the other quantities of the clause, which tell of which day or thing it speaks.
    """

    quantity: Quantity
    # The value as it was said, and where the sentence stands in the text.
    value: str
    quote: tuple[int, int]
    own: frozenset[str]
    topic: frozenset[str]
    # Words of the sentence before, which may have nothing to do with it.
    far: frozenset[str]
    names: frozenset[str]
    persons: frozenset[str]
    beside: tuple[Quantity, ...]
    # Whether it says how things stand, and whether it speaks of a change or of how far something has come.
    is_state: bool
    is_change: bool
    # Whether it says that something was one way and is another, and whether it is a sum that only grows.
    is_switch: bool
    is_sum: bool
    is_rescheduled: bool
    # Whether there may be others of its kind: a budget, some meeting.
    is_one_of_many: bool
    # The topic words of its clause alone; and whether words nearby tell in passing of a change, or take something back.
    bare: frozenset[str]
    is_event: bool
    # Whether the word before a number is written as a name.
    is_named: bool
    is_cued: bool
    is_moved_day: bool
    is_corrected: bool

    @property
    def unit(self) -> frozenset[str]:
        """The stems of what is counted."""
        return frozenset(self.quantity.unit.split()) - {counts.PLACE}

    @property
    def noun(self) -> str:
        """The last word of what is counted."""
        words = [each for each in self.quantity.unit.split() if each[0] != "/"]
        return words[-1] if words else ""

    @property
    def family(self) -> str:
        """What kinds of values it may take the place of."""
        return _FAMILIES[self.quantity.measure]


def read_frames(text: str, at: datetime, spans: Sequence[tuple[int, int]], language: str) -> list[ValueFrame]:
    """The value frames of a text that was said at a moment, in order; `spans` are its sentences."""
    value_frames: list[ValueFrame] = []
    before = ""
    for start, end in spans:
        sentence = text[start:end]
        if end - start <= MAX_SENTENCE and may_give_value(sentence):
            value_frames += _of_sentence(sentence, before, at, language, start)
        before = sentence[:MAX_SENTENCE]
    return value_frames[:MAX_FRAMES]


# Asked of each sentence twice.
@lru_cache(maxsize=256)
def may_give_value(sentence: str) -> bool:
    """Whether a sentence has digits, or words that count or tell a day."""
    return any(map(str.isdigit, sentence)) or counts.has_words(sentence) or bool(_DAY.search(sentence))


def _of_sentence(sentence: str, before: str, at: datetime, language: str, start: int) -> Iterator[ValueFrame]:
    values = find_values(sentence, at)
    if not values:
        return
    clauses = split_clauses(sentence)
    bare = _without(sentence, values)
    whole = topic_words(bare, language)
    asks = sentence.rstrip(" \"'”)").endswith(("?", "？"))
    for place, (left, right) in enumerate(clauses):
        mine = [each for each in values if left <= each.start < right]
        if not mine or not is_stated(sentence[left:right], asks=asks):
            continue
        own = topic_words(bare[left:right], language)
        alone, said = frozenset(own), sentence[left:right]
        if len(own) < 2 and place:
            # A clause with little of its own goes on with the one before.
            previous = slice(*clauses[place - 1])
            own |= topic_words(bare[previous], language)
            said = f"{sentence[previous]} {said}"
        context = topic_words(_without(before, find_values(before, at)), language)
        around = dict(whole)
        if _POINTING.search(said) or (len(whole) < 3 and not _SUBJECT.match(sentence)):
            around |= context
        far = frozenset(context.keys() - around.keys() - own.keys())
        frame = _Clause(
            start=left,
            clause=sentence[left:right],
            said=said,
            own=own,
            alone=alone,
            topic=frozenset({*around, *own}),
            far=far,
            persons=frames.persons_of(sentence),
            nearby=f"{before} {sentence}",
        )
        yield from _framed(sentence, frame, mine, start)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    """A clause and where it begins in its sentence, what it is said with, and what it is about."""

    start: int
    clause: str
    said: str
    own: Mapping[str, str]
    alone: frozenset[str]
    topic: frozenset[str]
    far: frozenset[str]
    persons: frozenset[str]
    # The sentence and the one before it.
    nearby: str


def _framed(sentence: str, clause: _Clause, mine: Sequence[Quantity], start: int) -> Iterator[ValueFrame]:
    # In a short sentence all of it speaks of the value: ran it in 25:50, new best.
    said = sentence if len(sentence.split()) <= _SHORT else clause.said
    switch = clause_values.is_switch(said)
    change = switch or clause_values.is_change(said)
    state = change or clause_values.is_state(clause.said)
    names = frozenset(stem for stem, word in clause.own.items() if word != word.lower())
    values = [each for each in mine if not _is_subject(each, sentence, clause)]
    amounts = [each for each in values if each.measure not in _TELLING and counts.PLACE not in each.unit.split()]
    # An hour of a day moves with the day.
    days = [each for each in values if each.measure is Measure.DATE] if any(map(_is_hour, amounts)) else []
    for each in [*amounts, *days] or values:
        yield ValueFrame(
            quantity=each,
            value=sentence[each.start : each.end].strip(" ,."),
            quote=(start, start + len(sentence)),
            own=frozenset(clause.own),
            topic=clause.topic,
            far=clause.far,
            names=names | (_names_in(each, sentence) if each.measure is Measure.NUMBER else set()),
            persons=clause.persons,
            beside=tuple(other for other in mine if other is not each),
            is_state=state,
            is_change=change,
            is_switch=switch,
            is_rescheduled=clause_values.is_rescheduled(said),
            is_sum=clause_values.is_sum(clause.clause),
            is_one_of_many=tones.is_one_of_many(clause.clause),
            bare=clause.alone,
            is_event=tones.is_event(sentence[clause.start : each.end]),
            is_named=bool(_NAMED_BY.search(sentence, 0, each.start)),
            is_cued=cues.is_changed(clause.nearby),
            is_moved_day=cues.is_moved_day(clause.nearby),
            is_corrected=cues.is_corrected(clause.nearby),
        )


def _is_hour(quantity: Quantity) -> bool:
    return quantity.measure is Measure.TIME


def _is_subject(quantity: Quantity, sentence: str, clause: "_Clause") -> bool:
    """Whether a quantity only tells of what something is said: it comes before the verb, as in gate 7 is closed."""
    head, tail = sentence[clause.start : quantity.start], sentence[quantity.end : clause.start + len(clause.clause)]
    return bool(frames.VERB.search(tail)) and not (frames.VERB.search(head) or _SPEAKING.search(head))


def _names_in(quantity: Quantity, sentence: str) -> set[str]:
    """The names among the words of what is counted: 5 MCU films."""
    said = frames.WORD.findall(sentence[quantity.start : quantity.end])
    return {stem for word in said if word != word.lower() and (stem := frames.stem_of(word, "en"))}


def find_values(text: str, at: datetime) -> list[Quantity]:
    """The quantities of a text, each counted thing with all the words that name it."""
    every = quantities.find_quantities(text, at)
    found = [each for each in every if each.measure in _PLAIN]
    for some in (counts.find_counts(text), every):
        taken = [(each.start, each.end) for each in found]
        found += [
            each
            for each in some
            if each.measure is not Measure.NUMBER or some is not every
            if not any(each.start < end and start < each.end for start, end in taken)
        ]
    return sorted(found, key=lambda each: each.start)


def topic_words(text: str, language: str) -> dict[str, str]:
    """The stems of the words that tell what a text is about, with the words themselves."""
    text = _BEST.sub("personal best", text)
    words_by_stem: dict[str, str] = {}
    words_by_stem |= {name.casefold(): name for name in _CODED.findall(text)}
    for word in frames.WORD.findall(text):
        if _CONTRACTED.match(word) or word.casefold() in clause_values.LIGHT:
            continue
        stem = frames.stem_of(word.replace("-", ""), language)
        if stem and len(stem) > 1:
            words_by_stem.setdefault(stem, word)
    return words_by_stem


def _without(text: str, values: Sequence[Quantity]) -> str:
    for each in values:
        text = f"{text[: each.start]}{' ' * (each.end - each.start)}{text[each.end :]}"
    return text


def split_clauses(sentence: str) -> list[tuple[int, int]]:
    places = [0, *(found.end() for found in _CLAUSES.finditer(sentence)), len(sentence)]
    return [(left, right) for left, right in pairwise(places) if sentence[left:right].strip()]


def is_stated(clause: str, *, asks: bool) -> bool:
    """Whether a clause states something of its own: no question, no request, nothing that only may be."""
    if _ASKING.match(clause) or _SUPPOSED.search(clause) or _OTHERS.search(clause):
        return False
    return bool(_FIRST.search(clause)) if asks else True
