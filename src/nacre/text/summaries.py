"""Sum up a conversation in its own sentences.

Those sentences are taken that say most of what the conversation is about: its content words, the frequent ones first,
and above all its names and numbers. Each is worth only what those before it have not said. Greetings are left out,
and so are questions, unless somebody answered them: then question and answer stay together.
"""

import heapq
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from nacre.text import sentences
from nacre.text.budget import count_tokens, fit
from nacre.text.details import specifics
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words, terms

# A name or a number says as much as so many words.
SPECIFIC = 2.0
# A long sentence says more, but it should not win by its length alone; this is the price of having another at all.
OVERHEAD = 12
MAX_SENTENCE_TOKENS = 60

# So many sentences in a row that do not fit mean that the budget is spent.
_FEW = 20
_MISSES = 25
_QUESTION = re.compile(r"[?？؟][\"'”’»)\]」』）】*]*\Z")


@dataclass(frozen=True, slots=True)
class Utterance:
    """What somebody said; `weight` is how much their words count."""

    speaker: str | None
    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class _Sentence:
    turn: int
    place: int
    speaker: str | None
    text: str
    weight: float

    @property
    def asks(self) -> bool:
        return _QUESTION.search(self.text) is not None

    @property
    def empty(self) -> bool:
        """Whether it only keeps a conversation going."""
        return SMALL_TALK.issuperset(content_words(self.text))


@dataclass(frozen=True, slots=True)
class _Unit:
    """Sentences that stand or fall together, and what they say."""

    sentences: tuple[_Sentence, ...]
    words: frozenset[str]
    specifics: frozenset[str]
    cost: int


def extract(utterances: Sequence[Utterance], budget: int) -> str:
    """The sentences of a conversation that say most of it in at most `budget` tokens, in order, with who said them.

    A conversation of nothing but greetings and open questions is summed up by its beginning.
    """
    found = _sentences(utterances)
    units = [_unit(each) for each in _together(found)] or [_unit((each,)) for each in found]
    return _written(_chosen(units, budget)) or fit(_written(units[:1]), budget)


def _sentences(utterances: Sequence[Utterance]) -> list[_Sentence]:
    parts: list[_Sentence] = []
    for turn, spoken in enumerate(utterances):
        for start, end in sentences.split(spoken.text):
            # White space and control characters would break the line that it is written on.
            text = " ".join("".join(sign if sign.isprintable() else " " for sign in spoken.text[start:end]).split())
            if text:
                parts.append(_Sentence(turn, len(parts), spoken.speaker, text, spoken.weight))
    return parts


def _together(parts: Sequence[_Sentence]) -> Iterator[tuple[_Sentence, ...]]:
    """Statements, each alone, and questions with their answers; greetings and open questions are left out."""
    answers: set[int] = set()
    for each in parts:
        if each.place in answers:
            continue
        if not each.asks:
            if not each.empty:
                yield (each,)
            continue
        following = parts[each.place + 1] if each.place + 1 < len(parts) else None
        if following and _answers(each, following) and not each.empty:
            answers.add(following.place)
            yield (each, following)


def _answers(question: _Sentence, following: _Sentence) -> bool:
    """Whether what follows comes from somebody else, at once, and is no question itself."""
    return following.turn == question.turn + 1 and following.speaker != question.speaker and not following.asks


def _unit(parts: Sequence[_Sentence]) -> _Unit:
    words = frozenset(word for each in parts for word in terms(each.text))
    named = frozenset(name.casefold() for each in parts for name in specifics(each.text))
    cost = OVERHEAD + sum(min(count_tokens(each.text), MAX_SENTENCE_TOKENS) for each in parts)
    return _Unit(tuple(parts), words, named, cost)


def _chosen(units: Sequence[_Unit], budget: int) -> list[_Unit]:
    """The units that fit, each the one that says most that those before it did not."""
    heard = Counter(word for unit in units for word in unit.words)
    worth = {word: 1 + log2(count) for word, count in heard.items()}
    chosen: list[_Unit] = []
    words: set[str] = set()
    spent = misses = 0
    # Counting all that is written takes long, so it is done only when it may get tight, and for short summaries.
    # What a unit is worth can only fall, so the first in the queue is the best if it is still worth what it was.
    queue = [(-_worth(unit, worth, words), place) for place, unit in enumerate(units)]
    heapq.heapify(queue)
    while queue and misses < _MISSES:
        before, place = heapq.heappop(queue)
        unit = units[place]
        now = _worth(unit, worth, words)
        if 0 < now < -before:
            heapq.heappush(queue, (-now, place))
        elif now > 0 and (spent + unit.cost <= budget or (len(chosen) < _FEW and _fits([*chosen, unit], budget))):
            chosen.append(unit)
            spent += unit.cost
            words |= unit.words | unit.specifics
            misses = 0
        else:
            misses += 1
    # Costs are counted sentence by sentence; what is written may cost a little more.
    while chosen and not _fits(chosen, budget):
        chosen.pop()
    return chosen


def _fits(units: Sequence[_Unit], budget: int) -> bool:
    return count_tokens(_written(units)) <= budget


def _worth(unit: _Unit, worth: Mapping[str, float], words: set[str]) -> float:
    new = sum(worth[word] for word in sorted(unit.words - words)) + SPECIFIC * len(unit.specifics - words)
    return new * max(each.weight for each in unit.sentences) / unit.cost


def _written(units: Sequence[_Unit]) -> str:
    """One line for each time that somebody speaks."""
    lines: list[str] = []
    speaker: str | None = None
    for each in sorted((each for unit in units for each in unit.sentences), key=lambda each: each.place):
        text = fit(each.text, MAX_SENTENCE_TOKENS)
        if lines and each.speaker == speaker:
            lines[-1] += f" {text}"
        else:
            lines.append(f"{each.speaker}: {text}" if each.speaker else text)
        speaker = each.speaker
    return "\n".join(lines)
