"""Text that tries to give orders to whoever reads it: found at write, and harmless where it is shown.

What people say about instructions is not one: only phrases that speak to a language model are looked for.
"""

import re

INSTRUCTION = "instruction"
MARKER = "role_marker"
HIDDEN = "hidden_text"
EXFILTRATION = "exfiltration"

_QUOTED = "[quoted instruction: "

# Controls that change what is seen, and tags that are never seen: no language is written with them.
_HIDDEN = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]+")
_EARLIER = (
    r"(?:(?:all|any|every|the|your|my|these|those|of) ){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system)"
)
_ORDERS = r"(?:instructions?|prompts?|messages?|directions?|rules?|guidelines?|context|orders?)"
_EARLIER_ES = r"(?:(?:todas?|todos?|las?|los?|tus?|mis?) ){0,3}"
_ORDERS_ES = (
    r"(?:instrucciones|indicaciones|órdenes|reglas|mensajes)(?: (?:anteriores|previas|previos|de arriba|del sistema))"
)
_PHRASES: tuple[str, ...] = (
    rf"(?:ignore|disregard|forget|override|bypass|discard) {_EARLIER} {_ORDERS}",
    r"(?:ignore|disregard|forget) (?:everything|anything|all)(?: that \w+)?(?: said| written| told)? (?:above|before)",
    r"do not (?:follow|obey) (?:the|your|any) (?:previous|system|above|original) \w+",
    r"(?:from now on|starting now|henceforth),? (?:you are|you will|you must|act as|respond)",
    r"you are (?:now|no longer) (?:in \w+ mode|dan\b|an? (?:\w+ ){0,3}(?:ai|assistant|bot|model|agent|persona)\b)",
    r"(?:enter|switch to|enable|activate) (?:developer|debug|god|jailbreak|unrestricted|dan) mode",
    r"(?:reveal|print|repeat|show|leak)(?: me| us)? (?:your|the) (?:system|hidden|initial) (?:prompt|instructions)",
    r"(?:new|updated|real|actual) (?:system )?instructions?:",
    r"(?:system|developer) (?:override|message|notice):",
    r"(?:do not|don't|never) (?:tell|inform|alert|mention (?:this|it) to|let) the user",
    r"without (?:telling|informing|asking) the user",
    rf"(?:ignora|olvida|descarta|desobedece) {_EARLIER_ES}{_ORDERS_ES}",
    r"(?:a partir de ahora|desde ahora),? (?:eres|actúa|responde|debes)",
    r"no se lo digas al usuario|sin (?:decírselo|informar|avisar) al usuario",
)
_INSTRUCTION = re.compile(rf"(?<!{re.escape(_QUOTED)})\b(?:{'|'.join(_PHRASES)})", re.IGNORECASE)
# One of these is in every phrase above; most texts hold none of them.
_HINTS = (
    "ignor", "disregard", "forget", "overrid", "bypass", "discard", "not follow", "not obey", "from now",
    "starting now", "henceforth", "you are now", " mode", "prompt", "instruct", "system", "developer", "the user",
    "olvida", "descarta", "desobedece", "ahora", "usuario",
)  # fmt: skip
_LONGEST_HINT = max(map(len, _HINTS))
# Letters that a pattern takes for an i, an s or a k, and `str.lower` does not.
_LIKE_OTHERS = str.maketrans("İıſ\u212a", "iisk")
_TAGS = "system|assistant|user|human|instructions?|prompt|tool_call|tool_result|function_calls?|tool_use|invoke"
_MARKER = re.compile(
    rf"<(?P<pipe>\|[a-z_]{{2,30}}\|)>"
    rf"|<(?P<tag>/?(?:{_TAGS})(?:\s[^<>]{{0,200}})?)>"
    r"|<<(?P<sys>/?SYS)>>"
    r"|\[(?P<inst>/?INST)\]"
    r"|^(?P<head>[ \t]*#{1,6} ?(?:system|instructions?|assistant|user))(?=:?[ \t]*$)"
    r"|^(?P<speaker>[ \t]*(?:system|assistant|developer))(?P<colon>[ \t]*:)",
    re.IGNORECASE | re.MULTILINE,
)
# A picture from elsewhere is fetched as soon as it is shown, and its address can carry anything away.
_EXFILTRATION = re.compile(r"!\[([^\]\n]{0,200})\]\(\s*(https?://(?:[^\s)!]|!(?!\[)){1,2000})\s*\)", re.IGNORECASE)
_BLANKS = re.compile(r"\s*")
# A pattern lets no other thread run until it has read what it was given, so a long text is given to it in pieces. What
# it finds has at most so many characters, beside two runs of blanks.
PIECE, LONGEST = 20_000, 2_500


def flags(text: str) -> tuple[str, ...]:
    """What a reader should be wary of in a text."""
    # Each pattern needs something that few texts hold, and looking for that takes a hundredth of the time.
    found = []
    if _hints(text) and _is_in(text, _INSTRUCTION):
        found.append(INSTRUCTION)
    if ("<" in text or "[" in text or "#" in text or ":" in text) and _is_in(text, _MARKER):
        found.append(MARKER)
    if not text.isascii() and _HIDDEN.search(text):
        found.append(HIDDEN)
    if "![" in text and _is_in(text, _EXFILTRATION):
        found.append(EXFILTRATION)
    return tuple(found)


def _is_in(text: str, pattern: re.Pattern[str]) -> bool:
    for start in range(0, len(text), PIECE):
        at, end = start, start + PIECE
        for _ in range(2):
            blanks = _BLANKS.match(text, end)
            end = (blanks.end() if blanks else end) + LONGEST
        while found := pattern.search(text, at, end):
            # The end of a piece is no end of a line.
            if pattern.match(text, found.start()):
                return True
            at = found.start() + 1
    return False


def _hints(text: str) -> bool:
    pieces = (text[at : at + PIECE + _LONGEST_HINT] for at in range(0, len(text), PIECE))
    return any(hint in lowered for lowered in map(_lowered, pieces) for hint in _HINTS)


def _lowered(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LIKE_OTHERS).lower()


def neutral(text: str) -> str:
    """The text with its orders quoted, its markers broken and what is hidden in it gone; nothing else changes."""
    seen = _HIDDEN.sub("", text)
    seen = _EXFILTRATION.sub(r"[picture: \1 at \2]", seen)
    seen = _MARKER.sub(_broken, seen)
    return _INSTRUCTION.sub(lambda match: f"{_QUOTED}{match[0]}]", seen)


def _broken(match: re.Match[str]) -> str:
    if match["head"]:
        return match["head"].replace("#", "›")
    if match["speaker"]:
        return f"{match['speaker']} –"
    return f"‹{next(filter(None, (match['pipe'], match['tag'], match['sys'], match['inst'])))}›"
