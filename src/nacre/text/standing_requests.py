"""Standing requests: something that a person wants an agent to do or to leave from now on, and how they say it; English
and Spanish.

Only what is meant to last is a wish. "Send the report" is a task; "keep it shorter" and "stop using emojis" are wishes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from nacre.text import sentences


class Sentiment(IntEnum):
    """How somebody felt about it, by how often they must say it before it counts."""

    VERY_IRRITATED = 1
    MILDLY_FRUSTRATED = 2
    MINOR = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """A sentence that says what somebody wants, where it stands in its text, and how it was said."""

    text: str
    span: tuple[int, int]
    sentiment: Sentiment
    unwanted: bool


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)})", re.IGNORECASE)


_TASKS = "forget|worry|hesitate|know|think|mind|care|understand|remember|see|get|bother"
_STYLES = (
    r"(?:short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|succinct|long(?:er)?|verbose|detail(?:s|ed)?|simpl(?:e|er|y)|plain"
    r"|formal(?:ly)?|informal(?:ly)?|polite|bullets?|tables?|emojis?|emoticons?|markdown|metric|imperial|celsius"
    r"|fahrenheit|24[- ]hour|jargon|sources|citations|slow(?:er|ly)?"
    r"|english|spanish|french|german|portuguese|italian|chinese|japanese|dutch|catalan"
    r"|cort[oa]s?|breves?|concis[oa]s?|larg[oa]s?|sencill[oa]s?|formales|emoticonos?|tablas?|viñetas|métrico|despacio"
    r"|inglés|español|castellano|francés|alemán|portugués|italiano|catalán)"
)
# What stands before an order; a verb elsewhere only tells a story: "I never eat meat", "the answer was short".
_ORDER = (
    r"(?:^\W{0,20}+|[,;:—]\W{0,20}+|\b(?:please|just|and|but|so|to|you should|you must|por favor|y|pero|que) "
    r"|\b(?:can|could|would|will) you (?:please )?|\b(?:puedes|podrías) (?:\w+ )?)"
)
_STYLED = rf"\b(?=.{{0,300}}\b{_STYLES}\b)"
_UNWANTED = _any(
    rf"{_ORDER}(?:do not|don['’]t|never)(?: ever)? (?!(?:{_TASKS})\b)[a-z]+",
    rf"{_ORDER}(?:stop|quit|avoid) \w+ing\b",
    r"\btold you not to \w+",
    r"\bno more \w+",
    rf"(?:^|[,;:—])\W{{0,20}}+no (?:\w+ )?{_STYLES}\b",
    r"\bi (?:hate|dislike|can['’]t stand|do not like|don['’]t like|don['’]t want)\b",
    r"\btoo (?:long|verbose|formal|short|technical|many)\b",
    r"\b(?:deja|dejá|dejad) de \w+r\b",
    r"\b(?:no|nunca) (?:me )?(?:uses|hagas|respondas|escribas|mandes|envíes|pongas|llames|digas|vuelvas|incluyas)\b",
    r"\bno (?:quiero|me gusta|soporto)\b|\bodio\b",
    r"\bdemasiado (?:larg|formal|técnic)\w+",
)
_WANTED = _any(
    rf"{_ORDER}always\b|\b(?:from now on|going forward)\b",
    r"\bi(?:['’]d| would)? (?:prefer|rather)\b|\bi like it when\b|\bi want you to\b|\bi['’]d like you to\b",
    rf"{_ORDER}(?:keep|make|be|answer|reply|write|use|speak|format|respond|talk|give){_STYLED}",
    rf"{_ORDER}call me\b",
    rf"{_ORDER}siempre\b|\b(?:de ahora en adelante|a partir de ahora)\b",
    r"\b(?:prefiero|preferiría|quiero que|me gustaría que|me gusta que)\b",
    rf"{_ORDER}(?:responde|contesta|escribe|usa|habla|sé|hazlo|respóndeme|háblame){_STYLED}",
    r"\bllámame\b",
)
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
_ASKED = re.compile(r"[?？][\s\"'”’»)]*\Z")
_REQUEST = _any(r"^\W*(?:can|could|would|will) you\b", r"^\W*(?:puedes|podrías|puede|podría)\b")
_LONGEST = 300


def wishes(text: str) -> Iterator[Wish]:
    """What a text asks for, sentence by sentence. Its tone is that of the whole text."""
    mood = sentiment(text)
    for start, end in sentences.split(text):
        sentence = text[start:end]
        if len(sentence) > _LONGEST or (_ASKED.search(sentence) and not _REQUEST.search(sentence)):
            continue
        unwanted = _UNWANTED.search(sentence) is not None
        if unwanted or _WANTED.search(sentence):
            yield Wish(sentence, (start, end), mood, unwanted)


def sentiment(text: str) -> Sentiment:
    """How a text sounds."""
    if _IRRITATED.search(text) or _SHOUTED.search(text):
        return Sentiment.VERY_IRRITATED
    return Sentiment.MILDLY_FRUSTRATED if _FRUSTRATED.search(text) else Sentiment.MINOR


_SENSITIVE = _any(
    r"\b(?:passwords?|passphrases?|credentials?|secrets?|api keys?|access tokens?|private keys?|2fa|otp|log ?ins?)\b",
    r"\b(?:securit\w+|encrypt\w*|permissions?|firewalls?|backups?|ssh|sudo|root access|pin codes?)\b",
    r"\bdelet\w+ (?:\w+ )?(?:files?|data|accounts?)\b",
    r"\b(?:pay|pays|paid|payments?|invoices?|purchas\w+|buy|buying|sell|selling|money|transfers?|refunds?)\b",
    r"\b(?:credit cards?|bank\w*|wallets?|invest\w*|trad(?:e|es|ing)|budgets?|salar(?:y|ies)|tax(?:es)?|loans?)\b",
    r"\b(?:prices?|euros?|dollars?|bitcoin)\b|[$€£]\s?\d",
    r"\b(?:contraseñas?|claves?|credenciales?|secretos?|segurid\w+|permisos?|cifr\w+)\b",
    r"\b(?:pag(?:o|os|ar|ues?|as?)|facturas?|compr(?:a|as|ar|es)|vend(?:e|er|as)|dinero|transferencias?)\b",
    r"\b(?:tarjetas?|banc\w+|invert\w+|inversi\w+|presupuestos?|salarios?|sueldos?|impuestos?|préstamos?|precios?)\b",
    r"\bdólares\b",
)


def is_sensitive(text: str) -> bool:
    """Whether a text touches security, credentials or money."""
    return _SENSITIVE.search(text) is not None
