"""Statements as they are compared: what one is about, which values it gives, and how it is said.

A statement that cannot be read gives fewer topic words, and then nothing is concluded from it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from nacre.graph.beliefs import markers
from nacre.graph.beliefs.markers import ValueMarkers
from nacre.memory import tones
from nacre.text import languages, quantities, sentences
from nacre.text.letters import UNSPACED
from nacre.text.measures import Measure, Quantity
from nacre.text.stems import lexicon
from nacre.text.words import words

# Longer sentences say more than one thing of one topic.
_LONGEST = 300
_MOST_WORDS = 40
_MOST_SENTENCES = 8

_COPULA = r"is|are|am|was|were|will be|es|son|está|están|será|serán"
# What comes after them is no part of the topic.
_ASIDE = re.compile(
    r"(?<!\s)\s*+(?:[,;(]\s*+)?\b(?:because|due to|owing to|thanks to|so that|in order to|which|who|although|though|but"
    r"|porque|ya que|debido a|así que|aunque|pero|para que)\b.*\Z|(?<!\s)\s*[(（].*\Z"
    # What is told behind a value says why: on September 1: the cases are late.
    r"|(?<=\d)(?:\s*[:–—]\s+(?=[^\W\d_])|,\s+(?=(?:the|our|my|we|they|he|she|it|i|el|la|los|las|mi)\b)).*\Z",
    re.IGNORECASE | re.DOTALL,
)
# Name the kind of the value that follows: the launch date is.
_KIND = re.compile(
    r"\b(?:date|day|time|hour|price|cost|amount|value|fecha|día|hora|precio|coste|costo|importe)\b"
    rf"(?=\s*(?:\Z|:|\b(?:{_COPULA}|of|for|now|to|de|del|para|moved|changed)\b))|\b(?:takes?|taking|took) place\b",
    re.IGNORECASE,
)
_IGNORED = tones.CHANGING | tones.read_words("""
    will may now new newly currently latest current nowadays actually still already only just exactly around about
    approximately planned scheduled due held happen happens happening cost costs priced also please note instead rather
    longer anymore effect effective starting per each every oclock sorry correction corrected scratch turns mistake fact
    ahora nuevo nueva actual actualmente ya cuesta cuestan vale valen partir vez lugar realidad también
    today tonight tomorrow another too
""")
_SINCE = frozenset({"from", "since", "as of", "starting", "desde", "a partir de"})
_WHEN = frozenset({Measure.DATE, Measure.WEEKDAY, Measure.TIME})
_AMOUNTS = frozenset({Measure.MONEY, Measure.NUMBER})
VERB = re.compile(
    rf"(?<![\w'’-])(?:(?:{_COPULA}|has|have|costs?|cuesta)(?![\w'’-])"
    r"|[a-z]+(?<![su])s(?= (?:on|at|in|for|by|to|from|about|only|the|an?|\d|[€$£])))",
    re.IGNORECASE,
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
# Between the words of a statement without spaces, and what is said of a change there.
_PARTICLES = re.compile(
    r"ではありません|に変更|変更|延期|になりました|されました|されます|でした|ました|です|ます|である|は|が|を|に|で|の|へ|と|も|から|まで|改为|改成|改到"
    r"|推迟到|提前到|延期到|现在|今は|的|是|在|于|为|了|到|변경|되었습니다|됩니다|했습니다|입니다|이에요|예요|이제|에서|으로|은|는|이|가|을|를|에|로|의"
)
WORD = re.compile(rf"[{UNSPACED}]+|[^\W\d_{UNSPACED}]+(?:['’-][^\W\d_]+)*(?:[+#]+)?")
_PERSONS = {
    word: line.split()[0]
    for line in (
        "i me my mine we us our ours yo mi mis nosotros nuestro nuestra",
        "you your yours tu tus usted",
        "he him his él",
        "she her hers ella",
        "they them their theirs ellos ellas",
    )
    for word in line.split()
}
_POSSESSIVE = re.compile(r"['’]s?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One statement. `topic` holds what it is about, words by their stems; `values` what it says of that.

    `qualifiers` are quantities that only tell which thing it speaks of, or since when: the flight on June 3.
    """

    text: str
    at: datetime
    topic: Mapping[str, str]
    values: tuple[Quantity, ...]
    qualifiers: tuple[Quantity, ...]
    # Who is meant by its pronouns, as far as these tell.
    persons: frozenset[str]
    saying: ValueMarkers
    switched: bool

    @property
    def names(self) -> set[str]:
        """The topic words that are written as names."""
        return {stem for stem, word in self.topic.items() if word[0].isupper()}

    @property
    def changed(self) -> bool:
        """Whether it speaks of a change, or puts something right."""
        since = any(is_since(each) for each in self.qualifiers)
        return self.switched or self.saying.now or self.saying.corrected or since or tones.is_renewed(self.text)

    def words_of(self, quantity: Quantity) -> str:
        """What the statement calls one of its quantities, without the word that leads to it."""
        said = self.text[quantity.start : quantity.end]
        return said[len(quantity.lead) :].strip() if said.casefold().startswith(quantity.lead) else said.strip()


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text that are short enough to be compared; none of a text with very many."""
    return _comparable_sentences(text) if len(text) <= _MOST_SENTENCES * _LONGEST else ()


# Each memory is compared with many texts.
@lru_cache(maxsize=500)
def _comparable_sentences(text: str) -> tuple[str, ...]:
    spans = sentences.split(text)
    short = [text[start:end] for start, end in spans if end - start <= _LONGEST]
    return tuple(each for each in short if len(each.split()) <= _MOST_WORDS) if len(spans) <= _MOST_SENTENCES else ()


def detect_language(*texts: str) -> str:
    """The language that texts are compared in."""
    return languages.detect(" ".join(texts))


@lru_cache(maxsize=1_000)
def read_frame(sentence: str, at: datetime, language: str) -> Frame:
    """The frame of a sentence that was said at a moment."""
    text = _ASIDE.sub("", sentence) or sentence
    found = quantities.find_quantities(text, at)
    switched = tones.is_switched(text)
    values = [each for each in found if not _qualifies(each, text, found, switched=switched)]
    return Frame(
        text=text,
        at=at,
        topic=dict(_topic(text, found, values, language)),
        values=tuple(values),
        qualifiers=tuple(each for each in found if each not in values),
        persons=persons_of(text),
        saying=markers.tone(sentence),
        switched=switched,
    )


def persons_of(text: str) -> frozenset[str]:
    """Who is meant by the pronouns of a text, as far as these tell."""
    return frozenset(_PERSONS[word] for word in words(text) if word in _PERSONS)


def is_since(quantity: Quantity) -> bool:
    """Whether a quantity is the day from which something holds."""
    return quantity.measure is Measure.DATE and quantity.lead in _SINCE


def _qualifies(quantity: Quantity, text: str, matching_quantities: Sequence[Quantity], *, switched: bool) -> bool:
    """Whether a quantity is part of what is spoken of: it comes before the verb, or is the day of an amount."""
    if quantity.measure is Measure.LABEL:
        rest = text[quantity.end :].strip(" .!。")
        return bool(rest) and rest.casefold() not in _IGNORED
    if quantity.measure in _WHEN and any(each.measure in _AMOUNTS for each in matching_quantities):
        return True
    verb = VERB.search(text, quantity.end)
    before = verb is not None and not VERB.search(text[: quantity.start])
    return before or (is_since(quantity) and len(matching_quantities) > 1 and not switched)


def _topic(
    text: str, matching_quantities: Sequence[Quantity], values: Sequence[Quantity], language: str
) -> Iterator[tuple[str, str]]:
    """What a statement is about, by stems: the words outside its quantities, and the labels that are no values."""
    rest = text
    for each in matching_quantities:
        rest = f"{rest[: each.start]}{' ' * (each.end - each.start)}{rest[each.end :]}"
        if each.measure is Measure.LABEL and each not in values:
            yield f"{each.unit} {each.key}", text[each.start : each.end]
    for place, word in enumerate(WORD.findall(_KIND.sub(" ", rest))):
        if _UNSPACED.match(word):
            yield from ((piece, piece) for piece in _PARTICLES.split(word) if piece)
        elif word == "A" and place:
            # A name, as in plan A, where an article would be small.
            yield "a", word
        elif stem := stem_of(word.replace("-", ""), language):
            yield stem, _POSSESSIVE.sub("", word)


# A few thousand words are most of what anybody says.
@lru_cache(maxsize=10_000)
def stem_of(word: str, language: str) -> str | None:
    """What a word is compared by; None for one that says nothing of a topic."""
    plain = _POSSESSIVE.sub("", word).casefold()
    if plain in _IGNORED or any(lexicon(each)[plain].stop for each in {"en", language}):
        return None
    return lexicon(language)[plain].text
