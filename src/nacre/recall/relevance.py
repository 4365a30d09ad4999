"""Relevance: the probability that a hit bears on a question, on one scale for every question.

Two parts, multiplied. *Relatedness* says whether the scope knows anything of what is asked: how near in meaning the
nearest passage is, which must be nearer where more passages could be near by chance. *Placement* says how likely a
hit at its place belongs to the answer, given that there is one. Both were fitted on questions about conversations
written for this project and on LongMemEval's development questions, against questions about other things; LoCoMo was
kept out to check them. `bench/models/relevance.py` fits them anew; the reliability table is in docs/recall.md.
"""

import math
import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

# The nearness at which a question is as likely related as not, and how sharply that turns.
_EVEN, _STEEP = 0.24, 17.0
# What more each e-fold of passages beyond so many asks for.
_CROWD, _CROWDED = 0.03, 300
# What it is worth that one passage holds all the words of a question, and from which share of them that counts.
_ALL_WORDS, _MOST_WORDS = 3.0, 0.75
# A question that names somebody or something known is related more often, and so is one about what is the asker's own.
# These two were set by hand: questions of benchmarks nearly all do the one or the other.
_NAMED, _OWN, _FIRST_PERSON = 2.0, 2.5, 1.2
# Without vectors: the share of the question's words that one passage holds, by how many words they are. Set by hand.
_BREADTH, _WORDS = 2.6, -3.0
# Bearing on a message: by the logarithm of the place, by relatedness, by the hit's own nearness and words, by how many
# words the message has, and by what the hit is. Fitted on the open messages of the stories of `bench context`.
_AT_PLACE, _OF_RELATED, _OF_COSINE, _OF_LEXICAL, _OF_WORDS = -0.515, 1.565, 2.023, 0.238, -0.049
_OF_ASKING, _OF_AGENT, _OF_LENGTH, _OF_SAVED, _OF_TELLING, _BEARING = -2.931, -2.413, 0.796, 1.301, 0.47, -7.131
# The same where the ranker compared the tokens of both, by how well they fit; and of a belief, by how well the words
# fit that it rests on, by its own nearness, by the situation that a message shows, by the words that both share, and
# where it is of somebody named. `bench/models/bearing.py` fits them, on lives that the ranker has not learned from.
_FIT, _FIT_BEHIND, _FIT_RANK, _FIT_PLACE, _FIT_COSINE, _FIT_ASKING = 0.227, -0.227, -0.458, -0.432, 0.255, -0.707
_FIT_AGENT, _FIT_LENGTH, _FIT_SAVED, _FIT_BEARING = -0.549, 0.305, 0.815, -0.936
_BELIEF_FIT, _BELIEF_BEHIND, _BELIEF_NEAR, _BELIEF_SITUATED, _BELIEF_IF_NEAR = 0.280, -0.315, 0.403, 0.371, 0.417
_BELIEF_WORDS, _BELIEF_NAMED, _BELIEF_BEARING = 0.518, 0.388, -0.589
# Of several beliefs that rest on the same words, those that the message is about fit it themselves: by the probability
# of the belief so far and that of the words, by how well its own words fit, and by how much the best fit better. Fitted
# on strangers' first hours, where each fact has its label.
_OWN_CHANCE, _OWN_TURN, _OWN_FIT, _OWN_BEHIND, _OWN_BEARING = 0.52, 0.213, 0.174, -0.230, 0.364
# Whether anything that was told bears on a message: by whether an answer needs it, as the ranker reads the message, and
# by how well the best of what was compared fits, each within bounds. Fitted on the same lives.
_KNOWN_NEED, _KNOWN_FIT, _KNOWN = 0.79, 0.78, 1.73
MOST_NEED, MOST_FIT = 4.0, 6.0
# No chance counts as less, nor as nearer to 1.
_LEAST_CHANCE = 0.002
# Placement: beside the best hit, by the logarithm of the place, and for any.
_BESIDE, _PLACE, _ANY = 3.369, -0.890, -3.609


# More words than these that a belief shares with a message tell no more.
MOST_SHARED = 2


class QuestionVoice(Enum):
    """Of whose things a question is: anybody's, of one who says "I", or of one who says "my" and "we"."""

    NOBODY = 0
    FIRST_PERSON = 1
    OWN = 2


_VOICES = {QuestionVoice.NOBODY: 0.0, QuestionVoice.FIRST_PERSON: _FIRST_PERSON, QuestionVoice.OWN: _OWN}
_OWN_WORDS = re.compile(
    r"\b(?:the user|user['’]s|el usuario|la usuaria|my|mine|we|us|our|ours|mi|mis|nos|nosotr[oa]s|nuestr[oa]s?"
    r"|mein\w*|wir|uns\w*|mon|ma|mes|nous|notre|meu|minha"
    r"|(?!prim|últim|mínim|máxim|próxim|ánim|mism|tram|ram)\w{2,}[aei]mos(?<!memos)(?<!demos)(?<!limos))\b",
    re.IGNORECASE,
)
# Spanish leaves the pronoun out: the verb tells.
_FIRST_WORDS = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|im(?!\s(?-i:[A-ZÄÖÜ]))|ive|me|myself|yo|me|mí|ich|mich|mir|je|j['’]|moi"
    r"|(?<!a )(?<!ai )(?<!ont )eu"
    r"|vivo|trabajo|tengo|soy(?! (?:milk|sauce|beans?|free|latte))|estoy|estudio|pago|gano|cobro|debo|voy|puedo"
    r"|necesito|quiero|hago|uso|mido|tomo|doy|vendo|compro|hablo|juego|salgo|conozco|viajo|vuelvo|empiezo|llevo|tenía"
    r"|vivía|trabajaba|pido|pongo|preparo|cocino|digo|planteo|llego|falto|reservo|mando|env[ií]o|invito|explico|contesto"
    r"|respondo|elijo|escojo|meto|empaco|organizo|contrato|ahorro|gasto|agendo|entreno|celebro|consigo|busco|traigo)\b",
    re.IGNORECASE,
)


# "What laptop do I own", "where did I get away to": who asks so asks of their own life, and not how something is done.
_ASKS_OF_ONESELF = re.compile(
    r"\b(?:what|which|where|when|who|whose|whom|how (?:many|much|often|far|long|old))\b[^.?!]{0,60}?"
    r"\b(?:do|did|am|was|have|had|will) i\b(?! (?:say|call|spell|write|make|get|use|know if))",
    re.IGNORECASE,
)


# Each stage of a context asks for this of the same message.
@lru_cache(maxsize=64)
def voice_of(message: str) -> QuestionVoice:
    """In whose voice a message is: "my commute" is about the asker's own, "what should I know" less surely so.

    An agent that asks for itself says "the user" where its user says "I".
    """
    if _OWN_WORDS.search(message) or _ASKS_OF_ONESELF.search(message):
        return QuestionVoice.OWN
    return QuestionVoice.FIRST_PERSON if _FIRST_WORDS.search(message) else QuestionVoice.NOBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strongly a scope answers to a question.

    `nearness` is the highest cosine, 0 at the embedder's threshold and 1 for the same text; None without vectors.
    `coverage` is the largest share of the question's words, by rarity, that one passage holds, and `words` how many
    words it has. `names` says that it names a speaker or an entity that the scope knows, `voice` in whose voice it is.
    """

    nearness: float | None
    coverage: float
    words: int
    passages: int
    names: bool = False
    voice: QuestionVoice = QuestionVoice.NOBODY


class HitTraits(NamedTuple):
    """What is known of a hit by itself: its place, its own nearness and words, and what it is.

    A question and what the agent said bear on little; what was saved, and what the graph learned from, on more.
    """

    place: int
    cosine: float
    lexical: float
    # How many words the message has.
    words: int
    # In characters.
    length: int
    asks: bool = False
    by_agent: bool = False
    saved: bool = False
    tells: bool = False
    # How well its tokens fit those of the message, above or below the ranker's bar; None where they were not compared.
    fit: float | None = None
    # By how much the best of what was compared fits better, and how many of it fit better.
    behind: float = 0.0
    rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefTraits:
    """What is known of a belief by itself.

    `fit` is that of the words it rests on, None where they were not compared, and `behind` says by how much the best of
    what was compared fits better; `nearness` in meaning is its own; `words`
    is how many content words it shares with the message. `situated` says that it bears on the situation of the message,
    `situated_if_near` that it would, were it near enough; `named`, that the message names whom it is about.
    """

    fit: float | None
    nearness: float
    words: int
    situated: bool
    situated_if_near: bool
    named: bool
    behind: float = 0.0


class OwnTraits(NamedTuple):
    """What a belief's own words tell of it.

    `chance` is the probability that it bears on the message by the words that it rests on, and `turn` the probability
    that these do; `fit` is that of its own words, and `behind` says by how much the best of the beliefs' words fit
    better.
    """

    chance: float
    turn: float
    fit: float
    behind: float


def bearing(hit: HitTraits, related: float) -> float:
    """The probability that a hit bears on a message that is so likely related."""
    if hit.fit is not None:
        return _bearing_by_fit(hit, hit.fit)
    logit = _AT_PLACE * math.log1p(hit.place) + _OF_RELATED * related + _BEARING
    logit += _OF_COSINE * hit.cosine + _OF_LEXICAL * hit.lexical + _OF_WORDS * hit.words
    logit += _OF_LENGTH * math.log(max(hit.length, 1)) + _OF_ASKING * hit.asks
    return _probability(logit + _OF_AGENT * hit.by_agent + _OF_SAVED * hit.saved + _OF_TELLING * hit.tells)


def _bearing_by_fit(hit: HitTraits, fit: float) -> float:
    logit = _FIT * fit + _FIT_BEHIND * hit.behind + _FIT_PLACE * math.log1p(hit.place) + _FIT_BEARING
    logit += _FIT_RANK * math.log1p(hit.rank) + _FIT_COSINE * hit.cosine
    logit += _FIT_LENGTH * math.log(max(hit.length, 1)) + _FIT_ASKING * hit.asks
    return _probability(logit + _FIT_AGENT * hit.by_agent + _FIT_SAVED * hit.saved)


def belief_bearing(belief: BeliefTraits, fit: float) -> float:
    """The probability that a belief bears on a message, where the words that it rests on fit so well."""
    logit = _BELIEF_FIT * fit + _BELIEF_BEHIND * belief.behind + _BELIEF_NEAR * belief.nearness + _BELIEF_BEARING
    logit += _BELIEF_SITUATED * belief.situated + _BELIEF_IF_NEAR * belief.situated_if_near
    return _probability(logit + _BELIEF_WORDS * min(belief.words, MOST_SHARED) + _BELIEF_NAMED * belief.named)


def own_bearing(belief: OwnTraits) -> float:
    """The probability that a belief bears on a message, where its own words were compared with it, too."""
    logit = _OWN_CHANCE * chance_odds(belief.chance) + _OWN_TURN * chance_odds(belief.turn) + _OWN_BEARING
    return _probability(logit + _OWN_FIT * belief.fit + _OWN_BEHIND * belief.behind)


def relatedness(strength: Strength) -> float:
    """The probability that a scope knows anything of what a question asks."""
    if strength.nearness is None:
        logit = _BREADTH * strength.coverage * math.sqrt(strength.words) + _WORDS
    else:
        crowd = _CROWD * max(0.0, math.log(max(strength.passages, 1) / _CROWDED))
        logit = _STEEP * (strength.nearness - _EVEN - crowd)
    logit += _ALL_WORDS * max(0.0, min(strength.coverage, 1.0) - _MOST_WORDS) / (1 - _MOST_WORDS)
    return _probability(logit + _NAMED * strength.names + _VOICES[strength.voice])


def knowledge(need: float, fit: float) -> float:
    """The probability that anything which was told bears on a message; `fit` is that of what fits best."""
    return _probability(_KNOWN_NEED * _within(need, MOST_NEED) + _KNOWN_FIT * _within(fit, MOST_FIT) + _KNOWN)


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)


def placement(beside_best: float, place: int) -> float:
    """The probability that a hit answers a related question, by its score beside the best one's and its place."""
    return _probability(_BESIDE * beside_best + _PLACE * math.log1p(place) + _ANY)


def chance_odds(chance: float) -> float:
    """The logarithm of the odds of a chance, within bounds."""
    within = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return math.log(within / (1 - within))


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0
