"""Statements around a fact: the words beside those that a fact rests on may say that it is new, or in place of what."""

import re

from nacre.domain.facts import Fact

_LEFT = re.compile(r"(?:\A|[.,;:!?\n()–—]|\b(?:and|but|so|y|pero)\b)(?P<lead>[^.,;:!?\n()–—]*)\Z", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not?|never|cannot|nunca|\w+n['’]t)\b", re.IGNORECASE)
_NO_START = re.compile(r"\A\s*(?:no|nope|sorry|wait|actually|correction|perdón)\b[\s,:]*\Z", re.IGNORECASE)
_RIGHT = re.compile(
    r"(?:(?!\b(?:and|but|because|so|when|while|if|although|though|which|who|y|pero|porque|cuando|si|aunque)\b)"
    r"[^.,;:!?\n()–—])*",
    re.IGNORECASE,
)
# "…, not Apple", "… but not at Apple": what the fact stands in place of.
_INSTEAD = re.compile(
    r"(?:\s*[,;–—-]+\s*|\s+)(?:(?:and |but |y )?(?:not|no)|instead of|rather than|en vez de|en lugar de)\s+"
    r"(?:at |in |for |to |en |a )?[^.,;:!?\n]{2,40}",
    re.IGNORECASE,
)
# More words than these before a fact are another statement.
_MOST_LEADING = 4
# "my husband Alun", "our old dog Rex": whoever is called so may be said of anything after it.
_OWN = re.compile(
    r"(?:my|our|mis?|nuestr[oa]s?)(?:\s+(?!(?:is|are|was|were|used|not|es|son|era|fue|ya)\b|\w+n['’]t\b)[\w'’-]+){1,4}"
    r"(?:\s*[,:(]\s*|\s+)",
    re.IGNORECASE,
)


def statement_around(text: str, quote: tuple[int, int]) -> str:
    """The words of a quote with those that belong to the same statement: "now", "since March", "…, not Apple"."""
    start, end = quote
    right = _RIGHT.match(text, end)
    end = right.end() if right else end
    instead = _INSTEAD.match(text, end)
    end = instead.end() if instead else end
    return text[_leading(text, start) : end].strip()


def statement_of(text: str, fact: Fact) -> str:
    """The statement that a fact was read from.

    Of an order its own words: "keep it short, no emojis" ends nothing. Of whom somebody calls theirs, no more than
    that: in "my husband Alun can't drive" he is denied a drive.
    """
    if (fact.path or "").startswith("replies/"):
        return text[slice(*fact.quote)]
    if fact.object and (own := _OWN.match(text, *fact.quote)) and own.end() >= fact.object.start > own.start():
        return text[_leading(text, fact.quote[0]) : fact.object.end].strip()
    return statement_around(text, fact.quote)


def _leading(text: str, start: int) -> int:
    """Where the statement begins, a word such as "now" or "actually" before it included."""
    found = _LEFT.search(text, max(0, start - 80), start)
    if found is None:
        return start
    lead = found["lead"]
    few = len(lead.split()) <= _MOST_LEADING and not _NEGATION.search(lead)
    begin = found.start("lead") if few else start
    head = text[max(0, begin - 20) : begin]
    opened = re.search(r"(?:\A|(?<=[.!?\n]))[^.!?\n]*\Z", head)
    return begin - len(opened[0]) if few and opened and _NO_START.match(opened[0]) else begin
