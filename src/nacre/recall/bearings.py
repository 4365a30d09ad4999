"""Bearings: the probability that a belief or a hit bears on a message, which is more than that it is like it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.domain.hits import Hit, Kind, Recall
from nacre.domain.turns import Role
from nacre.models.embedders import Embedder
from nacre.models.token_vectors import QuestionTokens
from nacre.recall import channels, relevance, situations, successions
from nacre.recall.beliefs import MessageSubjects
from nacre.recall.bm25 import Floats
from nacre.recall.cosines import cosines
from nacre.recall.relevance import BeliefTraits, HitTraits, OwnTraits, QuestionVoice, Strength
from nacre.recall.situations import Situation
from nacre.text import languages, question_forms
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words
from nacre.text.word_blocks import word_set

# Below this the scope likely knows nothing of what is asked.
RELATED = 0.5
# From here on it may know something of one who says "I".
LIKELY = 0.25
# From here on a message is taken to be about what was told: silence costs more than a line too many.
KNOWN = 0.3
# A message whose answer needs so surely what was told, as the logarithm of the odds, is about its user's own affairs.
CONCERNING = 1.0
# What one says "my" or "our" of is so surely one's own: to the ranker a password is anybody's.
OWN_NEED = 3.0
# A belief that bears on the situation of a message, and one of somebody whom a message only names.
SITUATED, ONLY_NAMED = 0.5, 0.8
MAX_SITUATED = 4
# From such a chance on a belief's own words are read, of so many at most.
READ, MAX_READ = 0.15, 8
# How near in meaning a belief must be to count for what was said around it, and for the situation of a message.
NEAR = 0.1
# Without vectors that mean anything, one of so many first hits must share so many words with a message.
LOOKED_AT, MIN_SHARED = 5, 2
# What a hit is worth that says every word of a message.
ALL_WORDS = 0.75
_AGENT = Role.ASSISTANT.value
_ENGLISH = frozenset({"en", languages.UNDETERMINED})

# Words with which one asks for all that is known of somebody.
_TELLING = frozenset({"tell", "know", "knows", "known", "say", "describe", "remember", "recall", "show", "think"})
# Nouns for what a belief tells with a verb: who says "near my home" asks for where they live.
_NOUNS = {
    "lives_in": word_set("home house flat apartment neighbourhood neighborhood neighbours neighbors casa piso barrio"),
    "works_at": word_set("job employer workplace office work trabajo empleo oficina"),
}
_OWN_NOUN = re.compile(r"\b(?:my|our|mi|nuestr[oa]) (\w+)")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")
_NUMBER = re.compile(r"\d[\d.,:/-]*")


@dataclass(frozen=True, slots=True)
class Appeal:
    """A message as beliefs are weighed for it: whom it is about, and what was recalled for it."""

    message: str
    asked: channels.EmbeddedQuery
    subjects: MessageSubjects
    recalled: Recall
    # How well what beliefs rest on fits the message, by turn or memory; nothing where that was not told.
    fits: Mapping[UUID, float]
    # How well short texts that stand alone fit the message; None where nothing compares them.
    fit_texts: Callable[[Sequence[str]], Sequence[float]] | None = None


def weigh_hits(recalled: Recall, asked: channels.EmbeddedQuery) -> Mapping[UUID, float]:
    """The probability that each hit bears on a message."""
    if asked.vectors is None:
        return {hit.id: hit.score for hit in recalled}
    words = frozenset(content_words(asked.text))
    fits = _fits(recalled)
    return {
        hit.id: ALL_WORDS
        if not was_compared(hit) and _says_all(hit, words)
        else relevance.bearing(_traits(hit, place, len(words), fits), recalled.related)
        for place, hit in enumerate(recalled)
    }


def _fits(recalled: Recall) -> list[float]:
    """How well each of what the ranker compared fits, the worst first."""
    return sorted(hit.channels["tokens"] for hit in recalled if was_compared(hit))


def best_fit(recalled: Recall) -> float:
    """How well the best of what the ranker compared fits; very badly where it compared nothing."""
    return max((hit.channels["tokens"] for hit in recalled if was_compared(hit)), default=-relevance.MOST_FIT)


def was_compared(hit: Hit) -> bool:
    """Whether the ranker compared the tokens of a hit with those of the message."""
    return "tokens" in hit.channels


def _says_all(hit: Hit, words: frozenset[str]) -> bool:
    """Whether somebody says, and does not ask, every word of a message."""
    # In plain letters, a word that is nowhere in a text is told from it without cutting it into words.
    text = hit.text
    if len(words) < MIN_SHARED or by_agent(hit) or (text.isascii() and not _holds_all(text.lower(), words)):
        return False
    return not only_asks(text) and words.issubset(content_words(text))


def _holds_all(text: str, words: frozenset[str]) -> bool:
    return all(word in text for word in words)


def by_agent(hit: Hit) -> bool:
    """Whether the agent said it; one of several people who talk has a name."""
    return hit.source.role == _AGENT and not hit.source.speaker


def lexical(hit: Hit) -> float:
    """What the words that a hit shares with a message are worth."""
    return hit.channels.get("lexical", 0.0)


def may_answer(hit: Hit) -> bool:
    """Whether a hit below the bar could be the answer: not by what stands around it, nor what the agent said itself."""
    return not by_agent(hit) and not {"lexical", "vector"}.isdisjoint(hit.channels)


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    return "?" in text and all(sentence.rstrip().endswith("?") for sentence in _SENTENCE_END.split(text.strip()))


def _traits(hit: Hit, place: int, words: int, fits: Sequence[float]) -> HitTraits:
    fit = hit.channels.get("tokens")
    return HitTraits(
        place=place,
        cosine=hit.channels.get("vector", 0.0),
        lexical=hit.channels.get("lexical", 0.0),
        words=words,
        length=len(hit.text),
        asks=only_asks(hit.text),
        by_agent=by_agent(hit),
        saved=hit.kind is Kind.MEMORY,
        tells=hit.standing is not None,
        fit=fit,
        behind=0.0 if fit is None else fits[-1] - fit,
        rank=0 if fit is None else len(fits) - bisect_right(fits, fit),
    )


def weigh_beliefs(
    beliefs: Sequence[Belief], appeal: Appeal, scores: Mapping[UUID, float], embedder: Embedder | None
) -> list[tuple[Belief, float]]:
    """Beliefs with the probability that they bear on a message, the likeliest first; `scores` are those of hits."""
    told = belief_traits(beliefs, appeal, embedder)
    chances = {
        place: relevance.belief_bearing(traits, traits.fit)
        for place, traits in enumerate(told)
        if traits.fit is not None
    }
    by_own_words = own_traits(beliefs, chances, appeal, scores)
    chances |= {place: relevance.own_bearing(each) for place, each in by_own_words.items()}
    only_named = bool(appeal.subjects.named) and _names_only(appeal.message, beliefs)
    heard = scores if appeal.recalled.related >= RELATED else {}
    situated = 0
    weighed = []
    for place, index in enumerate(sorted(range(len(beliefs)), key=lambda index: -told[index].nearness)):
        belief, traits = beliefs[index], told[index]
        named = ONLY_NAMED * situations.worth(belief) if only_named else 0.0
        if belief.id in appeal.subjects.calling or _is_asked_for(belief, appeal):
            named = SITUATED
        if index in chances:
            weighed.append((belief, max(chances[index], named)))
            continue
        own = Strength(nearness=traits.nearness, coverage=0.0, words=1, passages=len(beliefs))
        related = relevance.relatedness(own)
        claims = [named, related * relevance.placement(1.0, place) if related >= RELATED else 0.0]
        near = traits.nearness >= NEAR
        if near or traits.words:
            claims += [heard[item] for item in belief.items if item in heard]
        if situated < MAX_SITUATED and (traits.situated_if_near if near else traits.situated):
            situated += 1
            claims.append(SITUATED * belief.confidence)
        weighed.append((belief, max(claims)))
    return sorted(weighed, key=lambda pair: -pair[1])


def own_traits(
    beliefs: Sequence[Belief], chances: Mapping[int, float], appeal: Appeal, scores: Mapping[UUID, float]
) -> dict[int, OwnTraits]:
    """What the own words of beliefs tell, by their place: of several that rest on the same words, which one is meant.

    They are read for the likeliest, by `chances`.
    """
    likely = [place for place in sorted(chances, key=lambda place: -chances[place]) if chances[place] >= READ]
    if appeal.fit_texts is None or not likely:
        return {}
    fits = appeal.fit_texts([_own_words(beliefs[place]) for place in likely[:MAX_READ]])
    return {
        place: OwnTraits(
            chance=chances[place],
            turn=max((scores.get(item, 0.0) for item in beliefs[place].items), default=0.0),
            fit=fit,
            behind=max(fits) - fit,
        )
        for place, fit in zip(likely, fits, strict=False)
    }


def _own_words(belief: Belief) -> str:
    said = f"{belief.name} {belief.statement}"
    return f"{said}: {belief.quote}" if belief.quote else said


def _is_asked_for(belief: Belief, appeal: Appeal) -> bool:
    """Whether one asks for a belief of one's own by the noun for what it tells: "near my home"."""
    nouns = _NOUNS.get(belief.topic, frozenset())
    if belief.subject != appeal.subjects.user or nouns.isdisjoint(content_words(appeal.message)):
        return False
    return any(word in nouns for word in _OWN_NOUN.findall(appeal.message.casefold()))


def belief_traits(beliefs: Sequence[Belief], appeal: Appeal, embedder: Embedder | None) -> list[BeliefTraits]:
    """What is known of each belief by itself, beside a message."""
    asked = _asked_words(appeal.message)
    shown = find_situations(appeal.asked, embedder, names=bool(appeal.subjects.named))
    others = set(appeal.subjects.named) - {appeal.subjects.user}
    fits = [
        max((appeal.fits[each] for each in belief.items if each in appeal.fits), default=None) for belief in beliefs
    ]
    best = max([best_fit(appeal.recalled), *(fit for fit in fits if fit is not None)])
    return [
        BeliefTraits(
            fit=fit,
            behind=0.0 if fit is None else best - fit,
            nearness=near,
            words=len(asked & _told_by(belief)),
            situated=situations.bears_on(belief, shown, near=False, of_other=of_other),
            situated_if_near=situations.bears_on(belief, shown, near=True, of_other=of_other),
            named=belief.subject in appeal.subjects.named,
        )
        for belief, fit, near in zip(beliefs, fits, _nearness(beliefs, appeal.asked, embedder), strict=True)
        for of_other in [bool(others) and belief.subject not in others]
    ]


def shares_words(belief: Belief, message: str) -> bool:
    """Whether a message asks for a belief by any of its words."""
    return not _asked_words(message).isdisjoint(_told_by(belief))


def _asked_words(message: str) -> set[str]:
    return {word for word in content_words(message) if not word.isdecimal()} - SMALL_TALK


def _told_by(belief: Belief) -> set[str]:
    """The words that ask for a belief: its own, and the nouns for what it tells."""
    return {*content_words(belief.statement), *_NOUNS.get(belief.topic, ())}


def find_situations(
    asked: channels.EmbeddedQuery, embedder: Embedder | None, *, names: bool = False
) -> list[Situation]:
    """The situations that a message shows."""
    return situations.find_situations(asked.text, embedder, asked.vectors, names=names)


def shared_aspects(asked: channels.EmbeddedQuery, embedder: Embedder | None) -> tuple[str, ...]:
    """The aspects of which everybody's claims bear on a message: what all who come to a dinner eat."""
    if not situations.speaks_of_several(asked.text):
        return ()
    return tuple({key for each in find_situations(asked, embedder) for key in each.shared})


def concerns_user(asked: channels.EmbeddedQuery) -> bool:
    """Whether a message is about its user's affairs: in the first person, or something is to be made for them."""
    message = asked.text
    if asked.tokens:
        return _need(message, asked.tokens) >= CONCERNING
    voice = relevance.voice_of(message)
    # How something is done is the same for everybody, whoever asks.
    generic = question_forms.is_impersonal(message) or (
        question_forms.asks_how(message) and voice is not QuestionVoice.OWN
    )
    return not generic and (voice is not QuestionVoice.NOBODY or question_forms.is_task(message))


def is_known(
    recalled: Recall,
    asked: channels.EmbeddedQuery,
    embedder: Embedder | None,
    subjects: MessageSubjects | None,
    *,
    own: bool,
) -> bool:
    """Whether anything that was told likely bears on a message, which names what is known or is about the user's own.

    Where the ranker did not read it, or compared nothing with it yet, this goes by the voice it is in and by what it is
    like.
    """
    named = own or bool(subjects and subjects.named)
    if question_forms.is_impersonal(asked.text) and not named:
        return False
    if subjects and subjects.names_own:
        return True
    if asked.tokens and any(map(was_compared, recalled)):
        return relevance.knowledge(_need(asked.text, asked.tokens), best_fit(recalled)) >= KNOWN
    return named or _speaks(recalled, asked, embedder)


def _need(message: str, tokens: QuestionTokens) -> float:
    """Whether an answer needs what was told, as the ranker reads a message; one about "my" or "our" things does."""
    return max(tokens.need, OWN_NEED) if relevance.voice_of(message) is QuestionVoice.OWN else tokens.need


def _speaks(recalled: Recall, asked: channels.EmbeddedQuery, embedder: Embedder | None) -> bool:
    """Whether it is likely known what is asked, or it is about the user's own affairs.

    The local embedder knows English alone: to it, whatever else is of one language is alike. There, words count.
    """
    voice = relevance.voice_of(asked.text)
    # "Give me a riddle" is about nobody's own.
    if voice is QuestionVoice.OWN or (voice is QuestionVoice.FIRST_PERSON and recalled.related >= LIKELY):
        return True
    foreign = embedder is not None and embedder.local and languages.detect(asked.text) not in _ENGLISH
    return recalled.related >= RELATED and (not foreign or _shares_words(recalled, asked.text))


def _shares_words(recalled: Recall, message: str) -> bool:
    asked = set(content_words(message)) - SMALL_TALK
    return any(len(asked & set(content_words(hit.text))) >= MIN_SHARED for hit in recalled[:LOOKED_AT])


def _nearness(beliefs: Sequence[Belief], asked: channels.EmbeddedQuery, embedder: Embedder | None) -> list[float]:
    """How near beliefs are to a message in meaning: 0 at the embedder's threshold, 1 for the same words.

    Whom they are about is left aside: all beliefs of somebody share the name with a message that names them.
    """
    if not beliefs or embedder is None or not embedder.local or asked.vectors is None:
        return [0.0] * len(beliefs)
    # A number is near to any other, whatever it counts.
    statements = [_NUMBER.sub("", each.statement) for each in beliefs]
    cosine = cosines(embedder.embed(statements).matrix, asked.vectors.matrix[0])
    return [(float(each) - asked.threshold) / (1 - asked.threshold) for each in cosine]


def _names_only(message: str, beliefs: Sequence[Belief]) -> bool:
    """Whether a message says little beside names: "who is John?", "tell me about Acme"."""
    names = {word for each in beliefs for word in content_words(each.name)}
    return _TELLING.issuperset(word for word in content_words(message) if word not in names)


def first_vectors(recalled: Recall, embedder: Embedder | None, hits: Sequence[Hit]) -> Mapping[UUID, Floats]:
    """The vectors of some of the first hits, where what is asked is likely known."""
    if recalled.related < RELATED or embedder is None or not embedder.local:
        return {}
    first = {hit.id for hit in recalled.hits[: successions.LOOKED_AT]}
    texts = {hit.id: hit.text for hit in hits if hit.id in first}
    return dict(zip(texts, embedder.embed(list(texts.values())).matrix, strict=True))
