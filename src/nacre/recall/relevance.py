"""Relevance: the probability that a hit bears on a question, on one scale for every question.

Two parts, multiplied. *Relatedness* says whether the scope knows anything of what is asked: how near in meaning the
nearest passage is, which must be nearer where more passages could be near by chance. *Placement* says how likely a
hit at its place belongs to the answer, given that there is one. Both were fitted on questions about conversations
written for this project and on LongMemEval's development questions, against questions about other things; LoCoMo was
kept out to check them. `bench/models/relevance.py` fits them anew; the reliability table is in docs/recall.md.
"""

import math
from dataclasses import dataclass

# The nearness at which a question is as likely related as not, and how sharply that turns.
_EVEN, _STEEP = 0.2, 17.0
# What more each e-fold of passages beyond so many asks for.
_CROWD, _CROWDED = 0.03, 300
# A question that names somebody or something known is related more often.
_NAMED = 1.5
# Without vectors: the share of the question's words that one passage holds, alone and by how many words they are.
_SHARE, _BREADTH, _WORDS = -3.391, 2.580, -1.102
# Placement: beside the best hit, by the logarithm of the place, and for any.
_BESIDE, _PLACE, _ANY = 3.369, -0.890, -3.609


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strongly a scope answers to a question.

    `nearness` is the highest cosine, 0 at the embedder's threshold and 1 for the same text; None without vectors.
    `coverage` is the largest share of the question's words, by rarity, that one passage holds, and `words` how many
    words it has. `names` says that it names a speaker or an entity that the scope knows.
    """

    nearness: float | None
    coverage: float
    words: int
    passages: int
    names: bool = False


def relatedness(strength: Strength) -> float:
    """The probability that a scope knows anything of what a question asks."""
    if strength.nearness is None:
        share = min(strength.coverage, 1.2)
        logit = _SHARE * share + _BREADTH * share * math.sqrt(strength.words) + _WORDS
    else:
        crowd = _CROWD * max(0.0, math.log(max(strength.passages, 1) / _CROWDED))
        logit = _STEEP * (strength.nearness - _EVEN - crowd)
    return _probability(logit + _NAMED * strength.names)


def placement(beside_best: float, place: int) -> float:
    """The probability that a hit answers a related question, by its score beside the best one's and its place."""
    return _probability(_BESIDE * beside_best + _PLACE * math.log1p(place) + _ANY)


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0
