"""Sentiments: how a text sounds, by how often somebody must say a thing before it counts; English and Spanish."""

import re
from enum import IntEnum


class Sentiment(IntEnum):
    """How somebody felt about it, by how often they must say it before it counts."""

    VERY_IRRITATED = 1
    MILDLY_FRUSTRATED = 2
    MINOR = 3


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)})", re.IGNORECASE)


_IRRITATED = _any(
    r"\bi (?:already |just )?(?:told|said|asked)(?: you)?\b.{0,300}(?:\b(?:already|again|times|before|repeatedly)\b|!)",
    r"\bi['’]ve (?:already )?(?:told|asked) you\b|\bhow many times\b|\bfor the (?:last|hundredth|\w+th) time\b",
    r"\b(?:seriously|enough|damn|wtf|ffs|ridiculous|unacceptable|infuriating|annoying|sick of|fed up|ugh)\b",
    r"!{2,}",
    r"\b(?:stop|never|again|don['’]t)\b[^.?!]{0,120}!",
    r"\b(?:ya )?te (?:he dicho|dije|he pedido)\b.{0,300}(?:\bveces\b|\bya\b|!)",
    r"\bcuántas veces\b|\bpor (?:última|enésima) vez\b",
    r"\b(?:basta|harto|harta|maldita|inaceptable|ridículo|joder)\b",
    r"\b(?:deja|dejá|no|nunca)\b[^.?!]{0,120}!",
)
_FRUSTRATED = _any(
    r"\b(?:again|instead|still|already|once more|as i said|i (?:told|asked|said)|not what i|wrong)\b",
    r"\bplease (?:stop|don['’]t|do not|no)\b|\bi['’]d rather you\b|\btoo \w+\b|\bno, ",
    r"\b(?:otra vez|de nuevo|en vez de|todavía|como (?:te )?dije|te (?:dije|pedí|he dicho)|no es lo que|demasiado)\b",
    r"\bpor favor,? no\b|\bpreferiría que\b",
)
_SHOUTED = re.compile(r"\b[A-ZÁÉÍÓÚÑ]{3,}\b(?:\W+\b[A-ZÁÉÍÓÚÑ]{2,}\b){2,}")


def sentiment(text: str) -> Sentiment:
    """How a text sounds."""
    if _IRRITATED.search(text) or _SHOUTED.search(text):
        return Sentiment.VERY_IRRITATED
    return Sentiment.MILDLY_FRUSTRATED if _FRUSTRATED.search(text) else Sentiment.MINOR
