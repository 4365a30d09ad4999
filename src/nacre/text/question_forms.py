"""Askings: whether a message is a question, and whether it asks about the past."""

import re


def _any(block: str) -> str:
    return "|".join(block.split())


_OPENING = re.compile(
    rf"""(?:^|[.!?;:,\n]\s{{0,20}}+|\b(?:and|but|so|ok|okay|please|pls|hey|hi|hello|y|pero|oye|por\ favor)\s+)(?:{
        _any('''
    who whom whose what whats what's which when whens when's where wheres where's why how hows how's is are was were am
    do does did can could will would should shall may might have has had don't doesn't didn't isn't aren't
    remind tell show list name count recall
    qué que quién quien quiénes cuál cual cuáles cuándo cuando dónde donde cómo como cuánto cuánta cuántos cuántas
    recuérdame dime
    wer was welche welcher welches wann wo wohin warum wie zeig erinnere
    qui quoi quel quelle quels quelles quand où pourquoi comment combien rappelle
    quem qual quais quando onde porquê quanto quantos lembra
    ''')
    })\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PAST = re.compile(
    rf"\b(?:{_any('before previously formerly originally initially earlier former old')}|used\ to|at\ first|back\ then"
    rf"|no\ longer|any\ ?more|changed?|switch(?:ed)?|{_any('antes previamente anterior antiguo antigua solía cambió')}"
    rf"|{_any('früher vorher avant ancien ancienne anterior')}|first)\b",
    re.IGNORECASE | re.VERBOSE,
)


# "Can you draft a note?" wants a note; "can you tell me when" wants to know.
_ASKING_TO_DO = re.compile(
    r"^\W*(?:(?:hi|hey|hello|ok|okay|please|so)\W+)*(?:can|could|would|will)\s+you\s+(?:(?:please|just|also|quickly)\s+)*"
    r"(?!tell|remind|say|show|list|name|recall|remember|find|check|look|give|see)\w+"
    r"|^\W*(?:¿\s*)?(?:puedes|podrías|me)\s+(?!decir|recordar|dices|recuerdas|mostrar)\w+",
    re.IGNORECASE,
)


def asks(message: str) -> bool:
    """Whether a message asks for something that is known, rather than to tell something or have it done."""
    if _ASKING_TO_DO.search(message):
        return False
    return "?" in message or "¿" in message or "？" in message or _OPENING.search(message) is not None


def asks_of_past(message: str) -> bool:
    """Whether a message asks how things were, so that what no longer holds may be the answer."""
    return _PAST.search(message) is not None
