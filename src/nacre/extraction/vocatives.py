"""Vocatives: whether a name is spoken to rather than of."""

import re

from nacre.domain.entities import EntityType

_GREETING = re.compile(
    r"(?:^|[\s,.!(])(?:hey|hi|hello|thanks|thank you|wow|whoa|woah|yeah|yep|yup|yes|no|nope|ok|okay|bye|congrats"
    r"|congratulations|sorry|dear|oh"
    r"|cool|sure|nice|great|awesome|absolutely|definitely|totally|agreed|exactly|well|so|right|morning|hola"
    r"|gracias|oye|sí|adiós|buenas"
    r"|vale|claro|querid[oa]),?\s*\Z",
    re.IGNORECASE,
)
_APPOSITION = re.compile(
    r",\s+(?:my|our|his|her|their|the|a|an|who|which|whose|mi|nuestr[oa]|su|el|la|un|una|que|quien)\b", re.IGNORECASE
)


def is_addressed(sentence: str, start: int, end: int, kind: EntityType) -> bool:
    """Whether the name at a place in a sentence calls somebody: after a greeting, or set off by commas."""
    before, after = sentence[:start], sentence[end:]
    ends = not after.strip(" \"'”’)") or after[0] in ",.!?…" or after.startswith((" -", " –", " —"))
    if not ends or _APPOSITION.match(after):
        return False
    if _GREETING.search(before):
        return True
    person = kind is EntityType.PERSON
    if not before.strip("\"'“‘¿¡ "):
        return person and after[:1] in (",", "!")
    return person and before.endswith(", ") and after[:1] in (".", "!", "?") and "," not in before[:-2]
